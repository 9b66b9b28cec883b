/** How the value of a flag is read. Not by the library that checks files: each start would wait for it. */

import { UsageError } from '../kernel/errors.ts';

/** Reads a value as it was parsed; undefined where the flag was not given. @throws UsageError saying what it expected */
export type Reader<T> = (given: unknown) => T;

/** A flag that was not given is the fallback, or undefined. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (given) => (given === undefined ? undefined : read(given));
}

export function otherwise<T>(fallback: T, read: Reader<T>): Reader<T> {
  return (given) => (given === undefined ? fallback : read(given));
}

export const string: Reader<string> = (given) => {
  if (typeof given !== 'string') throw new UsageError('expected a value');
  return given;
};

export const boolean: Reader<boolean> = (given) => {
  if (typeof given !== 'boolean') throw new UsageError('expected true, false or no value');
  return given;
};

export const several: Reader<string[]> = (given = []) => {
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
