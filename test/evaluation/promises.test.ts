/** What an evaluation says of its arms, its budget and its answers holds where it is hardest to keep. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import { ask } from '../../src/app/run/resume.ts';
import { CollectedOutput } from '../../src/io/collected.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { startOllama, startOpenAI } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeAnswerer } from './answerer.ts';
import { outcomesIn, runEvaluation, withStoreIn } from './evaluations.ts';

const FLAGS = { arms: 'single,vote,board', model: 'openai/a', size: '2' };

/** Makes a folder in which `openai/a` has a price. */
function pricedFolder(input = 10, output = 20): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deliberate'), { recursive: true });
  writePrices(folder, '2026-11-01', input, output);
  return folder;
}

function writePrices(folder: string, asOf: string, input: number, output: number): void {
  writeFileSync(
    join(folder, 'deliberate', 'prices.json'),
    JSON.stringify({
      as_of: asOf,
      source: 'test',
      usd_per_million_tokens: {
        'openai/a': { input, output, cache_read: 0, cache_write: 0 },
      },
    }),
  );
}

it.each([
  ['no effort', 'high', undefined],
  ['the effort minimal', 'high', 'minimal'],
  ['the effort medium', 'high', 'medium'],
  ['the effort high', 'xhigh', 'high'],
  ['the effort xhigh', 'max', 'xhigh'],
])(
  'if the arm "single" asks a model with %s, the arm "high" asks the model with the effort %s',
  async (_words, more, effort) => {
    const folder = temporaryFolder();
    const flags = { ...FLAGS, arms: 'single,high', size: '1', rehearse: true, model: undefined };
    const { out, err } = await runEvaluation({ folder }, ['puzzles'], { ...flags, effort });
    expect(outcomesIn(out), err).toHaveLength(2);
    withStoreIn(folder, (store) => {
      for (const { arm, run = '' } of outcomesIn(out))
        expect(viewOf(store.facts(run)).seats[0]?.effort).toBe(arm === 'high' ? more : effort);
    });
  },
);

it('the arm "high" of an evaluation is refused if the chosen effort is the highest already', async () => {
  const flags = { ...FLAGS, arms: 'single,high', rehearse: true, model: undefined, effort: 'max' };
  const call = runEvaluation({ folder: temporaryFolder() }, ['plan', 'puzzles'], flags);
  await expect(call).rejects.toThrow('no effort above max');
});

it('an evaluation gets a report even if one of its answers failed', async () => {
  const folder = pricedFolder();
  const server = await startOpenAI({
    models: ['a'],
    answer: makeAnswerer(0),
    served: () => 'a-2026-01-01',
  });
  onTestFinished(() => server.close());
  server.setBehaviour('a', [{ status: 400, message: 'not this one' }, 'ok']);
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const { out, err } = await runEvaluation({ folder, env }, ['puzzles'], {
    ...FLAGS,
    // Make one call at a time, so that the same call fails whenever this test runs.
    concurrency: '1',
  });
  const outcomes = outcomesIn(out);
  const missing = outcomes.filter(({ state }) => state === 'missing');
  expect(missing.length, err).toBe(1);
  expect(missing[0]).toMatchObject({ costUsd: 0, models: [] });
  const text = await runEvaluation({ folder, env }, ['report'], { format: 'md' });
  expect(text.out).toMatch(/the dollars and .* times the tokens of vote\/board/);
  expect(text.out).not.toContain('Not every call has a price');
});

it('an evaluation exceeds its budget in dollars by less than 5 % even if a vote with as many tokens as the panel costs more', async () => {
  // Only output tokens have a price here. A vote with as many tokens as a panel costs more, because more of its
  // tokens are output.
  const folder = pricedFolder(0, 1_000);
  const server = await startOpenAI({ models: ['a'], answer: makeAnswerer(0) });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const budgetUsd = 1.3;
  const { out } = await runEvaluation({ folder, env }, ['puzzles'], {
    ...FLAGS,
    size: '12',
    budgetUsd,
  });
  const outcomes = outcomesIn(out);
  const sumUsd = (arm: string): number =>
    outcomes.reduce((sum, outcome) => sum + (outcome.arm === arm ? (outcome.costUsd ?? 0) : 0), 0);
  expect(sumUsd('vote/board/tokens')).toBeGreaterThan(sumUsd('vote/board') * 1.4);
  expect(sumUsd('board') + sumUsd('vote/board/tokens')).toBeLessThan(budgetUsd * 1.05);
});

