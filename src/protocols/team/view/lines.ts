/**
 * Formats a team's facts for pipes: a line for each important step, so that a reader of these lines alone
 * knows what was planned, tried, found and brought home.
 */
import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { type Teller, toProgress } from '../../../plain/protocol-text.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { line } from '../../../text/line.ts';
import { plural } from '../../../text/numbers.ts';
import { TEAM } from '../facts.ts';
import { EMPTY_TEAM, foldTeam, isGivenUp, type TeamView } from '../fold.ts';
import { listSome } from '../plan-lines.ts';
import { answerWords } from './answers.ts';
import { formatCountedAttempts } from './display-state.ts';
import { formatSurvey } from './plan-text.ts';
import { describeEnd } from './status.ts';
import { formatEscalation } from './task-text.ts';
import { formatDelivery } from './tiers/ending.ts';
import {
  BY_WHOM,
  checkSign,
  formatCheckEnd,
  formatTestCounts,
  KIND_WORDS,
  LEVEL_WORDS,
  shortCommit,
} from './wording.ts';

type Named = (seat: string) => string;

/** Returns an object that formats each new fact of a team as lines of progress. */
export function teamTeller(): Teller {
  let team = EMPTY_TEAM;
  return {
    tell: (any, { title }) => {
      const before = team;
      team = foldTeam(team, any);
      return team === before ? [] : newsOf(any, team, title).map((row) => toProgress(line(row)));
    },
    above: (_synthesis, view) => (team.plan === undefined ? [] : [line(describeEnd(view, team))]),
  };
}

function newsOf(any: AnyFact, team: TeamView, title: Named): string[] {
  const one = TEAM.own(any);
  switch (one?.type) {
    case 'team.surveyed':
      return [`Surveyed: ${formatSurvey(one.survey)}`];
    case 'check.ran': {
      const of = one.task ?? one.workstream;
      const counts = formatTestCounts(one);
      return [
        `${checkSign(one)} Check ${one.check}, ${KIND_WORDS[one.kind]}${of === undefined ? '' : ` (${of})`}: ${formatCheckEnd(one)}${counts === '' ? '' : `; ${counts}`}`,
      ];
    }
    case 'team.planned': {
      if (one.refused.length > 0) return [`Plan refused by code: ${one.refused.join(' ')}`];
      if (one.plan.no_team !== '')
        return [
          `${isGivenUp(one) ? 'T1 gives up' : 'T1 says that no team is needed'}: ${one.plan.no_team}`,
        ];
      const { requirements, workstreams } = one.plan;
      return [
        `Planned: ${plural(requirements.length, 'requirement')}; ${workstreams.map(({ id, path }) => `${id} (${path})`).join(', ')}`,
        ...one.found.map(({ what, change }) => `T1 on its own plan: ${what} ${change}`),
      ];
    }
    case 'team.approved':
      return [`Approved by ${BY_WHOM[one.by]}`];
    case 'team.designed':
      return [
        ...(one.refused.length === 0 ? [] : [`Design refused by code: ${one.refused.join(' ')}`]),
        `Designed: ${plural(one.boundaries.domains.length, 'domain')}, ${plural(one.architecture.interfaces.length, 'interface')}, ${plural(one.contradictions.length, 'contradiction')}`,
        ...one.contradictions.map(
          ({ id, a, b, why, settled }) =>
            `${id}, ${a} and ${b}: ${why} ${settled === undefined ? 'It stays open.' : `Settled: ${settled}`}`,
        ),
      ];
    case 'team.graphed':
      return [
        ...(one.refused.length === 0 ? [] : [`Tasks refused by code: ${one.refused.join(' ')}`]),
        `Tasks: ${one.tasks.map(({ id }) => id).join(', ')}`,
        ...one.ordered.map(({ before, after, file }) => `${after} waits for ${before}: ${file}`),
      ];
    case 'tests.written':
      return [
        one.why === undefined
          ? `Tests first for ${one.workstream}: ${one.tests.map(({ requirement, state }) => `${requirement} ${state}`).join(', ')}`
          : `No tests first for ${one.workstream}: ${one.why}`,
      ];
    case 'task.started':
      return [
        `${one.task}, attempt ${one.attempt}${countedWords(one.task, team)}: started (${LEVEL_WORDS[one.level]}, ${one.effort} effort)`,
      ];
    case 'task.reported':
      return [
        `${one.task}, attempt ${one.attempt}: ${one.result === undefined ? `no result (${one.why ?? 'unknown'})` : `says ${one.result.status}`}, after ${plural(one.turns, 'turn')}`,
      ];
    case 'commit.made': {
      const of = one.task ?? one.workstream ?? one.for;
      return [
        one.refused.length > 0
          ? `${of}: nothing was committed: ${one.refused.map(({ path, why }) => `${path} (${why})`).join(', ')}`
          : `${of}: committed ${shortCommit(one.commit ?? one.tree)}, ${listSome(one.files)}`,
      ];
    }
    case 'task.judged':
      return [
        `${one.task}, attempt ${one.attempt}: ${one.green ? 'green' : `red: ${one.why.join('; ')}`}`,
      ];
    case 'task.retried':
      return [
        `${one.task} is retried (attempt ${one.attempt}) by ${one.by}: ${one.why}`,
        ...(one.refused ?? []).map((why) => `Not split: ${why}`),
      ];
    case 'task.split':
      return [
        `${one.task} is split by ${one.by}: first ${one.into.map(({ id, title: what }) => `${id} (${what})`).join(', ')}. ${one.why}`,
      ];
    case 'task.ended':
      return [`${one.task}: ${one.state}${one.why === undefined ? '' : `: ${one.why}`}`];
    case 'team.escalated':
      return [
        `Escalated, ${one.task ?? one.workstream}: ${formatEscalation(one.from, one.to, one.cause, one.why)}`,
      ];
    case 'plan.amended':
      return [
        `Amended by ${one.by}, ${one.kind}${one.task === undefined || one.what.includes(one.task) ? '' : ` of ${one.task}`}: ${one.what}: ${one.why}`,
      ];
    case 'need.refused':
      return [`${one.task} is refused ${one.kind} ${one.what}: ${one.why}`];
    case 'team.joined':
      return [
        one.conflicts.length > 0
          ? `Not joined (${one.of}): both sides changed ${one.conflicts.join(', ')}`
          : `Joined (${one.of}), round ${one.round}: ${shortCommit(one.commit ?? '')}`,
      ];
    case 'verdict.given': {
      const met = one.items
        .map(({ requirement, met: how, found }) =>
          found || how === 'unclear'
            ? `${requirement} ${how}`
            : `${requirement} ${how}, without a place`,
        )
        .join(', ');
      return [
        `${title(one.seat)} on ${one.workstream}, round ${one.round}${one.again ? ', looking again' : ''}: ${one.verdict ?? one.why ?? 'no verdict'}${met === '' ? '' : ` (${met})`}`,
        ...one.defects.map(
          ({ task, path, why, found }) =>
            `Defect in ${task}: ${why} (${path}${found ? '' : ', where the quoted words are not found'})`,
        ),
        ...(one.probe === undefined
          ? []
          : [
              `Its probe ${one.probe.state === 'not-run' ? 'was not run' : one.probe.state}: ${one.probe.shows}${one.probe.why === undefined ? '' : ` (${one.probe.why})`}`,
            ]),
      ];
    }
    case 'test.locked':
      return [
        one.by === 'person'
          ? `The test ${one.path} for ${one.requirement} is put back by a person`
          : `The test ${one.path} of ${title(one.by)} is locked for ${one.requirement}: ${one.state === 'red' ? 'red now' : 'red on the base, green now'}. ${one.shows}`,
      ];
    case 'test.dropped':
      return [
        `Both verifiers drop the test ${one.path} for ${one.requirement}: ${one.said.map(({ seat, why }) => `${title(seat)}: ${why}`).join('; ')}`,
      ];
    case 'verdict.joined':
      return [
        `Joint verdict on ${one.workstream}${one.alone ? ' by itself' : ''}, round ${one.round}: ${one.verdict}${one.requirements.length === 0 ? '' : ` (${one.requirements.map(({ id, state }) => `${id} ${state}`).join(', ')})`}`,
        ...one.failing.map(({ task, why }) => (task === '' ? why : `${task} fails: ${why}`)),
      ];
    case 'team.accepted':
      return one.refused.length > 0
        ? [`Acceptance refused by code: ${one.refused.join(' ')}`]
        : [acceptedWords(one.acceptance, one.why)];
    case 'team.delivered':
      return [`Brought home: ${formatDelivery(one)}`];
    default:
      return [];
  }
}

