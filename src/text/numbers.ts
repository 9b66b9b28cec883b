/**
 * Formats numbers for a quick reading: two or three significant digits and a unit, in few cells. Unknown or
 * invalid figures are shown as `-`.
 */

/** Shown in place of an unknown or invalid figure. */
const UNKNOWN = '-';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a number of tokens: `999`, `1.2k`, `41k`, `1.3M`. An estimate gets a `~`. */
export function formatTokens(count: number, estimated = false): string {
  if (!isFigure(count)) return UNKNOWN;
  if (estimated) return `~${formatTokens(count)}`;
  const whole = Math.round(count);
  if (whole < 1000) return String(whole);
  // From 999,500 on, a number would be rounded to 1000k, so write it as 1.0M.
  if (whole < 999_500) return `${twoDigits(whole / 1000)}k`;
  return `${twoDigits(whole / 1_000_000)}M`;
}

/** Formats a duration in milliseconds: `850ms`, `6.1s`, `42s`, `2m 05s`, `1h 03m`. */
export function formatMs(ms: number): string {
  if (!isFigure(ms)) return UNKNOWN;
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 9950) return `${(ms / SECOND).toFixed(1)}s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${padNumber(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h ${padNumber(minutes % 60)}m`;
}

/** Formats milliseconds as a running clock: `02:14`, with hours `1:02:14`. Seconds are rounded down. */
export function formatClock(ms: number): string {
  if (!isFigure(ms)) return UNKNOWN;
  const seconds = Math.floor(ms / SECOND);
  const clock = `${padNumber(Math.floor(seconds / 60) % 60)}:${padNumber(seconds % 60)}`;
  return seconds < 3600 ? clock : `${Math.floor(seconds / 3600)}:${clock}`;
}

/**
 * Formats a price in US dollars: `$0`, `<$0.001`, `$0.031`, `$1.24`, `$318`. An estimate gets a
 * `~`, unless the price is zero.
 */
export function formatUsd(usd: number, estimated = false): string {
  if (!isFigure(usd)) return UNKNOWN;
  if (usd === 0) return '$0';
  if (estimated) return `~${formatUsd(usd)}`;
  if (usd < 0.0005) return '<$0.001';
  if (usd < 0.9995) return `$${usd.toFixed(3)}`;
  return usd < 99.995 ? `$${usd.toFixed(2)}` : `$${Math.round(usd)}`;
}

/** Formats tokens per second: `4.8 t/s`, `48 t/s`. */
export function formatRate(tokensPerSecond: number): string {
  if (!isFigure(tokensPerSecond)) return UNKNOWN;
  return `${twoDigits(tokensPerSecond)} t/s`;
}

/**
 * Formats the milliseconds that have passed since an event: `just now`, `3 min ago`, `2 h ago`, `5
 * days ago`.
 */
export function formatAge(ms: number): string {
  if (!Number.isFinite(ms)) return UNKNOWN;
  if (ms < MINUTE) return 'just now'; // Clocks may disagree, so a small or negative age means now.
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/**
 * Formats how much time is left, at least and at most: `About 4 min left`, `About 4 to 9 min left`. If the
 * upper estimate is too high to be of use: `At least 4 min left`. Above ten minutes, minutes are rounded to
 * five. Returns undefined if less than a minute is left, and if only an upper estimate of little use is known.
 * @param high milliseconds; infinity if no upper bound is known
 */
export function formatTimeLeft(low: number, high: number): string | undefined {
  if (!(high >= MINUTE)) return undefined;
  if (high > MOST_TIMES * Math.max(low, MINUTE))
    return low < MINUTE ? undefined : `At least ${formatLeft(roundLeft(low))} left`;
  const [least, most] = [formatLeft(roundLeft(low)), formatLeft(roundLeft(high))];
  if (least === most) return `About ${most} left`;
  const [number, unit] = least.split(' ');
  return `About ${most.endsWith(` ${unit}`) ? number : least} to ${most} left`;
}

/** An upper estimate that is more than this many times the lower one is not shown. */
const MOST_TIMES = 5;

/** Rounds milliseconds to minutes, above ten minutes to five. */
function roundLeft(ms: number): number {
  const minutes = ms / MINUTE;
  return MINUTE * (minutes < 10 ? Math.max(1, Math.round(minutes)) : 5 * Math.round(minutes / 5));
}

/** Formats an estimate of the remaining milliseconds: `3 min`, `2 h`. Minutes are rounded up. */
export function formatLeft(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function twoDigits(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value));
}

function padNumber(value: number): string {
  return String(value).padStart(2, '0');
}

function isFigure(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** Formats a number with a noun: `1 claim`, `3 claims`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
