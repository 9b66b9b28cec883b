/** The order of a team's steps, by their keys: from where on a change of a fork holds. */

const PHASES = [
  'survey',
  'plan',
  'approve',
  'base',
  'design',
  'graph',
  'tests',
  'task',
  'join',
  'verify',
  'accept',
  'deliver',
];

/**
 * Where a step stands: its phase, and which attempt or round of it. A key that belongs to no phase comes
 * before all of them: nothing that is not known is taken for later.
 */
function placeOf(key: string): readonly [phase: number, time: number] {
  const phase = PHASES.indexOf(key.split('/', 1)[0] ?? '');
  const time = /\/(?:attempt|round)-(\d+)(?:\/|$)/.exec(key)?.[1];
  return [phase, Number(time ?? 0)];
}

/** Whether a step is that one, or comes after it. Of two tasks neither comes first: only attempts count. */
export function isFrom(key: string, from: string): boolean {
  const [phase, time] = placeOf(key);
  const [ofFrom, timeOfFrom] = placeOf(from);
  return phase > ofFrom || (phase === ofFrom && time >= timeOfFrom);
}
