/**
 * Evaluations against a real server: whole pairs, votes that cost what panels cost, one repair and no
 * more, budgets, models that change, and nothing of a target in any request.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import { generateSet } from '../../src/evaluation/sets/generated.ts';
import { exactInterval } from '../../src/evaluation/statistics/exact.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { promptOf } from '../e2e/deliberators.ts';
import { LONG } from '../long.ts';
import { type OllamaServer, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import { drawChance, guessAnswer, makeAnswerer, toCallKey } from './answerer.ts';
import { outcomesIn, runEvaluation, toComparable, withStoreIn } from './evaluations.ts';

const FLAGS = { arms: 'single,vote,board', model: 'ollama/a', size: '3' };

async function startServer(options: Parameters<typeof startOllama>[0] = {}): Promise<OllamaServer> {
  const server = await startOllama({ models: ['a'], answer: makeAnswerer(), ...options });
  onTestFinished(() => server.close());
  return server;
}

function byArm(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const arms = new Map<string, Outcome[]>();
  for (const outcome of outcomes)
    arms.set(outcome.arm, [...(arms.get(outcome.arm) ?? []), outcome]);
  return arms;
}

it('every compared way of asking gets every task with the same words', async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  const { code, out, err } = await runEvaluation({ folder, server }, ['puzzles'], {
    ...FLAGS,
    size: '4',
  });
  expect(code, err).toBe(0);
  const outcomes = outcomesIn(out);
  const arms = byArm(outcomes);
  expect([...arms.keys()].sort()).toEqual(['board', 'single', 'vote/board']);
  const items = generateSet('puzzles', 4)?.items ?? [];
  for (const rows of arms.values())
    expect(rows.map(({ item }) => item).sort()).toEqual(items.map(({ id }) => id).sort());
  // More than four prompts must contain the unchanged text of each item: those of its single call, its board and its
  // samples for the vote.
  const prompts = server.chats().map(promptOf);
  for (const { input } of items)
    expect(prompts.filter((prompt) => prompt.includes(input)).length).toBeGreaterThan(4);
  const sumTokens = (arm: string) =>
    (arms.get(arm) ?? []).reduce((sum, { tokens }) => sum + tokens, 0);
  expect(sumTokens('vote/board')).toBeGreaterThanOrEqual(sumTokens('board'));
  // A vote has the smallest odd number of samples that together cost at least as much as the board.
  const samples = server.chats().filter((chat) => isSample(promptOf(chat))).length / 4;
  expect(samples % 2).toBe(1);
  const costWithTwoFewer = (sumTokens('vote/board') / samples) * (samples - 2);
  // The cost of a vote with two samples fewer is only estimated, from the average cost of a sample. So allow
  // an error of 10 %.
  expect(costWithTwoFewer).toBeLessThan(sumTokens('board') * 1.1);
  for (const { votes } of arms.get('board') ?? []) expect(votes).toHaveLength(3);
  for (const { models } of outcomes) expect(models[0]).toMatch(/^ollama\/a dddd.* on 0\.12\.0$/);
  // The runs of an evaluation can be opened like any run, but the history does not list them.
  withStoreIn(folder, (store) => {
    expect(store.list()).toEqual([]);
    for (const { run = '' } of arms.get('board') ?? [])
      expect(store.summary(run)).toMatchObject({ protocol: 'board', status: 'done' });
  });
});

/**
 * Returns whether a prompt has the question and nothing else: no role, no answers, no request for
 * another form.
 */
function isSample(prompt: string): boolean {
  return (
    !prompt.includes('The board') && !prompt.includes('advisor') && !prompt.includes('of yours')
  );
}

