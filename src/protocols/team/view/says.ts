/** Formats a team's facts in a few words each for the log. `lines.ts` does so for pipes. */
import type { AnyFact, FactSentences } from '../../../kernel/vocabulary.ts';
import { formatCount } from '../../../text/numbers.ts';
import { type FactOf, type OwnBody, TEAM } from '../facts.ts';
import { findMissingPrograms } from '../plan-lines.ts';
import { BY_WHOM, shortCommit } from './wording.ts';

const SAYINGS: FactSentences<OwnBody> = {
  'team.surveyed': ({ survey }) =>
    `${survey.branch ?? 'detached HEAD'} at ${shortCommit(survey.base)}: ${formatCount(survey.files, 'file')}, ${formatCount(survey.checks.length, 'likely check')}${findMissingPrograms(survey).length === 0 ? '' : `, without ${findMissingPrograms(survey).join(', ')}`}; not seen: ${survey.uncommitted.length} uncommitted, ${survey.untracked.length} untracked`,
  'check.ran': (check) =>
    `${ofTask(check)}${check.check} (${KINDS[check.kind]}): ${formatEnd(check)}`,
  'team.planned': ({ plan, by, found, refused }) =>
    refused.length > 0
      ? `${BY[by]}: refused, ${refused[0]}${refused.length > 1 ? ` and ${refused.length - 1} more` : ''}`
      : plan.workstreams.length === 0
        ? `${BY[by]}: ${by === 'replan' ? 'given up' : 'says that no team is needed'}`
        : `${BY[by]}: ${formatCount(plan.requirements.length, 'requirement')}, ${formatCount(plan.workstreams.length, 'workstream')} (${plan.workstreams.map(({ id, path }) => `${id} ${path}`).join(', ')})${found.length === 0 ? '' : `; ${formatCount(found.length, 'thing')} changed`}`,
  'team.approved': ({ by, checks, provide }) =>
    `approved${by === 'person' ? '' : ` by ${BY_WHOM[by]}`}: ${checks.map(({ id }) => id).join(', ') || 'no check'}${provide.length === 0 ? '' : `; provided: ${provide.join(', ')}`}`,
  'team.designed': ({ boundaries, architecture, contradictions, cycles, refused }) =>
    `${formatCount(boundaries.domains.length, 'domain')}, ${formatCount(architecture.interfaces.length, 'interface')}, ${formatCount(architecture.decisions.length, 'decision')}; ${formatCount(contradictions.length, 'contradiction')} in ${formatCount(cycles, 'cycle')}${refusedIn(refused)}`,
  'team.graphed': ({ tasks, ordered, refused }) =>
    `${formatCount(tasks.length, 'task')}: ${tasks.map(({ id }) => id).join(', ')}${ordered.length === 0 ? '' : `; ${formatCount(ordered.length, 'pair')} ordered by a file`}${refusedIn(refused)}`,
  'tests.written': ({ workstream, tests, untestable, why }) =>
    `${workstream}: ${why ?? `${formatCount(tests.length, 'acceptance test')}, ${tests.filter(({ state }) => state === 'red').length} red on the base${untestable.length === 0 ? '' : `; no test for ${untestable.map(({ requirement }) => requirement).join(', ')}`}`}`,
  'task.started': ({ task, attempt, level, effort, model }) =>
    `${task}, attempt ${attempt}: ${model} (${level}, effort ${effort})`,
  'task.reported': ({ task, attempt, result, why, turns }) =>
    `${task}, attempt ${attempt}: ${result?.status ?? why ?? 'no report'} after ${formatCount(turns, 'turn')}`,
  'commit.made': ({ task, for: what, files, refused, commit, workstream }) =>
    `${task ?? workstream ?? what}: ${
      commit === undefined
        ? `nothing committed, ${refused.map(({ path, why }) => `${path} ${why}`).join(', ') || 'nothing changed'}`
        : `${formatCount(files.length, 'file')} committed as ${shortCommit(commit)}`
    }`,
  'task.judged': ({ task, attempt, green, why }) =>
    `${task}, attempt ${attempt}: ${green ? 'green' : `red, ${why.join('; ')}`}`,
  'task.retried': ({ task, attempt, by, why, brief, refused = [], uncounted }) =>
    `${task}: attempt ${attempt} by ${by}${uncounted ? ' (the one before does not count)' : ''}${brief === undefined ? '' : ', with another brief'}: ${why}${refused.length === 0 ? '' : `; not split: ${refused.join(' ')}`}`,
  'task.split': ({ task, by, into, why }) =>
    `${task}: split by ${by}, first ${into.map(({ id }) => id).join(', ')}: ${why}`,
  'task.ended': ({ task, state, commit, why }) =>
    `${task}: ${state}${commit === undefined ? '' : `, ${shortCommit(commit)}`}${why === undefined ? '' : `, ${why}`}`,
  'team.escalated': ({ from, to, task, workstream, cause, why }) =>
    `${task ?? workstream}: ${from} to ${to}${cause === 'none' ? '' : ` (${cause})`}: ${why}`,
  'plan.amended': ({ by, kind, what, why, task }) =>
    `${task === undefined ? '' : `${task}: `}${kind} by ${by}, ${what}: ${why}`,
  'need.refused': ({ task, kind, what, why }) => `${task}: ${kind} ${what} refused: ${why}`,
  'team.joined': ({ of, round, commits, commit, conflicts }) =>
    `${of}, round ${round}: ${
      commit === undefined
        ? `not joined, ${conflicts.join(', ') || 'no commit'}`
        : `${formatCount(commits.length, 'commit')} joined as ${shortCommit(commit)}`
    }`,
  'verdict.given': ({ workstream, round, seat, again, verdict, items, defects, probe, why }) =>
    `${workstream}, round ${round}, ${seat}${again ? ' looks again' : ''}: ${why ?? verdict ?? 'no verdict'}; ${formatCounts(items.map(({ met }) => met))}, ${formatCount(defects.length, 'defect')}${probe === undefined ? '' : `, probe ${probe.state}`}`,
  'test.locked': ({ path, requirement, by, round, state }) =>
    `${path} of ${by} for ${requirement}, round ${round}: locked, ${state === 'red' ? 'red' : 'red on the base, green now'}`,
  'test.dropped': ({ path, requirement, said }) =>
    `${path} for ${requirement}: dropped by ${said.map(({ seat, why }) => `${seat} (${why})`).join(' and ')}`,
  'verdict.joined': ({ workstream, round, verdict, requirements, failing, alone }) =>
    `${workstream}${alone ? ' by itself' : ''}, round ${round}: ${verdict}; ${formatCounts(requirements.map(({ state }) => state))}${failing.length === 0 ? '' : `; ${failing[0]?.why ?? ''}`}`,
  'team.accepted': ({ acceptance, refused, why }) =>
    acceptance === undefined
      ? (why ?? 'no answer')
      : `${acceptance.decision}${acceptance.reject === null ? '' : ` to ${acceptance.reject.tier}: ${acceptance.reject.reason}`}${refusedIn(refused)}`,
  'team.delivered': ({ how, branch, url, commit, why }) =>
    `${HOW[how]}${branch === undefined ? '' : ` ${branch}`} ${shortCommit(commit)}${url === undefined ? '' : `, ${url}`}${why === undefined ? '' : `: ${why}`}`,
};

