/**
 * The changes of a fork, and the step from which each applies. They are part of the run's settings,
 * so every later attempt makes the same requests. Steps before a change are found in the parent's
 * journal.
 */
import * as z from 'zod';
import type { Seat } from '../../kernel/model.ts';
import type { Phase } from './claims/rounds-view.ts';

/**
 * The schema of a change that distinguishes a fork from its parent run: from a certain step on, a
 * seat has another model or a claim has another wording.
 */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('model'),
    /** The beginning of the key of the first step to which the change applies. */
    from: z.string(),
    /** The seat that gets another model: a role, or `verifier`. */
    seat: z.string(),
    model: z.string(),
    /** The model that the seat had before the change. */
    was: z.string(),
  }),
  z.object({
    kind: z.literal('claim'),
    /** The phase from which on the claim has the new wording: `round-3/D`. */
    from: z.string(),
    claim: z.string(),
    text: z.string(),
  }),
]);
/** A change that a fork makes from a certain step on. */
export type Change = z.infer<typeof changeSchema>;

/**
 * The parts of a round in their order. Steps of one part run at the same time, unless `WITHIN`
 * gives them an order.
 */
const PARTS: readonly string[] = [
  'heed',
  ...'ABCDEFGH',
  'signals',
  'stop',
  'synthesis',
  'predictions',
];
const WITHIN: Readonly<Record<string, number>> = {
  'A/stance': 1,
  'A/options': 2,
  'A/vote': 3,
  'A/prediction': 4,
  'E/3': 1,
  'E/4': 2,
  'F/claims': 1,
  'F/concessions': 2,
  'F/bearings': 3,
  'F/moves': 4,
  'F/reading': 5,
  'F/look': 6,
  'F/look-again': 7,
  'F/settled': 8,
  'F/challenges': 9,
  'F/records': 10,
  'G/signature': 1,
  'H/stance': 1,
  'H/options': 2,
  'H/vote': 3,
  'synthesis/moves': 1,
  'synthesis/stance': 2,
  'synthesis/alone': 2,
  'synthesis/options': 3,
  'synthesis/vote': 4,
  'synthesis/options-of-all': 5,
  'synthesis/shifts': 6,
};

/**
 * Returns the position of a step: round, part of the round, and position within the part. Returns
 * undefined for other keys.
 */
function turnOf(step: string): [number, number, number] | undefined {
  const match = /^round-(\d+)(?:\/([^/]+))?(?:\/([^/]+))?/.exec(step);
  if (match === null) return undefined;
  const [, round, part, name] = match;
  const index = part === undefined ? 0 : PARTS.indexOf(part);
  return [Number(round), index, WITHIN[`${part}/${name}`] ?? 0];
}

/**
 * Returns whether a step comes at or after the point from which a fork's change applies.
 * @param step the step's key
 * @param from the point, as the beginning of a step's key: `round-3/D`
 */
export function appliesTo(step: string, from: string): boolean {
  if (step === from || step.startsWith(`${from}/`)) return true;
  const turn = turnOf(step);
  const start = turnOf(from);
  if (turn === undefined || start === undefined) return false;
  const [round, part, within] = turn;
  // A fork's change applies to every step of a later round. The synthesis also counts as later: its key has the
  // number of the last round plus one.
  if (round !== start[0]) return round > start[0];
  return part === start[1] ? within > start[2] : part > start[1];
}

/**
 * Returns the seat with the model that plays it in one step of a fork. A step before the first
 * change of the model gets the parent run's model.
 */
export function seatAt(seat: Seat, step: string, changes: readonly Change[]): Seat {
  const own = changes
    .filter((change) => change.kind === 'model')
    .filter((change) => change.seat === seat.id);
  const [first] = own;
  if (first === undefined) return seat;
  return { ...seat, model: own.findLast(({ from }) => appliesTo(step, from))?.model ?? first.was };
}

/** Returns the changes of claims' wordings that a fork makes at the beginning of a phase. */
export function findEdits(
  round: number,
  phase: Phase,
  changes: readonly Change[],
): (Change & { kind: 'claim' })[] {
  return changes
    .filter((change) => change.kind === 'claim')
    .filter(({ from }) => from === `round-${round}/${phase}`);
}
