/**
 * Makes a string that matches a regular expression of the kind used for ids: literals, classes, groups,
 * alternatives and counts.
 */
import type { Chance } from './chance.ts';

/**
 * Makes a text that matches a regular expression. Returns undefined if the expression is too
 * complex.
 */
export function makeMatching(pattern: string, chance: Chance): string | undefined {
  const made = makeText(pattern.replace(/^\^/, '').replace(/(^|[^\\])\$$/, '$1'), chance);
  try {
    // Return undefined if the text does not match, which happens for syntax that `makeText` does not support, such
    // as look-around.
    return new RegExp(pattern, 'u').test(made) ? made : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ESCAPES = new Map([
  ['d', DIGITS],
  ['w', `${LETTERS}${DIGITS}`],
  ['s', ' '],
]);

function makeText(source: string, chance: Chance): string {
  let at = 0;
  const oneOf = (items: string | readonly string[]) =>
    items[chance.between(0, items.length - 1)] ?? '';

  const makeAlternative = (): string => {
    const made = [makeSequence()];
    while (source[at] === '|') {
      at += 1;
      made.push(makeSequence());
    }
    return oneOf(made);
  };

  const makeSequence = (): string => {
    let made = '';
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const from = at;
      let piece = makeAtom();
      const times = readCount();
      const after = at;
      for (let time = 0; time < times; time++) {
        made += piece;
        // Parse the repeated part of the regular expression once more for each repetition, so that each gets random
        // characters of its own.
        at = from;
        piece = makeAtom();
      }
      at = after;
    }
    return made;
  };

  const makeAtom = (): string => {
    const char = source[at++] ?? '';
    if (char === '(') {
      if (source.startsWith('?:', at)) at += 2;
      const inner = makeAlternative();
      at += 1;
      return inner;
    }
    if (char === '[') {
      const end = source.indexOf(']', at);
      const members = classMembers(source.slice(at, end));
      at = end < 0 ? source.length : end + 1;
      return oneOf(members);
    }
    if (char === '.') return oneOf(LETTERS);
    if (char !== '\\') return char;
    const escaped = source[at++] ?? '';
    return oneOf(ESCAPES.get(escaped) ?? escaped);
  };

  /**
   * Reads how often a part of the regular expression is to be written: 3 times for `{3}` and `{3,5}`, otherwise
   * once. Also once for `*` and `?`, so that the id made for `C\d*` has a digit.
   */
  const readCount = (): number => {
    const found = /^(?:\{(\d+)(?:,\d*)?\}|[*+?]\??)/.exec(source.slice(at));
    at += found?.[0].length ?? 0;
    return Number(found?.[1] ?? 1);
  };

  return makeAlternative();
}

function classMembers(inside: string): string {
  if (inside.startsWith('^')) {
    const excluded = classMembers(inside.slice(1));
    return [...LETTERS].filter((letter) => !excluded.includes(letter)).join('');
  }
  return inside
    .replace(/\\([dws])/g, (_, name: string) => ESCAPES.get(name) ?? '')
    .replace(/([A-Za-z0-9])-([A-Za-z0-9])/g, (_, from: string, to: string) => {
      const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
      const size = Math.max(0, high - low + 1);
      return String.fromCharCode(...Array.from({ length: size }, (_unused, at) => low + at));
    })
    .replaceAll('\\', '');
}
