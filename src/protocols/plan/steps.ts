/** The order of a plan's steps, by their keys: from where on a change of a fork holds. */

const PHASES = ['staff', 'ask', 'research', 'gate'];
const LAST = ['decide', 'synthesis'];
/** More rounds than there can be. */
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

/** Whether the step `key` is the step `from` or a later one. */
export function isFrom(key: string, from: string): boolean {
  return placeOf(key) >= placeOf(from);
}
