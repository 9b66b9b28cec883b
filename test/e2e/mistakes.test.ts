/**
 * Tests that problems outside the program lead to a sentence and an exit code, and never to a stack trace.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import type { ProgramResult } from './program.ts';
import { makeDatabasePath, makeFolder } from './scene.ts';
import { PROGRAM } from './terminal.ts';

const STACK = /\n {4}at |unexpected error/;

/** Runs a script in a shell with its own folder and limits. */
function inShell(script: string, cwd: string): { code: number | null; err: string } {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', script], {
    cwd,
    env: { NODE: process.execPath, PROGRAM, HOME: cwd, DELIBERATE_DB: join(cwd, 'runs.db') },
    encoding: 'utf8',
  });
  return { code: status, err: stderr };
}

function expectError(
  { code, err }: Pick<ProgramResult, 'code' | 'err'>,
  exit: number,
  sentence: RegExp,
): void {
  expect(err).not.toMatch(STACK);
  expect(err).toMatch(sentence);
  expect(code).toBe(exit);
}

it.each(['board --rehearse "Should we?"', 'models', 'presets', 'test latest C-1-1 --command ls'])(
  'an error message explains that the current folder was deleted: %s',
  (command) => {
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "$NODE" "$PROGRAM" ${command}`;
    expectError(
      inShell(script, makeFolder()),
      1,
      /^deliberate: the current folder was deleted or moved/m,
    );
  },
);

it('an error message explains a lack of file descriptors', () => {
  const home = makeFolder();
  inShell('exec "$NODE" "$PROGRAM" list', home);
  // How many file descriptors Node needs depends on its version, so try two limits.
  for (const most of [24, 26]) {
    const ended = inShell(`ulimit -n ${most}; exec "$NODE" "$PROGRAM" list`, home);
    if (ended.code !== 0) expectError(ended, 1, /too many (open )?files/);
  }
});

it.each(['constructor', 'toString', '__proto__', ''])('--rounds %j is refused', async (word) => {
  expectError(
    await runDeliberate(['rounds', '--rehearse', `--rounds=${word}`, 'Why?']),
    2,
    /--rounds/,
  );
});

it.each(['http://user:%zz@127.0.0.1:9', 'http://%zz:b@127.0.0.1:9', 'ftp://127.0.0.1:9'])(
  'OLLAMA_HOST=%s is refused',
  async (address) => {
    const { code, out, err } = await runDeliberate(['models'], { env: { OLLAMA_HOST: address } });
    expect(err).not.toMatch(STACK);
    expect(out).toContain('OLLAMA_HOST is not a valid address');
    expect(code).toBe(1);
  },
);

it.each([{ HOME: '/dev/null' }, { HOME: '/tmp', XDG_STATE_HOME: '/proc' }])(
  'an error message says where the example for a team cannot be created, with the environment %j',
  async (env) => {
    const ended = await runDeliberate(['team', '--rehearse', '--estimate'], {
      env: { ...env, DELIBERATE_DB: makeDatabasePath() },
    });
    expectError(ended, 1, /the example cannot be made in \/.*\n.*XDG_STATE_HOME/);
  },
);

it('a flag with one value is refused if it is given twice', async () => {
  expectError(
    await runDeliberate(['list', '--limit', '1', '--limit=2']),
    2,
    /--limit is given twice/,
  );
});

it('help refuses unknown commands such as "constructor"', async () => {
  for (const word of ['constructor', 'nothing']) {
    const ended = await runDeliberate(['help', word]);
    expectError(
      ended,
      2,
      new RegExp(`unknown command "${word}"\\ndeliberate --help lists all commands`),
    );
    expect(ended.out).toBe('');
  }
});

it('overlong names, and files where a folder is needed, lead to an error message', async () => {
  const home = makeFolder();
  const env = { HOME: home, DELIBERATE_DB: join(home, 'runs.db') };
  const callHere = (args: readonly string[]) => runDeliberate(args, { env, cwd: home });
  writeFileSync(join(home, 'file'), 'a file');
  const speed = ['--rehearse', '--rehearse-speed', '100000', '--plain'];
  expect((await callHere(['rounds', ...speed, '--rounds', '1', 'Why?'])).code).toBe(0);

  const long = 'a'.repeat(5_000);
  const cases: readonly [command: string, exit: number][] = [
    ['validate', 1],
    ['signals', 1],
    ['show', 1],
    ['import', 2],
    ['agent', 2],
    ['board --attach', 2],
    ['agents --agents', 2],
  ];
  await Promise.all(
    cases.map(async ([command, exit]) =>
      expectError(
        await callHere([...command.split(' '), long]),
        exit,
        /no such|there is no|too long/,
      ),
    ),
  );
  for (const to of ['file', 'file/below'])
    expectError(
      await callHere(['export', 'latest', '--format', 'records', '--to', to]),
      2,
      /not a folder/,
    );
  if (existsSync('/proc/self/mem'))
    expectError(
      await callHere(['board', ...speed, '--attach', '/proc/self/mem', 'Why?']),
      2,
      /output error/,
    );
});

describe('a mistyped or incomplete command line', () => {
  const env = { HOME: '/nonexistent' };
  it.each([
    [['baord', 'x'], 'Did you mean board?'],
    [['board', '--modle', 'm', 'Why?'], 'Did you mean --model?'],
    [['board', '--rehearse', '--preset', 'ful-board', 'Why?'], 'Did you mean full-board?'],
    [['agent', 'triag', 'x', '--rehearse'], 'Did you mean triage?'],
  ])('such as %j leads to the suggestion "%s"', async (args, said) => {
    const { code, err } = await runDeliberate(args, { env });
    expect(code).toBe(2);
    expect(err).toContain(said);
  });

  it('that has a question but no command starts a board', async () => {
    const args = ['Should we split?', '--rehearse', '--rehearse-speed', '10000', '--plain'];
    const { code, out } = await runDeliberate(args, { env: { DELIBERATE_DB: makeDatabasePath() } });
    expect(code).toBe(0);
    expect(out).toContain('split');
  });
});
