/** The phase that makes predictions, in boards, rounds and debates with a real database. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { dayOf } from '../../src/decisions/dates.ts';
import { DECISIONS, fact } from '../../src/decisions/facts.ts';
import { decisionsOf } from '../../src/decisions/fold.ts';
import { DRAFT_TASK, FORECAST_TASK } from '../../src/decisions/predictions.ts';
import { predictionTables } from '../../src/decisions/table.ts';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { board } from '../../src/protocols/board/board.ts';
import { listFactsOfType, stopAtGate } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeFailure,
  makeSeat,
  ScriptedModels,
  streamUntilStopped,
  textOf,
} from '../kernel/scripted-models.ts';
import { BoardHarness, makePanel, SEATS } from '../protocols/board-desk.ts';
import { expectSameInSql } from '../protocols/in-sql.ts';

const getDayIn = (days: number): string => dayOf(new Date(Date.now() + days * 86_400_000));

const makeDraft = (sentence: string, more: object = {}) => ({
  sentence,
  date: getDayIn(90),
  look: 'the list of tickets in the tracker',
  if: 'recommended',
  command: '',
  ...more,
});
const DRAFTS = [
  makeDraft('At least 3 tickets about billing will be open.'),
  makeDraft('The paging log will have fewer than 5 calls in the week.', { look: 'the paging log' }),
];

const makeValue = (given: object): ModelResult =>
  makeAnswer(JSON.stringify(given), { value: given });
const makeDrafts = (...predictions: readonly object[]): ModelResult => makeValue({ predictions });
const makeForecasts = (...given: readonly [string, unknown, string?][]): ModelResult =>
  makeValue({
    forecasts: given.map(([prediction, percent, why = 'as before']) => ({
      prediction,
      percent,
      why,
    })),
  });

type Script = (asked: ModelRequest, isAgain: boolean) => ModelResult | undefined;

/** Returns a panel that drafts two predictions and forecasts 70 % and 20 %, unless `script` answers. */
function makePredictingPanel(script: Script = () => undefined): ScriptedModels {
  return makePanel((asked) => {
    const own = script(asked, asked.messages.length > 1);
    if (own !== undefined) return own;
    if (asked.task === DRAFT_TASK) return makeDrafts(...DRAFTS);
    if (asked.task === FORECAST_TASK) return makeForecasts(['P-1-1', 70], ['P-1-2', 20]);
    return undefined;
  });
}

const ofTask = ({ requests }: ScriptedModels, task: string): ModelRequest[] =>
  requests.filter((request) => request.task === task);

/** A board of three seats on two models of two lineages. */
const TWO_MODELS = [
  makeSeat('advocate', { model: 'test/llama-1' }),
  makeSeat('critic', { model: 'test/qwen-1' }),
  makeSeat('analyst', { model: 'test/qwen-1' }),
];

class Predicting extends BoardHarness {
  hold(models: ScriptedModels, config: object = {}, seats = TWO_MODELS) {
    return this.open(models).begin({
      question: 'Should we?',
      seats,
      config: {
        synthesizer: 'test/chair',
        open: false,
        seed: 7,
        attachments: [],
        vote: true,
        predict: 2,
        ...config,
      },
    });
  }

  get decisions() {
    return decisionsOf(this.facts);
  }
}

