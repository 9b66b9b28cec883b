/** Durations as people write them. */
import { UsageError } from './errors.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Some 24 days. Node's timers go off at once where they are asked for more. */
export const LONGEST_MS = 2 ** 31 - 1;

/** `500ms`, `30s`, `2m`, `1h`; a bare number is seconds. @throws UsageError */
export function milliseconds(text: string): number {
  const value = durationIn(text);
  if (value > LONGEST_MS)
    throw new UsageError(`"${text}" is too long`, 'The limit is 24 days: 576h.');
  if (value <= 0) throw new UsageError(`"${text}" is not a duration`, 'Use 30s, 2m or 500ms.');
  return value;
}

/** In milliseconds; 0 where the text is no duration. */
export function durationIn(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  return match === null ? 0 : Number(match[1]) * UNITS[(match[2] ?? 's') as keyof typeof UNITS];
}

/** Formats milliseconds exactly, in the largest unit that takes no fraction: `2m`, `1500ms`. */
export function formatDuration(ms: number): string {
  const units = Object.entries(UNITS).toReversed();
  const [name, length] = units.find(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${ms / length}${name}`;
}
