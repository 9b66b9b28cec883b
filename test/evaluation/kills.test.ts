/**
 * kill -9 in the middle of an evaluation, five times: whole pairs, nothing asked again that was answered,
 * calls on their way counted, and in the end the same outcomes as without.
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { EvaluationEnding } from '../../src/evaluation/plan.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { startScript } from '../store/child.ts';
import { temporaryFolder } from '../store/folder.ts';
import { answerer, callOf } from './answerer.ts';
import { comparable, evaluateHere, outcomesIn, withStoreIn } from './evaluations.ts';

const KILLS = 5;
/** Each with one board and some fifteen answers of the model alone. */
const ITEMS = LONG ? 20 : 4;
const AT_ONCE = 3;
/** Seats that speak at once in a cell. */
const SEATS = 3;
/** Tokens a second, so that a kill comes in the middle of answers. */
const PACE = 2_000;

it(`an evaluation that is killed ${KILLS} times reports what one does that was not`, async () => {
  const server = await startOllama({
    models: ['a'],
    answer: answerer(15),
    tokensPerSecond: PACE,
  });
  onTestFinished(() => server.close());
  const flags = { arms: 'single,vote,board', size: String(ITEMS), concurrency: AT_ONCE };
  const whole = await evaluateHere({ folder: temporaryFolder(), server }, ['puzzles'], {
    ...flags,
    model: 'ollama/a',
  });
  const calls = server.chats().length;
  if (LONG) expect(cellsOf(calls)).toBeGreaterThan(300);

  const folder = temporaryFolder();
  const words = [
    ...['eval', 'puzzles', '--arms', flags.arms, '--size', flags.size, '--model', 'ollama/a'],
    ...['--concurrency', String(AT_ONCE), '--db', join(folder, 'runs.db'), '--format', 'json'],
  ];
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, OLLAMA_HOST: server.url };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const life = startScript(import.meta.url, './life.ts', words, { env });
    // Spread over all that there is to ask.
    await server.chat(calls + Math.round((kill * calls) / (KILLS + 1)));
    await life.kill();
    expect((await life.ended).signal).toBe('SIGKILL');
  }
  const last = startScript(import.meta.url, './life.ts', words, { env });
  expect((await last.ended).code).toBe(0);
  const outcomes = last.lines.map((row) => JSON.stringify(row)).join('\n');
  expect(comparable(outcomesIn(outcomes))).toEqual(comparable(outcomesIn(whole.out)));

  const asked = server.chats().slice(calls).map(callOf);
  const twice = asked.length - new Set(asked).size;
  const ending = withStoreIn(
    folder,
    (store) => JSON.parse(store.evaluations.find('latest').ending ?? '') as EvaluationEnding,
  );
  expect(new Set(asked).size).toBe(calls);
  // Some kills have to have hit a call, or nothing was shown.
  expect(ending.resent).toBeGreaterThan(0);
  expect(ending.resent).toBeLessThanOrEqual(AT_ONCE * SEATS * KILLS);
  expect(twice).toBeLessThanOrEqual(ending.resent);
}, 1_200_000);

/** A board has four calls, and the model alone one for each cell. */
function cellsOf(calls: number): number {
  return calls - ITEMS * SEATS;
}
