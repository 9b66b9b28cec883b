/** Tests that endless input ends at a named limit, and that a named pipe to which nobody writes leads to a sentence. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import { Program, type ProgramResult, runProgram } from './program.ts';
import { makeDatabasePath, makeFolder, viewIn } from './scene.ts';
import { PROGRAM } from './terminal.ts';

const FAST = ['--rehearse', '--rehearse-speed', '1000', '--plain'];

/** Runs the program behind a pipe that a shell fills. */
function runShell(script: string, env: Readonly<Record<string, string>>): Promise<ProgramResult> {
  const child = spawn('bash', ['-c', `exec 2>&1; ${script}`], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      NODE: process.execPath,
      PROGRAM,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  return new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, out, err: out })),
  );
}

/** Creates a folder of settings in which one file is a named pipe to which nobody writes. */
function withPipe(path: string): Record<string, string> {
  const home = makeFolder();
  const file = join(home, '.config', 'deliberate', path);
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('mkfifo', [file]);
  return { HOME: home, DELIBERATE_DB: join(home, 'runs.db') };
}

describe('input without an end', () => {
  const board = `"$NODE" "$PROGRAM" board ${FAST.join(' ')}`;
  it.each([
    [`yes | ${board}`, 'standard input: longer than 1.0 MB'],
    [`yes | ${board} -`, 'standard input: longer than 1.0 MB'],
    [`yes | ${board} --attach - Why`, 'standard input: longer than 1.0 MB'],
    [`${board} --file <(yes)`, 'longer than 1.0 MB'],
    [`yes | "$NODE" "$PROGRAM" import -`, 'standard input: longer than 128.0 MB'],
  ])('is refused at a limit, which the error names: %s', async (script, sentence) => {
    const { out, code } = await runShell(script, { DELIBERATE_DB: makeDatabasePath() });
    expect(out).toContain(sentence);
    expect(code).toBe(2);
  });

  it.each([
    [['board', ...FAST, '--file', '/dev/zero'], '/dev/zero: longer than 1.0 MB'],
    [['board', ...FAST, '--attach', '/dev/zero', 'Why'], '/dev/zero: not a regular file'],
    [['import', '/dev/zero'], '/dev/zero: longer than 128.0 MB'],
    [['config', '--config', '/dev/zero'], '/dev/zero: not a regular file'],
  ])('from a device is refused with a reason: %j', async (args, sentence) => {
    const { code, err } = await runDeliberate(args, { env: { DELIBERATE_DB: makeDatabasePath() } });
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('is not confused with a slow pipe that ends, which is read completely', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    expect((await runShell(`${board} --file <(sleep 0.3; echo Why this?)`, env)).code).toBe(0);
    expect(viewIn(env.DELIBERATE_DB).question).toBe('Why this?');
    const { out } = await runShell(
      '"$NODE" "$PROGRAM" import <("$NODE" "$PROGRAM" export latest --format json)',
      env,
    );
    expect(out).toContain('is already here');
  });
});

describe('a named pipe to which nobody writes', () => {
  it('leads to an error message after a few seconds if no program has opened it', async () => {
    const file = join(makeFolder(), 'pipe');
    execFileSync('mkfifo', [file]);
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const calls = [
      ['board', ...FAST, '--file', file],
      ['import', file],
    ];
    for (const { code, err } of await Promise.all(calls.map((args) => runProgram(args, { env }))))
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`${file}: nothing was written to the pipe within 5 s`),
      ]);
  });

  it('is waited for, with a message, if a program has opened it and writes nothing yet', async () => {
    const file = join(makeFolder(), 'pipe');
    execFileSync('mkfifo', [file]);
    // Open the pipe for reading and writing, because opening it only for writing would wait for a reader.
    const writer = openSync(file, 'r+');
    const program = new Program(['board', ...FAST, '--file', file], {
      env: { DELIBERATE_DB: makeDatabasePath() },
    });
    await program.waitForStderr(/waiting for .*pipe…/);
    writeFileSync(writer, 'Why?\n');
    program.child.kill('SIGKILL');
  });

  it.each([
    ['config.yaml', ['config'], 2],
    ['config.yaml', ['board', ...FAST, 'Why?'], 2],
    ['boards/classic-triad.yaml', ['board', ...FAST, 'Why?'], 2],
    ['roles/critic.md', ['board', ...FAST, 'Why?'], 2],
    ['questions/odd.md', ['board', ...FAST, '--ask', 'odd'], 2],
    ['roles/critic.md', ['presets'], 0],
    ['casts/odd.yaml', ['presets', 'check'], 1],
    ['prices.json', ['models', '--prices'], 2],
    ['agents/odd.md', ['agents', 'check'], 1],
  ])('in place of the file %s is reported by the command %j', async (path, args, expected) => {
    const { code, err, out } = await runDeliberate(args, { env: withPipe(path) });
    expect(err + out).toContain('not a regular file');
    expect(code).toBe(expected);
  });

  it('is not opened by an export to its path', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    expect((await runDeliberate(['board', ...FAST, '--quiet', 'Why?'], { env })).code).toBe(0);
    const file = join(makeFolder(), 'pipe.md');
    execFileSync('mkfifo', [file]);
    for (const more of [[], ['--yes']]) {
      const { code, err } = await runDeliberate(['export', 'latest', '--to', file, ...more], {
        env,
      });
      expect([code, err]).toEqual([2, expect.stringContaining('pipe.md is not a regular file')]);
    }
  });
});

describe('a folder that deliberate validate should check', () => {
  it('is refused if one of the text files to read in it is longer than 32 MB', async () => {
    const where = makeFolder();
    writeFileSync(join(where, 'state.jsonl'), 'x'.repeat(33 * 1024 * 1024));
    const { code, err } = await runDeliberate(['validate', where]);
    expect([code, err]).toEqual([2, expect.stringContaining('at most 32.0 MB are read')]);
  });
});
