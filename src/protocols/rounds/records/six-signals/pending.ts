/**
 * Signal 6: whether claims have been dealt with. Under the first rules that is any status but pending.
 * Under the second, most of what is raised cannot be decided by reading or argument, and need not be:
 * what counts is that it was looked at, and that decisions rest on little that is open.
 */
import { plural } from '../../../../text/numbers.ts';
import { type ClaimState, claimStates, lastFindings } from '../standing/claims.ts';
import { decisionStates, isGround } from '../standing/decisions.ts';
import { factsIn } from '../standing/facts.ts';
import { readerOf } from '../standing/reader.ts';
import { PENDING_LIMIT, RELIED_FOR_A_SHARE } from '../thresholds.ts';
import { affectedBy, isVerdict } from '../timeline.ts';
import { EPSILON, percent } from '../trend.ts';
import type { Check, Records } from '../types.ts';
import { type Measurement, nothing } from './measurement.ts';

/** Measures signal 6: whether few claims are undecided. */
export function pendingClaims(records: Records): Measurement {
  if (records.claims.length === 0) return nothing('no claim yet');
  if (records.rules === 2) return openGround(records);
  const value = pendingShare(records);
  const state = value < PENDING_LIMIT - EPSILON ? 'satisfied' : 'unsatisfied';
  const pending = records.claims.filter(({ status }) => status === 'pending').length;
  const why = `${pending} of ${plural(records.claims.length, 'claim')} pending (${percent(value)}), below ${percent(PENDING_LIMIT)} wanted`;
  return { state, value, threshold: PENDING_LIMIT, why };
}

/**
 * Returns the share of claims that nobody has tested, from 0 to 1; 0 if there are no claims. Since
 * edition 2 of the rules (which determine how claims are decided): the share that nobody has
 * checked in any way.
 */
export function pendingShare(records: Records): number {
  const { all, waiting } = waitingClaims(records);
  return all === 0 ? 0 : waiting.length / all;
}

/** Returns the word for the claims that `pendingShare` counts. */
export function pendingWord({ rules }: Pick<Records, 'rules'>): string {
  return rules === 2 ? 'never looked at' : 'pending';
}

/**
 * Returns the claims that `pendingShare` counts: all of them, and those that nobody has tested or
 * checked.
 */
export function waitingClaims(records: Records): {
  readonly all: number;
  readonly waiting: Records['claims'];
} {
  const { claims, rules } = records;
  const pending = claims.filter(({ status }) => status === 'pending');
  if (rules !== 2) return { all: claims.length, waiting: pending };
  const facts = factsIn(records);
  const read = lastFindings(records);
  const weighed = new Set(
    records.verifications.flatMap((one) =>
      one.result === 'NOT_APPLICABLE' || one.degraded !== undefined ? [] : [...affectedBy(one)],
    ),
  );
  const argued = lastWeighing(records);
  return {
    all: claims.length - facts.size,
    waiting: pending.filter(({ id, round }) => !read.has(id) && !weighed.has(id) && round > argued),
  };
}

/**
 * Where there is nothing to read, a claim has been looked at once it was held against a verdict that can
 * move claims, whatever that made of it: the last round in which open claims were; 0 where none was.
 */
function lastWeighing(records: Records): number {
  const { documents, verifications, refusals = [] } = records;
  if (documents !== false || typeof readerOf(records) === 'string') return 0;
  const failed = new Set(
    refusals.flatMap(({ kind, round, text }) =>
      kind === 'call' && text.endsWith('/F/bearings') ? [round] : [],
    ),
  );
  const weighing = verifications.filter(
    (one) =>
      MOVING.has(one.check) && isVerdict(one) && one.result !== 'UNCLEAR' && !failed.has(one.round),
  );
  return Math.max(0, ...weighing.map(({ round }) => round));
}

/** The checks whose verdicts may move claims: they put two sides against each other. */
const MOVING: ReadonlySet<Check> = new Set<Check>([
  'critic_attack_on_action_trace',
  'guardian_vs_observer_walkthrough',
]);

function openGround(records: Records): Measurement {
  if (records.documents !== false && typeof readerOf(records) === 'string')
    return nothing('nobody here has shown that they can read: no claim is settled by the text');
  const { all, waiting } = waitingClaims(records);
  if (all === 0) return nothing('every claim so far only repeats the text');
  const relied = reliedClaims(records);
  if (relied.length < RELIED_FOR_A_SHARE)
    return nothing(
      `standing decisions rest on ${plural(relied.length, 'claim')} that the text does not say outright: it takes ${RELIED_FOR_A_SHARE}`,
    );
  const unseen = waiting.length / all;
  const open = relied.filter(({ dealtWith }) => !dealtWith).length;
  const value = Math.max(unseen, open / relied.length);
  const state = value < PENDING_LIMIT - EPSILON ? 'satisfied' : 'unsatisfied';
  const why = `${waiting.length} of ${plural(all, 'claim')} never looked at (${percent(unseen)}), and ${open} of ${relied.length} that standing decisions rest on undecided (${percent(open / relied.length)}); below ${percent(PENDING_LIMIT)} wanted of both`;
  return { state, value, threshold: PENDING_LIMIT, why };
}

/**
 * The claims that standing decisions rest on, facts aside. One that is open is dealt with where every
 * decision that rests on it names its test as a condition.
 */
function reliedClaims(records: Records): { readonly id: string; readonly dealtWith: boolean }[] {
  const decisions = decisionStates(records);
  const unconditional = new Set(
    decisions.flatMap(({ decision, standing }) =>
      standing === 'stands'
        ? decision.cites.flatMap((cite) =>
            isGround(cite) && !decision.conditions?.includes(cite.id) ? [cite.id] : [],
          )
        : [],
    ),
  );
  return claimStates(records, decisions)
    .filter(({ isFact, reliedOn }) => !isFact && reliedOn.length > 0)
    .map((one) => ({
      id: one.claim.id,
      dealtWith: isDecided(one) || !unconditional.has(one.claim.id),
    }));
}

function isDecided({ standing }: ClaimState): boolean {
  return standing === 'confirmed' || standing === 'refuted';
}