describe('predictions of a board', () => {
  it('are drafted in one call, and each model forecasts all of them in one call', async () => {
    const bench = new Predicting();
    const models = makePredictingPanel();
    await bench.hold(models);
    expect(ofTask(models, DRAFT_TASK).map((request) => request.seat.model)).toEqual(['test/chair']);
    expect(ofTask(models, FORECAST_TASK).map((request) => request.seat.model)).toEqual([
      'test/llama-1',
      'test/qwen-1',
    ]);
    const [first] = bench.decisions.predictions;
    expect(first).toMatchObject({
      id: 'P-1-1',
      sentence: DRAFTS[0]?.sentence,
      draftedOn: getDayIn(0),
      question: 1,
      panel: { percent: 70, voices: 2 },
      rehearsal: false,
      forecasts: [
        { model: 'test/llama-1', seats: ['advocate'], percent: 70 },
        { model: 'test/qwen-1', seats: ['critic', 'analyst'], percent: 70 },
      ],
    });
  });

  it.each([{ predict: 0 }, { predict: undefined }])(
    'are not made with the setting %o, and no other call changes',
    async (config) => {
      const [plain, without] = [makePredictingPanel(), makePredictingPanel()];
      await new BoardHarness().begin(plain, { vote: true });
      const bench = new Predicting();
      await bench.hold(without, config, SEATS);
      const listBareRequests = ({ requests }: ScriptedModels) =>
        requests.map(({ schema, ...asked }) => ({
          ...asked,
          form: schema && z.toJSONSchema(schema),
        }));
      expect(listBareRequests(without)).toEqual(listBareRequests(plain));
      expect(bench.facts.filter(DECISIONS.owns)).toEqual([]);
    },
  );

  it('are forecast by models that see no other forecast', async () => {
    const bench = new Predicting();
    const models = makePredictingPanel();
    await bench.hold(models);
    for (const asked of ofTask(models, FORECAST_TASK)) {
      expect(asked.seat.brief).toBe('');
      expect(textOf(asked)).toContain(DRAFTS[0]?.sentence);
      expect(textOf(asked)).not.toMatch(/test\/|70|llama|qwen/);
    }
  });

  it('are requested once more if some drafts are refused', async () => {
    const bench = new Predicting();
    const vague = makeDraft('Everything will be better.');
    const models = makePredictingPanel((asked, isAgain) => {
      if (asked.task !== DRAFT_TASK) return undefined;
      return isAgain ? makeDrafts(vague, vague) : makeDrafts(DRAFTS[0] ?? {}, vague);
    });
    await bench.hold(models);
    const asked = ofTask(models, DRAFT_TASK);
    expect(asked).toHaveLength(2);
    expect(textOf(asked[1] ?? expect.fail())).toContain('without a figure');
    expect(bench.decisions.predictions.map(({ id }) => id)).toEqual(['P-1-1']);
    const [table] = predictionTables(bench.decisions, (id) => id);
    expect(table?.notes.join(' ')).toContain(
      'Drafts that were refused: "Everything will be better."',
    );
  });

  it('are left out of the run, which ends normally, if the model drafts none', async () => {
    const bench = new Predicting();
    const models = makePredictingPanel(({ task }) =>
      task === DRAFT_TASK ? makeDrafts() : undefined,
    );
    expect(await bench.hold(models)).toEqual({ status: 'done' });
    expect(ofTask(models, FORECAST_TASK)).toEqual([]);
    expect(bench.decisions.predictions).toEqual([]);
  });

  it('are left out with a note if the call for them fails', async () => {
    const bench = new Predicting();
    const models = makePredictingPanel(({ task }) =>
      task === DRAFT_TASK ? makeFailure('server', 'the server is on fire') : undefined,
    );
    expect(await bench.hold(models)).toEqual({ status: 'done' });
    const [table] = predictionTables(bench.decisions, (id) => id);
    expect(table?.notes).toEqual(['No prediction could stand: the server is on fire.']);
  });

  it.each([
    ['0', 0],
    ['100', 100],
    ['1000 %', '1000 %'],
    ['words', 'very likely'],
    ['nothing', undefined],
  ])('have no probability from a model that twice answers %s', async (_what, percent) => {
    const bench = new Predicting();
    const models = makePredictingPanel((asked) =>
      asked.task === FORECAST_TASK && asked.seat.model === 'test/qwen-1'
        ? makeForecasts(['P-1-1', percent], ['P-1-2', 20])
        : undefined,
    );
    await bench.hold(models);
    const [, ...own] = ofTask(models, FORECAST_TASK).filter(
      ({ seat: { model } }) => model === 'test/qwen-1',
    );
    expect(own).toHaveLength(1);
    const [first] = bench.decisions.predictions;
    expect(first?.forecasts.map(({ model }) => model)).toEqual(['test/llama-1']);
    expect(first?.missing).toMatchObject([{ model: 'test/qwen-1', seats: ['critic', 'analyst'] }]);
  });

  it('include a probability that a model leaves out at first and gives when asked again', async () => {
    const bench = new Predicting();
    const models = makePredictingPanel((asked, isAgain) => {
      if (asked.task !== FORECAST_TASK || asked.seat.model !== 'test/qwen-1') return undefined;
      return isAgain ? makeForecasts(['P-1-1', '35 %']) : makeForecasts(['P-1-2', 20]);
    });
    await bench.hold(models);
    const [first] = bench.decisions.predictions;
    expect(first?.forecasts.map(({ percent }) => percent)).toEqual([70, 35]);
    expect(first?.missing).toEqual([]);
  });

  it('have a note on a model that gives 50 % to every prediction', async () => {
    const bench = new Predicting();
    const seats = [...TWO_MODELS, makeSeat('guest', { model: 'test/mistral' })];
    const copied = 'the last three releases were a week late';
    const models = makePredictingPanel((asked) => {
      if (asked.task !== FORECAST_TASK) return undefined;
      if (asked.seat.model === 'test/llama-1') return makeForecasts(['P-1-1', 50], ['P-1-2', 50]);
      return makeForecasts(['P-1-1', 80, copied], ['P-1-2', 80, copied]);
    });
    await bench.hold(models, {}, seats);
    const notes = predictionTables(bench.decisions, (id) => id)[0]?.notes.join(' ');
    expect(notes).toContain('advocate says 50 % to everything');
    expect(notes).toContain('guest gave the numbers and words of critic, analyst');
    // 50 % and 80 % are odds of 1 and 4, whose geometric mean is 2; odds of 2 are 66.7 %.
    expect(bench.decisions.predictions[0]?.panel).toEqual({ percent: 66.7, voices: 2 });
  });

  it('are listed with the largest disagreement first', async () => {
    const bench = new Predicting();
    const models = makePredictingPanel((asked) =>
      asked.task === FORECAST_TASK && asked.seat.model === 'test/qwen-1'
        ? makeForecasts(['P-1-1', 65], ['P-1-2', 90])
        : undefined,
    );
    await bench.hold(models);
    const [table] = predictionTables(bench.decisions, (id) => id);
    expect(table?.rows.map(({ id }) => id)).toEqual(['P-1-2', 'P-1-1']);
  });
});

