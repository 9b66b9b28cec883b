/** The question that a run waits with: read to its end, answered by a choice or in the person's own words. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/kernel/handle.ts';
import { FakeRun } from './fake-run.ts';
import { KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

const PAGE_DOWN = '\u001b[6~';
const LINES = Array.from({ length: 40 }, (_, index) => `${index + 1}. what is to be known`);

/** Opens the console of a run that waits with a question. */
async function openConsole(prompt: string): Promise<OpenedConsole> {
  const run = new FakeRun().open('Which way?').ask('advocate');
  const console = openRunConsole(run, { columns: 80, rows: 24 });
  run.tell('gate.opened', {
    step: 'plan/approve',
    prompt,
    options: [
      { value: 'approve', label: 'Go on with it' },
      { value: 'amend', label: 'Change it', words: 'What is to change?' },
      { value: 'recast', label: 'Ask somebody else', words: 'Who instead?', draft: 'the chair' },
    ],
    default: 'approve',
  });
  await console.screen.settled();
  return console;
}

async function closeConsole({ console }: OpenedConsole): Promise<void> {
  console.close();
  await console.closed;
}

test.concurrent('When a run asks the person, Esc returns from the text field to the answers and keeps the typed text', async () => {
  const console = await openConsole('Go on?');
  await console.press(KEYS.down, KEYS.enter);
  expect(console.screen.text).toContain('What is to change?');
  expect(console.screen.lines.at(-1)).toMatch(/Enter answer .* Esc back/);
  // In a text field, keys that are otherwise commands or open tabs are only typed.
  await console.press('s', 'q', '1', '?', ':', '/');
  expect(console.done).toEqual([]);
  expect(console.screen.text).toContain('> sq1?:/');
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('> Change it');
  expect(console.screen.lines.at(-1)).toContain('Esc later');
  await console.press(KEYS.enter, '\u001b[200~ two\nlines: \u001b[31mred\u001b[201~', KEYS.enter);
  expect(console.done).toEqual(['answer plan/approve amend: sq1?:/ two\nlines: red']);
  expect(readAnswer('amend: sq1?:/ two\nlines: red')).toEqual({
    value: 'amend',
    words: 'sq1?:/ two\nlines: red',
  });
  await closeConsole(console);
});

test.concurrent('When a run asks the person, an empty text is refused', async () => {
  const console = await openConsole('Go on?');
  await console.press(KEYS.down, KEYS.enter, KEYS.enter, ' ', KEYS.enter);
  expect(console.done).toEqual([]);
  await console.press('no tabs', KEYS.escape, KEYS.escape);
  expect(console.screen.lines.at(-2)).toContain('? Waiting for your answer (A): Go on?');
  await console.press('A', KEYS.enter);
  expect(console.screen.text).toContain('no tabs');
  await console.press(KEYS.escape, KEYS.up, KEYS.enter);
  expect(console.done).toEqual(['answer plan/approve approve']);
  await closeConsole(console);
});

test.concurrent('When a run asks the person, words typed for one answer are kept and not sent with another', async () => {
  const console = await openConsole('Go on?');
  await console.press(KEYS.down, KEYS.enter, 'a smaller part', KEYS.escape, KEYS.down, KEYS.enter);
  expect(console.screen.text).toContain('> the chair');
  expect(console.screen.text).not.toContain('a smaller part');
  await console.press('!', KEYS.escape, KEYS.up, KEYS.enter);
  expect(console.screen.text).toContain('> a smaller part');
  await console.press(KEYS.escape, KEYS.down, KEYS.enter, KEYS.enter);
  expect(console.done).toEqual(['answer plan/approve recast: the chair!']);
  await closeConsole(console);
});

test.concurrent('A run’s question that is longer than the screen scrolls by pages', async () => {
  const console = await openConsole(LINES.join('\n'));
  expect(console.screen.text).toContain('1. what is to be known');
  expect(console.screen.text).toMatch(/\d+ more below \(PgDn\)/);
  expect(console.screen.text).toContain('> Go on with it (default)');
  await console.press(PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN);
  expect(console.screen.text).toContain('40. what is to be known');
  expect(console.screen.text).toMatch(/\d+ above \(PgUp\)/);
  // Scrolling the question has not moved the cursor in the list of answers. The question can also be scrolled
  // while the person types an answer.
  await console.press(KEYS.down, KEYS.enter, KEYS.pageUp, 'x');
  expect(console.screen.text).toContain('What is to change?');
  expect(console.screen.text).not.toContain('40. what is to be known');
  expect(console.screen.text).toContain('> x');
  await closeConsole(console);
});

