/** What a protocol is given beside single questions: many seats, gates, groups, ledgers, figures. */
import { describe, expect, it } from 'vitest';
import type { GateQuestion } from '../../src/kernel/handle.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { readSettings, seatsOf } from '../../src/sdk/config.ts';
import { definitionIn, type OwnProtocol } from '../../src/sdk/define.ts';
import { sdkViewOf } from '../../src/sdk/fold.ts';
import { kernelProtocol } from '../../src/sdk/own-protocol.ts';
import { protocol, quote, z } from '../../src/sdk/protocol.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, ScriptedModels, textOf } from '../kernel/scripted-models.ts';

const PLACES = { main: import.meta.filename, has: (file: string) => file === import.meta.filename };

type Answer = (step: string, question: GateQuestion) => string | undefined;

/** Runs a protocol with so many seats of each role. Gates are answered by default. */
async function runProtocol(
  own: OwnProtocol,
  seats: Readonly<Record<string, number>>,
  script: ConstructorParameters<typeof ScriptedModels>[0],
  answer: Answer = () => undefined,
) {
  const definition = definitionIn(own);
  if (definition === undefined) throw new Error('no definition');
  const store = temporaryStore();
  const journal = store.create(definition.name);
  const models = new ScriptedModels(script);
  const openSession = (): Session =>
    new Session({
      journal,
      models,
      protocol: kernelProtocol(definition, PLACES),
      answer: async (step, question) => {
        const given = answer(step, question);
        return given === undefined
          ? { answer: question.default, by: 'default' }
          : { answer: given, by: 'person' };
      },
    });
  const places = Object.entries(seats).flatMap(([role, count]) =>
    Array.from({ length: count }, () => ({ role, model: 'test/one' })),
  );
  const ended = await openSession().begin({
    question: 'Which of 3 databases?',
    seats: seatsOf(definition, places),
    config: { settings: readSettings(definition, []), seed: 7 },
  });
  const facts = journal.facts();
  return { ended, models, facts, view: viewOf(facts), debate: sdkViewOf(facts), open: openSession };
}

const MANY = { brief: 'You answer.', many: { least: 2, usual: 3 } };

describe('askAll, which puts one question to several seats,', () => {
  const own = protocol({
    name: 'many',
    seats: { seat: MANY, judge: 'You judge.' },
    run: async ({ seats, askAll, conclude }) => {
      const panel = seats.filter(({ role }) => role === 'seat');
      const heard = await askAll('answer', panel, ({ title }) => `Answer, ${title}`, {
        schema: z.object({ n: z.number() }),
        check: ({ n }) => (n < 0 ? 'n is below zero.' : undefined),
      });
      return conclude({
        result: heard.map(({ seat, value }) => `${seat.id}=${value.n}`).join(' '),
        turns: 'another answer',
      });
    },
  });

  it('returns the answers of the other seats if a seat fails', async () => {
    const { models, view, debate } = await runProtocol(own, { seat: 4, judge: 1 }, (asked) => {
      const of = asked.seat.id;
      if (of === 'seat-2') return makeFailure('refused', 'no credit');
      if (of === 'seat-3') return makeAnswer('{"n":-1}', { value: { n: -1 } });
      const isAgain = textOf(asked).includes('below zero');
      const n = of === 'seat-4' && !isAgain ? -4 : 4;
      return makeAnswer(`{"n":${n}}`, { value: { n } });
    });
    expect(debate.outcome?.result).toBe('Seat-1=4 seat-4=4.');
    expect(view.syntheses.at(-1)?.text).toMatch(
      /Heard: 2 of 4 seats throughout\. Seat 2 had no answer at answer\/seat-2 \(no credit\); Seat 3 .*twice/,
    );
    const again = models.requests.filter((request) => request.messages.length > 1);
    expect(again.map(({ seat }) => seat.id).sort()).toEqual(['seat-3', 'seat-4']);
    expect(again[0]?.messages[1]).toMatchObject({ role: 'assistant' });
  });
});

describe('poll, which lets several seats vote,', () => {
  const own = protocol({
    name: 'polls',
    seats: { seat: MANY, judge: 'You judge.' },
    run: async ({ seats, poll, conclude }) => {
      const panel = seats.filter(({ role }) => role === 'seat');
      const { answers } = await poll('answer', panel, 'Answer.', { judge: 'judge' });
      const choices = answers.map(({ seat, choice }) => `${seat.id}=${choice}`);
      return conclude({ result: choices.join(' '), turns: 'another answer' });
    },
  });

  // The model SmolLM2-135M-Instruct gave these texts as its choices in a debate, and each was counted as a
  // vote.
  it.each(['JSON', 'What is it', 'theorem'])(
    'asks a seat again after a meaningless choice, and leaves the seat out after a second one: %s',
    async (choice) => {
      const { models, view } = await runProtocol(own, { seat: 3, judge: 1 }, (asked) => {
        if (asked.seat.id === 'judge') return makeAnswer('{"same":[]}', { value: { same: [] } });
        const value = {
          answer: 'We should take Postgres, since everybody knows it.',
          choice: asked.seat.id === 'seat-1' ? choice : 'Take Postgres',
          confidence: 60,
        };
        return makeAnswer(JSON.stringify(value), { value });
      });
      const countRequests = (seat: string): number =>
        models.requests.filter((request) => request.seat.id === seat).length;
      expect([countRequests('seat-1'), countRequests('seat-2')]).toEqual([2, 1]);
      const text = view.syntheses.at(-1)?.text ?? '';
      expect(text).toContain('Seat-2=Take Postgres');
      expect(text).not.toMatch(/seat-1=/i);
      expect(text).toMatch(/Seat 1 had no answer .*the choice /);
    },
  );
});

