/**
 * Evaluations in batches, against servers that speak both providers' batches and misbehave: the same report
 * as live, nothing sent twice, and what fails alone asked again alone. OpenAI's two ways to ask share their
 * batches: what fails in one is tried with both in the long form.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { LONG } from '../long.ts';
import type { ResultManner } from '../servers/batches.ts';
import { temporaryFolder } from '../store/folder.ts';
import { type BatchProvider, KEY, KINDS, type Kind, makeBatchProvider } from './batched.ts';
import {
  type EvaluationOutput,
  outcomesIn,
  runEvaluation,
  toComparable,
  withStoreIn,
} from './evaluations.ts';

const FLAGS = { arms: 'single,vote,board', size: '2' };

function evaluatePuzzles(
  { env, model }: BatchProvider,
  folder: string,
  flags: Readonly<Record<string, unknown>> = {},
): Promise<EvaluationOutput> {
  return runEvaluation({ folder, env }, ['puzzles'], { ...FLAGS, model, ...flags });
}

/** The outcomes without any fault, computed once for each kind of provider. */
const wholes = new Map<Kind, { readonly outcomes: unknown[]; readonly calls: number }>();

async function wholeOf(kind: Kind) {
  const known = wholes.get(kind);
  if (known !== undefined) return known;
  const provider = await makeBatchProvider(kind);
  const { out } = await evaluatePuzzles(provider, temporaryFolder(), { batch: true });
  const whole = { outcomes: toComparable(outcomesIn(out)), calls: askedIn(provider).length };
  wholes.set(kind, whole);
  return whole;
}

/** Returns the ids of all requests that were in a batch. */
function askedIn({ server }: BatchProvider): string[] {
  return server.batches.flatMap(({ requests }) => requests.map(({ id }) => id));
}

it.each(KINDS)(
  'an evaluation in batches by %s gives the same outcomes as one that asks directly',
  async (kind) => {
    const provider = await makeBatchProvider(kind);
    const batched = await evaluatePuzzles(provider, temporaryFolder(), { batch: true });
    expect(batched.code, batched.err).toBe(0);
    expect(provider.live.chats()).toEqual([]);
    const ids = askedIn(provider);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,64}$/);
    for (const { requests } of provider.server.batches)
      for (const { body } of requests) expect(body).not.toHaveProperty('stream');
    const live = await evaluatePuzzles(provider, temporaryFolder());
    expect(toComparable(outcomesIn(batched.out))).toEqual(toComparable(outcomesIn(live.out)));
    expect(ids.length).toBe(provider.live.chats().length);
    wholes.set(kind, { outcomes: toComparable(outcomesIn(batched.out)), calls: ids.length });
    // Calls of the same phase share a batch. For example, one batch contains the first answers of all seats to
    // all items.
    expect(provider.server.batches.length).toBeLessThan(10);
  },
);

it.each(LONG ? KINDS : (['anthropic', 'openai'] as const))(
  'a request that fails in a batch at %s is sent again with the next batch',
  async (kind) => {
    const bad: readonly ResultManner[] = [
      ...(['errored', 'expired', 'canceled', 'missing', 'garbage', 'twice'] as const),
    ];
    const provider = await makeBatchProvider(kind, {
      result: ({ number }, index) => (number === 1 ? (bad[index] ?? 'ok') : 'ok'),
    });
    const harmed = await evaluatePuzzles(provider, temporaryFolder(), { batch: true });
    expect(harmed.code, harmed.err).toBe(0);
    const [first, second] = provider.server.batches;
    const again = second?.requests.filter(({ body }) =>
      first?.requests.some((request) => JSON.stringify(request.body) === JSON.stringify(body)),
    );
    // For `twice`, the test server gives two answers to one request. The first answer is good and counts, so the
    // request is not sent again.
    expect(again?.length).toBe(bad.filter((manner) => manner !== 'twice').length);
    const ids = askedIn(provider);
    expect(new Set(ids).size).toBe(ids.length);
    expect(toComparable(outcomesIn(harmed.out))).toEqual((await wholeOf(kind)).outcomes);
  },
);