test.concurrent('PgDn and PgUp do not move the cursor among the answers to a run’s question', async () => {
  const console = await openConsole('Go on?');
  await console.press(PAGE_DOWN);
  expect(console.screen.text).toContain('> Go on with it (default)');
  await console.press(KEYS.down, KEYS.pageUp);
  expect(console.screen.text).toContain('> Change it');
  await console.press(KEYS.up, PAGE_DOWN, KEYS.enter);
  expect(console.done).toEqual(['answer plan/approve approve']);
  await closeConsole(console);
});

test.concurrent('An answer that is cut off in the list of answers is shown in full below the list while the cursor is on it', async () => {
  const run = new FakeRun().open('Which way?');
  const console = openRunConsole(run, { columns: 80, rows: 24 });
  const makeLabel = (name: string): string =>
    `${name} (6 to 31 calls): a number: blind ranges, then revisions that name the reason for ${name}`;
  run.tell('gate.opened', {
    step: 'method/gate',
    prompt: 'Which method?',
    options: [
      { value: 'delphi', label: makeLabel('delphi') },
      { value: 'tradeoff', label: makeLabel('tradeoff') },
      { value: 'none', label: 'None' },
    ],
    default: 'delphi',
  });
  await console.screen.settled();
  const { screen } = console;
  const readText = (): string => screen.text.replaceAll(/[│\s]+/g, ' ');
  expect(screen.lines.at(-2)?.trim()).toBe('The run waits for your answer.');
  expect(readText()).toContain(`${makeLabel('delphi')} (default)`);
  expect(readText()).not.toContain(makeLabel('tradeoff'));
  const bottom = screen.lines.findIndex((line) => line.includes('└'));
  await console.press(KEYS.down);
  expect(readText()).toContain(makeLabel('tradeoff'));
  await console.press(KEYS.down);
  expect(readText()).not.toContain(makeLabel('tradeoff'));
  expect(screen.lines.findIndex((line) => line.includes('└'))).toBe(bottom);
  await closeConsole(console);
});

test.concurrent('If the run’s question is long, the status line says that the run waits for an answer instead of repeating the question', async () => {
  const run = new FakeRun().open('Which way?');
  const console = openRunConsole(run, { columns: 120, rows: 24 });
  run.tell('gate.opened', {
    step: 'plan/approve',
    prompt: LINES.join('\n'),
    options: [{ value: 'approve', label: 'Go on with it' }],
    default: 'approve',
  });
  await console.screen.settled();
  expect(console.screen.lines.at(-2)?.trim()).toBe('The run waits for your answer.');
  await closeConsole(console);
});

const DIFF = [
  'diff --git a/src/tell.js b/src/tell.js',
  '--- a/src/tell.js',
  '+++ b/src/tell.js',
  '@@ -1,2 +1,60 @@',
  '-export const _old = `*one*`;',
  ...Array.from({ length: 60 }, (_, index) => `+  line_${index + 1}: [\`${index}\`],`),
  '+\u001b[31mred\u001b[0m```',
].join('\n');

test.concurrent('The key d opens the diff that a run’s question is about, and Esc returns', async () => {
  const run = new FakeRun().open('Which way?').ask('advocate');
  const console = openRunConsole(run, { columns: 80, rows: 24 });
  run.tell('gate.opened', {
    step: 'deliver/home',
    prompt: 'Bring it home?',
    options: [
      { value: 'branch', label: 'As a branch' },
      { value: 'nothing', label: 'Bring nothing home' },
    ],
    default: 'branch',
    diff: DIFF,
  });
  await console.screen.settled();
  expect(console.screen.lines.at(-1)).toContain('d the change');
  await console.press(KEYS.down, 'd');
  expect(console.screen.text).toContain('-export const _old = `*one*`;');
  expect(console.screen.text).toContain('+  line_1: [`0`],');
  expect(console.screen.text).toMatch(/\d+ more below \(PgDn\)/);
  // While the diff is open, Enter chooses no answer to the question behind it.
  await console.press(KEYS.enter, 'j', PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN);
  expect(console.screen.text).toContain('+red```');
  expect(console.screen.text).toContain('the end');
  for (const row of console.screen.lines) expect(row.length).toBeLessThanOrEqual(80);
  await console.press(KEYS.escape);
  expect(console.screen.text).toContain('Bring it home?');
  expect(console.screen.text).toContain('> Bring nothing home');
  await console.press('d', 'd', KEYS.enter);
  expect(console.done).toEqual(['answer deliver/home nothing']);
  await closeConsole(console);
});
