/**
 * A fast parser for the usual forms of arguments: `--name`, `--name value`, `--name=value`, `--no-name` and
 * `--`. The library meow takes longer to load than a first frame may take, so it is loaded only if this parser
 * finds a mistake. A test compares the results of both.
 */

import { isValue } from '../app/flag-words.ts';
import { FLAGS, type FlagName, toDashes } from '../app/flags.ts';

/** The value of a switch, of a flag with a value, or of a flag that may be repeated. */
type Value = boolean | string | readonly string[];

/** The words and flags of a command line. */
export interface ParsedArguments {
  /** The words that are neither flags nor values of flags, in order. */
  readonly words: readonly string[];
  readonly flags: Readonly<Partial<Record<FlagName, Value>>>;
  /**
   * The first flag that the command does not know, without its dashes and `no-`; undefined if the
   * command knows all.
   */
  readonly unknown: string | undefined;
}

/** Words that begin with a dash but are not flags: `-5`, `-.5`, and `-` for standard input. */
const NO_FLAG = /^-(?:\.?\d|$)/;

/**
 * Parses arguments. Switches become true or false. Other values stay texts, and a missing value
 * becomes an empty text.
 *
 * @param known the flags of the command
 */
export function parse(argv: readonly string[], known: readonly FlagName[]): ParsedArguments {
  const names = new Map(
    known.flatMap((name) => [[toDashes(name), name] as const, [name, name] as const]),
  );
  const words: string[] = [];
  const flags: Partial<Record<FlagName, Value>> = {};
  let unknown: string | undefined;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || NO_FLAG.test(word)) {
      words.push(word);
      continue;
    }
    const { said, value } = splitFlag(word);
    const denied = said.startsWith('no-') && !names.has(said) && value === undefined;
    const shown = denied ? said.slice('no-'.length) : said;
    const name = names.get(shown);
    const next = argv[at + 1];
    if (name === undefined) unknown ??= shown;
    else if (denied) flags[name] = false;
    else if (FLAGS[name].type === 'boolean') {
      const after = value === undefined && (next === 'true' || next === 'false');
      const answer = after ? next : (value ?? 'true');
      if (after) at += 1;
      flags[name] = answer === 'true' || (answer !== 'false' && answer);
    } else {
      const after = value === undefined && isValue(name, next);
      const text = after ? next : (value ?? '');
      if (after) at += 1;
      const { [name]: before = [] } = flags;
      flags[name] = FLAGS[name].isMultiple ? [...(before as readonly string[]), text] : text;
    }
  }
  return { words, flags, unknown };
}

/** Splits `--name=value`. Of a short flag it returns the first letter; the program has no short flags here. */
function splitFlag(word: string): { said: string; value: string | undefined } {
  if (!word.startsWith('--')) return { said: word.slice(1, 2), value: undefined };
  const [said = '', ...value] = word.slice(2).split('=');
  return { said, value: value.length === 0 ? undefined : value.join('=') };
}
