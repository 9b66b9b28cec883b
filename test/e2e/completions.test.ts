/** Tests completion scripts in the shells themselves, if they are installed. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toDashes } from '../../src/app/flags.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { needAll } from '../setup/needs.ts';
import { runDeliberate } from './calls.ts';
import { makeFolder } from './scene.ts';
import { PROGRAM, Terminal } from './terminal.ts';

function hasShell(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

async function printScript(shell: string): Promise<string> {
  const { code, out } = await runDeliberate(['completions', shell]);
  expect(code).toBe(0);
  return out;
}

/** Creates a home with the program in its PATH and presets of its own. */
function makeHome(): { env: Record<string, string>; db: string } {
  const at = makeFolder();
  const bin = join(at, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'deliberate'),
    `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
  );
  chmodSync(join(bin, 'deliberate'), 0o755);
  mkdirSync(join(at, '.config/deliberate/boards'), { recursive: true });
  writeFileSync(join(at, '.config/deliberate/boards/kitchen.yaml'), '');
  const db = join(at, 'runs.db');
  return { db, env: { HOME: at, PATH: `${bin}:${process.env.PATH}`, DELIBERATE_DB: db } };
}

/** Returns what bash offers for the last word. */
function completeInBash(
  text: string,
  words: readonly string[],
  env: Record<string, string>,
): string[] {
  const asked = spawnSync(
    'bash',
    [
      '--norc',
      '-c',
      `${text}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _deliberate; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ],
    { env, encoding: 'utf8', cwd: env.HOME },
  );
  expect(asked.stderr).toBe('');
  return asked.stdout.split('\n').filter((word) => word !== '');
}

