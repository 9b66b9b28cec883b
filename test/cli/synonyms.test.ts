/** Letters, aliases and meanings that people type. */
import { describe, expect, it } from 'vitest';
import { FLAGS } from '../../src/app/flags.ts';
import {
  ALIASES,
  commandsMeantBy,
  expandLetters,
  findFlagLetter,
  getTypedFlag,
} from '../../src/app/synonyms.ts';
import { COMMANDS, getCommand } from '../../src/cli/commands.ts';
import { commandHelp } from '../../src/cli/help.ts';
import { parse } from '../../src/cli/parse.ts';

const KNOWN = ['model', 'seat', 'quiet', 'yes', 'to'] as const;

describe('one-letter forms of flags', () => {
  it.each([
    [
      ['-m', 'a/b', 'Why?'],
      ['--model', 'a/b', 'Why?'],
    ],
    [['-o=x.md'], ['--to=x.md']],
    [['-qy'], ['--quiet', '--yes']],
    [['-model'], ['-model']],
    [['-my'], ['-my']],
    [
      ['-5', '-'],
      ['-5', '-'],
    ],
    [
      ['--', '-m'],
      ['--', '-m'],
    ],
  ])('are replaced by full flags, so that the arguments %j become %j', (argv, written) => {
    expect(expandLetters(argv, KNOWN)).toEqual(written);
  });

  it('are left as typed for a command that lacks the full flag', () => {
    expect(expandLetters(['-o', 'x'], ['model'])).toEqual(['-o', 'x']);
  });

  it.each([
    [['-v'], '-v'],
    [['-o', 'x'], '-o'],
    [['-vers'], '-vers'],
    [['--vers=1'], '--vers'],
    [['--no-such'], '--no-such'],
  ])('are named in errors as the person typed them: %j', (argv, typed) => {
    const { unknown = '' } = parse(argv, KNOWN.slice(0, 4));
    expect(getTypedFlag(argv, unknown)).toBe(typed);
  });

  it('are shown in help beside their flags', () => {
    expect(findFlagLetter('model')).toBe('m');
    expect(commandHelp(getCommand('board'), {})).toContain(`-m, --model ${FLAGS.model.hint}`);
  });
});

describe('names of commands', () => {
  it('include other words that a person may type, each for an existing command', () => {
    for (const [alias, name] of ALIASES) {
      expect(Object.keys(COMMANDS)).toContain(name);
      expect(Object.keys(COMMANDS)).not.toContain(alias);
    }
    expect(getCommand('delete')).toBe(COMMANDS.rm);
    expect(commandHelp(getCommand('ls'), {})).toContain('Also: ls, runs, search');
  });

  it('are suggested for an unknown word of similar meaning or spelling', () => {
    const names = [...Object.keys(COMMANDS), ...ALIASES.keys()];
    for (const word of ['compare', 'cancel', 'download', 'settings', 'find'])
      for (const name of commandsMeantBy(word)) expect(names).toContain(name);
    expect(() => getCommand('compare')).toThrow(
      expect.objectContaining({ next: expect.stringContaining('Did you mean diff or eval?') }),
    );
    expect(() => getCommand('exprt')).toThrow(
      expect.objectContaining({ next: expect.stringContaining('Did you mean export?') }),
    );
    expect(() => getCommand('frobnicate')).toThrow(
      expect.objectContaining({ next: 'deliberate --help lists all commands.' }),
    );
  });
});
