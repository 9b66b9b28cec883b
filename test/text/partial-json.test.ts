/** JSON that is read while it is written. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatAnswer, formatRecord } from '../../src/text/answers/answer.ts';
import { beginsJson, PartialJson } from '../../src/text/answers/partial-json.ts';

function readPieces(...pieces: readonly string[]): PartialJson {
  const partial = new PartialJson();
  for (const piece of pieces) partial.push(piece);
  return partial;
}

/** Converts the reader's objects, which have no prototype, as JSON has them. */
function toPlain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

const objects = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>;

describe('parsing JSON while it arrives', () => {
  it('gives the result of JSON.parse for a complete object', () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(toPlain(readPieces(text).value)).toEqual(JSON.parse(text));
        expect(readPieces(...text).value).toEqual(readPieces(text).value);
      }),
    );
  });

  it('never throws, whatever the input', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      'u',
      '0',
      'x',
      '-',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (all) => {
        readPieces(...all);
        formatRecord(readPieces('{', ...all).value);
      }),
    );
  });

  it.each([
    ['{"title": "Half a ti', { title: 'Half a ti' }],
    ['{"title": "A", "ste', { title: 'A' }],
    ['{"title": "A", "steps": [{"does": "x", "out', { title: 'A', steps: [{ does: 'x' }] }],
    ['{"a": "line\\nand \\"quo\\u0074e\\', { a: 'line\nand "quote' }],
    // A number may still get more digits, so it is left out until it ends.
    ['{"a": 1', {}],
    ['{"a": 12, "b": [true, nul', { a: 12, b: [true] }],
    ['Here it is:\n```json\n{"a": "b"}\n```', { a: 'b' }],
  ])('returns the part of the object that has arrived in %s', (text, value) => {
    expect(toPlain(readPieces(text).value)).toEqual(value);
  });

  it('treats names such as __proto__ as ordinary names', () => {
    const { value } = readPieces('{"__proto__": {"polluted": "yes"}, "constructor": "x"}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test.each([
  ['', undefined],
  ['  \n', undefined],
  ['{"a', true],
  ['{', true],
  ['```', undefined],
  ['```json\n', undefined],
  ['```json\n{"a', true],
  ['```sh\nls', false],
  ['{ braces } in prose', false],
  ['Prose', false],
])(
  'beginsJson, which tells whether an answer is JSON or prose, returns for the beginning %j: %s',
  (text, is) => expect(beginsJson(text)).toBe(is),
);

describe('A JSON answer without a template for its display', () => {
  it('is shown with headings, paragraphs and bullets', () => {
    const value = {
      title: 'What "must" stay true',
      selfScore: 4,
      is_done: false,
      steps: [{ action: 'a request\ncomes', state_delta: '+1' }, 'plain'],
      around: { who: 'somebody', when: null },
    };
    expect(formatRecord(value)).toBe(
      [
        '## Title',
        'What "must" stay true',
        '**Self score:** 4',
        '**Is done:** no',
        '## Steps',
        '- **Action:** a request comes · **State delta:** +1\n- plain',
        '## Around',
        '### Who',
        'somebody',
        '**When:** none',
      ].join('\n\n'),
    );
  });

  it('is cleaned of control characters', () => {
    const text = '{"say": "\\u001b]52;c;cHduZWQ=\\u0007red\\u202e"}';
    expect(formatAnswer({ text }, () => undefined)).toBe('## Say\n\nred');
  });

  it('is told apart from prose that contains braces or a JSON block', () => {
    for (const text of ['{ braces } in prose', 'See:\n```json\n{"a": 1}\n```'])
      expect(formatAnswer({ text }, () => undefined)).toBe(text);
  });
});
