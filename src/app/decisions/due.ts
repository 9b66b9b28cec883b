/** Finds what is due in all stored runs, through the index of fact types, so that no run is read whole. */
import { dayOf } from '../../decisions/dates.ts';
import { type DueItem, findDueItems } from '../../decisions/due.ts';
import { type DecisionsView, decisionsOf } from '../../decisions/fold.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import type { Invocation } from '../invocation.ts';
import { withStore } from '../store.ts';

/**
 * A prediction or decision that should be looked at again, or an open claim that a decision rests on, with its
 * run.
 */
export interface DueRow extends DueItem {
  /** The id of the run. */
  readonly run: string;
  /** Whether the run was imported from a file. Commands of imported runs are never executed. */
  readonly isImported: boolean;
}

const DRAFTED = 'predictions.drafted';
const TAKEN = 'decision.taken';
const TYPES = [
  DRAFTED,
  TAKEN,
  'decision.reviewed',
  'prediction.resolved',
  'claim.observed',
] as const;
const SETTLED: ReadonlySet<string> = new Set(['tested_confirmed', 'tested_refuted', 'superseded']);

/**
 * Returns the predictions, decisions and open claims of all stored runs that are due by a day, in the order of
 * their days, then by run. Left out are predictions of the built-in stand-in, those that a fork copied, and
 * runs that this version of the program cannot read.
 *
 * @param today the day as `2026-11-27`
 */
export function readDue(store: Store, today: string): DueRow[] {
  const imported = store.importedRuns();
  const settled = new Set(
    store
      .claimsOfRunsWith(TAKEN)
      .flatMap(({ run, id, status }) => (SETTLED.has(status) ? [`${run} ${id}`] : [])),
  );
  return [...viewsOf(store)]
    .flatMap(([run, view]) =>
      findDueItems(view, today, (claim) => !settled.has(`${run} ${claim}`)).map((item) => ({
        ...item,
        run,
        isImported: imported.has(run),
      })),
    )
    .sort((left, right) => compareTexts(left.day, right.day) || compareTexts(left.run, right.run));
}

/** Returns the decisions of each run that has predictions or a decision, by run id. */
function viewsOf(store: Store): Map<string, DecisionsView> {
  const facts = new Map<string, readonly AnyFact[]>([
    ...store.factsByType(TYPES, DRAFTED),
    ...store.factsByType(TYPES, TAKEN),
  ]);
  return new Map([...facts].map(([run, own]) => [run, decisionsOf(own)]));
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Returns a sentence on how many runs have a prediction or decision that is due, such as `2 decisions
 * are due`. Returns undefined if no run has any. Due claims are not counted.
 */
export function formatDueSentence(rows: readonly DueRow[]): string | undefined {
  const { size } = new Set(rows.flatMap(({ kind, run }) => (kind === 'claim' ? [] : [run])));
  if (size === 0) return undefined;
  return `${formatCount(size, 'decision')} ${size === 1 ? 'is' : 'are'} due`;
}

/** Resolves to a sentence on how many runs have a decision or prediction due today, or to undefined. */
export function formatDueToday(call: Invocation): Promise<string | undefined> {
  return withStore(call, async (store) => formatDueSentence(readDue(store, dayOf(new Date()))));
}

const KINDS: Readonly<Record<DueItem['kind'], string>> = {
  prediction: 'prediction',
  decision: 'decision to be looked at again',
  claim: 'open claim that the decision rests on',
};

/**
 * Formats a due prediction, decision or claim as lines: `2027-03-01  0192f0  P-1-2  prediction`, its text and,
 * if known, where to find the answer.
 *
 * @param shortened the short form of the run's id
 */
export function formatDueLines(row: DueRow, shortened: string): string[] {
  const from = row.isImported ? ', of an imported run' : '';
  return [
    `${toLine(row.day)}  ${shortened}  ${toLine(row.id)}  ${KINDS[row.kind]}${from}`,
    `    ${toLine(row.text)}`,
    ...(row.look === undefined ? [] : [`    Look at: ${toLine(row.look)}`]),
  ];
}
