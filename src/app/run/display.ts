/** Which display a call of the program gets. */
import type { Invocation } from '../invocation.ts';

export type Display = 'console' | 'plain' | 'json';

/** The console needs a person at a terminal that can be drawn on. */
export function displayOf({ flags, env, out, stdin }: Invocation): Display {
  if (flags.json) return 'json';
  if (flags.plain || !out.isTTY || !stdin.isTTY || env.TERM === 'dumb') return 'plain';
  return 'console';
}

/**
 * Resolves when the terminal has what was said on it. A screen that opens earlier finds the rest of it
 * written across its first frame.
 */
export async function toldBefore({ err }: Invocation): Promise<void> {
  if (err.isTTY) await err.drain();
}