it('a budget in dollars is rejected if prices are unknown', async () => {
  const server = await startOpenAI({ models: ['a'], answer: makeAnswerer(0) });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const folder = temporaryFolder();
  const flags = { ...FLAGS, budgetUsd: 0.0001 };
  const call = runEvaluation({ folder, env }, ['puzzles'], flags);
  await expect(call).rejects.toThrow('no price is known for openai/a');
  expect(server.chats()).toEqual([]);
  const free = { ...flags, arms: 'single,high', model: undefined, rehearse: true };
  const { out } = await runEvaluation({ folder }, ['puzzles'], free);
  expect(outcomesIn(out)).toHaveLength(4);
});

it('an evaluation counts the first answer of a run even if a person later asked a further question there', async () => {
  const folder = temporaryFolder();
  const flags = { ...FLAGS, arms: 'single,board', size: '2', model: undefined, rehearse: true };
  const first = await runEvaluation({ folder }, ['puzzles'], flags);
  const logs = { format: 'inspect', to: join(folder, 'first') };
  await runEvaluation({ folder }, ['report'], logs);
  const { run = '' } = outcomesIn(first.out).find(({ arm }) => arm === 'board') ?? {};
  const [out, err] = [new CollectedOutput(), new CollectedOutput()];
  await ask({
    command: 'ask',
    words: [run, 'And what else is there to it?'],
    flags: readFlags({ db: join(folder, 'runs.db'), plain: true, yes: true, rehearse: true }),
    protocols: PROTOCOLS,
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
    stdin: process.stdin,
    out,
    err,
  });
  withStoreIn(folder, (store) => {
    expect(viewOf(store.facts(run)).syntheses, err.text).toHaveLength(2);
  });
  expect((await runEvaluation({ folder }, ['puzzles'], flags)).out).toBe(first.out);
  await runEvaluation({ folder }, ['report'], { ...logs, to: join(folder, 'second') });
  const readBoardSamples = (when: string): unknown =>
    JSON.parse(readFileSync(join(folder, when, 'board.json'), 'utf8')).samples;
  expect(readBoardSamples('second')).toEqual(readBoardSamples('first'));
});

it('an evaluation that is started again repeats the panels whose synthesizing model was replaced meanwhile', async () => {
  const folder = temporaryFolder();
  const seats = await startOpenAI({ models: ['b'], answer: makeAnswerer(0) });
  onTestFinished(() => seats.close());
  const env = { OPENAI_BASE_URL: `${seats.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const flags = { arms: 'single,board', model: 'ollama/a', panel: 'openai/b' };
  const listEditions = async (edition: string, size: string): Promise<(string | undefined)[]> => {
    const server = await startOllama({ models: ['a'], edition, answer: makeAnswerer(0) });
    onTestFinished(() => server.close());
    const { out } = await runEvaluation({ folder, server, env }, ['puzzles'], { ...flags, size });
    return outcomesIn(out)
      .filter(({ arm }) => arm === 'board')
      .map(({ models }) => models.find((model) => model.startsWith('ollama/a'))?.slice(9, 13));
  };
  expect(await listEditions('d', '2')).toEqual(['dddd', 'dddd']);
  expect(await listEditions('e', '3')).toEqual(['eeee', 'eeee', 'eeee']);
  const report = await runEvaluation({ folder }, ['report'], { format: 'md' });
  expect(report.out).toContain('3 of 3 items');
});

it('the report of an evaluation names the price list that was current when the evaluation last ran', async () => {
  const folder = pricedFolder();
  const server = await startOpenAI({ models: ['a'], answer: makeAnswerer(0) });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const findPriceDate = async (flags: object): Promise<string | undefined> => {
    await runEvaluation({ folder, env }, ['puzzles'], { ...FLAGS, ...flags });
    const { out } = await runEvaluation({ folder, env }, ['report'], { format: 'md' });
    return /List prices are from price list of (\S+),/.exec(out)?.[1];
  };
  writePrices(folder, '2039-01-01', 10, 20);
  expect(await findPriceDate({ budgetTokens: 1 })).toBe('2039-01-01');
  writePrices(folder, '2040-02-02', 100, 200);
  expect(await findPriceDate({})).toBe('2040-02-02');
});

it('the plan of an evaluation says if it has too few tasks for a verdict', async () => {
  const folder = pricedFolder();
  const readPlan = async (flags: object): Promise<string> =>
    (await runEvaluation({ folder }, ['plan', 'puzzles'], { ...FLAGS, ...flags })).out;
  expect(await readPlan({ size: '199' })).toContain('too small for a verdict');
  const study = await readPlan({ size: 'study' });
  expect(study).not.toContain('too small for a verdict');
  expect(study).toContain('800 units, 60 of them three times; 920 answers per arm');
  expect(study).not.toContain('Unknown costs');
  expect(await readPlan({ panel: 'openai/unheard-of' })).toContain(
    'Unknown costs are not included.',
  );
});
