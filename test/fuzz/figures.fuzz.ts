/** Fuzz targets of the room `figures`: numbers and oppositions in the words of models. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findInventedFigures,
  findOpposition,
  groupItems,
  readNumbers,
} from '../../src/figures/figures.ts';
import { type FuzzTarget, makeTarget, makeText } from './fuzz.ts';

const NUMBERS = [
  ...['1', '0', '9', '000', '.', ',', '_', '-', '−', '%', ' %', 'k', 'v', '#', '½', '٣', '１', '²'],
  ...[
    'two',
    'twenty',
    '-',
    ' ',
    'five',
    ' hundred',
    ' million',
    'one',
    '\n',
    ') ',
    '. ',
    'A-',
    '$',
  ],
];
const WORDS = [
  ...[
    'do ',
    'not ',
    "n't ",
    'no ',
    'without ',
    'with ',
    'kein ',
    'never ',
    'keep ',
    'drop ',
    '16 ',
  ],
  ...['from ', 'to ', 'Kafka ', 'NATS ', '*', '"', '.', '!', '\u200b', '\u001b[31m', '\n'],
];

/** The fuzz targets of the room `figures`. */
export const FIGURE_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'numbers in prose: each is finite and has its position, and none counts as invented if the text is its own source',
    makeText(NUMBERS),
    (text) => {
      let last = 0;
      for (const { value, start, end, written } of readNumbers(text)) {
        assert.ok(Number.isFinite(value));
        assert.ok(start >= last && text.slice(start, end) === written);
        last = end;
      }
      assert.deepEqual(findInventedFigures(text, { texts: [text], figures: [] }), []);
    },
    {
      piece: makeText(NUMBERS, 6),
      read: (text) => findInventedFigures(text, { texts: [text], figures: [1] }),
    },
  ),
  makeTarget(
    'grouping: the groups of any answer are a partition without opposed pairs',
    fc.tuple(
      fc.array(makeText(WORDS, 6), { maxLength: 6 }),
      fc.array(
        fc.array(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 5 }), { maxLength: 4 }),
        {
          maxLength: 2,
        },
      ),
    ),
    ([texts, proposals]) => {
      const items = texts.map((text, index) => ({ id: `O${index}`, text }));
      const named = proposals.map((all) => all.map((group) => group.map((at) => `O${at}`)));
      const { groups } = groupItems(items, named);
      assert.deepEqual(
        groups.flat().toSorted(),
        items.map(({ id }) => id),
      );
      for (const group of groups)
        for (const one of group)
          for (const other of group) {
            const [left, right] = [one, other].map((id) => texts[Number(id.slice(1))] ?? '');
            assert.equal(findOpposition(left ?? '', right ?? ''), undefined);
          }
    },
    { piece: makeText(WORDS, 6), read: (text) => findOpposition(text, `${text}.`) },
  ),
];
