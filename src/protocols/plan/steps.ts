/**
 * Orders a plan's steps by their keys, to tell which steps come after the point where a fork changes a
 * model.
 */

const PHASES = ['staff', 'ask', 'research', 'gate'];
const LAST = ['decide', 'synthesis'];
/** A number larger than any number of rounds. */
const ROUNDS = 100;

function placeOf(key: string): number {
  const [phase = '', part = ''] = key.split('/');
  const early = PHASES.indexOf(phase);
  if (early >= 0) return early;
  const round = /^round-(\d+)$/.exec(phase)?.[1];
  if (round !== undefined)
    return PHASES.length + Number(round) * 2 + (part.startsWith('examine') ? 1 : 0);
  return PHASES.length + ROUNDS + LAST.indexOf(phase);
}

/**
 * Returns whether the step `key` belongs to the same phase of a plan as the step `from`, or to a later phase. In
 * a round, the seats' answers are one phase, and the searches for conflicts are the next.
 */
export function isFrom(key: string, from: string): boolean {
  return placeOf(key) >= placeOf(from);
}
