/**
 * Units that seats may answer in, so that "7 months" is converted if weeks were agreed. Only exact, unambiguous
 * units are listed: money is not converted, and an unknown unit is refused, never guessed.
 */

interface Refused {
  readonly ok: false;
  /** A sentence for the seat that is asked again. */
  readonly why: string;
}

/** A value that was read from an answer, or the reason why the answer is refused. */
export type ReadValue<T> = { readonly ok: true; readonly value: T } | Refused;

interface Unit {
  readonly of: 'time' | 'bytes' | 'share' | 'number';
  /** The size in milliseconds, bytes, wholes or ones. */
  readonly size: number;
}

const DAY = 86_400_000;
/** The mean year of the Gregorian calendar, 365.2425 days; a month is a twelfth of it. */
const YEAR = 365.2425 * DAY;

/** Names of units in lower case, in all usual forms. */
const NAMES = makeUnits([
  ['time', 1, 'ms msec msecs millisecond milliseconds'],
  ['time', 1000, 's sec secs second seconds'],
  ['time', 60_000, 'min mins minute minutes'],
  ['time', 3_600_000, 'h hr hrs hour hours'],
  ['time', DAY, 'd day days'],
  ['time', 7 * DAY, 'w wk wks week weeks'],
  ['time', 14 * DAY, 'fortnight fortnights'],
  ['time', YEAR / 12, 'mo mos month months'],
  ['time', YEAR / 4, 'quarter quarters'],
  ['time', YEAR, 'y yr yrs year years'],
  ['bytes', 1, 'byte bytes'],
  ['bytes', 1e3, 'kilobyte kilobytes'],
  ['bytes', 1e6, 'megabyte megabytes'],
  ['bytes', 1e9, 'gigabyte gigabytes'],
  ['bytes', 1e12, 'terabyte terabytes'],
  ['bytes', 1e15, 'petabyte petabytes'],
  ['bytes', 2 ** 10, 'kib kibibyte kibibytes'],
  ['bytes', 2 ** 20, 'mib mebibyte mebibytes'],
  ['bytes', 2 ** 30, 'gib gibibyte gibibytes'],
  ['bytes', 2 ** 40, 'tib tebibyte tebibytes'],
  ['share', 1, 'share fraction probability'],
  ['share', 0.01, '% percent pct'],
  ['share', 0.001, '‰ permille'],
  ['number', 1, 'count number'],
  ['number', 1e3, 'thousand thousands'],
  ['number', 1e6, 'million millions'],
  ['number', 1e9, 'billion billions'],
]);

/** Signs that are case-sensitive: a Mb is an eighth of a MB. */
const SIGNS = makeUnits([
  ['bytes', 1, 'B'],
  ['bytes', 1e3, 'kB KB'],
  ['bytes', 1e6, 'MB'],
  ['bytes', 1e9, 'GB'],
  ['bytes', 1e12, 'TB'],
  ['bytes', 1e15, 'PB'],
]);

/**
 * Returns whether a unit can be converted to others. Seats may agree on an unknown unit, but then
 * all of them must use it exactly.
 */
export function isKnownUnit(unit: string): boolean {
  return unitOf(unit) !== undefined;
}

/**
 * Converts a value from one unit to another. Equal units need no conversion, even if they are
 * unknown.
 *
 * @returns the converted value, or a refusal with the reason if a unit is unknown, the units measure
 *   different things (such as time and bytes), or a value is not a finite number
 */
export function convertUnit(value: number, from: string, to: string): ReadValue<number> {
  if (!Number.isFinite(value)) return { ok: false, why: 'The value is not a finite number.' };
  if (toPlainUnit(from) === toPlainUnit(to) && SIGNS.get(from.trim()) === SIGNS.get(to.trim()))
    return { ok: true, value };
  const [source, target] = [unitOf(from), unitOf(to)];
  if (source === undefined)
    return { ok: false, why: `The unit "${from}" is not known; answer in ${to}.` };
  if (target === undefined || source.of !== target.of)
    return { ok: false, why: `"${from}" cannot be converted; answer in ${to}.` };
  // Round to 14 digits, so that 3 weeks are exactly 21 days.
  const converted = Number(((value * source.size) / target.size).toPrecision(14));
  return Number.isFinite(converted)
    ? { ok: true, value: converted }
    : { ok: false, why: `The value is too large in ${to}.` };
}

function unitOf(unit: string): Unit | undefined {
  return SIGNS.get(unit.trim()) ?? NAMES.get(toPlainUnit(unit));
}

function toPlainUnit(unit: string): string {
  return unit.normalize('NFKC').trim().toLowerCase().replace(/\.$/, '');
}

function makeUnits(rows: readonly (readonly [Unit['of'], number, string])[]): Map<string, Unit> {
  return new Map(
    rows.flatMap(([of, size, names]) => {
      const unit = { of, size };
      return names.split(' ').map((name) => [name, unit] as const);
    }),
  );
}
