/**
 * Orders a team's steps by their keys, to tell which steps come after the point where a fork changes a
 * model.
 */

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
 * Returns the phase of a step and its attempt or round. An unknown key counts as before all phases, so that
 * it is never taken for a later step.
 */
function placeOf(key: string): readonly [phase: number, time: number] {
  const phase = PHASES.indexOf(key.split('/', 1)[0] ?? '');
  const time = /\/(?:attempt|round)-(\d+)(?:\/|$)/.exec(key)?.[1];
  return [phase, Number(time ?? 0)];
}

/**
 * Returns whether the step `key` is the step `from` or a later one. Steps are ordered by their
 * phase, and within a phase by the number of their attempt or round. Steps of different tasks are
 * compared in the same way.
 */
export function isStepFrom(key: string, from: string): boolean {
  const [phase, time] = placeOf(key);
  const [ofFrom, timeOfFrom] = placeOf(from);
  return phase > ofFrom || (phase === ofFrom && time >= timeOfFrom);
}
