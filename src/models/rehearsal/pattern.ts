/**
 * A string that matches a regular expression, for the expressions that ids are described with:
 * literals, classes, groups, alternatives and counts. For anything else, undefined.
 */
import { entryOf } from '../../kernel/entry.ts';
import type { Chance } from './chance.ts';

export function matching(pattern: string, chance: Chance): string | undefined {
  const source = pattern.replace(/^\^/, '').replace(/(^|[^\\])\$$/, '$1');
  const reader: Reader = { source, at: 0, chance };
  const made = alternatives(reader);
  const whole = made !== undefined && reader.at === source.length;
  // Anchors, look-around and what else is not understood show in the check.
  return whole && tried(pattern, made) ? made : undefined;
}

function tried(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

interface Reader {
  readonly source: string;
  at: number;
  readonly chance: Chance;
}

function alternatives(reader: Reader): string | undefined {
  const made: string[] = [];
  for (;;) {
    const one = sequence(reader);
    if (one === undefined) return undefined;
    made.push(one);
    if (reader.source[reader.at] !== '|') break;
    reader.at += 1;
  }
  return made[reader.chance.between(0, made.length - 1)];
}

function sequence(reader: Reader): string | undefined {
  let made = '';
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const from = reader.at;
    const first = atom(reader);
    if (first === undefined) return undefined;
    const to = reader.at;
    const times = count(reader);
    const after = reader.at;
    if (times > 0) made += first;
    for (let time = 1; time < times; time++) {
      // Read the same piece again, so that each repetition is drawn anew.
      reader.at = from;
      made += atom(reader) ?? '';
    }
    reader.at = Math.max(to, after);
  }
  return made;
}

function atom(reader: Reader): string | undefined {
  const { source, chance } = reader;
  const char = source[reader.at];
  reader.at += 1;
  if (char === '(') {
    if (source[reader.at] === '?') {
      if (source[reader.at + 1] !== ':') return undefined;
      reader.at += 2;
    }
    const inner = alternatives(reader);
    if (inner === undefined || source[reader.at] !== ')') return undefined;
    reader.at += 1;
    return inner;
  }
  if (char === '[') {
    const end = source.indexOf(']', reader.at);
    const members = end < 0 ? '' : classMembers(source.slice(reader.at, end));
    reader.at = end + 1;
    return members === '' ? undefined : members[chance.between(0, members.length - 1)];
  }
  if (char === '\\') {
    const escaped = source[reader.at] ?? '';
    reader.at += 1;
    const members = entryOf(ESCAPES, escaped);
    if (members) return members[chance.between(0, members.length - 1)];
    return /[A-Za-z0-9]/.test(escaped) ? undefined : escaped;
  }
  if (char === '.') return 'abcdefghij'[chance.between(0, 9)];
  return char === undefined || '^$*+?{'.includes(char) ? undefined : char;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ESCAPES: Readonly<Record<string, string>> = { d: DIGITS, w: `${LETTERS}${DIGITS}`, s: ' ' };

function classMembers(inside: string): string {
  if (inside.startsWith('^')) return LETTERS.replace(new RegExp(`[${inside.slice(1)}]`, 'g'), '');
  return inside
    .replace(/\\([dws])/g, (_, name: string) => entryOf(ESCAPES, name) ?? '')
    .replace(/([A-Za-z0-9])-([A-Za-z0-9])/g, (_, from: string, to: string) => {
      const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
      return String.fromCharCode(
        ...Array.from({ length: Math.max(0, high - low + 1) }, (_unused, index) => low + index),
      );
    })
    .replaceAll('\\', '');
}

/** How often the piece before it stands: as seldom as allowed, but ids want a digit or two. */
function count(reader: Reader): number {
  const rest = reader.source.slice(reader.at);
  const braces = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  if (braces) {
    reader.at += braces[0].length;
    return Number(braces[1]);
  }
  const sign = rest[0] ?? '';
  if (!'*+?'.includes(sign) || sign === '') return 1;
  reader.at += 1;
  if (reader.source[reader.at] === '?') reader.at += 1;
  return 1;
}