it.each(['anthropic', 'openai'] as const)(
  'a request that fails for good in a batch at %s leads to a missing answer, with the reason recorded',
  async (kind) => {
    const refused = await makeBatchProvider(kind, {
      result: ({ number }, at) => (number === 1 && at === 0 ? 'invalid' : 'ok'),
    });
    const folder = temporaryFolder();
    const some = await evaluatePuzzles(refused, folder, { batch: true, arms: 'single,high' });
    const missing = outcomesIn(some.out).filter(({ state }) => state === 'missing');
    expect(missing).toHaveLength(1);
    withStoreIn(folder, (store) => {
      const said = JSON.stringify(store.facts(missing[0]?.run ?? ''));
      expect(said).toContain('no such thing');
    });
    // The same command, given again, asks only for the answer whose request the provider had refused.
    const before = askedIn(refused).length;
    const rest = await evaluatePuzzles(refused, folder, { batch: true, arms: 'single,high' });
    expect(outcomesIn(rest.out).filter(({ state }) => state === 'missing')).toEqual([]);
    const bodies = refused.server.batches[0]?.requests.map(({ body }) => JSON.stringify(body));
    const later = refused.server.batches
      .flatMap(({ requests }) => requests)
      .slice(before)
      .filter(({ body }) => bodies?.includes(JSON.stringify(body)));
    expect(later).toHaveLength(1);

    const hopeless = await makeBatchProvider(kind, { result: () => 'expired' });
    const none = await evaluatePuzzles(hopeless, temporaryFolder(), {
      batch: true,
      arms: 'single,high',
    });
    expect(outcomesIn(none.out).every(({ state }) => state === 'missing')).toBe(true);
    expect(hopeless.server.batches).toHaveLength(3);
  },
);

it.each(['anthropic', 'openai'] as const)(
  'if %s accepts a batch but reports an error, the program finds the batch there and does not send it again',
  async (kind) => {
    const provider = await makeBatchProvider(kind, {
      submit: (number) => (number <= 2 ? 'accepted-500' : 'ok'),
    });
    const { server } = provider;
    // The first wave has eight requests: two items, each with one single answer and three seats. After the
    // provider's error, the program must not take a foreign batch of eight requests for the first wave.
    for (const size of [10, 2, 6, 8, 10]) server.addForeignBatch(size);
    const found = await evaluatePuzzles(provider, temporaryFolder(), { batch: true });
    expect(found.code, found.err).toBe(0);
    expect(found.err).toContain('may not have arrived');
    const ids = askedIn(provider);
    expect(new Set(ids).size).toBe(ids.length);
    const bodies = server.batches.map(({ requests }) => requests.map(({ body }) => body));
    const whole = await wholeOf(kind);
    expect(toComparable(outcomesIn(found.out))).toEqual(whole.outcomes);
    expect(bodies.flat().length).toBe(whole.calls);
  },
);

it('a batch that the provider answers with status 500 and does not take is sent again by the same command', async () => {
  const provider = await makeBatchProvider('anthropic', {
    submit: (number) => (number === 1 ? 'lost-500' : 'ok'),
  });
  const evaluation = await evaluatePuzzles(provider, temporaryFolder(), {
    batch: true,
    arms: 'single,high',
  });
  expect(evaluation.code, evaluation.err).toBe(0);
  expect(outcomesIn(evaluation.out)).toHaveLength(4);
  const ids = askedIn(provider);
  expect(new Set(ids).size).toBe(ids.length);
  const posts = provider.server.asked.filter((row) => row.startsWith('POST'));
  expect(posts).toHaveLength(provider.server.batches.length + 1);
});

it.each([
  [{ status: 400, message: 'no such model' }, 'batch-refused', /no such model/],
  [{ status: 401, message: 'who are you' }, 'batch-refused', /who are you/],
  [{ status: 404, message: 'not here' }, 'no-batches', /takes no batches/],
] as const)(
  'a batch that is rejected with %j ends the command, and a later command continues the evaluation',
  async (manner, code, words) => {
    let refuses = true;
    const provider = await makeBatchProvider('openai', { submit: () => (refuses ? manner : 'ok') });
    const folder = temporaryFolder();
    const flags = { batch: true, arms: 'single,high' };
    const refused = evaluatePuzzles(provider, folder, flags);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(words);
    refuses = false;
    const rest = await evaluatePuzzles(provider, folder, flags);
    expect(rest.code).toBe(0);
    expect(outcomesIn(rest.out).filter(({ state }) => state === 'missing')).toEqual([]);
  },
);

it('a batch that fails as a whole at its provider ends the command with the reason', async () => {
  let fails = true;
  const provider = await makeBatchProvider('openai', {
    failureOf: () => (fails ? 'Enqueued token limit reached' : undefined),
  });
  const folder = temporaryFolder();
  const flags = { batch: true, arms: 'single,high' };
  const failed = evaluatePuzzles(provider, folder, flags);
  await expect(failed).rejects.toMatchObject({ code: 'batch-failed' });
  await expect(failed).rejects.toThrow(/Enqueued token limit/);
  fails = false;
  const rest = await evaluatePuzzles(provider, folder, flags);
  expect(outcomesIn(rest.out).filter(({ state }) => state === 'missing')).toEqual([]);
});

it.each(['anthropic', 'openai'] as const)(
  'an API key that a model of %s repeats in its answer is stored nowhere in the database',
  async (kind) => {
    const folder = temporaryFolder();
    const provider = await makeBatchProvider(kind, {
      result: () => 'echoes-key',
      submit: (number) => (number === 2 ? { status: 400, message: `bad key ${KEY}` } : 'ok'),
    });
    const flags = { batch: true, arms: 'single,board' };
    const refused = evaluatePuzzles(provider, folder, flags);
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect(String(error)).toContain('bad key');
    expect(String(error)).not.toContain(KEY);
    const rest = await evaluatePuzzles(provider, folder, flags);
    expect(provider.server.batches.some(({ key }) => key.includes(KEY))).toBe(true);
    expect(rest.out + rest.err).not.toContain(KEY);
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(KEY);
  },
);

