/**
 * Tests an evaluation on a real terminal: stopped and continued, with answers opened and the report read.
 */
import { expect, it } from 'vitest';
import { AnswerPositions, makeHead } from '../../src/app/evaluation/screen/places.ts';
import { loadArmMakers, Survey } from '../../src/app/evaluation/screen/survey.ts';
import { EvaluationModel } from '../../src/console/evaluation/model.ts';
import type { AnswerNews } from '../../src/console/evaluation/ports.ts';
import type { EvaluationPlan } from '../../src/evaluation/plan.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { makeAnswerer, toCallKey } from '../evaluation/answerer.ts';
import { startOllama } from '../servers/index.ts';
import { closeAfterTest, makeDatabasePath } from './scene.ts';
import { Terminal } from './terminal.ts';

/** More items than can begin before the stop. */
const ITEMS = 6;
const SIZE = { columns: 100, rows: 30 };
const [ESC, ENTER, TAB, CTRL_C] = ['\u001b', '\r', '\t', '\u0003'];

/** Returns all answers in the database. */
async function answersIn(db: string): Promise<readonly AnswerNews[]> {
  const store = Store.open(db, FACTS);
  try {
    const { id, plan } = store.evaluations.latestBegun() ?? { id: '', plan: '' };
    const places = new AnswerPositions(JSON.parse(plan) as EvaluationPlan);
    const model = new EvaluationModel(makeHead(id, places, {}, false), 0);
    const makers = await loadArmMakers(PROTOCOLS, places);
    const tell = (news: AnswerNews): void => model.tell(news);
    const survey = new Survey({ store, places, gateway: { price: () => undefined }, makers, tell });
    while (!survey.look());
    return model.list({ arm: undefined, onlyFailed: false, words: '' });
  } finally {
    store.close();
  }
}

it('the evaluation stops on Ctrl-C, and the same command continues the evaluation', async () => {
  const server = closeAfterTest(
    await startOllama({ models: ['a'], answer: makeAnswerer(0), tokensPerSecond: 30 }),
  );
  const env = { DELIBERATE_DB: makeDatabasePath(), OLLAMA_HOST: server.url };
  const words = ['eval', 'puzzles', '--arms', 'single,board', '--size', String(ITEMS)];
  const command = [...words, '--model', 'ollama/a', '--concurrency', '2'];
  const first = new Terminal(command, { ...SIZE, env });
  await first.until(/> *● running .*board/);
  first.press(ENTER);
  const cell = await first.until(/q back/);
  expect(cell).toMatch(/board · /);
  expect(cell).toContain('Advocate');
  first.press(ESC);
  await first.until(/Answers +\d+/);
  // While the evaluation runs in the first terminal, a second one watches it.
  const onlooker = new Terminal(['eval', 'watch'], { ...SIZE, env });
  await onlooker.until(/● watching[\s\S]*● running/);
  first.press(CTRL_C);
  await first.until(/■ stopping[\s\S]*waiting for \d+ answers? to finish/);
  expect(await first.exited).toBe(130);
  expect(first.alternate).toBe(false);
  expect(await first.screen()).toContain('Answers so far are kept');
  await onlooker.until(/■ stopped/);

  const byItem = new Map<string, string[]>();
  for (const { item, label, state } of await answersIn(env.DELIBERATE_DB)) {
    expect(state).toBe('answered');
    byItem.set(item, [...(byItem.get(item) ?? []), label]);
  }
  expect(byItem.size).toBeGreaterThan(0);
  expect(byItem.size).toBeLessThan(ITEMS);
  for (const labels of byItem.values()) expect(labels.toSorted()).toEqual(['board', 'single']);

  const second = new Terminal(command, { ...SIZE, env });
  const report = await second.until(/too small for a verdict/);
  expect(report).toMatch(/✓ \d\d:\d\d/);
  expect(report).toContain('e export');
  second.press('q');
  expect(await second.exited).toBe(0);
  // After the screen has closed, the whole report is on standard output.
  const after = second.raw.slice(second.raw.lastIndexOf('\u001b[?1049l'));
  expect(after).toContain('# puzzles');
  expect(after).toContain('Unreadable answers');
  // No call of the stopped evaluation was sent again when the evaluation continued.
  const calls = server.chats().map(toCallKey);
  expect(new Set(calls).size).toBe(calls.length);

  await onlooker.until(/✓ done[\s\S]*too small for a verdict/);
  onlooker.press(TAB);
  await onlooker.until(/Answers +\d+/);
  onlooker.press(`j${ENTER}`);
  await onlooker.until(/q back/);
  onlooker.press('q');
  await onlooker.until(/Answers +\d+/);
  onlooker.press('q');
  expect(await onlooker.exited).toBe(0);
  expect(server.chats()).toHaveLength(calls.length);
});

it('a second Ctrl-C ends the evaluation at once', async () => {
  const server = closeAfterTest(
    await startOllama({ models: ['a'], answer: makeAnswerer(0), tokensPerSecond: 1 }),
  );
  const env = { DELIBERATE_DB: makeDatabasePath(), OLLAMA_HOST: server.url };
  const command = [
    'eval',
    'knights',
    '--arms',
    'single,high',
    '--size',
    '2',
    '--model',
    'ollama/a',
  ];
  const screen = new Terminal(command, { ...SIZE, env });
  await screen.until(/● running/);
  screen.press(CTRL_C);
  await screen.until(/waiting for/);
  screen.press(CTRL_C);
  expect(await screen.exited).toBe(130);
  expect((await answersIn(env.DELIBERATE_DB)).map(({ state }) => state)).not.toContain('answered');
  const asked = server.chats().length;
  const lines = new Terminal([...command, '--plain'], { ...SIZE, env });
  await lines.until(/evaluation [0-9a-f-]+: knights/);
  expect(lines.alternate).toBe(false);
  // Wait until a call is running: from then on, the program handles Ctrl-C.
  await server.waitForChat(asked + 1);
  lines.press(CTRL_C);
  await lines.until(/Stopping after the items in progress; press again/);
  lines.press(CTRL_C);
  expect(await lines.exited).toBe(130);
});

it('the history lists an evaluation in one line, which opens the evaluation', async () => {
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const words = ['eval', 'knights', '--arms', 'single,high', '--rehearse', '--size', '2'];
  const ended = new Terminal([...words, '--rehearse-speed', '1000'], { ...SIZE, env });
  await ended.until(/✓ \d\d:\d\d/);
  ended.press('q');
  expect(await ended.exited).toBe(0);
  const history = new Terminal(['history'], { ...SIZE, env });
  const list = await history.until(/eval .*knights/);
  expect(list).toContain('1 shown');
  expect(list).not.toMatch(/fork|replay/);
  history.press('x');
  await history.until(/This is an evaluation/);
  history.press(ENTER);
  await history.until(/✓ done[\s\S]*e export/);
  history.press('q');
  await history.until(/1 shown/);
  history.press('q');
  expect(await history.exited).toBe(0);
});
