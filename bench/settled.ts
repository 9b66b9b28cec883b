/**
 * Measures whether specs tell the truth about conflicts. The statements of the plans are generated, so that
 * it is known which of them contradict each other, and scripted models play the seats.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FACTS } from '../src/protocols/vocabulary.ts';
import { Store } from '../src/store/store.ts';
import { makeRow, type Row } from './measure.ts';
import { measureOne, type PlanMeasures } from './settled/measure.ts';

const PLANS = 200;

/**
 * Runs generated plans and counts the errors in their specs, such as conflicts that are reported neither as
 * settled nor as open, and contradictory decisions without a mark. Returns rows for the table of
 * `npm run bench`.
 */
export async function benchSettled(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const store = Store.open(join(folder, 'runs.db'), FACTS);
  try {
    const all: PlanMeasures[] = [];
    for (let seed = 1; seed <= PLANS; seed += 1) all.push(await measureOne(store, seed));
    return rowsOf(all);
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(all: readonly PlanMeasures[]): Row[] {
  const addUp = (of: (plan: PlanMeasures) => number): number =>
    all.reduce((so, plan) => so + of(plan), 0);
  const named = addUp((plan) => plan.named);
  const pairs = addUp((plan) => plan.contradictory);
  const marks = addUp((plan) => plan.marks);
  const falseMarks = addUp((plan) => plan.falseMarks);
  return [
    makeRow(
      `settled: findings lost, of ${named} in ${all.length} plans`,
      addUp((plan) => plan.lost),
      0,
      '',
      0,
    ),
    makeRow(
      `settled: contradictory decisions without a mark, of ${pairs}`,
      addUp((plan) => plan.unmarked),
      0,
      '',
      0,
    ),
    makeRow(
      'settled: plans converged over one',
      all.filter((plan) => plan.isConvergedOver).length,
      0,
      '',
      0,
    ),
    makeRow(
      `settled: false marks, of ${marks}`,
      (100 * falseMarks) / Math.max(1, marks),
      5,
      '%',
      1,
    ),
    makeRow(
      'settled: plans that were not written',
      all.filter((plan) => plan.failed !== undefined).length,
      0,
      '',
      0,
    ),
  ];
}
