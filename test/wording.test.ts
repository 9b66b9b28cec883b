/** The texts that people read, listed from the sources: their spelling, and the commands that they name. */
import { expect, it } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { wordingPage } from './wording.ts';

const page = wordingPage();

it('the list of texts that people read contains seven known ones, but neither the synthesizer’s prompt nor SQL', () => {
  for (const words of [
    'Time limit per seat, excluding time in the queue',
    'ask advisors side by side, then synthesize',
    'permission denied',
    'No run in progress.',
    'Pause after the calls in progress; again: resume',
    'What is missing',
    'No problems found in the records.⏎',
  ])
    expect(page.split('\n')).toContain(words);
  expect(page).not.toMatch(/You are the synthesizer|^SELECT /m);
});

it('the strings of src that people read have American forms of the words that differ most often', () => {
  expect(page).not.toMatch(
    /\b(?:colour|behaviour|favour|honour|neighbour|centre|cancelled|catalogue|(?:synthes|recogn|author|summar|organ)is(?:e|ed|es|ing))\b/i,
  );
});

it('texts for people name only commands that exist', () => {
  // At the beginning of a line, or after a colon, a semicolon or `see`, `deliberate` begins a command;
  // elsewhere it may mean the program.
  const named = [...page.matchAll(/(?:^|[:;] |see |See )deliberate ([a-z]+)/gm)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) expect(Object.keys(COMMANDS)).toContain(name);
});
