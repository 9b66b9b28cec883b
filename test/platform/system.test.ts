/** Other differences between systems, tested for Windows on any system. */
import { EventEmitter } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { keyTableMarkdown } from '../../src/console/keys/key-table.ts';
import { keymapFor } from '../../src/console/keys/keymap.ts';
import { filterEnvironment } from '../../src/io/environment.ts';
import { findOpener } from '../../src/io/opener.ts';
import { Output } from '../../src/io/output.ts';
import { treeSettings } from '../../src/platform/git.ts';
import { expandGlobs } from '../../src/platform/globs.ts';
import { retryWhileHeld } from '../../src/platform/held.ts';
import { ownersMode } from '../../src/platform/modes.ts';
import { describeMissingProtection } from '../../src/platform/processes.ts';
import { findOnPath } from '../../src/platform/programs.ts';
import { handleCtrlBreak } from '../../src/platform/signals.ts';
import { checkOwner, type Owner } from '../../src/store/owner.ts';
import { ROOT } from '../structure/imports.ts';

it('file modes are not changed on Windows', () => {
  expect(ownersMode(0o100666, 'windows')).toBeUndefined();
  expect(ownersMode(0o100666, 'linux')).toBe(0o600);
  expect(ownersMode(0o100600, 'linux')).toBeUndefined();
});

it('a Windows console gets Unicode text instead of bytes', async () => {
  const console = new PassThrough();
  const folder = mkdtempSync(join(tmpdir(), 'output-'));
  const fd = (await import('node:fs')).openSync(join(folder, 'bytes'), 'w');
  const output = new Output(fd, console as unknown as NodeJS.WriteStream, 'windows');
  output.write('✓ │ ');
  output.writeNow('é');
  await output.drain();
  expect(console.read().toString()).toBe('✓ │ é');
  expect(readFileSync(join(folder, 'bytes'), 'utf8')).toBe('');
  const outputToFile = new Output(fd, undefined, 'windows');
  outputToFile.write('✓');
  await outputToFile.drain();
  expect(readFileSync(join(folder, 'bytes'), 'utf8')).toBe('✓');
});

it('the keys for Windows leave out the key that suspends the program', () => {
  expect(keyTableMarkdown(keymapFor('windows'))).not.toMatch(/Ctrl-Z|Suspend/);
  expect(keyTableMarkdown(keymapFor('linux'))).toMatch(/`Ctrl-Z` \| Suspend/);
});

it('Ctrl-Break acts like Ctrl-C', () => {
  const heard: string[] = [];
  const program = Object.assign(new EventEmitter(), {
    exit: (code: number) => heard.push(`exit ${code}`),
  }) as unknown as NodeJS.Process;
  handleCtrlBreak('windows', program);
  program.emit('SIGBREAK', 'SIGBREAK');
  program.on('SIGINT', () => heard.push('interrupted'));
  program.emit('SIGBREAK', 'SIGBREAK');
  expect(heard).toEqual(['exit 130', 'interrupted']);
});

it('programs on Windows are never looked for in the working folder', () => {
  const there = new Set(['C:\\Git\\cmd\\git.exe', 'C:\\npm\\tool.cmd', '.\\git.exe']);
  const findProgram = (name: string, path: string) =>
    findOnPath(name, { Path: path }, 'windows', (file) => there.has(file));
  expect(findProgram('git', '.;;"C:\\Git\\cmd";C:\\npm')).toBe('C:\\Git\\cmd\\git.exe');
  expect(findProgram('git.exe', 'C:\\Git\\cmd')).toBe('C:\\Git\\cmd\\git.exe');
  expect(findProgram('git', '.')).toBeUndefined();
  expect(findProgram('tool', 'C:\\npm')).toBeUndefined();
});

it('a command on Windows gets the system’s variables and no secret', () => {
  const env = {
    Path: 'C:\\x',
    SYSTEMROOT: 'C:\\Windows',
    AWS_SECRET: 's',
    'ProgramFiles(x86)': 'p',
  };
  expect(filterEnvironment(env, [], 'windows')).toEqual({
    PATH: 'C:\\x',
    SystemRoot: 'C:\\Windows',
    'ProgramFiles(x86)': 'p',
  });
  expect(filterEnvironment(env, [], 'linux')).toEqual({});
});