it('an evaluation with --batch states list prices in its outcomes (the answers to its items), but half of them, as billed, for the calls of its runs and in the forecast of `plan`', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deliberate'), { recursive: true });
  const rates = { input: 10, output: 20, cache_read: 0, cache_write: 0 };
  writeFileSync(
    join(folder, 'deliberate', 'prices.json'),
    JSON.stringify({
      as_of: '2026-11-01',
      source: 'test',
      usd_per_million_tokens: { 'anthropic/a': rates },
    }),
  );
  const provider = await makeBatchProvider('anthropic');
  const { out, err } = await evaluatePuzzles(provider, folder, { batch: true });
  const listed = outcomesIn(out);
  for (const { costUsd, tokens } of listed) {
    expect(costUsd, err).toBeGreaterThanOrEqual((tokens * 10) / 1e6);
    expect(costUsd).toBeLessThanOrEqual((tokens * 20) / 1e6);
  }
  // The costs in the outcomes are list prices. The run records what its calls were billed, which in a batch is
  // half of the list price.
  withStoreIn(folder, (store) => {
    const [board] = listed.filter(({ arm, isRepaired }) => arm === 'board' && !isRepaired);
    const billed = store
      .facts(board?.run ?? '')
      .filter(isCall)
      .reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
    expect(billed).toBeCloseTo((board?.costUsd ?? 0) / 2, 10);
  });
  const plan = await runEvaluation({ folder, env: provider.env }, ['plan', 'puzzles'], {
    ...FLAGS,
    model: provider.model,
    batch: true,
  });
  const live = await runEvaluation({ folder, env: provider.env }, ['plan', 'puzzles'], {
    ...FLAGS,
    model: provider.model,
  });
  const [low = 0, high = 0] = dollarsIn(plan.out);
  const [lowLive = 0, highLive = 0] = dollarsIn(live.out);
  expect(plan.out).toContain('in batches, half of the list price');
  expect(low / lowLive).toBeCloseTo(0.5, 1);
  expect(high / highLive).toBeCloseTo(0.5, 1);
});

/** Returns the last two amounts of a text, which are those of all arms together. */
function dollarsIn(text: string): number[] {
  return [...text.matchAll(/\$([\d.]+)/g)].map(([, amount]) => Number(amount)).slice(-2);
}

it.each([
  ['ollama/a', /ollama takes no batches/],
  ['rehearsal/standard', /rehearsal takes no batches/],
])(
  'the model %s, whose provider takes no batches, is rejected with --batch',
  async (model, words) => {
    for (const before of [[], ['plan']]) {
      const call = runEvaluation({ folder: temporaryFolder() }, [...before, 'puzzles'], {
        ...FLAGS,
        model,
        batch: true,
      });
      await expect(call).rejects.toThrow(words);
    }
  },
);

it('an evaluation with --batch asks the arm `agent:editor` outside of batches, and says beforehand that it costs the full price', async () => {
  const provider = await makeBatchProvider('anthropic');
  const arms = 'single,agent:editor';
  const { err, out, code } = await evaluatePuzzles(provider, temporaryFolder(), {
    batch: true,
    arms,
  });
  expect(code, err).toBe(0);
  const said = 'agent:editor is asked live, at full price';
  expect(err.indexOf(said)).toBeGreaterThan(0);
  expect(err.indexOf(said)).toBeLessThan(err.indexOf('is sent'));
  expect(provider.live.chats()).toHaveLength(2);
  expect(provider.server.batches[0]?.requests).toHaveLength(2);
  expect(outcomesIn(out).filter(({ state }) => state === 'missing')).toEqual([]);
});

it('an evaluation that continues without --batch says how many calls an earlier batch may still answer', async () => {
  const folder = temporaryFolder();
  const { stop, ...provider } = await stopEvaluation(folder);
  await stop;
  const live = await evaluatePuzzles(provider, folder);
  expect(live.code).toBe(0);
  expect(live.err).toContain('8 calls of earlier batches may still be answered');
  expect(provider.server.batches).toHaveLength(1);
});

/**
 * Returns an evaluation that ends while its first batch is away, because its server says that the
 * batch does not exist.
 */
async function stopEvaluation(folder: string): Promise<BatchProvider & { stop: Promise<void> }> {
  const provider = await makeBatchProvider('openai', { forgets: true });
  const stop = expect(evaluatePuzzles(provider, folder, { batch: true })).rejects.toMatchObject({
    code: 'batch-lost',
  });
  return { ...provider, stop };
}
