/**
 * Measures what each of the seven methods of debate adds to the time of its answers, which is known, on a real
 * database. A run's duration is compared with the time in which an answer was being waited for.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequest, ModelResult } from '../src/kernel/model.ts';
import type { Protocol } from '../src/kernel/protocol.ts';
import { Session } from '../src/kernel/session.ts';
import { loadMethod, METHODS } from '../src/protocols/debate/catalog.ts';
import { debate } from '../src/protocols/debate/debate.ts';
import { FACTS } from '../src/protocols/vocabulary.ts';
import { seatsOf } from '../src/sdk/config.ts';
import { Store } from '../src/store/store.ts';
import { ScriptedModels } from '../test/kernel/scripted-models.ts';
import { answerAsStandIn, makePlaces } from '../test/methods/held.ts';
import { computeMedian, makeRow, type Row } from './measure.ts';

const RUNS = 3;
/** Milliseconds of an answer, those of a fast model; with slower models the added share is smaller. */
const ANSWER_MS = 1_000;

/**
 * Measures how much longer debates of each method take than their answers. Returns rows for the table of
 * `npm run bench`.
 */
export async function benchDebate(): Promise<Row[]> {
  const shares: number[] = [];
  for (const method of METHODS.keys()) {
    const runs: number[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measureShare(method));
    shares.push(computeMedian(runs));
  }
  return [
    makeRow('debate, slowest method: wall over critical path', Math.max(...shares), 1.03, '', 3),
  ];
}

async function measureShare(method: string): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const store = Store.open(join(root, 'runs.db'), FACTS);
    const spans: [number, number][] = [];
    const models = new ScriptedModels(async (asked: ModelRequest): Promise<ModelResult> => {
      const from = performance.now();
      await sleep(ANSWER_MS);
      const reply = answerAsStandIn(asked);
      spans.push([from, performance.now()]);
      return reply;
    });
    const definition = await loadMethod(method);
    const session = new Session({
      journal: store.create('debate'),
      models,
      protocol: debate as Protocol,
      answer: async (_step, asked) => ({ answer: asked.default, by: 'default' }),
    });
    const began = performance.now();
    const ended = await session.begin({
      question: 'How many weeks would it take?',
      seats: seatsOf(definition, await makePlaces(method)),
      config: { method, settings: definition.settings?.parse({}) ?? {}, seed: 7 },
    });
    const wall = performance.now() - began;
    store.close();
    if (ended.status !== 'done') throw new Error(`${method}: ${ended.reason ?? ended.status}`);
    return wall / sumCoveredMs(spans);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Returns the milliseconds during which at least one answer was being waited for. */
function sumCoveredMs(spans: readonly [number, number][]): number {
  let [sum, until] = [0, 0];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}
