import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repeatsWords } from '../../src/text/words/repeats-words.ts';

describe('repeatsWords', () => {
  it.each([
    // SmolLM2-135M-Instruct wrote this position of 1,599 characters, which was accepted as the
    // position of a seat.
    ['a captured position', `${'position.'.repeat(177)}value:`],
    ['a word without an end, of the same model', `jerryc-jerry-${'jerry'.repeat(300)}`],
    ['a sentence said over and over', 'You are the one who makes the decision. '.repeat(12)],
  ])('is true of %s', (_what, text) => {
    expect(repeatsWords(text)).toBe(true);
  });

  it.each([
    ['a short slogan', 'Measure, measure, measure again.'],
    ['thirty equal cells', 'yes '.repeat(30)],
    ['a rule of a table', `|${'-'.repeat(900)}|`],
    ['text without spaces between its words', '分割すると再起動が速くなるが、'.repeat(8)],
    ['figures', Array.from({ length: 200 }, (_, at) => at * 7).join(' ')],
  ])('is false of %s', (_what, text) => {
    expect(repeatsWords(text)).toBe(false);
  });

  it('is false of paragraphs of documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/guide.md'), 'utf8');
    expect(page.split('\n\n').filter(repeatsWords)).toEqual([]);
  });
});
