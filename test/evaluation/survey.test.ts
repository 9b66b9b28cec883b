/** What the screen reads out of the database, whoever works on it, against what the log says in the end. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AnswerPositions, makeHead } from '../../src/app/evaluation/screen/places.ts';
import { loadArmMakers, Survey } from '../../src/app/evaluation/screen/survey.ts';
import { EvaluationModel } from '../../src/console/evaluation/model.ts';
import type { AnswerNews } from '../../src/console/evaluation/ports.ts';
import type { EvaluationPlan } from '../../src/evaluation/plan.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { promptOf } from '../e2e/deliberators.ts';
import { startOllama } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import { drawChance, makeAnswerer } from './answerer.ts';
import { outcomesIn, runEvaluation } from './evaluations.ts';

const NO_PRICES = { price: () => undefined };

async function surveyAnswers(
  store: Store,
  plan: EvaluationPlan,
): Promise<{ model: EvaluationModel; told: AnswerNews[]; survey: Survey }> {
  const places = new AnswerPositions(plan);
  const model = new EvaluationModel(makeHead('id', places, {}, false), Date.now());
  const told: AnswerNews[] = [];
  const survey = new Survey({
    store,
    places,
    gateway: NO_PRICES,
    makers: await loadArmMakers(PROTOCOLS, places),
    tell: (news) => {
      told.push(news);
      model.tell(news);
    },
  });
  return { model, told, survey };
}

it('the screen of a finished evaluation lists every answer once, with its tokens', async () => {
  const folder = temporaryFolder();
  const server = await startOllama({
    models: ['a'],
    // If this model is asked again for the answer line that its text lacks, it gives the line for about half of
    // these texts.
    answer: (request) =>
      promptOf(request).includes('of yours') && drawChance(promptOf(request)) < 0.5
        ? 'I cannot say.'
        : makeAnswerer(60)(request),
  });
  onTestFinished(() => server.close());
  const flags = { arms: 'single,high,vote,board', model: 'ollama/a', size: '5' };
  const { out, err } = await runEvaluation({ folder, server }, ['puzzles'], flags);
  // The same database contains a second evaluation, whose answers the screen of the first evaluation must not
  // show.
  await runEvaluation({ folder, server }, ['puzzles'], { ...flags, arms: 'single,high', seed: 2 });
  const outcomes = outcomesIn(out).filter(({ arm }) => !arm.startsWith('vote'));
  expect(new Set(outcomes.map(({ state }) => state)), err).toEqual(
    new Set(['answered', 'unreadable']),
  );
  const store = Store.open(join(folder, 'runs.db'), FACTS);
  onTestFinished(() => store.close());
  const [row] = store.evaluations.newest(5).slice(-1);
  const plan = JSON.parse(store.evaluations.find(row?.id ?? '').plan) as EvaluationPlan;
  const { model, told, survey } = await surveyAnswers(store, plan);
  while (!survey.look());
  const list = model.list({ arm: undefined, onlyFailed: false, words: '' });
  for (const outcome of outcomes) {
    const found = list.find(({ label, item }) => label === outcome.arm && item === outcome.item);
    expect(found).toMatchObject({
      run: outcome.run,
      state: outcome.state,
      tokens: outcome.tokens,
      ...(outcome.answer === null ? {} : { answer: outcome.answer }),
    });
  }
  // Each of the five items has the same odd number of vote samples.
  const samples = list.filter(({ arms }) => arms.includes('vote'));
  expect(samples.length % 5).toBe(0);
  expect((samples.length / 5) % 2).toBe(1);
  expect(list).toHaveLength(samples.length + 10);
  expect(model.turns).toEqual({ done: 5, of: 5 });
  expect(model.figuresOf('board')).toMatchObject({ ended: 5, running: 0 });
  expect(told.every(({ isOld }) => isOld)).toBe(true);
  // When `survey` reads the database again, it must not report answers that it has already reported.
  const count = told.length;
  while (!survey.look());
  expect(told).toHaveLength(count);
});