it('a model whose answer has the wrong format is asked once to correct it, without the task', async () => {
  const folder = temporaryFolder();
  const items = generateSet('puzzles', 4)?.items ?? [];
  const server = await startServer({
    // The model's first answers lack the line that states its solution. When it is asked once more for this line,
    // it gives the line in about half of the cases.
    answer: (request) =>
      promptOf(request).includes('of yours') && drawChance(promptOf(request)) < 0.5
        ? 'I cannot say.'
        : makeAnswerer(100)(request),
  });
  const { out } = await runEvaluation({ folder, server }, ['puzzles'], {
    ...FLAGS,
    arms: 'single,high',
    size: '4',
  });
  const outcomes = outcomesIn(out);
  const repairs = server.chats().filter((chat) => promptOf(chat).includes('of yours'));
  expect(repairs).toHaveLength(8);
  for (const repair of repairs)
    for (const { input } of items) expect(promptOf(repair)).not.toContain(input);
  const states = new Set(outcomes.map(({ state }) => state));
  expect(states).toEqual(new Set(['answered', 'unreadable']));
  for (const { state, isRepaired, isRight, answer } of outcomes) {
    expect(isRepaired).toBe(state === 'answered');
    if (state === 'unreadable')
      expect({ isRight, answer }).toEqual({ isRight: false, answer: null });
  }
  const once = await runEvaluation(
    { folder: temporaryFolder(), server: await startServer({ answer: makeAnswerer(0) }) },
    ['puzzles'],
    {
      ...FLAGS,
      arms: 'single,high',
      size: '4',
    },
  );
  const sumTokens = (rows: readonly Outcome[]) => rows.reduce((all, { tokens }) => all + tokens, 0);
  expect(sumTokens(outcomes)).toBeGreaterThan(sumTokens(outcomesIn(once.out)) * 1.3);
});

it('an evaluation that is started a second time sends no requests that were already answered', async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  const first = await runEvaluation({ folder, server }, ['puzzles'], FLAGS);
  const asked = server.chats().length;
  const second = await runEvaluation({ folder, server }, ['puzzles'], FLAGS);
  expect(server.chats()).toHaveLength(asked);
  expect(second.out).toBe(first.out);
  await runEvaluation({ folder, server }, ['puzzles'], { ...FLAGS, arms: 'single,high,board' });
  expect(server.chats()).toHaveLength(asked + 3 + repairsAfter(server, asked));
  // With another seed, all items differ, so every call is new.
  await runEvaluation({ folder, server }, ['puzzles'], { ...FLAGS, arms: 'single,high', seed: 2 });
  expect(new Set(server.chats().map(toCallKey)).size).toBe(server.chats().length);
});

function repairsAfter(server: OllamaServer, from: number): number {
  return server
    .chats()
    .slice(from)
    .filter((chat) => promptOf(chat).includes('of yours')).length;
}

it('the right answers of the tasks are in no request and in no stored run', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'own.jsonl');
  const rows = Array.from({ length: 12 }, (_one, index) => ({
    id: `CANARY-ID-${index}`,
    input: `Which word is meant by number ${index}?`,
    target: `CANARY-TARGET-${index}`,
    meta: { hint: `CANARY-HINT-${index}`, unit: `CANARY-UNIT-${index % 6}` },
  }));
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const server = await startServer({ answer: makeAnswerer(20, () => 'nothing') });
  const flags = { ...FLAGS, arms: 'single,high,board,rounds:1', size: '2' };
  const { out, err } = await runEvaluation({ folder, server }, [file], flags);
  const outcomes = outcomesIn(out);
  // `--size` counts units, and each unit here has two items.
  expect(new Set(outcomes.map(({ unit }) => unit)).size, err).toBe(2);
  expect(new Set(outcomes.map(({ item }) => item)).size).toBe(4);
  expect(server.requests.length).toBeGreaterThan(50);
  for (const { body, path } of server.requests) {
    expect(JSON.stringify(body ?? '') + path).not.toContain('CANARY');
    expect(JSON.stringify(body?.messages ?? '')).not.toMatch(/evaluat|benchmark/i);
  }
  withStoreIn(folder, (store) => {
    for (const { run } of outcomes)
      if (run !== undefined) expect(JSON.stringify(store.facts(run))).not.toContain('CANARY');
  });
});

