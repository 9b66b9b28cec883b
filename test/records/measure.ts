/**
 * How well the failure modes are detected: many simulated runs of each kind, read after every round as
 * the console would, and how often each detector spoke. Also printed by the bench.
 */
import {
  FAILURE_MODES,
  type FailureModeId,
} from '../../src/protocols/rounds/records/failure-modes.ts';
import { readSignalSeries } from './series.ts';
import { simulateRecords } from './simulate.ts';
import { KINDS, type Kind } from './tempers.ts';

/** The mode that each kind of panel shows. */
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

export interface DetectorRates {
  readonly kind: Kind;
  readonly budget: number;
  readonly runs: number;
  /** By mode: the share of runs in which it was suspected after some round. */
  readonly ever: Readonly<Record<FailureModeId, number>>;
  /** By mode: the share of runs in which it was suspected after the last round. */
  readonly finally: Readonly<Record<FailureModeId, number>>;
}

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

/** Every kind with every budget in which its failure can show. */
export function measureAll(runs: number): DetectorRates[] {
  return KINDS.flatMap((kind) =>
    (kind === 'healthy' ? [3, 5, 8, 13] : [8, 13]).map((budget) =>
      measureDetectors(kind, budget, runs),
    ),
  );
}

/** One line a kind and budget: in how many of 100 runs each mode was suspected, ever / at the end. */
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
