/** Splits arguments into flags and words with the library meow, configured from the table of flags. */
import meow from 'meow';
import { canBeDash } from '../app/flag-words.ts';
import { FLAGS, type FlagName, toDashes } from '../app/flags.ts';
import type { ParsedArguments } from './parse.ts';

/**
 * Parses arguments with the library meow. Because meow is slow to load, the program calls this
 * function only if `parse` finds a mistake; the result of meow then replaces that of `parse`.
 *
 * @param known the flags of the command
 */
export function readCommandLine(
  argv: readonly string[],
  known: readonly FlagName[],
): ParsedArguments {
  const parsed = meow({
    importMeta: import.meta,
    pkg: { name: 'deliberate' },
    argv: joinValues(argv, known),
    flags: Object.fromEntries(known.map((flag) => [flag, flagOf(flag)])),
    autoHelp: false,
    autoVersion: false,
    booleanDefault: undefined,
  });
  const unknown = Object.keys(parsed.flags).find((flag) => !known.some((name) => name === flag));
  return {
    words: parsed.input.map(String),
    flags: parsed.flags as ParsedArguments['flags'],
    unknown: unknown === undefined ? undefined : toDashes(unknown),
  };
}

/** Joins `--attach` and `-` into `--attach=-`; meow would take a separate dash for a word. */
function joinValues(argv: readonly string[], known: readonly FlagName[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const joined = new Set(known.filter(canBeDash).map((name) => `--${toDashes(name)}`));
  return argv.flatMap((word, index) => {
    if (index > end) return [word];
    if (word === '-' && joined.has(argv[index - 1] ?? '')) return [];
    return joined.has(word) && argv[index + 1] === '-' ? [`${word}=-`] : [word];
  });
}

/**
 * Returns the meow definition of a flag. Numbers are read as strings, because meow would accept `0x10`, `1e3`
 * and a blank as numbers.
 */
function flagOf(name: FlagName): { type: 'string' | 'boolean'; isMultiple?: boolean } {
  const info = FLAGS[name];
  const type = info.type === 'boolean' ? 'boolean' : 'string';
  return 'isMultiple' in info ? { type, isMultiple: true } : { type };
}
