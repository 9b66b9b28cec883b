/**
 * The command line as it mostly is. meow takes longer to load than a first frame may take to stand, and
 * decides only about what is found wrong here. All that is written is `--name`, `--name value`, `--name=value`, `--no-name` and
 * `--`; a test holds the two readings against each other.
 */

import { isValue } from '../app/flag-words.ts';
import { FLAGS, type FlagName, toDashes } from '../app/flags.ts';

/** A switch, a text, or the texts of a flag that may be repeated. */
type Value = boolean | string | readonly string[];

export interface Parsed {
  /** The words that are no flags, in order. */
  readonly words: readonly string[];
  readonly flags: Readonly<Partial<Record<FlagName, Value>>>;
  /** The first flag that is none of those known, without its dashes. */
  readonly unknown: string | undefined;
}

/** No flag, though it begins like one: `-5`, `-.5`, and `-` for standard input. */
const NO_FLAG = /^-(?:\.?\d|$)/;

/** Values are taken as they are written; a value that is missing is an empty text. */
export function parse(argv: readonly string[], known: readonly FlagName[]): Parsed {
  const names = new Map(
    known.flatMap((one) => [[toDashes(one), one] as const, [one, one] as const]),
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
    const { said, value } = read(word);
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

/** `--name=value` apart; of short flags, of which there are none, the first. */
function read(word: string): { said: string; value: string | undefined } {
  if (!word.startsWith('--')) return { said: word.slice(1, 2), value: undefined };
  const [said = '', ...value] = word.slice(2).split('=');
  return { said, value: value.length === 0 ? undefined : value.join('=') };
}