const KINDS: Readonly<Record<FactOf<'check.ran'>['kind'], string>> = {
  base: 'on the base',
  commit: 'as committed',
  'old-tests': "with the base's tests",
  'red-before': 'new tests on the base',
  joined: 'joined',
  probe: 'probe',
  'without-locked': 'without the locked tests',
  'old-version': 'with tests as they were',
  asked: 'asked for',
};

const BY: Readonly<Record<FactOf<'team.planned'>['by'], string>> = {
  t1: 'plan',
  critique: 'plan after critique',
  person: 'plan as wished',
  replan: 'plan made again',
};

const HOW: Readonly<Record<FactOf<'team.delivered'>['how'], string>> = {
  branch: 'branch',
  forward: 'fast-forward',
  request: 'pull request',
  kept: 'kept',
  failed: 'not delivered',
};

const ENDS: Readonly<Record<NonNullable<FactOf<'check.ran'>['ended']>, string>> = {
  time: 'out of time',
  output: 'too much output',
  signal: 'ended by a signal',
  stopped: 'stopped',
  'not-started': 'could not start',
};

/** Formats a fact for the log. Returns undefined for facts that teams do not record. */
export function formatTeamFact(fact: AnyFact): string | undefined {
  return TEAM.say(SAYINGS, fact);
}

function formatEnd({ exit, ended: how, counts, flaky }: FactOf<'check.ran'>): string {
  const end = how === undefined ? `exit ${exit ?? 'unknown'}` : ENDS[how];
  const tests =
    counts === undefined
      ? ''
      : `, ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  return `${end}${tests}${flaky ? ', flaky' : ''}`;
}

function ofTask({ task, attempt }: FactOf<'check.ran'>): string {
  return task === undefined
    ? ''
    : `${task}${attempt === undefined ? '' : `, attempt ${attempt}`}, `;
}

/** Counts equal words, such as `2 met, 1 unproved`, in the order in which they first occur. */
function formatCounts(states: readonly string[]): string {
  return (
    [...new Set(states)]
      .map((state) => `${states.filter((other) => other === state).length} ${state}`)
      .join(', ') || 'nothing'
  );
}

function refusedIn(refused: readonly string[]): string {
  return refused.length === 0 ? '' : `; refused: ${refused[0]}`;
}
