/** Parses and compares calendar days such as `2027-03-01`, without a time of day or a time zone. */
import { UsageError } from '../kernel/errors.ts';

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Returns whether a text is a day that exists in the calendar: `2027-02-30` does not. */
export function isDay(text: string): boolean {
  const [, year, month, day] = FORM.exec(text) ?? [];
  if (year === undefined) return false;
  const made = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(made.getTime()) && made.toISOString().slice(0, 10) === text;
}

/** Returns the calendar day of a moment in the time zone of this process: `2027-03-01`. */
export function dayOf(moment: Date): string {
  const toTwoDigits = (part: number): string => String(part).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  return `${year}-${toTwoDigits(moment.getMonth() + 1)}-${toTwoDigits(moment.getDate())}`;
}

/**
 * Returns the day that is `days` days after `day`, or before `day` if `days` is negative.
 *
 * @throws RangeError if `day` cannot be parsed as a date
 */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of days from one day to another; negative if `to` comes first. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

const SPAN = /^(\d{1,4})(d|w|m|y)$/;
const DAYS = { d: 1, w: 7, m: 30, y: 365 } as const;
/** How many days ahead of today a day named by a person may be at most. */
const MOST_DAYS = 3650;

/**
 * Parses a future day as people write it: a date such as `2027-03-01`, or a span from today such as
 * `90d`, `6w`, `3m` (of 30 days each) or `1y` (of 365 days). Returns the date.
 *
 * @throws UsageError if the text is neither, or if the day is not after today or more than 3650
 * days ahead
 */
export function readDayAhead(text: string, today: string): string {
  const [, count = '', unit] = SPAN.exec(text.trim()) ?? [];
  const day =
    unit === undefined
      ? text.trim()
      : addDays(today, Number(count) * DAYS[unit as keyof typeof DAYS]);
  if (!isDay(day))
    throw new UsageError(
      `"${text}" is not a date`,
      'Use a date such as 2027-03-01, or a span such as 90d or 6w.',
    );
  if (day <= today)
    throw new UsageError(`${day} is not in the future: today is ${today}`, 'Name a later date.');
  if (daysBetween(today, day) > MOST_DAYS)
    throw new UsageError(`${day} is more than ten years away`, 'Name an earlier date.');
  return day;
}
