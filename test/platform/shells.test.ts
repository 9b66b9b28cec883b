/** Recognises the running shell, and quotes words for each shell. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { formatCommand } from '../../src/app/suggest.ts';
import { editorCommand, runIn, type Shell, shellOf, shellWord } from '../../src/platform/shells.ts';
import { SYSTEM } from '../../src/platform/system.ts';

const MACHINES =
  'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules';

it('shellOf recognises PowerShell by the folder that it puts first into PSModulePath', () => {
  const getShell = (env: Record<string, string>) => shellOf(env, 'windows');
  expect(getShell({})).toBe('cmd');
  expect(getShell({ PSModulePath: MACHINES })).toBe('cmd');
  const documents = 'C:\\Users\\Ann\\Documents';
  expect(getShell({ PSModulePath: `${documents}\\WindowsPowerShell\\Modules;${MACHINES}` })).toBe(
    'powershell',
  );
  expect(getShell({ psmodulepath: `${documents}\\PowerShell\\Modules;${MACHINES}` })).toBe('pwsh');
  expect(getShell({ MSYSTEM: 'MINGW64', SHELL: '/usr/bin/bash' })).toBe('posix');
  for (const system of ['linux', 'mac', 'other'] as const)
    expect(shellOf({ PSModulePath: `${documents}\\PowerShell\\Modules` }, system)).toBe('posix');
});

it.each<[string, Record<Shell, string>]>([
  [
    'review/critic',
    {
      posix: 'review/critic',
      cmd: 'review/critic',
      powershell: 'review/critic',
      pwsh: 'review/critic',
    },
  ],
  [
    'app\\bin\\deliberate.js',
    {
      posix: "'app\\bin\\deliberate.js'",
      cmd: 'app\\bin\\deliberate.js',
      powershell: 'app\\bin\\deliberate.js',
      pwsh: 'app\\bin\\deliberate.js',
    },
  ],
  [
    "it's here & now",
    {
      posix: "'it'\\''s here & now'",
      cmd: '"it\'s here & now"',
      powershell: '"it\'s here & now"',
      pwsh: '"it\'s here & now"',
    },
  ],
  [
    'C:\\my dir\\',
    {
      posix: "'C:\\my dir\\'",
      cmd: '"C:\\my dir\\\\"',
      powershell: '"C:\\my dir\\\\"',
      pwsh: '"C:\\my dir\\\\"',
    },
  ],
  [
    'say "hi" & go',
    {
      posix: '\'say "hi" & go\'',
      cmd: '"say ""hi"" & go"',
      powershell: '\'say \\"hi\\" & go\'',
      pwsh: '\'say "hi" & go\'',
    },
  ],
  [
    '$5 or %PATH%',
    {
      posix: "'$5 or %PATH%'",
      cmd: '"$5 or "^%"PATH"^%""',
      powershell: "'$5 or %PATH%'",
      pwsh: "'$5 or %PATH%'",
    },
  ],
  [
    '“a” ‘b’',
    { posix: "'“a” ‘b’'", cmd: '"“a” ‘b’"', powershell: "'“a” ‘‘b’’'", pwsh: "'“a” ‘‘b’’'" },
  ],
  // PowerShell would split the word `-s.x` in two.
  ['-s.x', { posix: '-s.x', cmd: '"-s.x"', powershell: '"-s.x"', pwsh: '"-s.x"' }],
  ['', { posix: "''", cmd: '""', powershell: '""', pwsh: '""' }],
])('%j stays one word in every shell when it is quoted', (word, written) => {
  for (const shell of Object.keys(written) as Shell[])
    expect(shellWord(word, shell), shell).toBe(written[shell]);
});

it.runIf(SYSTEM !== 'windows')('sh reads a quoted word as the original word', () => {
  for (const word of [
    "it's",
    'a b',
    '$HOME',
    '`id`',
    '"x"',
    'a\\b',
    '“a”',
    '',
    '*',
    '%PATH%',
    '!!',
  ]) {
    const { stdout } = spawnSync('/bin/sh', ['-c', `printf %s ${shellWord(word, 'posix')}`]);
    expect(stdout.toString()).toBe(word);
  }
});

it('formatCommand writes a suggested command as the program’s name, the subcommand and the given words', () => {
  expect(formatCommand({ command: 'show', env: {} }, 'latest')).toBe('deliberate show latest');
});

it('a command that a person approves runs in sh on Linux, and on Windows in cmd or in PowerShell, whichever the person uses', () => {
  expect(runIn('exit 0', {}, 'linux')).toEqual({
    file: '/bin/sh',
    args: ['-c', 'exit 0'],
    by: '/bin/sh -c',
  });
  const env = { SystemRoot: 'D:\\Win' };
  expect(runIn('dir "a b" & exit 3', env, 'windows')).toEqual({
    file: 'D:\\Win\\System32\\cmd.exe',
    args: ['/d', '/s', '/c', '"dir "a b" & exit 3"'],
    windowsVerbatimArguments: true,
    by: 'cmd /d /s /c',
    recorded: 'cmd /d /s /c',
  });
  // cmd ignores all lines after the first, so a command of two lines is refused.
  expect(runIn('one\ntwo', env, 'windows')).toMatch(/cmd takes one line/);
  const inside = { ...env, PSModulePath: 'C:\\Users\\Ann\\Documents\\WindowsPowerShell\\Modules' };
  const told = runIn('one\ntwo', inside, 'windows');
  expect(told).toMatchObject({
    file: 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    recorded: 'Windows PowerShell',
  });
  if (typeof told === 'string') throw new Error(told);
  expect(Buffer.from(told.args.at(-1) ?? '', 'base64').toString('utf16le')).toContain(
    '\none\ntwo\n',
  );
});

it('shells on Windows are started by their full path, and never from the working folder', () => {
  const started = [
    runIn('x', {}, 'windows'),
    runIn('x', { PSModulePath: 'C:\\Users\\A\\Documents\\PowerShell\\Modules' }, 'windows'),
    editorCommand('code --wait', 'C:\\t\\q.md', {}, 'windows'),
  ];
  for (const command of started)
    expect(typeof command === 'string' ? command : command.file).toMatch(
      /^[A-Z]:\\Windows\\System32\\/,
    );
});
