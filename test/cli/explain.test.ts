/** What is said where the program cannot go on, by plain values. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explain } from '../../src/cli/explain.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { makeFolder } from '../e2e/scene.ts';

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: of the system`), { code, syscall });
}

it('for an error that the program itself raised, explain returns what happened and what to do', () => {
  expect(explain(new UsageError('name one run', 'deliberate list shows them.'), {})).toEqual({
    text: 'deliberate: name one run\ndeliberate list shows them.\n',
    code: 2,
  });
});

it.each([
  [
    'a deleted current folder',
    systemError('ENOENT', 'uv_cwd'),
    /current folder was deleted or moved/,
  ],
  ['too many open files', systemError('EMFILE', 'open'), /too many open files/],
  ['too many open files of all programs', systemError('ENFILE', 'open'), /too many open files/],
])(
  'explain has a message of its own for %s, which contains no stack trace',
  (_name, error, said) => {
    const { text, code } = explain(error, {});
    expect(text).toMatch(said);
    expect(text).not.toMatch(/unexpected|\n {4}at /);
    expect(code).toBe(1);
  },
);

it('explain writes the details of a defect to a file that only its owner can read', () => {
  const home = makeFolder();
  const env = { HOME: home, OPENAI_API_KEY: 'sk-or-v1-abcdefgh12345678' };
  const { text, code } = explain(new TypeError(`no ${env.OPENAI_API_KEY}\u001b[2J\nmore`), env);
  const file = join(home, '.local/state/deliberate/last-error.txt');
  expect(text).toBe(
    `deliberate: unexpected error: TypeError: no [key]\nThe details are in ${file}.\nThe run is kept; see deliberate list.\n`,
  );
  expect(code).toBe(1);
  const details = readFileSync(file, 'utf8');
  expect(details).toMatch(/TypeError: no \[key\]\nmore\n {4}at .*explain\.test\.ts/);
  expect(details).not.toContain('\u001b');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(explain('thrown as a word', env).text).toContain('unexpected error: thrown as a word\n');
});

it('explain prints the details of a defect if no file can be written', () => {
  const home = makeFolder();
  mkdirSync(join(home, '.local'));
  writeFileSync(join(home, '.local', 'state'), 'a file where a folder belongs');
  const { text } = explain(new TypeError('no'), { HOME: home });
  expect(text).toMatch(/unexpected error: TypeError: no\nTypeError: no\n {4}at /);
});
