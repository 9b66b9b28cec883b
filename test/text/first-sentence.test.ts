/** A question as a heading, and what a text comes to in a sentence. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  firstSentence,
  leadingSentence,
  questionTitle,
} from '../../src/text/answers/first-sentence.ts';

test('questionTitle returns the first sentence of a long question', () => {
  expect(questionTitle('Should we split it? And when?')).toBe('Should we split it? And when?');
  expect(questionTitle(' Should we\nsplit it? ')).toBe('Should we split it?');
  const long = `Should we split the monolith? ${'There is much to be said. '.repeat(80)}`;
  expect(questionTitle(long)).toBe('Should we split the monolith?');
});

test('questionTitle returns the text’s own heading, or else the first question of a long text', () => {
  expect(questionTitle('# Growing heaps\n\nGames are counted out too soon.')).toBe('Growing heaps');
  const background = 'We run a booking service for small hotels, most of them with one owner. ';
  expect(
    questionTitle(`${background.repeat(3)}Should we move to two regions? Say by Friday. Or what?`),
  ).toBe('Should we move to two regions?');
  expect(questionTitle(background.repeat(4))).toBe(background.trim());
});

test('questionTitle cuts a very long sentence between words, to at most 120 characters', () => {
  const cut = questionTitle(`Should ${'we '.repeat(700)}`);
  expect(cut).toMatch(/^Should( we)+ …$/);
  expect(cut.length).toBeLessThanOrEqual(120);
  for (const pad of ['', 'a']) {
    const title = questionTitle(pad + '\u{1f600}'.repeat(400));
    expect(title.isWellFormed()).toBe(true);
    expect(title.length).toBeLessThanOrEqual(120);
  }
});

test('leadingSentence returns the first sentence under "Recommendation" or "Answer", or else of the whole text', () => {
  expect(leadingSentence('## Consensus\n\nAll agree.\n\n## Recommendation\n\nWait. Then go.')).toBe(
    'Wait.',
  );
  expect(leadingSentence('## Answer\n\n**Go.** Now.')).toBe('Go.');
  expect(leadingSentence('# Plan\n\nBegin small. Then grow.')).toBe('Begin small.');
  expect(leadingSentence('')).toBeUndefined();
});

test('leadingSentence removes the marks of emphasis', () => {
  const met = '_4 of 4 requirements met; on branch deliberate-01a2._ Ended: done.';
  expect(leadingSentence(met)).toBe('4 of 4 requirements met; on branch deliberate-01a2.');
  expect(leadingSentence('Take *this* one, __init__ of `list_json_rows`.')).toBe(
    'Take this one, init of `list_json_rows`.',
  );
  expect(leadingSentence('2 * 3 * 4 is a_b, _c and 5*6*7.')).toBe(
    '2 * 3 * 4 is a_b, _c and 5*6*7.',
  );
});

test('firstSentence ends a sentence where the rules of Unicode do, but never after an abbreviation such as “e.g.” or “vs.”', () => {
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
  // The generated texts consist of pieces without Markdown, because `firstSentence` removes Markdown before it
  // looks for the end of the sentence.
  const pieces = 'Go|go|A|b|vs|etc|7|.|!|?|, |; |: | | (|) |"|\'|/|@|e.g. |i.e.'.split('|');
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = `x${parts.join('')}`.replace(/\s+/g, ' ').trim();
      let expected = '';
      for (const { segment } of sentences.segment(text)) {
        expected += segment;
        if (!/\b(?:e\.g|i\.e|vs|etc|cf)\.\s*$/i.test(expected)) break;
      }
      expect(firstSentence(text)).toBe(expected.trim());
    }),
    { numRuns: 3_000 },
  );
});
