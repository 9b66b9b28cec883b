/**
 * How much there may be in a YAML file that people write. Counted over the marks of its syntax before any
 * of it is built: what builds it compares every key with every other, and follows every alias.
 */
import { Lexer } from 'yaml';

/** The list of prices that comes with the program has about a hundred keys; ten times that of one's own. */
const MOST_KEYS = 2_000;
/** Items of lists. */
const MOST_ITEMS = 2_000;
/** Nobody writes more by hand; the library's own limit is on what they multiply to. */
export const MOST_ALIASES = 100;
/** Brackets in brackets, and lists in lists on one line. */
const MOST_DEEP = 64;

/** What the lexer puts before a plain text, which may look like a mark. */
const SCALAR = '\u001f';

/** Why a text is not read, as a sentence's end; undefined where it may be. In linear time. */
export function excessIn(text: string): string | undefined {
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
