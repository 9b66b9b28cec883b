/** Describes in sentences which model reads in a run, and how reliable it is. */
import { formatCount } from '../../../../text/numbers.ts';
import { MOST_CONTROLS } from '../../reader/controls.ts';
import type { Records } from '../../records/records.ts';
import type { State } from '../../records/state-of.ts';
import type { ReadingRecord } from '../../records/types.ts';
import { listDiscardReasons } from '../discarded.ts';

/** The phrase for runs in which no model has passed the test for deciding claims by reading. */
export const NOBODY_READS = 'nobody here can read';

type Run = { readonly state: State; readonly records: Records };

/**
 * Returns whether models took the reading test and none passed. Reports of such a run mention this at
 * their beginning. False before the test, and in runs under the first rules, which have no test.
 */
export function hasNoReader({ state }: Pick<Run, 'state'>): boolean {
  return state.rules === 2 && state.reader === 'failed';
}

/** Describes in sentences which model reads, and its result in the reading test. */
export function describeReader({ state, records }: Run): string {
  const { reader } = state;
  if (state.rules === 1)
    return 'This run was held under the first rules, which have no entrance test for readers.';
  if (reader === 'failed')
    return `Nobody here can read: ${describeFailures(records)}. So nothing is settled by reading or by argument; only a test can settle a claim.`;
  if (reader === 'none') return 'No entrance test has been taken yet.';
  const { model, items, errors, calledTrue, source } = reader;
  const successor = failedSuccessor(records);
  const reads = successor === undefined ? `${model} reads.` : `${model} read at first.`;
  const passed = `${reads} It passed the entrance test${source === 'profile' ? ' in an earlier run' : ''} with ${errors} of ${items} items wrong, ${calledTrue} of them called true though they are not.`;
  if (successor !== undefined)
    return `${passed} Then ${describeFailure(successor)}: since then nobody reads, and only a test can settle a claim.`;
  return records.documents === false
    ? `${passed} No document is attached, so no claim is settled by reading.`
    : passed;
}

type Entrance = Extract<ReadingRecord, { kind: 'entrance' }>;

function entrancesIn({ readings = [] }: Records): Entrance[] {
  return readings.filter((reading) => reading.kind === 'entrance');
}

/**
 * Returns the failed reading test of a verifier that a fork put in place of one that had passed.
 * Only such a verifier is tested after a test was passed.
 */
function failedSuccessor(records: Records): Entrance | undefined {
  const last = entrancesIn(records).at(-1);
  return last?.passed === false ? last : undefined;
}

function describeFailures(records: Records): string {
  return entrancesIn(records)
    .flatMap((entrance) => (entrance.passed ? [] : [describeFailure(entrance)]))
    .join('; ');
}

function describeFailure({ model, errors, items, called_true }: Entrance): string {
  // This message about the reading test has to be right in two cases: all answers were wrong, or there was no
  // answer, so that every item counts as wrong.
  if (errors === items && called_true === 0)
    return `${model} failed the entrance test: none of its ${items} items has a right answer`;
  return `${model} failed the entrance test with ${errors} of ${items} items wrong, ${called_true} of them called true though they are not`;
}

/**
 * Describes how many controls (statements with known answers) the reader got wrong, and in how many rounds there were
 * few of them. Returns undefined if there were none.
 */
export function describeControls({ readings = [] }: Records): string | undefined {
  const controls = readings.filter((reading) => reading.kind === 'control');
  if (controls.length === 0) return undefined;
  const wrong = controls.filter(({ right }) => !right).length;
  const few = [...new Set(controls.map(({ round }) => round))].filter(
    (of) => controls.filter(({ round }) => round === of).length < MOST_CONTROLS,
  );
  return [
    `Of ${formatCount(controls.length, 'control sentence')} whose answer is known, the reader got ${wrong === 0 ? 'none' : wrong} wrong.`,
    ...(few.length === 0
      ? []
      : [
          `In ${formatCount(few.length, 'round')} there were fewer than ${MOST_CONTROLS}: the text has too few sentences whose answer is beyond doubt.`,
        ]),
  ].join(' ');
}

/**
 * Explains which results of reading claims do not count: one sentence for each round that has such
 * results, with the reasons. The list is empty if all results count.
 */
export function listDiscardSentences({ readings = [] }: Records): string[] {
  const rounds = new Set(
    readings.flatMap((reading) => (reading.kind === 'finding' ? [reading.round] : [])),
  );
  return [...rounds].flatMap((of) => {
    const own = readings.filter((reading) => reading.kind !== 'entrance' && reading.round === of);
    const findings = own.filter((reading) => reading.kind === 'finding');
    const why = listDiscardReasons(
      findings,
      own.filter((reading) => reading.kind === 'control'),
    );
    const settled = findings.filter(({ counts }) => counts).length;
    return why.length === 0
      ? []
      : [
          `Of ${formatCount(findings.length, 'claim')} read in round ${of}, ${settled === 0 ? 'none' : settled} ${settled > 1 ? 'were' : 'was'} settled: ${why.join('; ')}.`,
        ];
  });
}

/**
 * Returns a warning if the reader got too many controls (statements with known answers) wrong,
 * otherwise undefined.
 */
export function getReaderAlarm({ state }: Pick<Run, 'state'>): string | undefined {
  return state.unreliable
    ? 'The reader got too many control sentences wrong: do not rely on what was read in the text.'
    : undefined;
}
