/** Fuzz targets of the index: documents that are cut into sections, and queries that people type. */
import assert from 'node:assert/strict';
import { parseDocument } from '../../src/knowledge/document.ts';
import { chunksIn, splitMarkdown } from '../../src/knowledge/split.ts';
import { termsOf, toIndexText } from '../../src/knowledge/words.ts';
import { type FuzzTarget, makeTarget, makeText } from './fuzz.ts';

const PIECES = [
  ...[
    '# ',
    '## ',
    '###### ',
    '#',
    ' # a ##',
    '===',
    '---',
    '\n===\n',
    '\n---\n',
    '---\n',
    '```',
    '~~~\n',
  ],
  ...[
    '```sh\n',
    '    ',
    '\t',
    '- ',
    '1. ',
    '> ',
    '<!--',
    '-->',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    ' ',
    'word ',
  ],
  ...[
    'cluster: x\n',
    'claims:\n  - claim: a\n',
    'sentence. ',
    '\ufeff',
    '\u2028',
    '🙂',
    '漢字',
    '\ud83d',
    '\0',
  ],
  ...['word '.repeat(500), 'x'.repeat(2_000), '漢'.repeat(900), `${'line\n'.repeat(400)}`],
];

/** The fuzz targets of the index. */
export const KNOWLEDGE_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'documents: every character is in exactly one piece, and every chunk is found at its lines',
    makeText(PIECES, 40),
    (document) => {
      const pieces = splitMarkdown(document);
      assert.equal(pieces.map(({ start, end }) => document.slice(start, end)).join(''), document);
      let at = 0;
      for (const { start, end } of pieces) {
        assert.equal(start, at);
        assert.ok(end > start);
        at = end;
      }
      const lines = document.split(/\r\n?|\n/);
      for (const markdown of [true, false])
        for (const { from, to, text } of chunksIn(document, markdown)) {
          assert.ok(from >= 1 && to >= from && to <= lines.length);
          const there = lines.slice(from - 1, to).join('\n');
          assert.ok(there.includes(text.split(/\r\n?|\n/).join('\n')), JSON.stringify(text));
        }
      const { parts } = parseDocument('a.md', document);
      for (const { text } of parts) assert.notEqual(text.trim(), '');
    },
    { piece: makeText(PIECES.slice(0, -4), 8), read: splitMarkdown },
  ),
  makeTarget(
    'words of a query: the index reads none of them as its query syntax',
    makeText([
      ...PIECES.slice(0, -4),
      '"',
      '*',
      '^',
      'AND',
      'NEAR(',
      ':',
      '{',
      'camelCase',
      '犬小屋',
    ]),
    (query) => {
      for (const { match } of termsOf(query))
        assert.match(match, /^(?:"[\p{L}\p{N}\p{M} ]+"|\((?:"[\p{L}\p{N}\p{M} ]+"(?: OR )?)+\))$/u);
    },
    { piece: makeText(PIECES.slice(0, -4), 8), read: toIndexText },
  ),
];
