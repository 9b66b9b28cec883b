/** What the command line says of itself: help, examples, what was probably meant. */
import { describe, expect, it } from 'vitest';
import { FLAGS } from '../../src/app/flags.ts';
import { getStartCommand, rewriteCommands } from '../../src/app/suggest.ts';
import { COMMANDS, getCommand } from '../../src/cli/commands.ts';
import { examplesOf } from '../../src/cli/examples.ts';
import { commandHelp, generalHelp } from '../../src/cli/help.ts';
import { parse } from '../../src/cli/parse.ts';

describe('the help of a command', () => {
  it.each(Object.keys(COMMANDS))('has two examples that the parser accepts, for %s', (name) => {
    const command = getCommand(name);
    const examples = examplesOf(name);
    expect(examples).toHaveLength(2);
    for (const example of examples) {
      const words = (example.split(' > ')[0] ?? '').match(/"[^"]*"|\S+/g) ?? [];
      expect(words[0]).toBe(name);
      expect(parse(words.slice(1), command.flags).unknown, example).toBeUndefined();
    }
  });

  it('lists every flag of the command once, in groups', () => {
    for (const command of Object.values(COMMANDS)) {
      const flags = commandHelp(command, {}).match(/^ {2}(?:-\w, )?--\S+/gm) ?? [];
      expect(flags).toHaveLength(command.flags.length);
      expect(new Set(flags).size).toBe(command.flags.length);
    }
    const help = commandHelp(getCommand('board'), {});
    expect(help).toMatch(/^USAGE\n {2}deliberate board \[QUESTION\] \[FLAGS\]$/m);
    expect(help).toMatch(/\nLIMITS\n(?: .*\n)*? {2}--budget-usd X/);
    expect(help).toMatch(/\nEXAMPLES\n {2}deliberate board "Should/);
    expect(Object.keys(FLAGS).length).toBeGreaterThan(50);
  });

  it('writes commands as the person started the program, such as "npm start -- list"', () => {
    const npm = { npm_lifecycle_event: 'start', npm_package_name: 'deliberate' };
    expect(generalHelp(npm)).toContain('npm start -- open latest');
    expect(commandHelp(getCommand('list'), npm)).toContain('npm start -- list --search');
  });
});

describe('the program’s name in help and hints', () => {
  it('is "node bin/deliberate.js" if the program was started from that file', () => {
    expect(getStartCommand({}, '/usr/local/bin/deliberate')).toBe('deliberate');
    expect(getStartCommand({}, `${process.cwd()}/bin/deliberate.js`)).toBe(
      'node bin/deliberate.js',
    );
    expect(getStartCommand({}, '/opt/x y/bin/deliberate.js')).toBe(
      "node '/opt/x y/bin/deliberate.js'",
    );
  });

  it('replaces "deliberate" in commands that an error suggests, but not in ordinary sentences', () => {
    const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'deliberate x' };
    const text =
      'deliberate list shows them; deliberate --help, too. What deliberate does is known.';
    expect(rewriteCommands(text, npx, ['list', 'show'])).toBe(
      'npx deliberate list shows them; npx deliberate --help, too. What deliberate does is known.',
    );
    // `rewriteCommands` leaves a command as it is if `npx` already precedes the command.
    const written = 'Example: npx deliberate show latest; see deliberate list.';
    expect(rewriteCommands(written, npx, ['list', 'show'])).toBe(
      'Example: npx deliberate show latest; see npx deliberate list.',
    );
  });
});

describe('a mistyped command', () => {
  it.each([
    ['baord', 'Did you mean board? '],
    ['resumee', 'Did you mean resume? '],
    ['xyzzy', 'deliberate --help lists all commands'],
  ])('is refused with a hint on which command to type: %s', (name, said) => {
    expect(() => getCommand(name)).toThrow(
      expect.objectContaining({
        next: expect.stringMatching(new RegExp(`^${said.replace('?', '\\?')}`)),
      }),
    );
  });
});