it('an evaluation that ends because its budget is used up has equally many answers of every compared method', async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  const flags = { ...FLAGS, size: '7', concurrency: 3 };
  const whole = await runEvaluation({ folder: temporaryFolder(), server }, ['puzzles'], flags);
  const all = totalOf(outcomesIn(whole.out));
  const asked = server.chats().length;
  const part = await runEvaluation({ folder, server }, ['puzzles'], {
    ...flags,
    budgetTokens: Math.round(all * 0.6),
  });
  const some = byArm(outcomesIn(part.out));
  const counts = [...some.values()].map(({ length }) => length);
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeGreaterThan(2);
  expect(counts[0]).toBeLessThan(7);
  expect(part.err).toContain(`after ${counts[0]} of 7`);
  expect(totalOf([...some.values()].flat())).toBeLessThan(all * 0.6);
  // The evaluation whose budget was used up asked the items in the same order as the evaluation without a budget.
  const listBoardItems = (out: string) =>
    outcomesIn(out)
      .filter(({ arm }) => arm === 'board')
      .map(({ item }) => item);
  expect(listBoardItems(whole.out).slice(0, counts[0])).toEqual(listBoardItems(part.out));
  const rest = await runEvaluation({ folder, server }, ['puzzles'], flags);
  expect(toComparable(outcomesIn(rest.out))).toEqual(toComparable(outcomesIn(whole.out)));
  expect(server.chats().length - asked).toBe(asked);
});

function totalOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { tokens }) => sum + tokens, 0);
}

it('the costs of answers in an evaluation are list prices, without savings by caches', async () => {
  const folder = temporaryFolder();
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(folder, 'deliberate'), { recursive: true });
  const rates = { input: 10, output: 20, cache_read: 0, cache_write: 0 };
  writeFileSync(
    join(folder, 'deliberate', 'prices.json'),
    JSON.stringify({
      as_of: '2026-11-01',
      source: 'test',
      usd_per_million_tokens: { 'openai/a': rates },
    }),
  );
  const server = await startOpenAI({ models: ['a'], answer: makeAnswerer(0) });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const { out, err } = await runEvaluation({ folder, env }, ['puzzles'], {
    ...FLAGS,
    model: 'openai/a',
    size: '2',
  });
  const outcomes = outcomesIn(out);
  expect(outcomes.length, err).toBeGreaterThan(5);
  for (const { costUsd, tokens } of outcomes) {
    expect(costUsd).toBeGreaterThanOrEqual((tokens * 10) / 1e6);
    expect(costUsd).toBeLessThanOrEqual((tokens * 20) / 1e6);
  }
});

it('the models of a panel are assigned to its seats in turn', async () => {
  const folder = temporaryFolder();
  const server = await startServer({ models: ['a', 'b', 'c', 'd'] });
  const flags = {
    ...FLAGS,
    arms: 'single,vote,board,debate:standard',
    size: '2',
    panel: 'ollama/b, ollama/c',
  };
  const { code, out, err } = await runEvaluation({ folder, server }, ['puzzles'], flags);
  expect(code, err).toBe(0);
  expect(err).toContain('ollama/a, panels of ollama/b, ollama/c');
  const arms = byArm(outcomesIn(out));
  // `listModels` takes models from the seats of an answer's run, because the outcome of a failed debate names
  // no models.
  const listModels = (arm: string): string[] =>
    withStoreIn(folder, (store) => {
      const asked = (arms.get(arm) ?? []).flatMap(({ run, models: served }) =>
        run === undefined
          ? served.map((model) => model.split(' ')[0] ?? '')
          : viewOf(store.facts(run)).seats.map((seat) => seat.model),
      );
      return [...new Set(asked)].sort();
    });
  // The panel's models play all seats of a board. In a debate, the model of `--model` plays one of the seats, the
  // judge.
  expect(listModels('board')).toEqual(['ollama/b', 'ollama/c']);
  expect(listModels('debate:standard')).toEqual(['ollama/a', 'ollama/b', 'ollama/c']);
  for (const { models: served } of arms.get('board') ?? [])
    expect(served.map((model) => model.split(' ')[0]).sort()).toEqual([
      'ollama/a',
      'ollama/b',
      'ollama/c',
    ]);
  for (const arm of ['single', 'vote/board', 'vote/debate:standard'])
    expect(listModels(arm)).toEqual(['ollama/a']);
  expect(server.chats('d')).toEqual([]);
  withStoreIn(folder, (store) => {
    const runs = arms.get('board')?.flatMap(({ run = '' }) => run) ?? [];
    expect(runs).toHaveLength(2);
    for (const run of runs) {
      const { seats } = viewOf(store.facts(run));
      expect(seats.map(({ model }) => model)).toEqual(['ollama/b', 'ollama/c', 'ollama/b']);
    }
  });
  const text = await runEvaluation({ folder, server }, ['report', 'latest'], { format: 'md' });
  expect(text.out).toContain('seats in turn: ollama/b');
  // Another panel is another arm; the answers of the unchanged arms are not asked for again.
  const before = server.chats('a').length;
  const other = await runEvaluation({ folder, server }, ['puzzles'], {
    ...flags,
    panel: 'ollama/d',
  });
  expect(other.code, other.err).toBe(0);
  expect(server.chats('d').length).toBeGreaterThan(0);
  const asked = server.chats('a').slice(before).map(promptOf);
  expect(asked.some((prompt) => isSample(prompt) && !prompt.includes('a text of yours'))).toBe(
    false,
  );
});