describe('Resuming a run that was interrupted while it made predictions', () => {
  const TASKS = [DRAFT_TASK, FORECAST_TASK];

  it.each(TASKS)(
    'repeats no completed call if the run was stopped in a call for the task %s',
    async (task) => {
      const bench = new Predicting();
      const stopping = new ScriptedModels((asked, context) =>
        asked.task === task && asked.seat.model !== 'test/llama-1'
          ? streamUntilStopped(context, 'half')
          : makePredictingPanel().call(asked, context),
      );
      const running = bench.hold(stopping);
      while (
        !stopping.requests.some(
          (request) => request.task === task && request.seat.model !== 'test/llama-1',
        )
      )
        await new Promise((resolve) => setImmediate(resolve));
      bench.session.stop();
      expect((await running).status).toBe('stopped');
      const models = makePredictingPanel();
      await bench.open(models).resume({ kind: 'convene' });
      expect(models.requests.every((request) => TASKS.includes(request.task))).toBe(true);
      expect(ofTask(models, DRAFT_TASK)).toHaveLength(task === DRAFT_TASK ? 1 : 0);
      expect(ofTask(models, FORECAST_TASK)).toHaveLength(task === DRAFT_TASK ? 2 : 1);
      expect(bench.decisions.predictions.map(({ panel: found }) => found?.percent)).toEqual([
        70, 20,
      ]);
    },
  );

  it('repeats no recorded step, whichever step the interruption came before', async () => {
    const whole = new Predicting();
    await whole.hold(makePredictingPanel());
    const steps = whole.facts.filter(
      (fact) => fact.type === 'step.completed' && fact.step.startsWith('predictions'),
    ).length;
    expect(steps).toBe(8);
    for (let kept = 0; kept <= steps; kept += 1) {
      const bench = new Predicting();
      let seen = 0;
      const { journal } = bench;
      const commit = journal.commit.bind(journal);
      const killed = new Error('killed');
      journal.commit = (record, facts, prompt) => {
        if (record.step.startsWith('predictions')) {
          if (seen === kept) throw killed;
          seen += 1;
        }
        return commit(record, facts, prompt);
      };
      await bench.hold(makePredictingPanel()).catch((error: unknown) => expect(error).toBe(killed));
      journal.commit = commit;
      const models = makePredictingPanel();
      await new Session({
        journal,
        models,
        protocol: board as Protocol,
        answer: stopAtGate,
      }).resume({
        kind: 'convene',
      });
      expect(models.requests.every((request) => TASKS.includes(request.task))).toBe(true);
      expect(bench.decisions.predictions.map(({ panel: found }) => found?.percent)).toEqual([
        70, 20,
      ]);
      expect(listFactsOfType(bench.facts, 'predictions.drafted')).toHaveLength(1);
      const done = listFactsOfType(bench.facts, 'step.completed').map(({ step }) => step);
      expect(new Set(done).size).toBe(done.length);
    }
  });
});

