/**
 * How well failure modes are detected. Many simulated runs of each kind are read after every round, as the
 * console would, and the suspicions of each mode are counted. The bench prints the table.
 */
import {
  FAILURE_MODES,
  type FailureModeId,
} from '../../src/protocols/rounds/records/failure-modes.ts';
import { readSignalSeries } from './series.ts';
import { simulateRecords } from './simulate.ts';
import { KINDS, type Kind } from './tempers.ts';

/** The failure mode that each kind of simulated panel shows; undefined for a healthy panel. */
export const SHOWN_MODES: Readonly<Record<Kind, FailureModeId | undefined>> = {
  healthy: undefined,
  sycophantic: 'FM-1',
  performative: 'FM-2',
  drifting: 'FM-3',
  dominated: 'FM-4',
  inflating: 'FM-5',
  starving: 'FM-5',
  bypassing: 'FM-6',
  'stress-avoiding': 'FM-7',
  overrunning: 'FM-8',
};

/** How often each failure mode was suspected in simulated runs of one kind of panel. */
export interface DetectorRates {
  readonly kind: Kind;
  /** The number of planned rounds of each run. */
  readonly budget: number;
  /** The number of simulated runs. */
  readonly runs: number;
  /** The share of runs, by mode, in which the mode was suspected after at least one round. */
  readonly ever: Readonly<Record<FailureModeId, number>>;
  /** The share of runs, by mode, in which the mode was suspected after the last round. */
  readonly finally: Readonly<Record<FailureModeId, number>>;
}

/**
 * Simulates runs of one kind of panel with consecutive seeds, and returns how often each failure mode was
 * suspected.
 *
 * @param budget The number of planned rounds of each run.
 * @param runs The number of runs.
 */
export function measureDetectors(
  kind: Kind,
  budget: number,
  runs: number,
  firstSeed = 1,
): DetectorRates {
  const ever = new Map<FailureModeId, number>();
  const last = new Map<FailureModeId, number>();
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const series = readSignalSeries(simulateRecords(kind, seed, budget).records);
    const suspected = series.map(({ failureModes }) =>
      failureModes.filter(({ state }) => state === 'suspected').map(({ id }) => id),
    );
    for (const id of new Set(suspected.flat())) ever.set(id, (ever.get(id) ?? 0) + 1);
    for (const id of suspected.at(-1) ?? []) last.set(id, (last.get(id) ?? 0) + 1);
  }
  const toShares = (counts: ReadonlyMap<FailureModeId, number>) =>
    Object.fromEntries(FAILURE_MODES.map(({ id }) => [id, (counts.get(id) ?? 0) / runs])) as Record<
      FailureModeId,
      number
    >;
  return { kind, budget, runs, ever: toShares(ever), finally: toShares(last) };
}

/**
 * Measures every kind of panel with each number of planned rounds in which its failure can show: 3, 5, 8 and 13
 * for healthy panels, 8 and 13 for all other kinds.
 *
 * @param runs The number of runs of each kind and number of rounds.
 */
export function measureAll(runs: number): DetectorRates[] {
  return KINDS.flatMap((kind) =>
    (kind === 'healthy' ? [3, 5, 8, 13] : [8, 13]).map((budget) =>
      measureDetectors(kind, budget, runs),
    ),
  );
}

/**
 * Returns a table with a line for each row and a column for each failure mode. A cell such as `97/95` has two
 * percentages of runs: those in which the mode was suspected after at least one round, and those in which it
 * was suspected after the last round. Cells of the mode that the kind of panel shows are in square brackets.
 */
export function formatTable(rows: readonly DetectorRates[]): string {
  const formatCell = (row: DetectorRates, id: FailureModeId) => {
    const said = `${Math.round(row.ever[id] * 100)}/${Math.round(row.finally[id] * 100)}`;
    return (SHOWN_MODES[row.kind] === id ? `[${said}]` : said).padStart(10);
  };
  const head = `${'panel'.padEnd(17)}${'rounds'.padStart(6)}${'runs'.padStart(6)}`;
  return [
    `${head}${FAILURE_MODES.map(({ id }) => id.padStart(10)).join('')}`,
    ...rows.map(
      (row) =>
        `${row.kind.padEnd(17)}${String(row.budget).padStart(6)}${String(row.runs).padStart(6)}${FAILURE_MODES.map(({ id }) => formatCell(row, id)).join('')}`,
    ),
  ].join('\n');
}
