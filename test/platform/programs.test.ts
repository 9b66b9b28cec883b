import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandToStart, findOnPath, findOnPathOrScript } from '../../src/platform/programs.ts';
import { SYSTEM } from '../../src/platform/system.ts';

const FILES = new Set([
  'C:\\node\\node.exe',
  'C:\\node\\npm.cmd',
  'C:\\node\\npm',
  'D:\\own\\a.bat',
]);
const ENV = { Path: 'relative;"C:\\node";D:\\own', SystemRoot: 'C:\\Windows' };
const isProgram = (file: string): boolean => FILES.has(file);

describe('findOnPathOrScript, which looks for a program or a script on PATH,', () => {
  it('finds programs and scripts on Windows by a name with or without the extension', () => {
    const found = ['node', 'npm', 'npm.cmd', 'a', 'NPM.CMD', 'nothing'].map((name) =>
      findOnPathOrScript(name, ENV, 'windows', isProgram),
    );
    expect(found.slice(0, 4)).toEqual([
      'C:\\node\\node.exe',
      'C:\\node\\npm.cmd',
      'C:\\node\\npm.cmd',
      'D:\\own\\a.bat',
    ]);
    expect(found[5]).toBeUndefined();
  });

  it('finds scripts of Windows, which findOnPath leaves out because they cannot be started directly', () => {
    expect(findOnPathOrScript('npm', ENV, 'windows', isProgram)).toBe('C:\\node\\npm.cmd');
    expect(findOnPath('npm', ENV, 'windows', isProgram)).toBeUndefined();
  });

  it('looks on Linux for a file with exactly the given name, without an added extension', () => {
    const asked: string[] = [];
    findOnPathOrScript('npm', { PATH: '/bin' }, 'linux', (file) => {
      asked.push(file);
      return false;
    });
    expect(asked).toEqual(['/bin/npm']);
  });
});

it.runIf(SYSTEM !== 'windows')(
  'findOnPath skips a folder and a file that nobody may execute, if they have the name of the program',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'deliberate-path-'));
    const folders = ['folder', 'text', 'program'].map((name) => join(root, name));
    for (const folder of folders) mkdirSync(folder);
    const [first = '', second = '', last = ''] = folders.map((folder) => join(folder, 'tool'));
    mkdirSync(first);
    writeFileSync(second, '');
    writeFileSync(last, '');
    chmodSync(last, 0o755);
    expect(findOnPath('tool', { PATH: folders.join(':') }, 'linux')).toBe(last);
  },
);

describe('commandToStart', () => {
  const script = 'C:\\my node\\npm.cmd';

  it('runs a script by cmd on Windows, with every word in quotes', () => {
    expect(commandToStart(script, ['test', '--', 'a & del b', 'c\\'], ENV, 'windows')).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/s', '/c', '""C:\\my node\\npm.cmd" "test" "--" "a & del b" "c\\\\""'],
      windowsVerbatimArguments: true,
    });
  });

  it.each(['a" & del b', '%PATH%', 'a\nb', 'a\rb'])(
    'refuses to pass %j to a script, because cmd would change the argument',
    (argument) => {
      const refusal = commandToStart(script, [argument], ENV, 'windows');
      expect(refusal).toBe(
        `npm.cmd is a script, and cmd would change this argument: ${JSON.stringify(argument)}`,
      );
    },
  );

  it('starts a program with its arguments unchanged', () => {
    const args = ['%PATH%', 'a" b'];
    expect(commandToStart('C:\\node\\node.exe', args, ENV, 'windows')).toEqual({
      file: 'C:\\node\\node.exe',
      args,
    });
    expect(commandToStart('/bin/npm.cmd', args, {}, 'linux')).toEqual({
      file: '/bin/npm.cmd',
      args,
    });
  });
});