describe('The day on which predictions are drafted', () => {
  it.each([
    ['Pacific/Kiritimati', '2026-12-01'],
    ['Pacific/Pago_Pago', '2026-11-30'],
  ])('is the date in the time zone %s', async (zone, today) => {
    const before = process.env.TZ;
    vi.useFakeTimers({ now: new Date('2026-11-30T12:30:00Z'), toFake: ['Date'] });
    process.env.TZ = zone;
    onTestFinished(() => {
      vi.useRealTimers();
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    });
    const bench = new Predicting();
    const models = makePredictingPanel(({ task }) =>
      task === DRAFT_TASK
        ? makeDrafts(makeDraft('The log will have 3 lines.', { date: '2026-12-01' }))
        : undefined,
    );
    await bench.hold(models, { predict: 1 });
    expect(listFactsOfType(bench.facts, 'predictions.drafted')[0]?.today).toBe(today);
    // 2026-12-01 is today in the first time zone, so a prediction for this date is refused. In the second time
    // zone it is tomorrow.
    expect(bench.decisions.predictions).toHaveLength(today === '2026-12-01' ? 0 : 1);
  });
});

describe('A run that is resumed on another day', () => {
  it.each([
    ['a month later', 'UTC', '2026-12-30T12:00:00Z'],
    ['with the clock set back', 'UTC', '2026-10-01T12:00:00Z'],
    ['in a time zone where it is tomorrow', 'Pacific/Kiritimati', '2026-11-30T12:30:00Z'],
  ])(
    'sends the same request as on its first day if it is resumed %s',
    async (_when, zone, moment) => {
      const before = process.env.TZ;
      vi.useFakeTimers({ now: new Date('2026-11-30T12:30:00Z'), toFake: ['Date'] });
      process.env.TZ = 'UTC';
      onTestFinished(() => {
        vi.useRealTimers();
        if (before === undefined) delete process.env.TZ;
        else process.env.TZ = before;
      });
      const good = makeDraft('The log will have 3 lines.', { date: '2026-12-15' });
      const makeAnsweringPanel = () =>
        makePredictingPanel(({ task }) => (task === DRAFT_TASK ? makeDrafts(good) : undefined));
      const whole = new Predicting();
      const undisturbed = makeAnsweringPanel();
      await whole.hold(undisturbed, { predict: 1 });
      const bench = new Predicting();
      const { journal } = bench;
      const commit = journal.commit.bind(journal);
      const killed = new Error('killed');
      journal.commit = (record, facts, prompt) => {
        if (record.step === 'predictions/1/drafts') throw killed;
        return commit(record, facts, prompt);
      };
      await bench.hold(makeAnsweringPanel(), { predict: 1 }).catch((error: unknown) => {
        expect(error).toBe(killed);
      });
      journal.commit = commit;
      vi.setSystemTime(new Date(moment));
      process.env.TZ = zone;
      const models = makeAnsweringPanel();
      await bench.open(models).resume({ kind: 'convene' });
      const drafted = listFactsOfType(bench.facts, 'predictions.drafted');
      expect(drafted.map(({ today, predictions }) => [today, predictions.length])).toEqual([
        ['2026-11-30', 1],
      ]);
      for (const task of [DRAFT_TASK, FORECAST_TASK])
        expect(ofTask(models, task).map(textOf)).toEqual(ofTask(undisturbed, task).map(textOf));
    },
  );
});

describe('Decisions, reviews and answers that people record', () => {
  it('are the same in the SQL views of the database as in the program', async () => {
    const bench = new Predicting();
    await bench.hold(makePredictingPanel());
    const { journal, store } = bench;
    const { run } = journal;
    expectSameInSql(store, run);
    const makeDecision = (number: number, more: object = {}) =>
      fact('decision.taken', { number, text: `No. ${number}`, follows: true, version: 1, ...more });
    for (const said of [
      makeDecision(1, { review: '2027-01-01', by: 'Ada', option: 'Wait' }),
      fact('prediction.resolved', { id: 'P-1-1', outcome: 'yes', by: 'Ada', evidence: 'a.log' }),
      fact('prediction.resolved', { id: 'P-1-1', outcome: 'no', by: 'Bo' }),
      fact('prediction.resolved', { id: 'P-1-2', outcome: 'later', date: '2027-05-01' }),
      fact('decision.reviewed', { number: 1, review: '2027-02-01' }),
      makeDecision(2, { note: 'otherwise' }),
      makeDecision(3, { follows: false }),
    ]) {
      journal.note([said]);
      expectSameInSql(store, run);
    }
  });
});
