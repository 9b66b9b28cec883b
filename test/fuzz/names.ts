/**
 * Names that nothing is called, and what must hold wherever a name is looked up: an unknown name is never
 * taken for a known one, and the error that refuses it quotes it in a few clean words.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { explain } from '../../src/cli/explain.ts';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { toLine } from '../../src/text/line.ts';
import { anyCharacter } from '../any-character.ts';

/** The names of the properties that every object inherits. */
export const INHERITED = [
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
] as const;

/** Unknown names: misleading or hostile ones that no preset, agent, model, step or setting has. */
export const STRANGERS: readonly string[] = [
  ...INHERITED,
  'prototype',
  'then',
  'length',
  'name',
  'undefined',
  'NaN',
  ' ',
  '\t\n',
  '\u00a0',
  'x'.repeat(10_000),
  'a b '.repeat(2_500),
  'x '.repeat(5_000),
  '\u200b',
  'cri\u200btic',
  'critic\ufe0f',
  '\u202ecitirc',
  'crit\u0131c',
  'CRITIC\u0000',
  '\u0000',
  '\ud800',
  'critic\udfff',
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '../x',
  '../../../../etc/passwd',
  '/etc/passwd',
  '..',
  '.',
  'critic/..',
  '*',
  "' OR 1=1 --",
  '$(id)',
  '{}',
  '🦉'.repeat(400),
];

/** One or two of `STRANGERS` for each reason that a name is strange, for slow lookups. */
export const VARIED_STRANGERS: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', 'then', 'length', 'NaN'],
  ...[' ', 'x'.repeat(10_000), 'x '.repeat(5_000), 'cri\u200btic', '\u202ecitirc'],
  ...['CRITIC\u0000', '\ud800', '\u001b[31mred\u001b[0m', '../../../../etc/passwd', '/etc/passwd'],
  ...['*', "' OR 1=1 --", '$(id)', '{}', '🦉'.repeat(400)],
];

/** Generates unknown names: one of `STRANGERS`, alone or with up to three random characters before or after. */
export const unknownNames: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...STRANGERS) },
  fc
    .tuple(
      fc.constantFrom(...STRANGERS),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
      fc.boolean(),
    )
    .map(([name, more, before]) => (before ? more + name : name + more)),
);

/** A place in the program where a name is looked up, such as a flag or a setting. */
export interface NamePlace {
  /** What the looked-up name names, such as `preset to copy`; used in the names of tests. */
  readonly name: string;
  /**
   * Looks an unknown name up.
   *
   * @throws AssertionError if the name is taken for a known one, or refused without being named
   */
  readonly look: (stranger: string) => void | Promise<void>;
  /**
   * Returns whether a name is known at this place, so that a test must not try it there. Without this function,
   * a test tries every name.
   */
  readonly known?: (stranger: string) => boolean;
}

/** The most characters of an error that people read, lists of known names included. */
const READABLE = 6_000;

/**
 * Checks that `work` refuses the unknown `name` with a `DeliberateError`, whose text has less than 6,000
 * characters, no control characters, and contains the beginning of the name. Other errors are thrown on.
 *
 * @throws AssertionError if `work` throws nothing, or the text of the error is not so
 */
export async function expectRefusal(name: string, work: () => unknown): Promise<void> {
  let error: unknown;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error !== undefined, 'a name that nobody knows was taken for a known one');
  if (!(error instanceof DeliberateError)) throw error;
  const told = explain(error, {}).text;
  assert.ok(told.length < READABLE, `${told.length} letters of error`);
  assert.equal(
    told.split('\n').map(toLine).join('').trim(),
    told.split('\n').map(collapseSpaces).join('').trim(),
  );
  const [word = ''] = toLine(name).slice(0, 60).split(/[\s/]/);
  assert.ok(told.includes([...word].slice(0, 30).join('')), `not named: ${told.slice(0, 300)}`);
}

function collapseSpaces(row: string): string {
  return row.replace(/\s+/g, ' ').trim();
}

/**
 * Checks that a text for people contains no source code and no name of an object's type.
 *
 * @throws AssertionError if the text contains one
 */
export function assertNoObjectText(text: string): void {
  assert.doesNotMatch(text, /native code|\[object |function \w*\(/);
}
