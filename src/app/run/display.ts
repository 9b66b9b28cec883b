/** Which display a call of the program gets. */
import type { Invocation } from '../invocation.ts';

export type Display = 'console' | 'plain' | 'json';

/** The console needs a person at a terminal that can be drawn on. */
export function displayOf({ flags, env, out, stdin }: Invocation): Display {
  if (flags.json) return 'json';
  if (flags.plain || !out.isTTY || !stdin.isTTY || env.TERM === 'dumb') return 'plain';
  return 'console';
}

/** The part of a run's id that is shown: its first 48 bits, the millisecond it began in. */
export function shortId(id: string): string {
  return id.slice(0, 13);
}

/**
 * Resolves when the terminal has what was said on it. A screen that opens earlier finds the rest of it
 * written across its first frame.
 */
export async function toldBefore({ err }: Invocation): Promise<void> {
  if (err.isTTY) await err.drained();
}
