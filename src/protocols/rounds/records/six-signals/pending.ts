/**
 * Signal 6: whether claims have been settled. In edition 1 of the rules, every status except
 * pending counts. Since edition 2, a claim must have been checked, and decisions must rest on few
 * open claims, because most claims cannot be decided by reading or argument.
 */
import { formatCount } from '../../../../text/numbers.ts';
import type { Records } from '../records.ts';
import { type ClaimState, deriveClaimStates, findLastFindings } from '../standing/claims.ts';
import { deriveDecisionStates, isGround } from '../standing/decisions.ts';
import { findRepeatedFacts } from '../standing/facts.ts';
import { findReader } from '../standing/reader.ts';
import { PENDING_LIMIT, RELIED_FOR_A_SHARE } from '../thresholds.ts';
import { findNamedClaims, isVerdict } from '../timeline.ts';
import { EPSILON, formatPercent } from '../trend.ts';
import type { Check } from '../types.ts';
import { type Measurement, makeUninformative } from './measurement.ts';

/**
 * Measures signal 6. Under edition 1 of the rules: whether few claims are undecided. Since edition 2: whether few claims
 * wait for a check, and few of the claims on which valid decisions rest are undecided.
 */
export function measurePendingClaims(records: Records): Measurement {
  if (records.claims.length === 0) return makeUninformative('no claim yet');
  if (records.rules === 2) return openGround(records);
  const value = computePendingShare(records);
  const state = value < PENDING_LIMIT - EPSILON ? 'satisfied' : 'unsatisfied';
  const pending = records.claims.filter(({ status }) => status === 'pending').length;
  const why = `${pending} of ${formatCount(records.claims.length, 'claim')} pending (${formatPercent(value)}), below ${formatPercent(PENDING_LIMIT)} wanted`;
  return { state, value, threshold: PENDING_LIMIT, why };
}

/**
 * Returns the share of claims that wait for a check, by the rules of `findPendingClaims`, from 0 to 1; 0 if no claim
 * counts.
 */
export function computePendingShare(records: Records): number {
  const { all, waiting } = findPendingClaims(records);
  return all === 0 ? 0 : waiting.length / all;
}

/**
 * Returns the words for claims that wait for a check: `never looked at`, or `pending` before
 * edition 2 of the rules.
 */
export function getPendingWord({ rules }: Pick<Records, 'rules'>): string {
  return rules === 2 ? 'never looked at' : 'pending';
}

/**
 * Returns how many claims count (`all`), and which of them wait for a check (`waiting`). Before edition 2 of the rules,
 * all claims count, and every pending claim waits. Since edition 2, claims that only repeat the text do not count, and
 * a pending claim waits until a verification, a reading or a comparison with verdicts has examined it.
 */
export function findPendingClaims(records: Records): {
  readonly all: number;
  readonly waiting: Records['claims'];
} {
  const { claims, rules } = records;
  const pending = claims.filter(({ status }) => status === 'pending');
  if (rules !== 2) return { all: claims.length, waiting: pending };
  const facts = findRepeatedFacts(records);
  const read = findLastFindings(records);
  const weighed = new Set(
    records.verifications.flatMap((verification) =>
      verification.result === 'NOT_APPLICABLE' || verification.degraded !== undefined
        ? []
        : [...findNamedClaims(verification)],
    ),
  );
  const argued = lastWeighing(records);
  return {
    all: claims.length - facts.size,
    waiting: pending.filter(({ id, round }) => !read.has(id) && !weighed.has(id) && round > argued),
  };
}

/**
 * Returns the last round in which open claims were compared with verdicts, or 0. Only in a run
 * without texts does this comparison count as a check of a claim.
 */
function lastWeighing(records: Records): number {
  const { documents, verifications, refusals = [] } = records;
  if (documents !== false || typeof findReader(records) === 'string') return 0;
  const failed = new Set(
    refusals.flatMap(({ kind, round, text }) =>
      kind === 'call' && text.endsWith('/F/bearings') ? [round] : [],
    ),
  );
  const weighing = verifications.filter(
    (verification) =>
      MOVING.has(verification.check) &&
      isVerdict(verification) &&
      verification.result !== 'UNCLEAR' &&
      !failed.has(verification.round),
  );
  return Math.max(0, ...weighing.map(({ round }) => round));
}

/** The two of the four checks whose verdicts may decide claims. The others are about friction and decisions. */
const MOVING: ReadonlySet<Check> = new Set<Check>([
  'critic_attack_on_action_trace',
  'guardian_vs_observer_walkthrough',
]);

function openGround(records: Records): Measurement {
  if (records.documents !== false && typeof findReader(records) === 'string')
    return makeUninformative(
      'nobody here has shown that they can read: no claim is settled by the text',
    );
  const { all, waiting } = findPendingClaims(records);
  if (all === 0) return makeUninformative('every claim so far only repeats the text');
  const relied = reliedClaims(records);
  if (relied.length < RELIED_FOR_A_SHARE)
    return makeUninformative(
      `standing decisions rest on ${formatCount(relied.length, 'claim')} that the text does not say outright: it takes ${RELIED_FOR_A_SHARE}`,
    );
  const unseen = waiting.length / all;
  const open = relied.filter(({ dealtWith }) => !dealtWith).length;
  const value = Math.max(unseen, open / relied.length);
  const state = value < PENDING_LIMIT - EPSILON ? 'satisfied' : 'unsatisfied';
  const why = `${waiting.length} of ${formatCount(all, 'claim')} never looked at (${formatPercent(unseen)}), and ${open} of ${relied.length} that standing decisions rest on undecided (${formatPercent(open / relied.length)}); below ${formatPercent(PENDING_LIMIT)} wanted of both`;
  return { state, value, threshold: PENDING_LIMIT, why };
}

/**
 * Returns the claims on which valid decisions rest, without those that only repeat the text. An
 * open claim counts as settled if every decision on it names its test as a condition.
 */
function reliedClaims(records: Records): { readonly id: string; readonly dealtWith: boolean }[] {
  const decisions = deriveDecisionStates(records);
  const unconditional = new Set(
    decisions.flatMap(({ decision, standing }) =>
      standing === 'stands'
        ? decision.cites.flatMap((cite) =>
            isGround(cite) && !decision.conditions?.includes(cite.id) ? [cite.id] : [],
          )
        : [],
    ),
  );
  return deriveClaimStates(records, decisions)
    .filter(({ isFact, reliedOn }) => !isFact && reliedOn.length > 0)
    .map((claimState) => ({
      id: claimState.claim.id,
      dealtWith: isDecided(claimState) || !unconditional.has(claimState.claim.id),
    }));
}

function isDecided({ standing }: ClaimState): boolean {
  return standing === 'confirmed' || standing === 'refuted';
}
