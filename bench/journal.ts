/** Measures what durability costs: a step with a result of 4 kB, and replaying it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Budget } from '../src/kernel/budget.ts';
import { Bus } from '../src/kernel/bus.ts';
import { RunStopped } from '../src/kernel/errors.ts';
import type { Run } from '../src/kernel/handle.ts';
import type { Journal } from '../src/kernel/journal.ts';
import { NO_USAGE } from '../src/kernel/model.ts';
import { RunAttempt } from '../src/kernel/run.ts';
import { FACTS } from '../src/protocols/vocabulary.ts';
import { Store } from '../src/store/store.ts';
import { fact } from '../test/every-fact.ts';
import { computeMedian, makeRow, type Row } from './measure.ts';

const STEPS = 1_000;
const CALLS = 300;
const RESULT = 'x'.repeat(4_096);
/** As long as the hash of a step's inputs. */
const HASH = 'h'.repeat(64);

/**
 * Measures calls, whose texts are indexed for the search; this happens once for each call, which takes a model
 * seconds.
 */
function timedCalls(journal: Journal): number {
  const words = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8').split(
    /\s+/,
  );
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    let text = '';
    for (let at = call; text.length < RESULT.length; at += 7)
      text += `${words[at % words.length]} `;
    const started = performance.now();
    journal.commit({ step: `call/${call}`, hash: 'h', result: null }, [
      fact('call.completed', {
        step: `call/${call}`,
        attempt: 'a',
        seat: 's',
        role: 'r',
        model: 'bench/m',
        text,
        thinking: '',
        usage: NO_USAGE,
        latencyMs: 1,
        attempts: 1,
        notes: [],
        rehearsal: false,
      }),
      fact('step.completed', { step: `call/${call}`, attempt: 'a' }),
    ]);
    times.push(performance.now() - started);
  }
  return computeMedian(times);
}

/**
 * Measures the reference: the writes of a step as plain transactions with the same pragmas in another database,
 * so that a slow disk affects both.
 * @param bodies the facts of a step as they are stored
 */
function rawSteps(file: string, bodies: readonly string[]): () => number {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('secure_delete = ON');
  db.exec(`CREATE TABLE fact (run TEXT, seq INTEGER, at TEXT, type TEXT, step TEXT, body TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID;
    CREATE TABLE step (run TEXT, key TEXT, hash TEXT, result TEXT, PRIMARY KEY (run, key)) WITHOUT ROWID`);
  const addFact = db.prepare('INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?)');
  const addStep = db.prepare('INSERT INTO step VALUES (?, ?, ?, ?)');
  const run = crypto.randomUUID();
  const result = JSON.stringify(RESULT);
  let seq = 0;
  const write = db.transaction((key: string) => {
    const at = new Date().toISOString();
    for (const body of bodies) addFact.run(run, ++seq, at, 'step.completed', key, body);
    addStep.run(run, key, HASH, result);
  }).immediate;
  let step = 0;
  return () => {
    const started = performance.now();
    write(`step/${step++}`);
    return performance.now() - started;
  };
}

/**
 * Measures how long the journal takes for a step, a replayed step and a call. Returns rows for the table of
 * `npm run bench`.
 */
export async function benchJournal(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const store = Store.open(join(folder, 'bench.db'), FACTS);
    const journal = store.create('bench');
    const makeRun = (): Run =>
      new RunAttempt({
        journal,
        bus: new Bus(),
        budget: new Budget(),
        models: { call: () => Promise.reject(new Error('not asked')), price: () => 0 },
        answer: () => Promise.reject(new RunStopped('gate')),
      }).handle();
    const timeSteps = async (run: Run, beside?: () => number): Promise<[number, number]> => {
      const times: number[] = [];
      const others: number[] = [];
      for (let step = 0; step < STEPS; step++) {
        const started = performance.now();
        await run.step(`step/${step}`, { step }, () => RESULT);
        times.push(performance.now() - started);
        if (beside !== undefined) others.push(beside());
      }
      return [computeMedian(times), computeMedian(others)];
    };
    const bodies = ['step.started', 'step.completed'].map((type) =>
      JSON.stringify({ v: 1, type, step: 'step/100', attempt: crypto.randomUUID(), kind: 'work' }),
    );
    const [first, raw] = await timeSteps(makeRun(), rawSteps(join(folder, 'raw.db'), bodies));
    const [replayed] = await timeSteps(makeRun());
    const spoken = timedCalls(journal);
    store.close();
    return [
      makeRow('journal: a step of 4 kB over bare transactions of the same bytes', first / raw, 1.8),
      makeRow('journal: a step of 4 kB, p50', first, 0.5, ' ms', 3),
      makeRow('journal: a replayed step, p50', replayed, 0.05, ' ms', 3),
      makeRow('journal: a call of 4 kB and its search index, p50', spoken, 3, ' ms', 3),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
