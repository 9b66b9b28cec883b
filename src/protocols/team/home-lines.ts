/**
 * Formats what a person reads before deciding what becomes of the work: which requirements no test written
 * before the work covers, what proves each requirement, what was disputed and what has changed. Lines
 * contain no control characters. Pure.
 */

import type { FileChange } from '../../kernel/tools/workshop.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import { cutText } from '../../text/words/cut.ts';
import type { TeamView } from './fold.ts';
import { TAKEN_BY_PERSON } from './rules/verdicts.ts';

/** The heading above the list of requirements with their proofs. */
export const PROOFS_HEADING = 'What proves each requirement';
/** The most rows of a list that are shown; further rows are counted. */
const MOST_ROWS = 12;
/** The most characters of a row that quotes models. */
const MOST_ROW = 240;
/** The most characters of a proof, so that the row has room for the requirement. */
const MOST_PROOF = 140;

/**
 * Returns lines on the requirements that a test should prove, but that have no acceptance test: a test
 * that was written before the work and failed on the base. The lines say why there is none. The
 * planning seat and the person see these requirements as risks.
 * @param only the id of the only workstream to look at; if absent, all are looked at
 */
export function formatUntested({ plan, tests, locked }: TeamView, only?: string): string[] {
  const byTest = new Set(
    (plan?.requirements ?? []).flatMap(({ id, proof }) => (proof === 'test' ? [id] : [])),
  );
  return (plan?.workstreams ?? []).flatMap(({ id: workstream, covers }) => {
    if (only !== undefined && workstream !== only) return [];
    const wanted = covers.filter((id) => byTest.has(id));
    const own = tests.filter((testSet) => testSet.workstream === workstream);
    const why = own.find((testSet) => testSet.why !== undefined)?.why;
    const red = own.flatMap((testSet) =>
      testSet.tests.flatMap(({ requirement, state }) => (state === 'red' ? [requirement] : [])),
    );
    const untestable = new Map(
      own.flatMap((testSet) =>
        testSet.untestable.map((each) => [each.requirement, each.why] as const),
      ),
    );
    const left = wanted.filter((id) => !red.includes(id));
    const isLocked = (id: string): boolean =>
      locked.some(
        (lockedTest) => lockedTest.requirement === id && lockedTest.dropped === undefined,
      );
    const told = left.filter((id) => untestable.has(id) && !isLocked(id));
    const none = left.filter((id) => !untestable.has(id));
    const unrun = own
      .flatMap((testSet) => testSet.tests)
      .filter((test) => test.state === 'not-run');
    const because =
      why !== undefined
        ? why
        : unrun.length > 0
          ? `no check ran ${unrun.map(({ path }) => path).join(', ')}`
          : own.length === 0
            ? 'the run has not come to that'
            : 'those that were do not fail without the work';
    const later = none.filter(isLocked);
    return withoutFalse([
      none.length !== 0 &&
        `No acceptance tests were written for ${workstream} (${none.join(', ')}): ${because}.${later.length === 0 ? '' : ` A verifier’s own test shows ${later.join(', ')}.`}`,
      ...told.map((id) => `No test can show ${id}: ${untestable.get(id) ?? ''}`),
    ]).map((row) => cutText(toLine(row), MOST_ROW));
  });
}

/**
 * Formats what the person reads before deciding whether and how the finished work is delivered to their
 * repository.
 * @param changes the changed files since the commit that the work started from
 * @param edition the version of the run's rules
 */
export function formatDeliveryQuestion(
  team: TeamView,
  changes: readonly FileChange[],
  edition: number,
): string[] {
  const isTold = edition >= 5;
  return [
    ...formatSection('Not tested before the work', formatUntested(team)),
    ...formatSection(PROOFS_HEADING, proofLines(team, isTold)),
    ...formatSection('Tests of verifiers', [
      ...lockedLines(team),
      ...(isTold ? unrunLines(team) : []),
    ]),
    ...formatSection('Checks that were red once and then green', isTold ? flakyLines(team) : []),
    ...formatSection(
      isTold ? 'Not met, not shown or disputed on the way' : 'Disputes',
      disputeLines(team),
    ),
    ...formatSection('Verifiers without a verdict', isTold ? silentLines(team) : []),
    ...formatSection('Tests that were there before and changed', permittedLines(team)),
    ...formatSection('Attempts', attemptLines(team)),
    ...formatSection(
      `Changed: ${formatCount(changes.length, 'file')}, ${sumOf(changes, 'added')} lines added, ${sumOf(changes, 'removed')} removed`,
      changes.map(({ path, kind, added, removed }) => `${kind} ${path} +${added} -${removed}`),
    ),
  ];
}

