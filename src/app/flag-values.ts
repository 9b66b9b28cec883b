/** The kinds of flags, and how a value is read. Not by the library that checks files: each start would wait for it. */

import { parseDuration } from '../kernel/duration.ts';
import { UsageError } from '../kernel/errors.ts';

/** Reads a value as it was parsed; undefined where the flag was not given. @throws UsageError saying what it expected */
type Reader<T> = (given: unknown) => T;

/** A flag that was not given is the fallback, or undefined. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (given) => (given === undefined ? undefined : read(given));
}

export function otherwise<T>(fallback: T, read: Reader<T>): Reader<T> {
  return (given) => (given === undefined ? fallback : read(given));
}

const string: Reader<string> = (given) => {
  if (typeof given !== 'string') throw new UsageError('expected a value');
  return given;
};

const boolean: Reader<boolean> = (given) => {
  if (typeof given !== 'boolean') throw new UsageError('expected true, false or no value');
  return given;
};

const strings: Reader<string[]> = (given = []) => {
  if (!Array.isArray(given)) throw new UsageError('expected a value');
  return given.map(string);
};

export function oneOf<const T extends string>(...values: readonly T[]): Reader<T> {
  return (given) => {
    const value = values.find((one) => one === given);
    if (value === undefined) throw new UsageError(`expected ${values.join(', ')}`);
    return value;
  };
}

/** Digits as people write them. What else JavaScript takes for a number is a slip: `0x10`, `1e3`, a blank. */
const DECIMAL = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/;

interface Range {
  /** Whole, and such that no digit of it is lost. */
  readonly whole?: true;
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
}

/** A number as it stands on the command line, or one already. */
export function number({
  whole,
  least,
  above,
  most = whole && Number.MAX_SAFE_INTEGER,
}: Range): Reader<number> {
  return (given) => {
    const value =
      typeof given === 'string' && DECIMAL.test(given.trim()) ? Number(given.trim()) : given;
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new UsageError('expected a number');
    if (whole && !Number.isInteger(value)) throw new UsageError('expected a whole number');
    if (least !== undefined && value < least) throw new UsageError(`expected at least ${least}`);
    if (above !== undefined && value <= above) throw new UsageError(`expected more than ${above}`);
    if (most !== undefined && value > most) throw new UsageError(`expected at most ${most}`);
    return value;
  };
}

export const positive: Reader<number> = number({ whole: true, above: 0 });
export const amount: Reader<number> = number({ above: 0 });
/** In milliseconds; written as `30s` or `2m`. */
export const duration: Reader<number> = (given) => parseDuration(string(given));

export interface FlagInfo {
  readonly type: 'string' | 'number' | 'boolean';
  readonly isMultiple?: true;
  /** What stands after the flag in the help text. */
  readonly hint?: string;
  readonly description: string;
  /** What `--no-NAME` does, for a switch that is on unless it is said. */
  readonly off?: string;
}

/** What help tells of a flag, and how its value is read. */
export interface Flag<T> extends FlagInfo {
  readonly read: Reader<T>;
}

/** A switch, off unless it is given. */
export function off(description: string): Flag<boolean> {
  return { type: 'boolean', description, read: otherwise(false, boolean) };
}

/** A switch that may be left open; `denied` says what `--no-NAME` does where it is on by itself. */
export function onOff(description: string, denied?: string): Flag<boolean | undefined> {
  const read = optional(boolean);
  return { type: 'boolean', description, ...(denied === undefined ? {} : { off: denied }), read };
}

/** Words, taken as they are. */
export function text(hint: string, description: string): Flag<string | undefined> {
  return worded(hint, description, optional(string));
}

/** Words that mean something: one of a few, or a duration. */
export function worded<T>(hint: string, description: string, read: Reader<T>): Flag<T> {
  return { type: 'string', hint, description, read };
}

export function numeric<T>(hint: string, description: string, read: Reader<T>): Flag<T> {
  return { type: 'number', hint, description, read };
}

/** Given as often as one likes. */
export function several(hint: string, description: string): Flag<string[]> {
  return { type: 'string', isMultiple: true, hint, description, read: strings };
}
