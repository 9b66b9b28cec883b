/**
 * What a run can call its seats, roles and agents. The rule is asked where a run begins and where one is
 * imported, so that whatever was recorded here can be read elsewhere. What objects inherit, such as
 * `constructor`, is a name like any other: records are read by `entryOf`.
 */
import { sanitise } from '../text/sanitise.ts';
import { UsageError } from './errors.ts';
import type { Seat } from './model.ts';

/** Characters of one name. */
const LONGEST_NAME = 10_000;
/** Steps and paths are made of names: those of agents that call one another 32 deep, and a few words. */
export const LONGEST_KEY = 40 * LONGEST_NAME;

/** Returns why a run cannot hold this name; undefined where it can. */
export function nameProblem(name: string, longest = LONGEST_NAME): string | undefined {
  if (name.trim() === '') return 'the name is empty';
  if (name.length > longest)
    return `a name is limited to ${longest} characters, this one has ${name.length}`;
  // The sanitiser leaves the joiners and selectors that emoji and scripts are written with.
  const isSeen = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && sanitise(name) === name;
  return isSeen ? undefined : 'the name contains invisible characters';
}

interface SeatProblem {
  /** The seat's place in the list. */
  readonly index: number;
  readonly field: 'id' | 'role';
  readonly message: string;
}

/** Returns the first seat that no run can hold; undefined where all can sit at one table. */
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

/** @throws UsageError where a run could not hold these seats. */
export function refuseSeats(seats: readonly Pick<Seat, 'id' | 'role'>[]): void {
  const problem = seatProblem(seats);
  if (problem === undefined) return;
  const { index, field, message } = problem;
  throw new UsageError(`seat ${index + 1}, ${field}: ${message}`, 'Give it another name.');
}

/** A name in a message: quoted, and not longer than a line. */
export function showName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
