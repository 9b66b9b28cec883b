/** Tests the usage that the database sums up, against the calls from which it was summed. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSince } from '../../src/cli/usage.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { totalOf } from '../../src/store/usage.ts';
import { runDeliberate } from '../e2e/calls.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall, makeRunStarted } from './bodies.ts';
import { temporaryFolder } from './folder.ts';

const usage = { input: 100, output: 20, cached: 30, cacheWritten: 0, thinking: 0 };

/**
 * Records two runs with three priced calls of two models, one call without a price, one that was inherited,
 * and one that was rehearsed.
 */
function recordRuns(store: Store): void {
  const first = store.create('board');
  first.note([
    makeRunStarted('Why?'),
    makeCompletedCall({ model: 'openai/gpt-5', costUsd: 0.5, latencyMs: 1000 }),
    makeCompletedCall({
      model: 'openai/gpt-5',
      costUsd: 0.25,
      latencyMs: 500,
      usage: { ...usage, estimated: true },
    }),
    makeCompletedCall({ model: 'lab/own', latencyMs: 100 }),
  ]);
  first.release();
  const second = store.create('rounds', first.run);
  second.note([
    makeRunStarted('And?'),
    makeCompletedCall({ model: 'ollama/qwen3:8b', costUsd: 0, latencyMs: 10 }),
    makeCompletedCall({ model: 'openai/gpt-5', costUsd: 9, inherited: true }),
    makeCompletedCall({ model: 'rehearsal/panel', rehearsal: true }),
  ]);
  second.release();
}

it('usage is summed by model, server, protocol and day', () => {
  const store = temporaryStore();
  recordRuns(store);
  expect(store.usage('model')).toMatchObject([
    {
      key: 'openai/gpt-5',
      calls: 2,
      tokensIn: 200,
      tokensOut: 40,
      cached: 60,
      ms: 1500,
      usd: 0.75,
      estimated: 1,
    },
    {
      key: 'lab/own',
      calls: 1,
      usd: 0,
      pricedCalls: 0,
      unpricedCalls: 1,
      unpricedIn: 100,
      unpricedOut: 20,
    },
    { key: 'ollama/qwen3:8b', calls: 1, usd: 0, pricedCalls: 1, unpricedCalls: 0 },
  ]);
  expect(store.usage('server').map(({ key }) => key)).toEqual(['openai', 'lab', 'ollama']);
  expect(store.usage('protocol')).toMatchObject([
    { key: 'board', calls: 3 },
    { key: 'rounds', calls: 1 },
  ]);
  const day = new Date().toISOString().slice(0, 10);
  expect(store.usage('day').map(({ key }) => key)).toContain(day);
  expect(totalOf(store.usage('model'))).toMatchObject({
    calls: 4,
    tokensIn: 400,
    usd: 0.75,
    unpricedCalls: 1,
  });
  expect(store.usage('model', '2999-01-01')).toEqual([]);
});

it('usage is printed as a table, in which calls without a price are counted separately', async () => {
  const db = join(temporaryFolder(), 'runs.db');
  const store = Store.open(db, FACTS);
  recordRuns(store);
  store.close();
  const env = { DELIBERATE_DB: db };
  const { code, out, err } = await runDeliberate(['usage', '--since', '30d'], { env });
  expect(code).toBe(0);
  expect(out).toMatch(
    /^MODEL +CALLS +IN +OUT +TIME +COST\nopenai\/gpt-5 +2 +~200 +~40 +1\.5s +~\$0\.750$/m,
  );
  expect(out).toMatch(/^lab\/own +1 .* unknown$/m);
  expect(out).toMatch(/^total +4 .*\$0\.750 \+ 1 unpriced$/m);
  expect(err).toBe('1 call without a known price, not in COST: 100 tokens in, 20 out.\n');
  const json = JSON.parse(
    (await runDeliberate(['usage', '--by', 'protocol', '--json'], { env })).out,
  );
  expect(json).toMatchObject({
    by: 'protocol',
    since: null,
    rows: [{ key: 'board' }, { key: 'rounds' }],
  });
  const wrong = await runDeliberate(['usage', '--since', 'yesterday'], { env });
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('Use 12h, 30d, 4w or 2026-11-01.'),
  ]);
  expect((await runDeliberate(['usage', '--by', 'seat'], { env })).code).toBe(2);
});

it('`--since` accepts time spans and dates', () => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  expect(parseSince('30d', now)).toBe('2026-10-28T12:00:00.000Z');
  expect(parseSince('12h', now)).toBe('2026-11-27T00:00:00.000Z');
  expect(parseSince('2026-11-01', now)).toBe('2026-11-01T00:00:00.000Z');
  for (const wrong of ['', '30', 'd', '2026-13-01', '-3d'])
    expect(() => parseSince(wrong, now), wrong).toThrow('expected a span or a date');
});
