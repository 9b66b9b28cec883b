/** Shortening texts so that they fit, by plain values and by thousands of random ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEvenShare, fitTexts } from '../../src/text/compact.ts';

const length = (text: string): number => text.length;
const paragraph = (name: string, words: number): string =>
  Array.from({ length: words }, (_, at) => `${name}${at}`).join(' ');

describe('findEvenShare, which limits the size of each text so that all fit,', () => {
  it.each([
    [[10, 10], 100, Number.POSITIVE_INFINITY],
    [[100, 100], 100, 50],
    // The longer texts get the room that the short one does not need.
    [[10, 100, 100], 100, 45],
    [[10, 30, 100], 100, 60],
    [[50], 0, 0],
    [[50], -5, 0],
    [[], 10, Number.POSITIVE_INFINITY],
  ])('for texts of the sizes %j and a total of %d returns %d', (sizes, room, share) => {
    expect(findEvenShare(sizes, room)).toBe(share);
  });
});

describe('Shortening several texts to a limit', () => {
  const long = [
    paragraph('a', 40),
    paragraph('b', 40),
    paragraph('c', 40),
    paragraph('d', 40),
    paragraph('e', 40),
  ].join('\n\n');

  it('leaves texts unchanged that fit', () => {
    expect(fitTexts(['one', 'two'], 6, length)).toEqual([
      { text: 'one', leftOut: 0 },
      { text: 'two', leftOut: 0 },
    ]);
  });

  it('removes whole paragraphs from the middle', () => {
    const [cut] = fitTexts([long], 550, length);
    expect(cut).toEqual({
      text: `${paragraph('a', 40)}\n\n${paragraph('b', 40)}\n\n[… 80 words left out …]\n\n${paragraph('e', 40)}`,
      leftOut: 80,
    });
  });

  it('shortens a single paragraph by whole sentences', () => {
    const sentences = Array.from({ length: 30 }, (_, at) => `Sentence ${at} ends here.`).join(' ');
    const [one] = fitTexts([sentences], 250, length);
    expect(one?.text).toMatch(
      /^Sentence 0 .* ends here\.\n\n\[… \d+ words left out …\]\n\nSentence \d+ .*Sentence 29 ends here\.$/,
    );
    const [other] = fitTexts([paragraph('w', 300)], 250, length);
    expect(other?.text).toMatch(
      /^w0 w1 [\w ]*\n\n\[… [\d,]+ words left out …\]\n\nw\d+[\w ]* w299$/,
    );
  });

  it('states large numbers of omitted words in thousands', () => {
    expect(fitTexts([paragraph('x', 1_240)], 0, length)).toEqual([
      { text: '[… 1,240 words left out …]', leftOut: 1_240 },
    ]);
    expect(fitTexts(['unspeakablylongword'.repeat(9)], 20, length)[0]?.text).toBe(
      '[… 1 word left out …]',
    );
  });

  it('shortens long texts before short ones', () => {
    const [short, cut] = fitTexts([paragraph('s', 20), long], 500, length);
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
          const out = fitTexts(texts, room, length);
          // The markers alone may need more than there is; 32 characters are enough for each of
          // them.
          const least = texts.length * 32;
          expect(out.reduce((sum, one) => sum + one.text.length, 0)).toBeLessThanOrEqual(
            Math.max(room, least),
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
            const words = (some: string) => some.match(/\S+/g)?.length ?? 0;
            expect(words(head) + words(tail) + leftOut).toBe(words(whole));
          }
        },
      ),
    );
  });
});
