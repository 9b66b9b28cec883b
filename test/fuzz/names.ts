/**
 * Names as strangers give them, and what must hold wherever one is looked up: it is never taken for a
 * known one, and who refuses it says so by name, in a few clean words.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { explain } from '../../src/cli/explain.ts';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { toLine } from '../../src/text/line.ts';
import { anyCharacter } from '../any-character.ts';

/** What every object answers to without having it. */
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

/** No preset, agent, model, step or setting is called so. */
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

/** Of names that are strange for the same reason one or two, for lookups that take their time. */
export const VARIED_STRANGERS: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', 'then', 'length', 'NaN'],
  ...[' ', 'x'.repeat(10_000), 'x '.repeat(5_000), 'cri\u200btic', '\u202ecitirc'],
  ...['CRITIC\u0000', '\ud800', '\u001b[31mred\u001b[0m', '../../../../etc/passwd', '/etc/passwd'],
  ...['*', "' OR 1=1 --", '$(id)', '{}', '🦉'.repeat(400)],
];

/** One of them, alone or with something before or after it. */
export const strangerName: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...STRANGERS) },
  fc
    .tuple(
      fc.constantFrom(...STRANGERS),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
      fc.boolean(),
    )
    .map(([name, more, before]) => (before ? more + name : name + more)),
);

/** A place where names are looked up. */
export interface Lookup {
  readonly name: string;
  /** Looks a stranger's name up. @throws AssertionError where what must hold does not. */
  readonly look: (stranger: string) => void | Promise<void>;
  /** Names that mean something there and are no strangers. */
  readonly known?: (stranger: string) => boolean;
}

/** Letters of an error are few enough to be read, with lists of all there is. */
const READABLE = 6_000;

/** It is refused by an error of ours that names it; a blank or an invisible name is at least in quotes. */
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

/** Fails if a text for people contains source code or the name of an object's type. */
export function assertNoObjectText(text: string): void {
  assert.doesNotMatch(text, /native code|\[object |function \w*\(/);
}
