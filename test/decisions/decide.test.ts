import { describe, expect, it } from 'vitest';
import { makeDecision } from '../../src/app/decisions/decide.ts';
import { readDayAhead } from '../../src/decisions/dates.ts';
import { fact } from '../../src/decisions/facts.ts';
import { decisionsOf, outcomeOf } from '../../src/decisions/fold.ts';
import { formatDecisions } from '../../src/decisions/table.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { BoardHarness, makePanel } from '../protocols/board-desk.ts';

const makeWish = (more: object = {}) => ({ text: 'Wait a year.', follows: true, ...more });

describe('recording a person’s decision (makeDecision)', () => {
  it('records the chosen option in the spelling of the ballots, even if the person spelled it differently', async () => {
    const bench = new BoardHarness();
    await bench.begin(makePanel(), { vote: true });
    expect(
      await makeDecision(PROTOCOLS, bench.facts, makeWish({ option: ' option of CRITIC ' })),
    ).toMatchObject({
      number: 1,
      text: 'Wait a year.',
      option: 'Option of critic',
      version: 1,
    });
  });

  it.each([
    ['no words', { text: ' \u202e ' }, 'has no words'],
    ['more than 2,000 characters', { text: 'x'.repeat(2001) }, 'the most are 2000'],
    ['an option that nobody voted for', { option: 'Sell it' }, 'no ballot names that option'],
    ['a review in the past', { review: '2020-01-01' }, 'not in the future'],
    ['a review on a day that does not exist', { review: '2027-02-30' }, 'is not a date'],
    ['a review in more than ten years', { review: '9999d' }, 'more than ten years'],
  ])('refuses a decision with %s', async (_what, more, why) => {
    const bench = new BoardHarness();
    await bench.begin(makePanel(), { vote: true });
    await expect(makeDecision(PROTOCOLS, bench.facts, makeWish(more))).rejects.toThrow(why);
  });

  it('refuses a run that has not ended', async () => {
    const bench = new BoardHarness();
    bench.open(makePanel()).open({
      question: 'Why?',
      seats: bench.view.seats,
      config: { synthesizer: 'test/chair', open: false, seed: 7, attachments: [] },
    });
    await expect(makeDecision(PROTOCOLS, bench.facts, makeWish())).rejects.toThrow('has not ended');
  });

  it('lets a later decision supersede an earlier one', async () => {
    const bench = new BoardHarness();
    await bench.begin(makePanel(), { vote: true });
    bench.journal.note([await makeDecision(PROTOCOLS, bench.facts, makeWish())]);
    bench.journal.note([
      await makeDecision(PROTOCOLS, bench.facts, makeWish({ text: 'Do it now.' })),
    ]);
    expect(formatDecisions(decisionsOf(bench.facts))).toMatchObject([
      { number: 2, text: 'Do it now.', isStanding: true },
      { number: 1, text: 'Wait a year.', isStanding: false },
    ]);
  });

  it('voids predictions that assume a recommendation which the person rejects', async () => {
    const bench = new BoardHarness();
    await bench.begin(makePanel(), { vote: true });
    const makePrediction = (number: number, condition: 'any' | 'recommended') => ({
      id: `P-1-${number}`,
      sentence: 'It will hold 3 days.',
      date: '2027-01-01',
      look: 'the log',
      if: condition,
    });
    bench.journal.note([
      fact('predictions.drafted', {
        version: 1,
        question: 1,
        model: 'test/m',
        drafted_in: bench.journal.run,
        today: '2026-11-27',
        wanted: 2,
        left_out: [],
        step: 'x',
        rehearsal: false,
        predictions: [makePrediction(1, 'recommended'), makePrediction(2, 'any')],
      }),
      await makeDecision(PROTOCOLS, bench.facts, makeWish({ follows: false })),
    ]);
    const view = decisionsOf(bench.facts);
    expect(view.predictions.map((prediction) => outcomeOf(prediction, view).state)).toEqual([
      'void',
      'open',
    ]);
  });
});

describe('readDayAhead', () => {
  it.each([
    ['2026-11-28', '2026-11-28'],
    ['90d', '2027-02-25'],
    ['6w', '2027-01-08'],
    ['1y', '2027-11-27'],
  ])('parses "%s" as the future day %s', (text, day) => {
    expect(readDayAhead(text, '2026-11-27')).toBe(day);
  });

  it.each(['2026-11-27', '0d', '-3d', 'tomorrow', '', '2027-13-01', '1e3d'])(
    'refuses %j, which is no day after 2026-11-27',
    (text) => {
      expect(() => readDayAhead(text, '2026-11-27')).toThrow();
    },
  );
});
