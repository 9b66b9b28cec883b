/** Checks the arguments of a command for repeated flags and missing values. */
import { UsageError } from '../kernel/errors.ts';
import type { FlagInfo } from './flag-values.ts';
import { FLAGS, type FlagName, toDashes } from './flags.ts';

/**
 * Refuses a command line that gives a flag twice although it takes only one value.
 * @param argv the words of the command line
 * @param known the flags of the command
 * @throws UsageError that names the flag
 */
export function refuseRepeats(argv: readonly string[], known: readonly FlagName[]): void {
  const seen = new Set<FlagName>();
  for (const word of beforeDashes(argv)) {
    const name = flagIn(word, known);
    if (name === undefined || FLAGS[name].type === 'boolean' || FLAGS[name].isMultiple) continue;
    if (seen.has(name))
      throw new UsageError(`--${toDashes(name)} is given twice`, 'Remove one of them.');
    seen.add(name);
  }
}

/** Returns the arguments before `--`. */
function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function flagIn(word: string, known: readonly FlagName[]): FlagName | undefined {
  const [flag] = word.split('=');
  return known.find((name) => flag === `--${toDashes(name)}` || flag === `--${name}`);
}

/**
 * Refuses a command line in which a flag lacks its value, or a switch has one. The parser would
 * silently ignore such a flag, for example a budget.
 * @param argv the words of the command line
 * @param known the flags of the command
 * @throws UsageError that names the flag
 */
export function checkFlagValues(argv: readonly string[], known: readonly FlagName[]): void {
  const words = beforeDashes(argv);
  for (const [index, word] of words.entries()) {
    const [, ...value] = word.split('=');
    const name = flagIn(word, known);
    if (name === undefined) continue;
    if (FLAGS[name].type === 'boolean') {
      if (value.length > 0 && !['true', 'false'].includes(value.join('=')))
        throw new UsageError(
          `--${toDashes(name)} takes no value`,
          `Remove "=${value.join('=')}", or write it as a word of its own.`,
        );
      continue;
    }
    const next = words[index + 1];
    const isThere =
      value.length > 0
        ? FLAGS[name].type !== 'number' || value.join('') !== ''
        : isValue(name, next);
    if (isThere) continue;
    const { hint = 'VALUE' }: FlagInfo = FLAGS[name];
    throw new UsageError(
      `--${toDashes(name)}: missing value`,
      `Write it as --${toDashes(name)} ${hint}.`,
    );
  }
}

/**
 * Returns whether the word after a flag is the flag's value and not another flag. A word such as
 * `-5` is a value. `-`, for standard input or output, is a value only of flags that accept it.
 *
 * @param name the flag that may take the word as its value
 * @param word the word after the flag; undefined if the command line ends there
 */
export function isValue(name: FlagName, word: string | undefined): word is string {
  if (word === '-') return canBeDash(name);
  return word !== undefined && (!word.startsWith('-') || /^-\.?\d/.test(word));
}

/** Returns whether a flag accepts `-` as its value, for standard input or output. */
export function canBeDash(name: FlagName): boolean {
  const { hint = '' }: FlagInfo = FLAGS[name];
  return hint.split('|').includes('-');
}
