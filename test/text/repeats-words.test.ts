import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repeatsWords } from '../../src/text/words/repeats-words.ts';

describe('repeatsWords, which recognizes a model that got stuck in a loop,', () => {
  it.each([
    // SmolLM2-135M-Instruct repeated one word for 1,599 characters, which were accepted as a seat's position.
    ['a text of one repeated word', `${'position.'.repeat(177)}value:`],
    ['a word without an end, of the same model', `jerryc-jerry-${'jerry'.repeat(300)}`],
    // SmolLM2-135M-Instruct wrote this as a part of a statement, and the statement stood in a plan.
    [
      'a sentence that begins to go round',
      `When faced with a server, and no server, you need to remember that the best you can do is to try to find the best, and you do not have to leave your domain, and no server, and you can't find anything but you can't do anything about it, and you have to find a way to find it${', and you must find it'.repeat(25)}`,
    ],
    ['a sentence said over and over', 'You are the one who makes the decision. '.repeat(12)],
  ])('returns true for %s', (_what, text) => {
    expect(repeatsWords(text)).toBe(true);
  });

  it.each([
    ['a short slogan', 'Measure, measure, measure again.'],
    ['thirty equal cells', 'yes '.repeat(30)],
    ['a rule of a table', `|${'-'.repeat(900)}|`],
    ['text without spaces between its words', '分割すると再起動が速くなるが、'.repeat(8)],
    [
      'a table of figures with words',
      Array.from({ length: 60 }, (_, at) => `row ${at} yes no`).join('\n'),
    ],
    ['figures', Array.from({ length: 200 }, (_, at) => at * 7).join(' ')],
  ])('returns false for %s', (_what, text) => {
    expect(repeatsWords(text)).toBe(false);
  });

  it('returns false for paragraphs of documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/guide.md'), 'utf8');
    expect(page.split('\n\n').filter(repeatsWords)).toEqual([]);
  });
});
