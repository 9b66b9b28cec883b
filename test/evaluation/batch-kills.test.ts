/**
 * kill -9 in the middle of an evaluation in batches, at each moment once, in the long form five times: before a
 * batch has arrived, while nobody knows whether it has, and while it is answered. Whole pairs, no request sent
 * twice, and in the end what one reports that asked live.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import type { EvaluationEnding } from '../../src/evaluation/plan.ts';
import { LONG } from '../long.ts';
import type { SubmitManner } from '../servers/batches.ts';
import type { Child } from '../store/child.ts';
import { temporaryFolder } from '../store/folder.ts';
import { type BatchProvider, makeBatchProvider } from './batched.ts';
import { outcomesIn, runEvaluation, toComparable, withStoreIn } from './evaluations.ts';
import { startProgram } from './life.ts';

const ITEMS = 6;
/** The budget as a share of what the whole evaluation costs. */
const BUDGET = 0.6;
const ARMS = 'single,vote,board';

/** When the program is killed, by the number of the submit: before, while or after it is answered. */
type Kills = readonly (SubmitManner | 'waiting')[];
const KILLS: Readonly<Record<'anthropic' | 'openai', Kills>> = LONG
  ? {
      anthropic: ['late', 'waiting', 'stall', 'late', 'waiting'],
      openai: ['late', 'waiting', 'stall', 'late', 'waiting'],
    }
  : { anthropic: ['late', 'waiting', 'stall'], openai: ['stall', 'late', 'waiting'] };

it.each(['anthropic', 'openai'] as const)(
  'an evaluation in batches by %s that is killed repeatedly gives the same outcomes as one without batches',
  async (kind) => {
    const kills = KILLS[kind];
    const whole = await makeBatchProvider(kind);
    const live = { ...whole, flags: { arms: ARMS, model: whole.model } };
    const evaluation = await runEvaluation(
      { folder: temporaryFolder(), env: live.env },
      ['puzzles'],
      {
        ...live.flags,
        size: '1',
      },
    );
    const budget = Math.round(BUDGET * ITEMS * totalOf(outcomesIn(evaluation.out)));
    const before = whole.live.chats().length;
    const asked = await runEvaluation({ folder: temporaryFolder(), env: live.env }, ['puzzles'], {
      ...live.flags,
      size: String(ITEMS),
      budgetTokens: budget,
    });
    const calls = whole.live.chats().length - before;
    const outcomes = outcomesIn(asked.out);
    expect(outcomes.length).toBeGreaterThan(2 * 3);
    expect(outcomes.length).toBeLessThan(ITEMS * 3);

    const provider = await makeBatchProvider(kind, {
      submit: (number) => {
        const manner = kills[number - 1] ?? 'ok';
        return manner === 'waiting' ? 'ok' : manner;
      },
      looks: ({ number }) => (kills[number - 1] === 'waiting' ? 2 : 0),
    });
    const folder = temporaryFolder();
    const startEvaluation = (): Child => startBatches(provider, folder, budget);
    for (const [at, when] of kills.entries()) {
      const life = startEvaluation();
      await provider.server.waitForSubmits(at + 1);
      if (when === 'waiting') await provider.server.waitForLook();
      await life.kill();
      expect((await life.ended).signal).toBe('SIGKILL');
    }
    const last = startEvaluation();
    expect((await last.ended).code).toBe(0);
    const rows = outcomesIn(last.lines.map((row) => JSON.stringify(row)).join('\n'));
    expect(toComparable(rows)).toEqual(toComparable(outcomes));
    const counts = new Map<string, number>();
    for (const { arm } of rows) counts.set(arm, (counts.get(arm) ?? 0) + 1);
    expect(new Set(counts.values()).size).toBe(1);

    // Every request that the provider accepted was sent once: no id occurs twice, and there are as
    // many ids as calls in the evaluation without batches.
    const ids = provider.server.batches.flatMap(({ requests }) => requests.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(calls);
    expect(provider.live.chats()).toEqual([]);
    const { ending, open } = withStoreIn(folder, (store) => ({
      ending: JSON.parse(store.evaluations.find('latest').ending ?? '') as EvaluationEnding,
      open: store.evaluations.waves.open(),
    }));
    expect(ending.resent).toBe(0);
    expect(open).toEqual([]);
  },
);

it('Ctrl-C leaves a batch at its provider, and the same command collects it later', async () => {
  let isOver = false;
  const provider = await makeBatchProvider('openai', {
    looks: () => (isOver ? 0 : Number.POSITIVE_INFINITY),
  });
  const folder = temporaryFolder();
  const first = startBatches(provider, folder);
  await provider.server.waitForSubmits(1);
  await provider.server.waitForLook();
  first.process.kill('SIGINT');
  expect((await first.ended).code).toBe(130);
  expect(provider.server.batches).toHaveLength(1);
  isOver = true;
  const second = startBatches(provider, folder);
  expect((await second.ended).code).toBe(0);
  const ids = provider.server.batches.flatMap(({ requests }) => requests.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const rows = outcomesIn(second.lines.map((row) => JSON.stringify(row)).join('\n'));
  expect(rows.filter(({ state }) => state === 'missing')).toEqual([]);
});

function startBatches({ model, env }: BatchProvider, folder: string, budget?: number): Child {
  const words = [
    ...['eval', 'puzzles', '--arms', ARMS, '--size', String(ITEMS), '--model', model, '--batch'],
    ...(budget === undefined ? [] : ['--budget-tokens', String(budget)]),
    ...['--db', join(folder, 'runs.db'), '--format', 'json'],
  ];
  return startProgram(words, { HOME: folder, XDG_CONFIG_HOME: folder, ...env });
}

function totalOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { tokens }) => sum + tokens, 0);
}
