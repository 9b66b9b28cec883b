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
  const sum = (of: (one: Measured) => number): number => all.reduce((so, one) => so + of(one), 0);
  const named = sum((one) => one.named);
  const pairs = sum((one) => one.contradictory);
  const marks = sum((one) => one.marks);
  const falseMarks = sum((one) => one.falseMarks);
  return [
    row(
      `settled: findings lost, of ${named} in ${all.length} plans`,
      sum((one) => one.lost),
      0,
      '',
      0,
    ),
    row(
      `settled: contradictory decisions without a mark, of ${pairs}`,
      sum((one) => one.unmarked),
      0,
      '',
      0,
    ),
    row(
      'settled: plans converged over one',
      all.filter((one) => one.isConvergedOver).length,
      0,
      '',
      0,
    ),
    row(`settled: false marks, of ${marks}`, (100 * falseMarks) / Math.max(1, marks), 5, '%', 1),
    row(
      'settled: plans that were not written',
      all.filter((one) => one.failed !== undefined).length,
      0,
      '',
      0,
    ),
  ];
}
