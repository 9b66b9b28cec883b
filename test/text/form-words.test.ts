/** What repeats the form it was asked for by is no answer. */
import { describe, expect, it } from 'vitest';
import { isPlaceholder, repeatsForm, repeatsPrompt } from '../../src/text/form-words.ts';
import { countSteps } from '../steps/steps.ts';

const FILE = new URL('../../src/text/form-words.ts', import.meta.url);
const FIELDS = [
  'one line that somebody could act on',
  'the same in at most six words, as it would stand on a ballot',
];

describe('isPlaceholder, which recognizes an empty answer or one that was not filled in,', () => {
  it.each([
    '',
    '…',
    '...',
    '____',
    '<your option>',
    '[Option]',
    '{{position}}',
    'Your choice here',
  ])('returns true for %j', (value) => {
    expect(isPlaceholder(value)).toBe(true);
  });

  it.each(['Wait', '[Split the ledger]', 'Add a reader', 'The vote of the board', '+'])(
    'returns false for %j',
    (value) => {
      expect(isPlaceholder(value)).toBe(false);
    },
  );
});

describe('repeatsForm, which recognizes an answer that copies the template,', () => {
  it.each([
    ['an instruction', 'The same in at most six words, as it would stand on a ballot.'],
    ['an instruction that was cut', 'the same in at most six'],
    ['an instruction that goes on', 'one line that somebody could act on. Here are the details:'],
    ['the end of an instruction', 'as it would stand on a ballot'],
    ['other case and punctuation', '**One line** — that SOMEBODY could “act on”'],
    ['a placeholder', '<option>'],
  ])('returns true for %s', (_what, value) => {
    expect(repeatsForm(value, FIELDS)).toBe(true);
  });

  it.each([
    'Split the ledger',
    'Act on it',
    'The same as last year',
    'Somebody could act on the alarm at night',
    'One line of defence, and no more',
  ])('returns false for %j', (value) => {
    expect(repeatsForm(value, FIELDS)).toBe(false);
  });

  it('takes steps in proportion to the length of the value', async () => {
    const long = 'the same in at most six words or fewer '.repeat(100);
    const [small = 0, large = 0] = await countSteps(FILE, 'repeatsForm', [
      [long, FIELDS],
      [long.repeat(8), FIELDS],
    ]);
    expect(large / small).toBeLessThan(12);
  });
});

describe('repeatsPrompt, which recognizes an answer that copies the prompt,', () => {
  const PROMPT =
    'Name at most four points, the weightiest first: what you agree with. Where nothing is missing, write "nothing at all is missing from this answer here". Is the claim true, false, or can it not be decided?';

  it('returns true for a text that consists of sentences of the prompt', () => {
    expect(repeatsPrompt('Name at most four points, the weightiest first.', [PROMPT])).toBe(true);
  });

  it('returns false for text that the prompt only quotes', () => {
    const quoted = 'nothing at all is missing from this answer here';
    expect(repeatsPrompt(quoted, [PROMPT])).toBe(false);
    expect(repeatsPrompt('it can not be decided', [PROMPT])).toBe(false);
  });
});
