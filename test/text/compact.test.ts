/** Shortening texts so that they fit, by plain values and by thousands of random ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEvenShare, fitTexts } from '../../src/text/compact.ts';

const measureLength = (text: string): number => text.length;
const makeParagraph = (name: string, words: number): string =>
  Array.from({ length: words }, (_, at) => `${name}${at}`).join(' ');

describe('findEvenShare, which limits the size of each text so that all fit,', () => {
  it.each([
    [[10, 10], 100, Number.POSITIVE_INFINITY],
    [[100, 100], 100, 50],
    [[10, 100, 100], 100, (100 - 10) / 2],
    [[10, 30, 100], 100, 100 - 10 - 30],
    [[50], 0, 0],
    [[50], -5, 0],
    [[], 10, Number.POSITIVE_INFINITY],
  ])('for texts of the sizes %j and a total of %d returns %d', (sizes, room, share) => {
    expect(findEvenShare(sizes, room)).toBe(share);
  });
});

describe('Shortening several texts to a limit', () => {
  const long = [
    makeParagraph('a', 40),
    makeParagraph('b', 40),
    makeParagraph('c', 40),
    makeParagraph('d', 40),
    makeParagraph('e', 40),
  ].join('\n\n');

  it('leaves texts unchanged that fit', () => {
    expect(fitTexts(['one', 'two'], 6, measureLength)).toEqual([
      { text: 'one', leftOut: 0 },
      { text: 'two', leftOut: 0 },
    ]);
  });

  it('removes whole paragraphs from the middle', () => {
    const [cut] = fitTexts([long], 550, measureLength);
    expect(cut).toEqual({
      text: `${makeParagraph('a', 40)}\n\n${makeParagraph('b', 40)}\n\n[… 80 words left out …]\n\n${makeParagraph('e', 40)}`,
      leftOut: 80,
    });
  });

  it('shortens a single paragraph by whole sentences', () => {
    const sentences = Array.from({ length: 30 }, (_, at) => `Sentence ${at} ends here.`).join(' ');
    const [excerpt] = fitTexts([sentences], 250, measureLength);
    expect(excerpt?.text).toMatch(
      /^Sentence 0 .* ends here\.\n\n\[… \d+ words left out …\]\n\nSentence \d+ .*Sentence 29 ends here\.$/,
    );
    const [other] = fitTexts([makeParagraph('w', 300)], 250, measureLength);
    expect(other?.text).toMatch(
      /^w0 w1 [\w ]*\n\n\[… [\d,]+ words left out …\]\n\nw\d+[\w ]* w299$/,
    );
  });

  it('states large numbers of omitted words in thousands', () => {
    expect(fitTexts([makeParagraph('x', 1_240)], 0, measureLength)).toEqual([
      { text: '[… 1,240 words left out …]', leftOut: 1_240 },
    ]);
    expect(fitTexts(['unspeakablylongword'.repeat(9)], 20, measureLength)[0]?.text).toBe(
      '[… 1 word left out …]',
    );
  });

  it('shortens long texts before short ones', () => {
    const [short, cut] = fitTexts([makeParagraph('s', 20), long], 500, measureLength);
    expect(short?.leftOut).toBe(0);
    expect(cut?.leftOut).toBeGreaterThan(0);
  });

  it('stays within the limit, and keeps beginnings and ends', () => {
    const text = fc
      .array(fc.array(fc.constantFrom('word', 'Satz.', 'é', '語', 'a'), { minLength: 1 }), {
        minLength: 1,
        maxLength: 8,
      })
      .map((paragraphs) => paragraphs.map((words) => words.join(' ')).join('\n\n'));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 5 }),
        fc.integer({ min: 150, max: 3_000 }),
        (texts, room) => {
          const out = fitTexts(texts, room, measureLength);
          // Every shortened text keeps at least a mark such as `[… 12 words left out …]`. So the marks alone
          // may need more than `room`.
          const roomForMarks = texts.length * 32;
          expect(out.reduce((sum, excerpt) => sum + excerpt.text.length, 0)).toBeLessThanOrEqual(
            Math.max(room, roomForMarks),
          );
          for (const [index, { text: short, leftOut }] of out.entries()) {
            const whole = texts[index] ?? '';
            if (leftOut === 0) {
              expect(short).toBe(whole);
              continue;
            }
            const [head = '', tail = ''] = short.split(/\[… [\d,]+ words? left out …\]/);
            expect(whole.startsWith(head.trimEnd())).toBe(true);
            expect(whole.trimEnd().endsWith(tail.trim())).toBe(true);
            const countWords = (some: string) => some.match(/\S+/g)?.length ?? 0;
            expect(countWords(head) + countWords(tail) + leftOut).toBe(countWords(whole));
          }
        },
      ),
    );
  });
});
