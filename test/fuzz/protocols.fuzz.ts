/** Fuzz targets of protocols: ballots, quotations and recommendations in the prose of models. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseBallot, readBallot, removeConfidence } from '../../src/protocols/board/ballots.ts';
import { getFirstRecommendation } from '../../src/protocols/board/recommended.ts';
import { replaceLetters } from '../../src/protocols/common/quotations/names.ts';
import { findQuotations } from '../../src/protocols/common/quotations/quotations.ts';
import { isQuoteOf } from '../../src/protocols/common/quotations/quotes.ts';
import { formatForReaders } from '../../src/protocols/common/quotations/readable.ts';
import { type FuzzTarget, makeTarget, makeText } from './fuzz.ts';

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

const SYNTHESIS = [
  ...[
    'Advisor ',
    'Advisors ',
    'A',
    'B',
    'C',
    'D',
    ' and ',
    ', ',
    '–',
    '(A, C)',
    '(B)',
    ': ',
    ' says ',
  ],
  ...['“', '”', '"', '„', '«', '»', '`', '```\n', '**', '\n', '\n\n', '- ', '. ', ' … ', '[the] '],
  ...[
    '“the ledger is the risk”',
    'the ledger is the risk',
    'nobody has said this',
    '## Recommendation\n',
  ],
];
const LABELS = { A: 'critic', B: 'analyst', C: 'expert' };
const SPOKEN = [
  { seat: 'critic', title: 'Critic', text: 'I hold that the ledger is the risk of it.' },
  { seat: 'analyst', title: 'Analyst', text: 'It costs nine weeks of two people.' },
  { seat: 'expert', title: 'Expert', text: '' },
];

/** The fuzz targets of protocols. */
export const PROTOCOL_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'syntheses: quotations have their positions, remarks follow them, and no other text is lost',
    makeText(SYNTHESIS),
    (text) => {
      const found = findQuotations(text, SPOKEN, LABELS);
      let from = 0;
      for (const { at, end, words: quoted, state, given, by } of found) {
        assert.ok(at >= from && end <= text.length);
        assert.equal(text.slice(at + 1, end - 1), quoted);
        assert.equal(by.length > 0, state === 'said' || state === 'misattributed');
        if (state === 'said')
          assert.ok(by.every((seat) => seat === 'critic' || seat === 'analyst'));
        if (state === 'misattributed') assert.ok(!by.some((seat) => given.includes(seat)));
        from = end;
      }
      const marks = found.filter(({ state }) => state !== 'said').length;
      const read = formatForReaders({ text, labels: {} }, found, (seat) => seat);
      const mark = / \[(?:not found anywhere|not looked up|said by \w+, not by [\w, ]+)\]/g;
      assert.equal((read.match(mark) ?? []).length, marks);
      assert.equal(read.replace(mark, ''), text);
      // Replacing letters by names changes nothing, because `z` is no letter of a seat in this text.
      assert.equal(
        replaceLetters(text, { z: 'nobody' }, () => '!'),
        text,
      );
    },
    {
      piece: makeText(SYNTHESIS, 8),
      read: (text) => {
        const found = findQuotations(text, SPOKEN, LABELS);
        getFirstRecommendation(formatForReaders({ text, labels: LABELS }, found, (seat) => seat));
      },
    },
  ),
  makeTarget(
    'ballots: any text is read without an error, with values within bounds',
    makeText(BALLOT),
    (text) => {
      const ballot = parseBallot(text);
      const told = removeConfidence(text);
      assert.ok(told.length <= text.length);
      const hasBallot = readBallot(text) !== undefined;
      if (!hasBallot) assert.equal(told, text);
      if (ballot !== undefined) {
        assert.ok(ballot.confidence >= 0 && ballot.confidence <= 1);
        assert.ok(ballot.option !== '' && ballot.option.split(' ').length <= 6, ballot.option);
        assert.ok(ballot.position !== '' && [...ballot.position].length <= 300);
      }
    },
    {
      piece: makeText(BALLOT, 8),
      read: (text) => {
        parseBallot(text);
        removeConfidence(text);
      },
    },
  ),
  makeTarget(
    'ballots: a ballot in the requested form is read as it was meant',
    fc.tuple(
      makeText(['I say so.\n', '## Why\n', '- a\n', '| x | y |\n']),
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
  makeTarget(
    'quotations: words of the text are found, whatever spaces and marks stand between them',
    fc.tuple(makeText(PROSE), words, makeText(PROSE), fc.constantFrom(' ', '\n', ' **', '  \n> ')),
    ([before, said, after, between]) => {
      const quote = said.join(' ');
      assert.ok(isQuoteOf(quote, `${before} ${said.join(between)} ${after}`));
      isQuoteOf(before, after);
      assert.ok(!isQuoteOf(`${quote} zebra`, `${before} ${quote} ${after}`));
    },
    {
      piece: makeText(PROSE, 8),
      read: (text) => isQuoteOf('Wait for the billing audit now', text),
    },
  ),
];
