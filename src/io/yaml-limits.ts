/**
 * Limits the size of YAML files. The marks of the syntax are counted before anything is built, since the
 * library compares every key with every other and follows every alias.
 */
import { Lexer } from 'yaml';

/**
 * The most keys. The price list of the program has about a hundred, and a person's own may have ten times
 * that.
 */
const MOST_KEYS = 2_000;
/** The most items of lists. */
const MOST_ITEMS = 2_000;
/**
 * The most aliases in a YAML file. The YAML library limits how often one anchor is expanded, but not
 * how many aliases a file has.
 */
export const MOST_ALIASES = 100;
/** The deepest nesting of brackets, and of lists on one line. */
const MOST_DEEP = 64;

/** The mark that the lexer puts before plain text, which may look like syntax. */
const SCALAR = '\u001f';

/**
 * Returns why a YAML text is too large to parse, in words that follow the file's name, such as "more than 2000
 * keys". Returns undefined if the text is not too large. The time grows only in proportion to the length of
 * the text.
 */
export function findExcess(text: string): string | undefined {
  const found = { keys: 0, items: 0, aliases: 0 };
  let brackets = 0;
  let dashes = 0;
  let before = '';
  for (const token of new Lexer().lex(text)) {
    const isText = before === SCALAR;
    before = token;
    if (isText) continue;
    if (token === ':' || token === '?') found.keys += 1;
    else if (token === ',') found.items += 1;
    else if (token === '-') {
      found.items += 1;
      dashes += 1;
    } else if (token.startsWith('*')) found.aliases += 1;
    else if (token === '[' || token === '{') brackets += 1;
    else if (token === ']' || token === '}') brackets -= 1;
    if (/^[\r\n]/.test(token)) dashes = 0;
    if (found.keys > MOST_KEYS) return `more than ${MOST_KEYS} keys`;
    if (found.items > MOST_ITEMS) return `more than ${MOST_ITEMS} items`;
    if (found.aliases > MOST_ALIASES) return `more than ${MOST_ALIASES} aliases`;
    if (Math.max(brackets, dashes) > MOST_DEEP) return `nested more than ${MOST_DEEP} deep`;
  }
  return undefined;
}
