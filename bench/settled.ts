/**
 * Measures whether what plans report as settled really is: generated conflicts, scripted models, and the
 * resulting specs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FACTS } from '../src/protocols/vocabulary.ts';
import { Store } from '../src/store/store.ts';
import { type Row, row } from './measure.ts';
import { type Measured, measureOne } from './settled/measure.ts';

const PLANS = 200;

/** Measures what plans report as settled. Returns rows for the table of `npm run bench`. */
export async function benchSettled(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const store = Store.open(join(folder, 'runs.db'), FACTS);
  try {
    const all: Measured[] = [];
    for (let seed = 1; seed <= PLANS; seed += 1) all.push(await measureOne(store, seed));
    return rowsOf(all);
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(all: readonly Measured[]): Row[] {
  const addUp = (of: (plan: Measured) => number): number =>
    all.reduce((so, plan) => so + of(plan), 0);
  const named = addUp((plan) => plan.named);
  const pairs = addUp((plan) => plan.contradictory);
  const marks = addUp((plan) => plan.marks);
  const falseMarks = addUp((plan) => plan.falseMarks);
  return [
    row(
      `settled: findings lost, of ${named} in ${all.length} plans`,
      addUp((plan) => plan.lost),
      0,
      '',
      0,
    ),
    row(
      `settled: contradictory decisions without a mark, of ${pairs}`,
      addUp((plan) => plan.unmarked),
      0,
      '',
      0,
    ),
    row(
      'settled: plans converged over one',
      all.filter((plan) => plan.isConvergedOver).length,
      0,
      '',
      0,
    ),
    row(`settled: false marks, of ${marks}`, (100 * falseMarks) / Math.max(1, marks), 5, '%', 1),
    row(
      'settled: plans that were not written',
      all.filter((plan) => plan.failed !== undefined).length,
      0,
      '',
      0,
    ),
  ];
}
