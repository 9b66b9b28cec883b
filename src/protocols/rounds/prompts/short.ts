import { joinLines } from '../../../text/line.ts';

/**
 * Reduces a text to one line of at most `limit` characters. Recorded prompts contain results of
 * this function, so it must not change.
 */
export function shortenForPrompt(text: string, limit: number): string {
  const line = joinLines(text);
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
