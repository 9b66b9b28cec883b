/** What durability costs: a step with a 4 kB result, and the same step replayed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Budget } from '../src/kernel/budget.ts';
import { Bus } from '../src/kernel/bus.ts';
import { RunStopped } from '../src/kernel/errors.ts';
import { LiveRun, type Run } from '../src/kernel/run.ts';
import { Store } from '../src/store/store.ts';
import { median, type Row, row } from './measure.ts';

const STEPS = 1_000;
const RESULT = 'x'.repeat(4_096);

export async function benchJournal(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const store = Store.open(join(folder, 'bench.db'));
    const journal = store.create('bench');
    const handle = (): Run =>
      new LiveRun({
        journal,
        bus: new Bus(),
        budget: new Budget(),
        models: { call: () => Promise.reject(new Error('not asked')), price: () => 0 },
        answer: () => Promise.reject(new RunStopped('gate')),
      }).handle();
    const timed = async (run: Run): Promise<number> => {
      const times: number[] = [];
      for (let step = 0; step < STEPS; step++) {
        const started = performance.now();
        await run.step(`step/${step}`, { step }, () => RESULT);
        times.push(performance.now() - started);
      }
      return median(times);
    };
    const first = await timed(handle());
    const replayed = await timed(handle());
    store.close();
    return [
      row('journal: a step of 4 kB, p50', first, 0.5, ' ms', 3),
      row('journal: a replayed step, p50', replayed, 0.05, ' ms', 3),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
