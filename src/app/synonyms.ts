/**
 * Other names of flags and commands that people type out of habit. Help, completions and errors read these
 * tables; other code knows only the names in `FLAGS` and in the table of commands.
 */

import { FLAGS, type FlagName, toDashes } from './flags.ts';

/** The flag that a single letter stands for, where a command takes that flag. */
const LETTERS: ReadonlyMap<string, FlagName> = new Map([
  ['m', 'model'],
  ['o', 'to'],
  ['q', 'quiet'],
  ['s', 'seat'],
  ['y', 'yes'],
]);

/** Other names of commands: each name that can be typed, with the command that it means. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['runs', 'list'],
  ['search', 'list'],
  ['delete', 'rm'],
  ['remove', 'rm'],
  ['completion', 'completions'],
]);

/** The words that ask for the program's version. */
export const VERSION_WORDS: ReadonlySet<string> = new Set(['--version', '-v', '-V', 'version']);

/** Words that name no command, and the commands that do what they mean. */
const MEANINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ...pairWithCommands(
    ['start', 'new', 'create', 'begin', 'discuss', 'chat'],
    ['board', 'rounds', 'debate'],
  ),
  ...pairWithCommands(['continue', 'restart'], ['resume', 'retry']),
  ...pairWithCommands(['compare'], ['diff', 'eval']),
  ...pairWithCommands(['view', 'cat', 'print', 'read', 'log', 'logs'], ['show', 'open']),
  ...pairWithCommands(['find', 'grep'], ['search', 'context']),
  ...pairWithCommands(['save', 'download', 'report', 'write'], ['export']),
  ...pairWithCommands(['load', 'restore'], ['import']),
  ...pairWithCommands(['kill', 'cancel', 'abort'], ['stop']),
  ...pairWithCommands(['status', 'ps', 'jobs'], ['list', 'watch']),
  ...pairWithCommands(['settings', 'setup', 'init', 'configure', 'set'], ['config', 'doctor']),
  ...pairWithCommands(['clear', 'prune', 'clean'], ['rm']),
  ...pairWithCommands(['branch', 'clone', 'copy'], ['fork']),
  ...pairWithCommands(['follow', 'tail', 'attach'], ['watch']),
  ...pairWithCommands(['verify', 'lint'], ['validate']),
  ...pairWithCommands(['review', 'code', 'implement'], ['team', 'board']),
  ...pairWithCommands(['cost', 'costs', 'spend', 'spent', 'stats', 'billing'], ['usage']),
  ...pairWithCommands(['example', 'tutorial', 'tour'], ['demo']),
  ...pairWithCommands(['roles', 'templates'], ['presets']),
  ...pairWithCommands(['serve', 'server'], ['mcp', 'worker']),
]);

function pairWithCommands(
  words: readonly string[],
  commands: readonly string[],
): (readonly [string, readonly string[]])[] {
  return words.map((word) => [word, commands] as const);
}

/** Returns the commands that a person may mean by an unknown word; empty if none is known. */
export function commandsMeantBy(word: string): readonly string[] {
  return MEANINGS.get(word.toLowerCase()) ?? [];
}

/** Returns the other names of a command. */
export function aliasesOf(command: string): string[] {
  return [...ALIASES].flatMap(([alias, name]) => (name === command ? [alias] : []));
}

/** Returns the single letter of a flag (`m` for `--model`); undefined if it has none. */
export function findFlagLetter(flag: FlagName): string | undefined {
  return [...LETTERS].find(([, name]) => name === flag)?.[0];
}

/**
 * Replaces single letters by the flags that they stand for: `-m x` becomes `--model x`, `-qy`
 * becomes `--quiet --yes`. Unknown letters and all words after `--` stay.
 *
 * @param known the flags of the command
 */
export function expandLetters(argv: readonly string[], known: readonly FlagName[]): string[] {
  const end = argv.indexOf('--');
  return argv.flatMap((word, at) =>
    end >= 0 && at >= end ? [word] : spellOutLetters(word, known),
  );
}

function spellOutLetters(word: string, known: readonly FlagName[]): string[] {
  const [, letters, value = ''] = /^-([a-z]+)(=.*)?$/s.exec(word) ?? [];
  if (letters === undefined) return [word];
  const flags = [...letters].map((letter) => LETTERS.get(letter));
  const areKnown = flags.every((flag) => flag !== undefined && known.includes(flag));
  const areSwitches = flags.every((flag) => flag !== undefined && FLAGS[flag].type === 'boolean');
  if (!areKnown || (flags.length > 1 && !areSwitches)) return [word];
  return flags.flatMap((flag, at) =>
    flag === undefined ? [] : [`--${toDashes(flag)}${at === flags.length - 1 ? value : ''}`],
  );
}

/**
 * Returns a flag as the person typed it: `-o`, `--vers`.
 *
 * @param argv the words that were parsed
 * @param flag the name that the parser reports
 */
export function getTypedFlag(argv: readonly string[], flag: string): string {
  const end = argv.indexOf('--');
  const words = (end < 0 ? argv : argv.slice(0, end)).flatMap((word) => word.split('=', 1));
  const dashed = toDashes(flag);
  const names = [`--${dashed}`, `--${flag}`, `--no-${dashed}`];
  return (
    words.find((word) => names.includes(word)) ??
    words.find((word) => /^-[^-]/.test(word) && word.slice(1).startsWith(flag)) ??
    `--${dashed}`
  );
}
