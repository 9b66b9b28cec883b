/** The room of protocols: what is read off a model's prose. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseBallot, withoutConfidence } from '../../src/protocols/board/ballots.ts';
import { isQuoteOf } from '../../src/protocols/board/quotes.ts';
import { type Fuzz, fuzz, soup } from './fuzz.ts';

const BALLOT = [
  ...[
    '## Ballot\n',
    'Ballot',
    '\n',
    '- ',
    '**',
    '*',
    '> ',
    '| ',
    '1. ',
    'Position',
    'Option',
    'Confidence',
  ],
  ...[
    ':',
    '：',
    ' - ',
    ' – ',
    '**Position:** wait\n',
    '- **Option:** wait\n',
    'Confidence: 0.7\n',
    '70 %',
  ],
  ...[
    '7/10',
    '1e9',
    '999999999999',
    '.5',
    '0,7',
    '(',
    ')',
    ' ',
    '\t',
    '_',
    '`',
    '"',
    'vote ',
    'my final ',
  ],
];

const words = fc.array(
  fc.constantFrom(
    'Wait',
    'for',
    'the',
    'billing',
    'audit',
    'before',
    'anybody',
    'splits',
    'it',
    '漢字',
  ),
  { minLength: 6, maxLength: 12 },
);

const PROSE = [
  ...[
    'Wait for the billing audit',
    ' ',
    '\n',
    '\n> ',
    '\n- ',
    '**',
    '“',
    '”',
    '…',
    '.',
    ',',
    'a',
    '漢',
    '\u0301',
  ],
  ...['billing', 'ﬁ', 'İ', 'ß', '_', '‑', '1. ', '# '],
];

export const PROTOCOLS: readonly Fuzz[] = [
  fuzz(
    'ballots: total, and within bounds',
    soup(BALLOT),
    (text) => {
      const ballot = parseBallot(text);
      const told = withoutConfidence(text);
      assert.ok(told.length <= text.length);
      if (ballot === undefined) assert.equal(told, text);
      else {
        assert.ok(ballot.confidence >= 0 && ballot.confidence <= 1);
        assert.ok(ballot.option !== '' && ballot.option.split(' ').length <= 6, ballot.option);
        assert.ok(ballot.position !== '' && [...ballot.position].length <= 300);
      }
    },
    {
      piece: soup(BALLOT, 8),
      read: (text) => {
        parseBallot(text);
        withoutConfidence(text);
      },
    },
  ),
  fuzz(
    'ballots: one written as it was asked for is read as it was meant',
    fc.tuple(
      soup(['I say so.\n', '## Why\n', '- a\n', '| x | y |\n']),
      fc.constantFrom('wait', 'split it now', 'keep the monolith'),
      fc.integer({ min: 0, max: 100 }),
    ),
    ([before, option, percent]) =>
      assert.deepEqual(
        parseBallot(
          `${before}\n\n## Ballot\n- **Position:** We ${option}\n- **Option:** ${option}\n- **Confidence:** ${percent / 100}`,
        ),
        { position: `We ${option}`, option, confidence: percent / 100 },
      ),
  ),
  fuzz(
    'quotations: what stands there is found, however it is dressed',
    fc.tuple(soup(PROSE), words, soup(PROSE), fc.constantFrom(' ', '\n', ' **', '  \n> ')),
    ([before, said, after, between]) => {
      const quote = said.join(' ');
      assert.ok(isQuoteOf(quote, `${before} ${said.join(between)} ${after}`));
      isQuoteOf(before, after);
      assert.ok(!isQuoteOf(`${quote} zebra`, `${before} ${quote} ${after}`));
    },
    {
      piece: soup(PROSE, 8),
      read: (text) => isQuoteOf('Wait for the billing audit now', text),
    },
  ),
];
