/** Controls: sentences whose answer code knows, made from the run's own text. */
import { describe, expect, it } from 'vitest';
import { type Control, makeControls } from '../../src/protocols/rounds/reader/controls.ts';
import { findQuotation, findWord } from '../../src/protocols/rounds/records/documents.ts';

const PLAN = {
  name: 'plan.md',
  text: [
    '# A plan of 5 parts that is a heading and no sentence.',
    'The ledger is moved in 14 nights, one shard a night.',
    'At most 40 requests a second are let through meanwhile.',
    '- a list of 3 names, and nothing else in it.',
    'Short of 9 words.',
    'Nobody has been told so far who is on call on a Sunday.',
    'It costs 1,200 a month for as long as both of them run.',
  ].join('\n'),
};

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);
const makeAllControls = (round = 1): Control[] =>
  SEEDS.flatMap((seed) => makeControls([PLAN], seed, round, 3));

describe('making controls, the sentences with known answers that test a reader', () => {
  it('makes three controls: one true, one false, one about a thing that the documents do not mention', () => {
    for (const seed of SEEDS) {
      const made = makeControls([PLAN], seed, 1, 3);
      expect(made.map(({ key }) => key)).toEqual(['true_in_text', 'false_in_text', 'absent']);
      expect(makeControls([PLAN], seed, 1, 3)).toEqual(made);
    }
    const rounds = [1, 2, 3, 4, 5, 6].map((round) => makeControls([PLAN], 7, round, 3));
    expect(new Set(rounds.map((made) => JSON.stringify(made))).size).toBeGreaterThan(1);
  });

  it('copies a sentence of a document as the true control', () => {
    for (const { key, text } of makeAllControls())
      if (key === 'true_in_text') expect(PLAN.text).toContain(text);
  });

  it('changes the number in a sentence of a document to make the false control', () => {
    for (const { key, text } of makeAllControls()) {
      if (key !== 'false_in_text') continue;
      expect(findQuotation(text, [PLAN])).toBeUndefined();
      const [figure = ''] = text.match(/\d+/) ?? [];
      expect(findWord(figure, [PLAN])).toBeUndefined();
      const own = PLAN.text.split('\n').map((line) => line.replace(/\d+/, '#'));
      expect(own).toContain(text.replace(/\d+/, '#'));
    }
  });

  it('chooses for the third control a thing, such as a hedgehog, that no document mentions', () => {
    for (const { key, text } of makeAllControls()) {
      if (key !== 'absent') continue;
      const word = /that the (\w+) is/.exec(text)?.[1] ?? '';
      expect(findWord(word, [PLAN])).toBeUndefined();
    }
    const strangers = 'trombone lighthouse hedgehog marmalade zeppelin tambourine';
    const full = { name: 'x', text: strangers };
    expect(makeControls([full], 1, 1)).toEqual([]);
    expect(makeControls([{ name: 'x', text: strangers.replace('hedgehog', '') }], 1, 1)).toEqual([
      { key: 'absent', text: expect.stringContaining('hedgehog') },
    ]);
  });

  it('makes two controls that are not true even without suitable sentences, so that a reader who always agrees is noticed', () => {
    const bare = { name: 'x', text: 'nothing that is a sentence' };
    const oneSentence = { name: 'x', text: 'Only 3 nights are left until the ledger is moved.' };
    const listKeys = (document: typeof oneSentence, rules: 3 | 4) =>
      makeControls([document], 1, 1, rules).map(({ key }) => key);
    expect(listKeys(bare, 4)).toEqual(['absent', 'absent']);
    expect(new Set(makeControls([bare], 1, 1, 4).map(({ text }) => text)).size).toBe(2);
    expect(listKeys(oneSentence, 4)).toEqual(['false_in_text', 'absent']);
    expect(listKeys(PLAN, 4)).toEqual(listKeys(PLAN, 3));
    expect(listKeys(bare, 3)).toEqual(['absent']);
  });

  it('uses no headings, list items, fragments or sentences with numbers such as 1,200', () => {
    for (const { text } of makeAllControls())
      expect(text).not.toMatch(/heading|list of|Short of|1,2|1,9/);
  });

  it('makes fewer controls if the documents lack suitable sentences', () => {
    expect(makeControls([], 1, 1)).toMatchObject([{ key: 'absent' }]);
    const bare = { name: 'x', text: 'nothing that is a sentence' };
    expect(makeControls([bare], 1, 1)).toMatchObject([{ key: 'absent' }]);
    const oneSentence = { name: 'x', text: 'Only 3 nights are left until the ledger is moved.' };
    expect(makeControls([oneSentence], 1, 1).map(({ key }) => key)).toEqual([
      'true_in_text',
      'absent',
    ]);
    expect(makeControls([oneSentence], 1, 1, 3).map(({ key }) => key)).toEqual([
      'false_in_text',
      'absent',
    ]);
  });

  describe('from “The gateway lets 40 orders through a minute.”', () => {
    const sentence = 'The gateway lets 40 orders through a minute.';
    const LAST = 'A courier brings the drawing to both of the 3 branches.';
    const collectControls = (...more: readonly string[]) => {
      const text = [sentence, ...more, LAST].join('\n');
      const made = SEEDS.map((seed) => makeControls([{ name: 'x', text }], seed, 1, 3));
      return {
        texts: new Set(
          made.flatMap((controls) => controls.map((control) => control.text.replace(/\d+/, '#'))),
        ),
        few: made.filter(({ length }) => length < 3).length,
      };
    };
    const taken = sentence.replace(/\d+/, '#');

    it.each([
      [
        'has another number for the same thing',
        'No more than 20 a minute were ever seen on a Friday.',
      ],
      ['has another number in words for the same thing', 'On Sundays it is twenty a minute.'],
      ['has another number for the same thing in a list', '- orders through the gateway: 20'],
      [
        'with another number goes on in the next line',
        'The gateway has been told to let\n20 orders in, no more.',
      ],
      ['denies this sentence', 'The gateway lets no order through at night.'],
    ])(
      'makes no control, because the right answer is in doubt if another sentence %s',
      (_how, other) => {
        const { texts, few } = collectControls(other);
        expect(texts).not.toContain(taken);
        expect(few).toBe(SEEDS.length);
      },
    );

    it.each([
      ['speaks of something else', 'The house was painted in 14 colors.'],
      [
        'shares only words that occur in any text',
        'After that there were about 7 of them at the door.',
      ],
      ['has the same number', 'All 40 orders of a minute are shown at the gateway.'],
    ])('makes a control if another sentence %s', (_how, other) => {
      expect(collectControls(other).texts).toContain(taken);
    });

    it('makes a control under edition 2 of the rules, even if another sentence has another number for the same thing', () => {
      const text = [sentence, 'On Sundays it is 20 a minute.'].join('\n');
      const made = SEEDS.flatMap((seed) => makeControls([{ name: 'x', text }], seed, 1, 2));
      expect(made.map((control) => control.text)).toContain(sentence);
    });
  });

  it('removes terminal control characters from the sentences', () => {
    const text = 'The \u001b[31mledger\u001b[0m is moved in 14 nights, \u202eone a night.';
    for (const control of makeControls([{ name: 'x', text }], 1, 1))
      expect(control.text).not.toMatch(/[\u001b\u202e]/);
  });
});
