/**
 * Tests where a question can come from: an argument, a file, or standard input. Bytes that are no text are
 * refused.
 */
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeFolder, viewIn } from './scene.ts';
import { PROGRAM } from './terminal.ts';

const exec = promisify(execFile);
const REHEARSED = '--rehearse --rehearse-speed 1000 --plain --quiet --seat critic';

/** Runs a line of shell in which `deliberate` is the program, for bytes that Node cannot pass on. */
async function runShell(line: string) {
  const cwd = makeFolder();
  const db = join(cwd, 'runs.db');
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, DELIBERATE_DB: db };
  const deliberate = `deliberate() { "${process.execPath}" "${PROGRAM}" "$@"; }`;
  const { code, stderr } = await exec('sh', ['-c', `${deliberate}\n${line}`], { cwd, env }).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { code: number; stderr: string }) => error,
  );
  return { code, err: stderr, question: existsSync(db) ? viewIn(db).question : undefined };
}

describe('a question that is not text', () => {
  it.each([
    [
      'as an argument',
      `deliberate board ${REHEARSED} "$(printf 'caf\\351?')"`,
      '"caf\ufffd?" is not UTF-8 text: byte 4 is 0xe9',
    ],
    [
      'from a file',
      `printf 'a\\0b' > q.md; deliberate board ${REHEARSED} --file q.md`,
      'q.md: binary, not text: byte 2 is 0x00',
    ],
    [
      'from a file in UTF-32',
      `printf '\\377\\376\\0\\0W\\0\\0\\0' > q.md; deliberate board ${REHEARSED} --file q.md`,
      'q.md: UTF-32, not UTF-8 text; save it as UTF-8',
    ],
    [
      'on standard input',
      `printf 'Why caf\\351?' | deliberate board ${REHEARSED} -`,
      'standard input: not UTF-8 text: byte 8 is 0xe9',
    ],
    [
      'of invisible characters only',
      `printf '\\342\\200\\213\\n' | deliberate board ${REHEARSED} -`,
      'no question given',
    ],
  ])('%s is refused before any model is asked or anything is recorded', async (_how, line, why) => {
    const { code, err, question } = await runShell(line);
    expect([code, question]).toEqual([2, undefined]);
    expect(err).toContain(why);
  });
});

it('a byte order mark is no part of a question', async () => {
  const line = `printf '\\357\\273\\277Why does it say \\357\\277\\275?' > q.md`;
  const file = await runShell(`${line}; deliberate board ${REHEARSED} --file q.md`);
  expect(file).toMatchObject({ code: 0, question: 'Why does it say \ufffd?' });
  const argument = await runShell(
    `deliberate board ${REHEARSED} "$(printf 'Why \\357\\277\\275?')"`,
  );
  expect(argument).toMatchObject({ code: 0, question: 'Why \ufffd?' });
});

it('presets check reports invisible characters in a usable file', async () => {
  const cwd = makeFolder();
  const file = join(cwd, 'auditor.md');
  const role = '---\nname: Auditor\ndescription: Looks.\n---\nLook\u200b twice.\u202e\n';
  writeFileSync(file, role);
  const { err } = await runShell(
    `mkdir -p .config/deliberate/roles; cp "${file}" .config/deliberate/roles; deliberate presets check >&2`,
  );
  expect(err).toMatch(
    /roles\/auditor\.md:5: warning: invisible characters: U\+200B, U\+202E; models read the text without them\n\d+ presets, no problems\.\n$/,
  );
});
