/**
 * The kinds of flags and how their values are read. Does not use the schema library, because every start of the
 * program would wait for it.
 */

import { parseDuration } from '../kernel/duration.ts';
import { UsageError } from '../kernel/errors.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/**
 * Reads a parsed value; undefined means that the flag was not given.
 * @throws UsageError that says what was expected
 */
type Reader<T> = (given: unknown) => T;

/**
 * Returns a function that parses a flag's value with `read`, or returns undefined if the flag was
 * not given.
 */
export function parseOptional<T>(read: Reader<T>): Reader<T | undefined> {
  return (given) => (given === undefined ? undefined : read(given));
}

/**
 * Returns a function that parses a flag's value with `read`, or returns `fallback` if the flag was
 * not given.
 */
export function withDefault<T>(fallback: T, read: Reader<T>): Reader<T> {
  return (given) => (given === undefined ? fallback : read(given));
}

const readString: Reader<string> = (given) => {
  if (typeof given !== 'string') throw new UsageError('expected a value');
  return given;
};

const readBoolean: Reader<boolean> = (given) => {
  if (typeof given !== 'boolean') throw new UsageError('expected true, false or no value');
  return given;
};

const readStrings: Reader<string[]> = (given = []) => {
  if (!Array.isArray(given)) throw new UsageError('expected a value');
  return given.map(readString);
};

/** Returns a function that parses a flag's value and accepts only the given words. */
export function oneOf<const T extends string>(...values: readonly T[]): Reader<T> {
  return (given) => {
    const value = values.find((value) => value === given);
    if (value === undefined) throw new UsageError(`expected ${values.join(', ')}`);
    return value;
  };
}

/** Decimal numbers. Other forms that JavaScript accepts (`0x10`, `1e3`, a blank) are taken for mistakes. */
const DECIMAL = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/;

interface Range {
  /** Whether only safe integers are accepted. */
  readonly whole?: true;
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
}

/**
 * Returns a function that parses a flag's value as a number and refuses numbers outside of a range.
 *
 * @param range `whole`: only whole numbers; `least` and `most`: the ends of the range, included;
 *   `above`: the lower end, excluded
 */
export function numberInRange({
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

/** Parses the value of a flag that must be a positive whole number. */
export const positive: Reader<number> = numberInRange({ whole: true, above: 0 });
/** Parses the value of a flag that must be a positive number. */
export const amount: Reader<number> = numberInRange({ above: 0 });
/**
 * Parses the value of a flag that is a duration such as `30s` or `2m`. The result is in
 * milliseconds.
 */
export const parseDurationFlag: Reader<number> = (given) => parseDuration(readString(given));

/** The help of a flag. */
export interface FlagInfo {
  readonly type: 'string' | 'number' | 'boolean';
  /** Set if the flag may be repeated. */
  readonly isMultiple?: true;
  /** The placeholder for the value in the help, such as `PROVIDER/MODEL`. */
  readonly hint?: string;
  readonly description: string;
  /** What `--no-NAME` does. If set, the help lists `--no-NAME` in place of `--NAME`. */
  readonly off?: string;
}

/** A flag: its help, and the function that parses its value. */
export interface Flag<T> extends FlagInfo {
  readonly read: Reader<T>;
}

/** Defines a flag without a value that is off unless it is given. */
export function offSwitch(description: string): Flag<boolean> {
  return { type: 'boolean', description, read: withDefault(false, readBoolean) };
}

/**
 * Defines a flag without a value, such as `--NAME` or `--no-NAME`. If neither is given, a setting
 * or the situation decides.
 *
 * @param denied what `--no-NAME` does, for the help
 */
export function undecidedSwitch(description: string, denied?: string): Flag<boolean | undefined> {
  const read = parseOptional(readBoolean);
  return { type: 'boolean', description, ...withoutUndefined({ off: denied }), read };
}

/**
 * Defines a flag whose value may be any text.
 *
 * @param hint the placeholder for the value in the help
 */
export function textFlag(hint: string, description: string): Flag<string | undefined> {
  return wordFlag(hint, description, parseOptional(readString));
}

/**
 * Defines a flag whose value must have a certain form, such as one of a few words or a duration.
 *
 * @param hint the placeholder for the value in the help
 */
export function wordFlag<T>(hint: string, description: string, read: Reader<T>): Flag<T> {
  return { type: 'string', hint, description, read };
}

/**
 * Defines a flag whose value is a number.
 *
 * @param hint the placeholder for the value in the help
 */
export function numberFlag<T>(hint: string, description: string, read: Reader<T>): Flag<T> {
  return { type: 'number', hint, description, read };
}

/**
 * Defines a flag that may be repeated; its value is a list.
 *
 * @param hint the placeholder for one value in the help
 */
export function repeatableFlag(hint: string, description: string): Flag<string[]> {
  return { type: 'string', isMultiple: true, hint, description, read: readStrings };
}