it('a file on Windows is opened by start, with its path in quotes', () => {
  expect(findOpener('C:\\my report & co.html', { SystemRoot: 'C:\\W' }, 'windows')).toMatchObject({
    name: 'start',
    file: 'C:\\W\\System32\\cmd.exe',
    args: ['/d', '/s', '/c', '"start "" "C:\\my report & co.html""'],
  });
});

it('git is told on Windows not to expect executable bits and symbolic links', () => {
  expect(treeSettings('windows').join(' ')).toMatch(
    /fileMode=false.*symlinks=false.*autocrlf=false/,
  );
  expect(treeSettings('linux').join(' ')).toMatch(/fileMode=true.*symlinks=true.*autocrlf=false/);
});

it('describeMissingProtection names the protections that commands lack on Windows; on Linux none', () => {
  expect(describeMissingProtection('windows')).toMatch(/with your rights.*not ended/);
  expect(describeMissingProtection('linux')).toBeUndefined();
});

it('patterns of files are expanded on Windows by the program itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'globs-'));
  mkdirSync(join(folder, 'docs/.hidden'), { recursive: true });
  for (const name of ['docs/b.md', 'docs/a.md', 'docs/c.txt', 'docs/.d.md', 'docs/.hidden/e.md'])
    writeFileSync(join(folder, name), '');
  const pattern = join(folder, 'docs/*.md');
  expect(expandGlobs([pattern, 'other'], 'windows')).toEqual([
    join(folder, 'docs/a.md'),
    join(folder, 'docs/b.md'),
    'other',
  ]);
  expect(expandGlobs([join(folder, '**/*.md')], 'windows')).toHaveLength(2);
  expect(expandGlobs([join(folder, '*.none')], 'windows')).toEqual([join(folder, '*.none')]);
  expect(expandGlobs([pattern], 'linux')).toEqual([pattern]);
});

it('an operation on a file in use is retried on Windows', () => {
  let tries = 0;
  const succeedAfter = (times: number, code: string) => () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(code), { code });
    return 'read';
  };
  expect(retryWhileHeld(succeedAfter(2, 'EBUSY'), 'windows')).toBe('read');
  expect(tries).toBe(3);
  tries = 0;
  expect(() => retryWhileHeld(succeedAfter(9, 'EPERM'), 'windows')).toThrow('EPERM');
  expect(tries).toBe(6);
  tries = 0;
  expect(() => retryWhileHeld(succeedAfter(9, 'ENOENT'), 'windows')).toThrow('ENOENT');
  expect(tries).toBe(1);
  tries = 0;
  expect(() => retryWhileHeld(succeedAfter(9, 'EBUSY'), 'linux')).toThrow('EBUSY');
  expect(tries).toBe(1);
});

it('whether a process is alive stays unknown between Windows and its Linux subsystem', () => {
  const place = { host: 'desk' };
  const linux: Owner = { host: 'desk', pid: 1, born: 'e0f0e0f0-0000-4000-8000-000000000000:1' };
  const signOutsideFolder = `alive:C:\\a\\deliberate\\state\\alive\\1-${'0'.repeat(8)}-0000-4000-8000-000000000000`;
  const windows: Owner = { host: 'desk', pid: 1, born: signOutsideFolder };
  expect(checkOwner(linux, place, 'windows')).toBe('unknown');
  expect(checkOwner(windows, place, 'linux')).toBe('unknown');
  expect(checkOwner(windows, place, 'windows')).toBe('unknown');
  expect(checkOwner({ ...windows, host: 'other' }, place, 'windows')).toBe('unknown');
});

it('only src/platform/system.ts asks on which system the program runs', () => {
  const asking = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) =>
    /process\.platform|os\.platform\(|platform\(\)|'win32'/.test(
      readFileSync(join(ROOT, file), 'utf8').replace(/^import .*$/gm, ''),
    ),
  );
  expect(asking.map((file) => file.replaceAll('\\', '/'))).toEqual(['src/platform/system.ts']);
});