function formatSection(title: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const left = rows.length - MOST_ROWS;
  return [
    '',
    title,
    ...rows.slice(0, MOST_ROWS).map((row) => `  ${cutText(toLine(row), MOST_ROW)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

/**
 * Formats each requirement with its proof first, since the end of a long row is cut off. If `isTold` is
 * true, a person's own word comes before other proofs, and the latest test before earlier ones.
 */
function proofLines({ requirements }: TeamView, isTold: boolean): string[] {
  return requirements.map(({ id, state, text, evidence }) => {
    // Evidence from a test or a check that passed contains the words `green now`. Show such evidence before
    // quotations, because tests and checks prove more.
    const tests = evidence.filter((entry) => entry.includes('green now'));
    const taken = isTold ? evidence.filter((entry) => entry === TAKEN_BY_PERSON) : [];
    const others = evidence.filter((entry) => !tests.includes(entry));
    // From version 5 of the rules on, show the last test in a requirement's evidence first. Verifiers' own tests
    // come last in the evidence and prove most, because verifiers look for faults.
    const [proof = 'nothing'] = [...taken, ...(isTold ? tests.toReversed() : tests), ...others];
    const more = isTold && tests.length > 1 ? `, and ${tests.length - 1} more` : '';
    return `${id} ${state}, by ${cutText(toLine(proof), MOST_PROOF)}${more}: ${text}`;
  });
}

function lockedLines({ locked }: TeamView): string[] {
  const order = [...locked].sort(
    (one, other) => Number(other.dropped !== undefined) - Number(one.dropped !== undefined),
  );
  return order.map(({ path, requirement, by, shows, dropped, state }) =>
    dropped === undefined
      ? `${path} of ${by} for ${requirement}, red on ${state === 'red' ? 'an earlier attempt' : 'the base'} and green now: ${shows}`
      : `Dropped by both verifiers: ${path} for ${requirement}, which is red. ${dropped.map(({ seat, why }) => `${seat}: ${why}`).join('; ')}`,
  );
}

/** Returns lines on verifiers' tests that prove nothing, because they did not run or failed only once. */
function unrunLines({ verdicts }: TeamView): string[] {
  return verdicts.flatMap(({ seat, round, probe }) =>
    probe?.state === 'not-run'
      ? [
          `No evidence: ${probe.path} of ${seat} in round ${round}${probe.requirement === undefined || probe.requirement === '' ? '' : ` for ${probe.requirement}`}: ${probe.why ?? 'it did not run'}. ${probe.shows}`,
        ]
      : [],
  );
}

/** Returns lines on checks that ended in two ways on the same files of the final work. */
function flakyLines({ checks, joins }: TeamView): string[] {
  const commit = joins.findLast((join) => join.of === 'all' && join.commit !== undefined)?.commit;
  const own = checks.filter(
    ({ on, kind, flaky }) =>
      flaky === true && on === commit && (kind === 'joined' || kind === 'commit'),
  );
  return own.map(({ check }) => `${check}, on the work as it comes home`);
}

/** Returns lines on verifiers who gave no verdict, so that only the other one has looked. */
function silentLines({ verdicts }: TeamView): string[] {
  return verdicts.flatMap(({ seat, workstream, round, verdict, why }) =>
    verdict === undefined
      ? [`${seat} gave no verdict on ${workstream} in round ${round}: ${why ?? 'no answer'}`]
      : [],
  );
}

function disputeLines({ joint }: TeamView): string[] {
  return joint.flatMap(({ round, requirements }) =>
    requirements.flatMap(({ id, state }) =>
      state === 'met' ? [] : [`${id} was ${state} in round ${round}`],
    ),
  );
}

function permittedLines({ amendments, checks, tasks }: TeamView): string[] {
  const planned = tasks.flatMap(({ task, state }) =>
    state === 'dropped'
      ? []
      : task.changes_tests.map(({ file, why }) => `${file} by ${task.id}, as planned: ${why}`),
  );
  const since = amendments
    .filter(
      ({ kind, files, task }) => kind === 'test-change' && files.length > 0 && task !== undefined,
    )
    .map(({ by, task, files, why }) => {
      const before = checks.findLast(
        (check) => check.task === task && check.kind === 'old-version',
      );
      const was =
        before === undefined
          ? 'as it was it did not run'
          : `as it was: ${before.exit === 0 ? 'green' : `red (${before.counts?.failed ?? 'unknown'} failed)`}`;
      return `${files.join(', ')} by ${task ?? ''}, permitted by ${by}: ${why}; ${was}`;
    });
  return [...planned, ...since];
}

function attemptLines({ tasks }: TeamView): string[] {
  return tasks
    .filter(({ attempts, state }) => attempts.length > 1 || state !== 'done')
    .map(
      ({ task, state, attempts }) =>
        `${task.id}: ${state}, ${formatCount(attempts.length, 'attempt')}`,
    );
}

function sumOf(changes: readonly FileChange[], which: 'added' | 'removed'): number {
  return changes.reduce((sum, change) => sum + change[which], 0);
}