/** Formats how many attempts of a task count, such as ` (2 of 5 counted)`. */
function countedWords(id: string, team: TeamView): string {
  const task = team.tasks.find((one) => one.task.id === id);
  return task === undefined ? '' : ` (${formatCountedAttempts(team, task)} counted)`;
}

function acceptedWords(
  acceptance: TeamView['accepted'][number]['acceptance'],
  why = 'no answer',
): string {
  if (acceptance === undefined) return `Not accepted: ${why}`;
  const { decision, reject } = acceptance;
  return decision === 'accept'
    ? 'Accepted by T1'
    : `Rejected by T1, to ${reject?.tier ?? 'T4'}: ${reject?.reason ?? ''}`;
}

/**
 * Formats a model's answer for plain output. Only T1's decision on the finished work is printed; undefined for all
 * other answers, of which only the result is reported.
 */
export function spokenText(call: CallView): string | undefined {
  return call.task === 'team/accept' ? formatAnswer(call, answerWords) : undefined;
}

const PURPOSES: readonly (readonly [RegExp, string])[] = [
  [/^plan\/critique|^approve\/amend/, ' what is wrong with its plan'],
  [/^plan/, ' for a plan'],
  [/^design\/propose/, ' for a design'],
  [/^design\/answer/, ' about what contradicts'],
  [/^design/, ' for the design'],
  [/^graph/, ' for tasks'],
  [/^tests/, ' for tests that come before the work'],
  [/^task\/.*\/correct/, ' what to do about an attempt that failed'],
  [/^task\//, ' to work'],
  [/^verify\/.*mend/, ' to put its own test right'],
  [/^verify\/.*(?:again|last)/, ' to look again'],
  [/^verify/, ' to verify'],
  [/^accept/, ' whether it accepts'],
];

/**
 * Formats what a seat is asked for in a step, such as ` to work on json-flag`; empty if the step is
 * unknown.
 */
export function purposeOf(step: string): string {
  const purpose = PURPOSES.find(([steps]) => steps.test(step))?.[1] ?? '';
  const [, task] = /^task\/([^/]+)\//.exec(step) ?? [];
  return `${purpose}${task === undefined ? '' : ` on ${line(task)}`}`;
}