it('an evaluation cannot be continued if its model changed under the same name', async () => {
  const folder = temporaryFolder();
  const before = await startServer({ edition: 'd' });
  await runEvaluation({ folder, server: before }, ['puzzles'], { ...FLAGS, budgetTokens: 1 });
  const after = await startServer({ edition: 'e' });
  const again = runEvaluation({ folder, server: after }, ['puzzles'], FLAGS);
  await expect(again).rejects.toMatchObject({ code: 'model-changed' });
  await expect(again).rejects.toThrow(/eeee.*dddd/);
  expect(after.chats()).toEqual([]);
  const other = await runEvaluation({ folder, server: after }, ['puzzles'], { ...FLAGS, seed: 2 });
  expect(other.code).toBe(0);
});

it('an evaluation gives no verdict if its model was replaced in the middle', async () => {
  const folder = temporaryFolder();
  const server: TestServer = await startOpenAI({
    models: ['a'],
    answer: makeAnswerer(0),
    served: () => (server.chats().length <= 20 ? 'a-2026-01-01' : 'a-2026-02-02'),
  });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const evaluating = runEvaluation({ folder, env }, ['puzzles'], {
    ...FLAGS,
    model: 'openai/a',
    format: 'md',
  });
  await expect(evaluating).rejects.toMatchObject({ code: 'model-changed' });
  await expect(evaluating).rejects.toThrow(
    /openai\/a as a-2026-01-01 in \d+ answers?, openai\/a as a-2026-02-02 in/,
  );
});

it('an answer is recorded with the model name that the server reported', async () => {
  const folder = temporaryFolder();
  const server = await startOpenAI({
    models: ['a'],
    answer: makeAnswerer(0),
    served: () => 'a-2026-01-01',
  });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const flags = { ...FLAGS, model: 'openai/a', size: '1' };
  const { code, out, err } = await runEvaluation({ folder, env }, ['puzzles'], flags);
  expect(code, err).toBe(0);
  for (const { models } of outcomesIn(out)) expect(models).toEqual(['openai/a as a-2026-01-01']);
});

it('an evaluation ends early if the server rejects all further requests, and can be continued later', async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  const flags = { ...FLAGS, arms: 'single,high', size: '16' };
  server.setBehaviour('a', [...Array<'ok'>(10).fill('ok'), { status: 400, message: 'no more' }]);
  const first = runEvaluation({ folder, server }, ['puzzles'], flags);
  await expect(first).rejects.toMatchObject({ code: 'no-answers' });
  await expect(first).rejects.toThrow(/no more/);
  expect(server.chats().length).toBeLessThan(10 + 12 + 8);
  server.setBehaviour('a', 'ok');
  const { out } = await runEvaluation({ folder, server }, ['puzzles'], flags);
  const outcomes = outcomesIn(out);
  expect(outcomes).toHaveLength(32);
  expect(outcomes.filter(({ state }) => state === 'missing')).toEqual([]);
  const answered = new Set(server.chats().map(toCallKey)).size;
  expect(answered).toBe(32 + repairsAfter(server, 0));
});

it('an evaluation with a model that does not exist is rejected before anything is stored', async () => {
  const folder = temporaryFolder();
  const server = await startServer();
  const call = runEvaluation({ folder, server }, ['puzzles'], { ...FLAGS, model: 'ollama/none' });
  await expect(call).rejects.toMatchObject({ code: 'no-such-model' });
  const report = runEvaluation({ folder, server }, ['report'], {});
  await expect(report).rejects.toMatchObject({ code: 'no-such-evaluation' });
});

