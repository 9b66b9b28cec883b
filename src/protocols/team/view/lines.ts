/**
 * Formats a team's facts for pipes: a line for each important step, so that a reader of these lines alone
 * knows what was planned, tried, found and brought home.
 */
import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { type Teller, toProgress } from '../../../plain/protocol-text.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
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
      return team === before ? [] : newsOf(any, team, title).map((row) => toProgress(toLine(row)));
    },
    above: (_synthesis, view) => (team.plan === undefined ? [] : [toLine(describeEnd(view, team))]),
  };
}

function newsOf(any: AnyFact, team: TeamView, title: Named): string[] {
  const fact = TEAM.own(any);
  switch (fact?.type) {
    case 'team.surveyed':
      return [`Surveyed: ${formatSurvey(fact.survey)}`];
    case 'check.ran': {
      const of = fact.task ?? fact.workstream;
      const counts = formatTestCounts(fact);
      return [
        `${checkSign(fact)} Check ${fact.check}, ${KIND_WORDS[fact.kind]}${of === undefined ? '' : ` (${of})`}: ${formatCheckEnd(fact)}${counts === '' ? '' : `; ${counts}`}`,
      ];
    }
    case 'team.planned': {
      if (fact.refused.length > 0) return [`Plan refused by code: ${fact.refused.join(' ')}`];
      if (fact.plan.no_team !== '')
        return [
          `${isGivenUp(fact) ? 'T1 gives up' : 'T1 says that no team is needed'}: ${fact.plan.no_team}`,
        ];
      const { requirements, workstreams } = fact.plan;
      return [
        `Planned: ${formatCount(requirements.length, 'requirement')}; ${workstreams.map(({ id, path }) => `${id} (${path})`).join(', ')}`,
        ...fact.found.map(({ what, change }) => `T1 on its own plan: ${what} ${change}`),
        ...(fact.mended ?? []).map(({ what, change }) => `Code on T1’s plan: ${what} ${change}`),
      ];
    }
    case 'team.approved':
      return [`Approved by ${BY_WHOM[fact.by]}`];
    case 'team.designed':
      return [
        ...(fact.refused.length === 0 ? [] : [`Design refused by code: ${fact.refused.join(' ')}`]),
        `Designed: ${formatCount(fact.boundaries.domains.length, 'domain')}, ${formatCount(fact.architecture.interfaces.length, 'interface')}, ${formatCount(fact.contradictions.length, 'contradiction')}`,
        ...fact.contradictions.map(
          ({ id, a, b, why, settled }) =>
            `${id}, ${a} and ${b}: ${why} ${settled === undefined ? 'It stays open.' : `Settled: ${settled}`}`,
        ),
      ];
    case 'team.graphed':
      return [
        ...(fact.refused.length === 0 ? [] : [`Tasks refused by code: ${fact.refused.join(' ')}`]),
        `Tasks: ${fact.tasks.map(({ id }) => id).join(', ')}`,
        ...fact.ordered.map(({ before, after, file }) => `${after} waits for ${before}: ${file}`),
      ];
    case 'tests.written':
      return [
        fact.why === undefined
          ? `Tests first for ${fact.workstream}: ${fact.tests.map(({ requirement, state }) => `${requirement} ${state}`).join(', ')}`
          : `No tests first for ${fact.workstream}: ${fact.why}`,
      ];
    case 'task.started':
      return [
        `${fact.task}, attempt ${fact.attempt}${countedWords(fact.task, team)}: started (${LEVEL_WORDS[fact.level]}, ${fact.effort} effort)`,
      ];
    case 'task.reported':
      return [
        `${fact.task}, attempt ${fact.attempt}: ${fact.result === undefined ? `no result (${fact.why ?? 'unknown'})` : `says ${fact.result.status}`}, after ${formatCount(fact.turns, 'turn')}`,
      ];
    case 'commit.made': {
      const of = fact.task ?? fact.workstream ?? fact.for;
      return [
        fact.refused.length > 0
          ? `${of}: nothing was committed: ${fact.refused.map(({ path, why }) => `${path} (${why})`).join(', ')}`
          : `${of}: committed ${shortCommit(fact.commit ?? fact.tree)}, ${listSome(fact.files)}`,
      ];
    }
    case 'task.judged':
      return [
        `${fact.task}, attempt ${fact.attempt}: ${fact.green ? 'green' : `red: ${fact.why.join('; ')}`}`,
      ];
    case 'task.retried':
      return [
        `${fact.task} is retried (attempt ${fact.attempt}) by ${fact.by}: ${fact.why}`,
        ...(fact.refused ?? []).map((why) => `Not split: ${why}`),
      ];
    case 'task.split':
      return [
        `${fact.task} is split by ${fact.by}: first ${fact.into.map(({ id, title: what }) => `${id} (${what})`).join(', ')}. ${fact.why}`,
      ];
    case 'task.ended':
      return [`${fact.task}: ${fact.state}${fact.why === undefined ? '' : `: ${fact.why}`}`];
    case 'team.escalated':
      return [
        `Escalated, ${fact.task ?? fact.workstream}: ${formatEscalation(fact.from, fact.to, fact.cause, fact.why)}`,
      ];
    case 'plan.amended':
      return [
        `Amended by ${fact.by}, ${fact.kind}${fact.task === undefined || fact.what.includes(fact.task) ? '' : ` of ${fact.task}`}: ${fact.what}: ${fact.why}`,
      ];
    case 'need.refused':
      return [`${fact.task} is refused ${fact.kind} ${fact.what}: ${fact.why}`];
    case 'team.joined':
      return [
        fact.conflicts.length > 0
          ? `Not joined (${fact.of}): both sides changed ${fact.conflicts.join(', ')}`
          : `Joined (${fact.of}), round ${fact.round}: ${shortCommit(fact.commit ?? '')}`,
      ];
    case 'verdict.given': {
      const met = fact.items
        .map(({ requirement, met: how, found }) =>
          found || how === 'unclear'
            ? `${requirement} ${how}`
            : `${requirement} ${how}, without a place`,
        )
        .join(', ');
      return [
        `${title(fact.seat)} on ${fact.workstream}, round ${fact.round}${fact.again ? ', looking again' : ''}: ${fact.verdict ?? fact.why ?? 'no verdict'}${met === '' ? '' : ` (${met})`}`,
        ...fact.defects.map(
          ({ task, path, why, found }) =>
            `Defect in ${task}: ${why} (${path}${found ? '' : ', where the quoted words are not found'})`,
        ),
        ...(fact.probe === undefined
          ? []
          : [
              `Its probe ${fact.probe.state === 'not-run' ? 'was not run' : fact.probe.state}: ${fact.probe.shows}${fact.probe.why === undefined ? '' : ` (${fact.probe.why})`}`,
            ]),
      ];
    }
    case 'test.locked':
      return [
        fact.by === 'person'
          ? `The test ${fact.path} for ${fact.requirement} is put back by a person`
          : `The test ${fact.path} of ${title(fact.by)} is locked for ${fact.requirement}: ${fact.state === 'red' ? 'red now' : 'red on the base, green now'}. ${fact.shows}`,
      ];
    case 'test.dropped':
      return [
        `Both verifiers drop the test ${fact.path} for ${fact.requirement}: ${fact.said.map(({ seat, why }) => `${title(seat)}: ${why}`).join('; ')}`,
      ];
    case 'verdict.joined':
      return [
        `Joint verdict on ${fact.workstream}${fact.alone ? ' by itself' : ''}, round ${fact.round}: ${fact.verdict}${fact.requirements.length === 0 ? '' : ` (${fact.requirements.map(({ id, state }) => `${id} ${state}`).join(', ')})`}`,
        ...fact.failing.map(({ task, why }) => (task === '' ? why : `${task} fails: ${why}`)),
      ];
    case 'team.accepted':
      return fact.refused.length > 0
        ? [`Acceptance refused by code: ${fact.refused.join(' ')}`]
        : [acceptedWords(fact.acceptance, fact.why)];
    case 'team.delivered':
      return [`Brought home: ${formatDelivery(fact)}`];
    default:
      return [];
  }
}

/** Formats how many attempts of a task count, such as ` (2 of 5 counted)`. */
function countedWords(id: string, team: TeamView): string {
  const task = team.tasks.find((task) => task.task.id === id);
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
 * Formats a model's answer for plain output. Only T1's decision on the finished work is printed. Undefined for all
 * other answers: lines about the run's facts report what came of them.
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
  return `${purpose}${task === undefined ? '' : ` on ${toLine(task)}`}`;
}
