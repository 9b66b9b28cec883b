/** From the words behind a command to its flags and what is no flag: meow reads them, by our table of flags. */
import meow from 'meow';
import { FLAGS, type FlagName, toDashes } from '../app/flags.ts';
import type { Parsed } from './parse.ts';

/** The same as `parse`, by the library that decides where `parse` finds something wrong. */
export function readCommandLine(argv: readonly string[], known: readonly FlagName[]): Parsed {
  const parsed = meow({
    importMeta: import.meta,
    pkg: { name: 'deliberate' },
    argv: joinValues(argv),
    flags: Object.fromEntries(known.map((flag) => [flag, flagOf(flag)])),
    autoHelp: false,
    autoVersion: false,
    booleanDefault: undefined,
  });
  const unknown = Object.keys(parsed.flags).find((flag) => !known.some((one) => one === flag));
  return {
    words: parsed.input.map(String),
    flags: parsed.flags as Parsed['flags'],
    unknown: unknown === undefined ? undefined : toDashes(unknown),
  };
}

/** `--attach -` reads standard input; on its own a dash would be taken for a word. */
function joinValues(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, index) => {
    if (index > end) return [word];
    if (word === '-' && argv[index - 1] === '--attach') return [];
    return word === '--attach' && argv[index + 1] === '-' ? ['--attach=-'] : [word];
  });
}

/**
 * meow's idea of a flag: without our own words about it. Numbers come as they were written: it would
 * read `0x10`, `1e3` and a blank as some number.
 */
function flagOf(name: FlagName): { type: 'string' | 'boolean'; isMultiple?: boolean } {
  const info = FLAGS[name];
  const type = info.type === 'boolean' ? 'boolean' : 'string';
  return 'isMultiple' in info ? { type, isMultiple: true } : { type };
}
