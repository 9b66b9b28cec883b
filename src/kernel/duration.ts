/** Parses and formats durations such as `30s`, and waits for a moment. */
import { UsageError } from './errors.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * The longest duration in milliseconds, about 24 days. With a longer delay, a timer of Node fires
 * at once.
 */
export const LONGEST_MS = 2 ** 31 - 1;

/**
 * Parses a duration such as `500ms`, `30s`, `2m` or `1h` into milliseconds. A bare number means
 * seconds.
 * @throws UsageError if the text is no duration, or if the duration is zero or longer than
 * `LONGEST_MS`
 */
export function parseDuration(text: string): number {
  const value = findDuration(text);
  if (value > LONGEST_MS)
    throw new UsageError(`"${text}" is too long`, 'The limit is 24 days: 576h.');
  if (value <= 0) throw new UsageError(`"${text}" is not a duration`, 'Use 30s, 2m or 500ms.');
  return value;
}

/** Parses a duration into milliseconds, without limits. Returns 0 if the text is no duration. */
export function findDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  return match === null ? 0 : Number(match[1]) * UNITS[(match[2] ?? 's') as keyof typeof UNITS];
}

/**
 * Formats milliseconds exactly, in the largest unit in which the number is whole: `2m`, `1500ms`.
 */
export function formatDuration(ms: number): string {
  const units = Object.entries(UNITS).toReversed();
  const [name, length] = units.find(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${ms / length}${name}`;
}

/**
 * Waits until the given time. Resolves to true at that time; resolves to false earlier if `until`
 * settles, or if `limit` is aborted meanwhile.
 * @param moment the time in ISO 8601, at most `LONGEST_MS` milliseconds away
 */
export async function waitUntil(
  moment: string,
  until: Promise<unknown>,
  limit: AbortSignal,
): Promise<boolean> {
  if (limit.aborted) return false;
  let timer: NodeJS.Timeout | undefined;
  let stopWaiting = (): void => undefined;
  const time = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), Math.max(0, Date.parse(moment) - Date.now()));
    stopWaiting = () => resolve(false);
    limit.addEventListener('abort', stopWaiting, { once: true });
  });
  const returnFalse = (): false => false;
  try {
    return await Promise.race([time, until.then(returnFalse, returnFalse)]);
  } finally {
    clearTimeout(timer);
    limit.removeEventListener('abort', stopWaiting);
  }
}
