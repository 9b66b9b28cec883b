/**
 * Checks the names of seats, roles and agents. The same check applies when a run begins and when a run is
 * imported, so that every recorded run can be imported elsewhere. Names of properties that all objects
 * inherit, such as `constructor`, are allowed, since records are read by `entryOf`.
 */
import { sanitiseText } from '../text/sanitise.ts';
import { UsageError } from './errors.ts';
import type { Seat } from './model.ts';

/** The most characters that a name may have. */
const LONGEST_NAME = 10_000;
/**
 * The most characters of a step's key, or of a path in such a key: enough for the names of 32
 * nested agents and a few words.
 */
export const LONGEST_KEY = 40 * LONGEST_NAME;

/**
 * Returns why a name within a run, such as a seat's id or a step's key, is invalid, as part of a sentence.
 * Returns undefined if the name is valid.
 * @param longest the most characters that the name may have
 */
export function nameProblem(name: string, longest = LONGEST_NAME): string | undefined {
  if (name.trim() === '') return 'the name is empty';
  if (name.length > longest)
    return `a name is limited to ${longest} characters, this one has ${name.length}`;
  // Refuse invisible characters. Joiners and variation selectors pass only where an emoji or a script needs them.
  const isSeen = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && sanitiseText(name) === name;
  return isSeen ? undefined : 'the name contains invisible characters';
}

interface SeatProblem {
  /** The seat's position in the list, from 0. */
  readonly index: number;
  readonly field: 'id' | 'role';
  readonly message: string;
}

/**
 * Returns the first invalid id or role, or repeated id, among the seats: the seat's position from 0, the field,
 * and the problem as a part of a sentence. Returns undefined if all are valid. A role may be repeated.
 */
export function seatProblem(seats: readonly Pick<Seat, 'id' | 'role'>[]): SeatProblem | undefined {
  const ids = new Set<string>();
  for (const [index, { id, role }] of seats.entries()) {
    for (const [field, name] of [
      ['id', id],
      ['role', role],
    ] as const) {
      const message = nameProblem(name);
      if (message !== undefined) return { index, field, message };
    }
    if (ids.has(id)) return { index, field: 'id', message: `two seats are called ${showName(id)}` };
    ids.add(id);
  }
  return undefined;
}

/**
 * Checks the ids and roles of a run's seats.
 * @throws UsageError for the first id or role that is invalid, and for the first id that is repeated
 */
export function refuseSeats(seats: readonly Pick<Seat, 'id' | 'role'>[]): void {
  const problem = seatProblem(seats);
  if (problem === undefined) return;
  const { index, field, message } = problem;
  throw new UsageError(`seat ${index + 1}, ${field}: ${message}`, 'Give it another name.');
}

/** Quotes a name as JSON for a message. A name of more than 60 characters is cut there. */
export function showName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