describe('bash', () => {
  needAll(hasShell('bash'), 'bash is not installed');

  it('completes commands, flags, values, presets and runs', async () => {
    const text = await printScript('bash');
    const { env, db } = makeHome();
    const completeWords = (...words: string[]): string[] =>
      completeInBash(text, ['deliberate', ...words], env);
    expect(completeWords('')).toEqual([...Object.keys(COMMANDS), 'help']);
    expect(completeWords('re')).toEqual(['resume', 'retry', 'resynthesize', 'replay']);
    expect(completeWords('board', '--se')).toEqual(['--seat', '--seat-timeout', '--seed']);
    expect(completeWords('show', '--')).toEqual(['--json', '--db', '--config', '--help']);
    expect(completeWords('rounds', '--respond', '')).toEqual(['report', 'auto']);
    expect(completeWords('export', 'latest', '--format', 'm')).toEqual(['markdown']);
    expect(completeWords('board', '--preset', 'k')).toEqual(['kitchen']);
    expect(completeWords('rounds', '--preset', 'software')).toEqual(['software-review']);
    expect(completeWords('board', '--ask', 'rewrite')).toEqual(['rewrite-in-rust']);
    expect(completeWords('presets', 'c')).toEqual(['casts', 'check', 'copy']);
    expect(completeWords('completions', '')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(completeWords('config', '')).toEqual(['check', 'get', 'set', 'unset', 'path', 'edit']);
    expect(completeWords('mcp', 'c')).toEqual(['claude-code', 'codex']);
    expect(completeWords('rounds', '--stop-at', '')).toEqual(['4', '5', '6', 'never', 'ask']);
    expect(completeWords('agent', 'des')).toEqual(['design-team']);
    expect(completeWords('presets', 'copy', 'roles/critic', '--to', '')).toEqual([
      'project',
      'user',
    ]);
    // The script leaves file names to bash, and offers no runs while there is no database. Completing must not
    // create a database.
    expect(completeWords('board', '--attach', '')).toEqual([]);
    expect(completeWords('show', '')).toEqual([]);
    expect(existsSync(db)).toBe(false);
    await runDeliberate(['board', '--rehearse', '--rehearse-speed', '1000', '--quiet', 'Why?'], {
      env,
    });
    const runs = completeWords('show', '');
    expect(runs).toEqual(['latest', expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}$/)]);
    expect(completeWords('show', runs[1] ?? '')).toEqual([runs[1]]);
  });

  it('offers files only where a command takes files', async () => {
    const { env } = makeHome();
    writeFileSync(join(env.HOME ?? '', 'plan.md'), '');
    writeFileSync(join(env.HOME ?? '', 'script'), await printScript('bash'));
    const terminal = new Terminal(['--norc', '--noprofile'], { command: 'bash', env });
    terminal.press('cd; source ./script; echo read""y\r');
    await terminal.until(/ready/);
    for (const [line, completed] of [
      ['board --attach', 'plan.md'],
      ['import', 'plan.md'],
      ['validate', 'plan.md'],
      ['show', 'pl'],
      ['board --seat', 'pl'],
      ['board', 'pl'],
    ]) {
      // The `;` that is typed after Tab appears only when the completion is done.
      terminal.press(`deliberate ${line} pl\t;`);
      await terminal.until((screen) =>
        new RegExp(`deliberate ${line} ${completed} ?;`).test(screen),
      );
      terminal.press('\x15');
    }
    terminal.press('exit\r');
    expect(await terminal.exited).toBe(0);
  });

  it('finds no syntax error in the completion script', async () => {
    const { status, stderr } = spawnSync('bash', ['--norc', '-n'], {
      input: await printScript('bash'),
      encoding: 'utf8',
      // Every machine has the locale C; bash would complain about a locale that the machine does not have.
      env: { ...process.env, LC_ALL: 'C' },
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe.each(['zsh', 'fish'])('the completion script for %s', (shell) => {
  it('names every command and flag, and closes every quote', async () => {
    const text = await printScript(shell);
    for (const [name, { flags }] of Object.entries(COMMANDS)) {
      expect(text).toContain(name);
      for (const flag of flags)
        expect(text).toContain(
          `${shell === 'zsh' ? '--' : '-l '}${flag === 'color' ? 'no-color' : toDashes(flag)}`,
        );
    }
    // Remove escaped characters: in fish, and in zsh outside of quotes, a quote after a backslash opens and closes
    // nothing.
    for (const row of text.split('\n'))
      expect([...row.replace(/\\./g, '').matchAll(/'/g)].length % 2, row).toBe(0);
  });

  it('has no syntax error for the shell', async ({ skip }) => {
    skip(!hasShell(shell), `${shell} is not installed`);
    // Pass the script as a file, because fish does not read a script from a pipe here.
    const file = join(makeFolder(), 'script');
    writeFileSync(file, await printScript(shell));
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('zsh, while somebody types', () => {
  needAll(hasShell('zsh'), 'zsh is not installed');

  it.each(['sourced', 'found by its name'])(
    'completes commands, flags, values, presets, runs and files if the completion script was %s',
    async (how) => {
      const { env } = makeHome();
      const at = env.HOME ?? '';
      writeFileSync(join(at, 'plan.md'), '');
      mkdirSync(join(at, 'functions'));
      writeFileSync(join(at, 'functions', '_deliberate'), await printScript('zsh'));
      await runDeliberate(['board', '--rehearse', '--rehearse-speed', '1000', '--quiet', 'Why?'], {
        env,
      });
      const { out } = await runDeliberate(['completions', 'runs'], { env });
      const [, id = ''] = out.split('\n');
      const load =
        how === 'sourced'
          ? 'compinit -D -u; source functions/_deliberate'
          : 'fpath=($PWD/functions $fpath); compinit -D -u';
      const terminal = new Terminal(['-f', '-i'], { command: 'zsh', env: { ...env, PS1: '> ' } });
      terminal.press(`cd; autoload -Uz compinit; ${load}; echo read""y\r`);
      await terminal.until(/ready/);
      for (const [typed, completed = typed] of [
        ['resy', 'resynthesize'],
        ['board --seat-t', 'board --seat-timeout'],
        ['board --preset k', 'board --preset kitchen'],
        ['board --ask rewrite', 'board --ask rewrite-in-rust'],
        ['rounds --respond rep', 'rounds --respond report'],
        ['rounds --rehearse --preset software', 'rounds --rehearse --preset software-review'],
        ['agent des', 'agent design-team'],
        [`show ${id.slice(0, 9)}`, `show ${id}`],
        ['export latest --format m', 'export latest --format markdown'],
        ['mcp cod', 'mcp codex'],
        ['presets copy roles/critic --to pr', 'presets copy roles/critic --to project'],
        ['board --attach pl', 'board --attach plan.md'],
        ['import pl', 'import plan.md'],
        // `pl` is not completed to plan.md here, because these arguments are not files.
        ['board pl'],
        ['show pl'],
        ['board --seat pl'],
        // A flag that is typed twice does not prevent the completion of another flag.
        ['board --rehearse --rehearse --est', 'board --rehearse --rehearse --estimate'],
      ] as const) {
        // The `;` that is typed after Tab appears only when the completion is done.
        terminal.press(`deliberate ${typed}\t;`);
        const wanted = new RegExp(`> deliberate ${completed.replace(/[.]/g, '\\$&')} ?;`);
        await terminal.until((screen) => wanted.test(screen));
        terminal.press('\x15\x0c');
      }
      terminal.press('deliberate presets c\t');
      await terminal.until((screen) => /casts +check +copy/.test(screen));
      terminal.press('\x15exit\r');
      expect(await terminal.exited).toBe(0);
    },
  );
});

describe('fish', () => {
  needAll(hasShell('fish'), 'fish is not installed');

  it('completes commands, flags and values', async () => {
    const { env } = makeHome();
    const file = join(env.HOME ?? '', 'script.fish');
    writeFileSync(file, await printScript('fish'));
    const completeLine = (line: string): string[] =>
      spawnSync('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], {
        env,
        encoding: 'utf8',
      })
        .stdout.split('\n')
        .flatMap((row) => row.split('\t', 1)[0] || []);
    expect(completeLine('deliberate resy')).toEqual(['resynthesize']);
    expect(completeLine('deliberate export latest --op')).toEqual(['--open']);
    expect(completeLine('deliberate export latest --format ht')).toEqual(['html']);
    expect(completeLine('deliberate board --preset k')).toEqual(['kitchen']);
  });
});

it('an unknown shell is refused with the names of the known shells', async () => {
  const { code, err } = await runDeliberate(['completions', 'csh']);
  expect([code, err]).toEqual([2, expect.stringContaining('bash, zsh, fish or powershell')]);
});
