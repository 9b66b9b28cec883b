import { joinLines } from '../../../text/line.ts';

/** Text in one line of a prompt, cut where it is longer. Recorded runs are replayed by it: it stays as it is. */
export function short(text: string, limit: number): string {
  const line = joinLines(text);
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
