/** Cutting bytes into records and text into thinking and answer, wherever the chunks end. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Frame,
  type Framer,
  FramingError,
  LineCutter,
  MAX_RECORD,
  NdjsonFramer,
  SseFramer,
} from '../../src/models/framing.ts';
import { ThinkSplitter } from '../../src/models/think.ts';

/** Cuts bytes into pieces that end at the given places. */
function cutIntoPieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  let from = 0;
  return ends
    .sort((a, b) => a - b)
    .map((to) => {
      const piece = bytes.subarray(from, to);
      from = to;
      return piece;
    });
}

function readFrames(framer: Framer, chunks: readonly Uint8Array[]): string[] {
  const found: Frame[] = [];
  for (const chunk of chunks) found.push(...framer.push(chunk));
  const rest = framer.rest();
  return [...found, ...(rest ? [rest] : [])].map(({ data }) => data);
}

const cuts = fc.array(fc.nat(500), { maxLength: 12 });
const line = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => /^[^\r\n]*\S[^\r\n]*$/.test(text));

test('the split of a stream into lines does not depend on where chunks end', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      cuts,
      (lines, end, closed, at) => {
        const bytes = new TextEncoder().encode(lines.join(end) + (closed ? end : ''));
        expect(readFrames(new NdjsonFramer(), cutIntoPieces(bytes, at))).toEqual(lines);
      },
    ),
  );
});

test('the split of a stream into events does not depend on where chunks end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.json(), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n'),
      cuts,
      (events, end, at) => {
        const text = events.map(
          (data) => `event: x${end}: a comment${end}data: ${data}${end}${end}`,
        );
        const bytes = new TextEncoder().encode(text.join(''));
        expect(readFrames(new SseFramer(), cutIntoPieces(bytes, at))).toEqual(
          events.map((data) => data.trimStart()),
        );
      },
    ),
  );
});

describe('the parser of streams', () => {
  const getProblem = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (error instanceof FramingError) return error.problem;
      throw error;
    }
    return undefined;
  };

  test('rejects bytes that are not UTF-8, wherever a chunk ends', () => {
    const bytes = Uint8Array.of(0x61, 0xc3, 0x28, 0x0a);
    for (const at of [1, 2, 3, 4]) {
      expect(getProblem(() => readFrames(new NdjsonFramer(), cutIntoPieces(bytes, [at])))).toBe(
        'not-utf8',
      );
    }
    // The stream ends after two of the four bytes of a character.
    expect(
      getProblem(() => readFrames(new NdjsonFramer(), [Uint8Array.of(0x61, 0xf0, 0x9f)])),
    ).toBe('not-utf8');
  });

  test('rejects a record of more than 8 MB', () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    const lines = new LineCutter();
    let taken = 0;
    expect(
      getProblem(() => {
        for (; taken < 100; taken++) for (const _ of lines.push(chunk));
      }),
    ).toBe('too-long');
    expect(taken).toBe(MAX_RECORD / chunk.length);
    const many = new TextEncoder().encode(`data: ${'x'.repeat(1000)}\n`.repeat(1000));
    const events = new SseFramer();
    expect(
      getProblem(() => {
        for (let count = 0; count < 20; count++) for (const _ of events.push(many));
      }),
    ).toBe('too-long');
  });
});

describe('a block of thinking in the text', () => {
  const splitChunks = (chunks: readonly string[]) => {
    const splitter = new ThinkSplitter();
    const parts = [...chunks.map((chunk) => splitter.push(chunk)), splitter.end()];
    return {
      text: parts.map(({ text }) => text).join(''),
      thinking: parts.map(({ thinking }) => thinking).join(''),
    };
  };
  const cutText = (text: string, at: readonly number[]) =>
    cutIntoPieces(Uint8Array.from(Array.from(text, (_, index) => index)), at).map((piece) =>
      Array.from(piece, (index) => text[index]).join(''),
    );

  test.each([
    ['<think>why not</think>\n\nYes.', 'Yes.', 'why not'],
    ['\n <think>\nwhy < not</thi nk></think>Yes <think>.', 'Yes <think>.', '\nwhy < not</thi nk>'],
    ['No tags at all.', 'No tags at all.', ''],
    ['  two spaces', '  two spaces', ''],
    ['<thinner> than', '<thinner> than', ''],
    ['<thin', '<thin', ''],
    ['<think>never closed', '', 'never closed'],
    ['<think></think>', '', ''],
    ['', '', ''],
    ['Late <think>no</think>', 'Late <think>no</think>', ''],
  ])('is separated from the answer in %j', (whole, text, thinking) => {
    fc.assert(
      fc.property(cuts, (at) => {
        expect(splitChunks(cutText(whole, at))).toEqual({ text, thinking });
      }),
    );
  });

  test('is passed on at once, except for characters that may begin its end tag', () => {
    const splitter = new ThinkSplitter();
    expect(splitter.push('Yes')).toEqual({ text: 'Yes', thinking: '' });
    const thinking = new ThinkSplitter();
    thinking.push('<think>');
    expect(thinking.push('as I see it <')).toEqual({ text: '', thinking: 'as I see it ' });
  });
});
