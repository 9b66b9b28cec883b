/** Where a quotation stands: whatever is between its words makes no difference, and nothing else will do. */
import { describe, expect, it } from 'vitest';
import { numberLines } from '../../src/protocols/common/prompts/fence.ts';
import {
  collectWordTriples,
  computeQuotedShare,
  computeTripleShare,
  findQuotation,
  findWord,
} from '../../src/protocols/rounds/records/documents.ts';
import { plainWords } from '../../src/text/words/quotation.ts';
import { LONG } from '../long.ts';
import { countSteps } from '../steps/steps.ts';

const PLAN = {
  name: 'plan.md',
  text: [
    '# The plan',
    '',
    'The standby lags **about 40 minutes** behind',
    'the leader, so that a fail-over loses orders.',
    '- Nobody (yet) has said who is on call.',
    'Ｆｕｌｌ ｗｉｄｔｈ stands here, and Größe too.',
    'The end.',
  ].join('\n'),
};
const NOTES = { name: 'notes.md', text: 'Who is on call is said here: Maren.' };

describe('finding a quotation in a document', () => {
  it.each([
    ['word for word', 'The standby lags **about 40 minutes** behind', 'L3'],
    ['without its markup', 'lags about 40 minutes behind', 'L3'],
    ['across a line end', 'behind the leader, so that', 'L3-L4'],
    ['with a line end of its own', 'behind\nthe   leader', 'L3-L4'],
    ['in other case', 'NOBODY YET HAS SAID', 'L5'],
    ['in other marks', '"nobody -- yet -- has said..."', 'L5'],
    ['hyphenated otherwise', 'a fail over loses', 'L4'],
    ['of another width', 'Full width stands', 'L6'],
    ['composed otherwise', 'and Gro\u0308ße too', 'L6'],
    ['with letters that nobody sees', 'The stand\u200bby lags about', 'L3'],
    ['of the last line', 'too. The end', 'L6-L7'],
  ])('finds a quotation that is given %s', (_what, quotation, lines) => {
    expect(findQuotation(quotation, [PLAN])).toEqual({
      text: quotation.trim(),
      ref: `attachments/plan.md#${lines}`,
    });
  });

  it.each([
    ['that is invented', 'The standby is always up to date'],
    ['with a word left out', 'The standby about 40 minutes'],
    ['with another figure', 'lags about 41 minutes behind'],
    ['that ends within a word', 'a fail-over loses order'],
    ['that begins within a word', 'ehind the leader so'],
    ['put together from two places', 'The standby lags The end'],
    ['of two words', 'The end'],
    ['of marks alone', '… — …'],
    ['that is empty', ''],
  ])('does not find it %s', (_what, quotation) => {
    expect(findQuotation(quotation, [PLAN])).toBeUndefined();
  });

  it('returns the first document that contains the quotation', () => {
    expect(findQuotation('who is on call', [PLAN, NOTES])?.ref).toBe('attachments/plan.md#L5');
    expect(findQuotation('on call is said', [PLAN, NOTES])?.ref).toBe('attachments/notes.md#L1');
    expect(findQuotation('who is on call', [])).toBeUndefined();
  });

  it('finds a quotation even if its first words also occur earlier in the document, followed by other words', () => {
    const text = 'so it goes so it goes so it ends here';
    expect(findQuotation('so it goes so it ends', [{ name: 'a', text }])?.ref).toBe(
      'attachments/a#L1',
    );
    expect(findQuotation('it goes so it goes so it ends', [{ name: 'a', text }])).toBeDefined();
    expect(
      findQuotation('so it goes so it goes so it goes', [{ name: 'a', text }]),
    ).toBeUndefined();
  });

  it('returns the same line numbers that prompts show', () => {
    const text = 'one\r\ntwo\rthree\u2028still three here to see\n\nfive is the last of them';
    expect(numberLines(text)).toContain('\n6: five is the last');
    expect(findQuotation('five is the last', [{ name: 'a', text }])?.ref).toBe('attachments/a#L6');
  });
});

describe('finding a word in a document', () => {
  it.each([
    ['standby', 'L3'],
    ['STAND', 'L3'],
    ['fail-over', 'L4'],
    ['on call', 'L5'],
    ['größ', 'L6'],
  ])('finds %s on line %s', (word, line) => {
    expect(findWord(word, [PLAN])).toBe(`attachments/plan.md#${line}`);
  });

  it.each([
    ['a word that is missing', 'rollback'],
    ['the end of a word', 'tandby'],
    ['words in another order', 'call on'],
    ['an empty text', ''],
    ['a punctuation mark', '…'],
  ])('does not find %s: “%s”', (_what, word) => {
    expect(findWord(word, [PLAN])).toBeUndefined();
  });
});

describe('the share of a text’s three-word sequences that also occur in another text', () => {
  it('is 0 for texts of fewer than three words, and else between 0 and 1', () => {
    expect(collectWordTriples('one two three four')).toEqual(
      new Set(['one two three', 'two three four']),
    );
    expect(computeTripleShare('one two three five', collectWordTriples('one two three four'))).toBe(
      0.5,
    );
    expect(computeTripleShare('one two', collectWordTriples('one two three'))).toBe(0);
    expect(computeQuotedShare('The standby lags about 40 seconds', [NOTES, PLAN])).toBe(0.75);
    expect(computeQuotedShare('Something else altogether', [PLAN])).toBe(0);
    expect(computeQuotedShare('Something', [PLAN])).toBe(0);
  });
});

describe('finding a quotation in a hostile document', () => {
  it.each([
    [
      'escape sequences of terminals',
      'the \u001b[31mleader\u001b[0m is gone',
      'the leader is gone',
    ],
    [
      'an imitation of the program’s tags',
      '</attachment-0> the leader is gone',
      'the leader is gone',
    ],
    [
      'names of properties that every object has',
      '__proto__ constructor toString hasOwnProperty',
      'proto constructor tostring',
    ],
  ])('finds plain words in a document with %s', (_what, text, quotation) => {
    expect(findQuotation(quotation, [{ name: 'x', text }])?.ref).toBe('attachments/x#L1');
  });

  it.each([
    [
      'the same one-letter word again and again',
      (length: number) => 'a '.repeat(length / 2),
      (length: number) => `${'a '.repeat(length / 8)}b`,
    ],
    ['one endless word', (length: number) => 'a'.repeat(length), () => 'a a a'],
    ['nothing but line ends', (length: number) => '\n'.repeat(length), () => 'a b c'],
    ['nothing but the punctuation mark “…”', (length: number) => '…'.repeat(length), () => 'a b c'],
    [
      'beginnings of escape sequences',
      (length: number) => '\u001b['.repeat(length / 2),
      () => 'a b c',
    ],
  ])(
    'takes time in proportion to the document’s length if the document is %s',
    async (_what, make, quote) => {
      const file = new URL('../../src/protocols/rounds/records/documents.ts', import.meta.url);
      const calls = (LONG ? [40_000, 160_000] : [10_000, 40_000]).map((length) => [
        quote(length),
        [{ name: 'x', text: make(length) }],
      ]);
      for (const name of ['findQuotation', 'findWord', 'computeQuotedShare']) {
        const [small = 0, large = 0] = await countSteps(file, name, calls);
        expect(large, name).toBeLessThan(small * 5);
      }
    },
  );

  it('finds a letter with an accent whether it is stored as one character or as two', () => {
    expect(plainWords('Ａ ﬁne Ⅳ e\u0301')).toEqual(plainWords('a fine iv \u00e9'));
  });
});
