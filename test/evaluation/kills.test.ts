/**
 * kill -9 in the middle of an evaluation, again and again: whole pairs, nothing asked again that was answered,
 * calls on their way counted, and in the end the same outcomes as without.
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import type { EvaluationEnding } from '../../src/evaluation/plan.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeAnswerer, toCallKey } from './answerer.ts';
import { outcomesIn, runEvaluation, toComparable, withStoreIn } from './evaluations.ts';
import { startProgram } from './life.ts';

const KILLS = LONG ? 5 : 3;
/** The number of items. A board answers each once, and the single model some fifteen times. */
const ITEMS = LONG ? 50 : 6;
/** The budget as a share of what the whole evaluation costs. */
const BUDGET = 0.6;
const AT_ONCE = 3;
/** The number of seats of a board, which speak at the same time. */
const SEATS = 3;
/** The tokens that a model speaks in a second, so few that kills interrupt answers. */
const PACE = 2_000;

it(`an evaluation that is killed ${KILLS} times gives the same outcomes as an undisturbed one`, async () => {
  const server = await startOllama({
    models: ['a'],
    answer: makeAnswerer(15),
    tokensPerSecond: PACE,
  });
  onTestFinished(() => server.close());
  const flags = { arms: 'single,vote,board', concurrency: AT_ONCE, model: 'ollama/a' };
  const evaluation = await runEvaluation({ folder: temporaryFolder(), server }, ['puzzles'], {
    ...flags,
    size: '1',
  });
  const budget = Math.round(BUDGET * ITEMS * totalOf(outcomesIn(evaluation.out)));
  const before = server.chats().length;
  const whole = await runEvaluation({ folder: temporaryFolder(), server }, ['puzzles'], {
    ...flags,
    size: String(ITEMS),
    budgetTokens: budget,
  });
  const counts = countsOf(outcomesIn(whole.out));
  expect(new Set(counts.values()).size).toBe(1);
  const [done = 0] = counts.values();
  expect(done).toBeGreaterThan(1);
  expect(done).toBeLessThan(ITEMS);
  const calls = server.chats().length - before;
  if (LONG) expect(calls - done * SEATS).toBeGreaterThan(300);

  const folder = temporaryFolder();
  const words = [
    ...['eval', 'puzzles', '--arms', flags.arms, '--size', String(ITEMS), '--model', flags.model],
    ...[
      '--budget-tokens',
      String(budget),
      '--concurrency',
      String(AT_ONCE),
      '--db',
      join(folder, 'runs.db'),
      '--format',
      'json',
    ],
  ];
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, OLLAMA_HOST: server.url };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const life = startProgram(words, env);
    // Kill the program at moments that are spread evenly over the calls of the evaluation.
    await server.waitForChat(before + calls + Math.round((kill * calls) / (KILLS + 1)));
    await life.kill();
    expect((await life.ended).signal).toBe('SIGKILL');
  }
  const last = startProgram(words, env);
  expect((await last.ended).code).toBe(0);
  const outcomes = last.lines.map((row) => JSON.stringify(row)).join('\n');
  expect(toComparable(outcomesIn(outcomes))).toEqual(toComparable(outcomesIn(whole.out)));

  const asked = server
    .chats()
    .slice(before + calls)
    .map(toCallKey);
  const twice = asked.length - new Set(asked).size;
  const ending = withStoreIn(
    folder,
    (store) => JSON.parse(store.evaluations.find('latest').ending ?? '') as EvaluationEnding,
  );
  expect(new Set(asked).size).toBe(calls);
  // Some kills must have interrupted a call; otherwise this test shows nothing.
  expect(ending.resent).toBeGreaterThan(0);
  expect(ending.resent).toBeLessThanOrEqual(AT_ONCE * SEATS * KILLS);
  expect(twice).toBeLessThanOrEqual(ending.resent);
}, 1_200_000);

function countsOf(outcomes: readonly Outcome[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { arm } of outcomes) counts.set(arm, (counts.get(arm) ?? 0) + 1);
  return counts;
}

function totalOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { tokens }) => sum + tokens, 0);
}