describe("questions to the person in a user's own protocol", () => {
  const readNumber = (text: string): number => {
    const value = Number(text.trim());
    if (!Number.isFinite(value)) throw new Error(`${text.trim()} is no number`);
    return value;
  };
  const own = protocol({
    name: 'gated',
    seats: { a: 'You answer.' },
    run: async ({ gate, conclude }) => {
      const edited = await gate('unit', 'Which unit?', { draft: '12', read: readNumber });
      const chosen = await gate('way', 'Which way?', {
        options: [
          { value: 'left', label: 'Left' },
          { value: 'right', label: 'Right' },
        ],
        default: 'left',
      });
      return conclude(`${edited.value} ${edited.isPersons} ${chosen.value} ${chosen.isPersons}`);
    },
  });
  const answerNever = () => makeAnswer('never asked');

  it('use the default if nobody can answer', async () => {
    const { view } = await runProtocol(own, { a: 1 }, answerNever);
    expect(view.syntheses.at(-1)?.text).toBe('12 false left false');
  });

  it('are asked again if the person edits the draft into an invalid answer', async () => {
    const prompts: string[] = [];
    const { view } = await runProtocol(own, { a: 1 }, answerNever, (step, { prompt, options }) => {
      if (step === 'way') return 'right';
      prompts.push(prompt);
      expect(options.find(({ value }) => value === 'edit')?.draft).toBe('12');
      return step === 'unit' ? 'edit: twelve' : 'edit: 13';
    });
    expect(view.syntheses.at(-1)?.text).toBe('13 true right true');
    expect(prompts[1]).toContain('twelve is no number');
  });
});

describe('a ledger (a list of quotations in a protocol)', () => {
  it('marks a quotation that its source lacks', async () => {
    const source = 'It will not scale. We do not think that it will scale beyond ten nodes today.';
    const own = protocol({
      name: 'entered',
      seats: { a: 'You answer.' },
      run: async ({ ledger, conclude }) => {
        const points = ledger('points', 'P');
        await points.add(
          'add/1',
          'a',
          [
            { text: 'one', of: 'A1', quote: 'think that it will scale' },
            { text: 'two', of: 'A1', quote: 'it certainly will scale well' },
            { text: 'three', of: 'constructor', quote: 'think that it will scale' },
          ],
          [{ id: 'A1', text: source }],
        );
        await points.mark('mark/1', 'P2', 'conceded', 'it said so');
        return conclude(points.entries.map(({ id, status }) => `${id} ${status}`).join(', '));
      },
    });
    const { view, debate } = await runProtocol(own, { a: 1 }, () => makeAnswer('never asked'));
    expect(view.syntheses.at(-1)?.text).toBe('P1 open, P2 conceded, P3 open');
    const [ledger] = debate.ledgers;
    expect(ledger?.entries.map(({ quote: found, isUnquoted }) => [found, isUnquoted])).toEqual([
      ['We do not think that it will scale beyond ten nodes today.', false],
      [undefined, true],
      [undefined, true],
    ]);
  });
});

describe("a recorded run of a user's own protocol", () => {
  it('is replayed without asking any seat again', async () => {
    let times = 0;
    const own = protocol({
      name: 'whole',
      seats: { seat: MANY, judge: 'You judge.' },
      texts: { task: 'Answer it' },
      run: async ({ seats, texts, askAll, group, ledger, show, conclude }) => {
        times += 1;
        const panel = seats.filter(({ role }) => role === 'seat');
        const heard = await askAll('answer', panel, () => texts.task);
        const items = heard.map(({ value }, index) => ({ id: `A${index + 1}`, text: value }));
        const { groups } = await group('same', 'judge', items, { of: 'answers' });
        const points = ledger('points', 'P');
        await points.add(
          'points',
          '',
          items.map(({ text }) => ({ text })),
        );
        await show('bars', {
          kind: 'bars',
          title: 'Votes',
          rows: groups.map((ids) => ({ label: ids[0] ?? '', value: ids.length })),
        });
        return conclude({ result: quote(groups.length.toString()).length > 0 ? 'So it is' : '' });
      },
    });
    const { ended, models, facts, open } = await runProtocol(own, { seat: 2, judge: 1 }, (asked) =>
      asked.seat.id === 'judge'
        ? makeAnswer('{"same":[]}', { value: { same: [] } })
        : makeAnswer(`${asked.seat.id} says Postgres`),
    );
    expect(ended.status).toBe('done');
    const asked = models.requests.length;
    expect(facts.some(({ type }) => type === 'figure.shown')).toBe(true);
    await open().resume({ kind: 'convene' });
    expect([times, models.requests.length]).toEqual([2, asked]);
  });
});