it('an evaluation asks the three variants of a design memo separately and counts them as one task', async () => {
  const folder = temporaryFolder();
  const server = await startServer({ answer: makeAnswerer(0, () => 'FATAL: S6') });
  const { out } = await runEvaluation({ folder, server }, ['flaws'], {
    ...FLAGS,
    arms: 'single,high',
    size: '12',
  });
  const rows = outcomesIn(out).filter(({ arm }) => arm === 'single');
  expect(rows).toHaveLength(36);
  expect(new Set(rows.map(({ unit }) => unit)).size).toBe(12);
  const getRightShare = (variant: string) =>
    rows.filter((row) => row.variant === variant && row.isRight).length / 12;
  const falseAlarms = 1 - (getRightShare('decoy') + getRightShare('clean')) / 2;
  expect(falseAlarms).toBe(1);
  expect(getRightShare('flaw') - falseAlarms).toBeLessThan(0);
});

const PLANTED = LONG ? 400 : 100;

it(`the exact confidence interval of a simulated model’s score after ${PLANTED} tasks contains its true probability of 70 %`, async () => {
  const items = generateSet('puzzles', PLANTED)?.items ?? [];
  const answerPlanted = (request: Parameters<typeof guessAnswer>[0]) => {
    const prompt = promptOf(request);
    const item = items.find(({ input }) => prompt.includes(input));
    if (item === undefined) return guessAnswer(request);
    if (drawChance('planted', toCallKey(request)) < 0.7) return item.target;
    return (item.choices ?? ['97']).find((choice) => choice !== item.target) ?? '97';
  };
  const server = await startServer({ answer: makeAnswerer(0, answerPlanted) });
  const { out } = await runEvaluation({ folder: temporaryFolder(), server }, ['puzzles'], {
    ...FLAGS,
    arms: 'single,high',
    size: String(PLANTED),
  });
  for (const [, rows] of byArm(outcomesIn(out))) {
    const [low, high] = exactInterval(rows.filter(({ isRight }) => isRight).length, rows.length);
    expect(low).toBeLessThan(0.7);
    expect(high).toBeGreaterThan(0.7);
    expect(high - low).toBeLessThan(0.2);
  }
});

it.each([
  [['nothing-like-it'], {}, /no set or file named nothing-like-it/],
  [[], {}, /name a set/],
  [['puzzles:9'], {}, /difficulty from 1 to 5/],
  [['puzzles', 'flaws'], {}, /name one set/],
  [['puzzles'], { arms: undefined }, /no arms given/],
  [['puzzles'], { arms: 'single' }, /a comparison takes two/],
  [['puzzles'], { arms: 'single,vote' }, /needs a panel/],
  [['puzzles'], { arms: 'board' }, /no baseline for the panel/],
  [['puzzles'], { arms: 'single,single' }, /named twice/],
  [['puzzles'], { arms: 'single,constructor' }, /unknown arm constructor/],
  [['puzzles'], { arms: 'single,board:nobody' }, /no preset board "nobody"/],
  [['puzzles'], { arms: 'single,rounds:0' }, /expected a number from 1/],
  [['puzzles'], { arms: 'single,agent' }, /needs the name of an agent/],
  [['puzzles'], { primary: 'rounds' }, /no such panel in --arms/],
  [['puzzles'], { panel: 'qwen' }, /"qwen"/],
  [['puzzles'], { panel: ' , ' }, /names no model/],
  [['puzzles'], { arms: 'single,high', panel: 'ollama/a' }, /there is no panel among --arms/],
  [['puzzles'], { size: 'huge' }, /expected rehearsal/],
  [['flaws'], { size: 'study' }, /has 40/],
  [['report'], {}, /no finished evaluation/],
  [['report', '0192'], {}, /no evaluation "0192"/],
])('the command eval %j with the flags %j is rejected: %s', async (words, more, wanted) => {
  const call = runEvaluation({ folder: temporaryFolder() }, words, {
    ...FLAGS,
    model: undefined,
    rehearse: true,
    ...more,
  });
  await expect(call).rejects.toThrow(wanted);
});
