/**
 * Rules about the order of rounds: nothing replaces, tests or decides a claim that was raised
 * later.
 */
import { findNamedClaims } from '../timeline.ts';
import {
  type Context,
  type Errors,
  makeClaimReporter,
  makeDecisionReporter,
  makeVerificationReporter,
  type ProblemMaker,
} from './context.ts';

/**
 * Checks that no record tests, contradicts or replaces a claim that was raised in a later round, that no claim was
 * superseded before it was raised, and that no status changed before the verification that changed it.
 */
export function* checkOrder(context: Context): Errors {
  const { claims, verifications } = context.records;
  const findLaterRound = (id: string | undefined, round: number): number | undefined => {
    const raised = context.claims.get(id ?? '')?.round;
    return raised !== undefined && raised > round ? raised : undefined;
  };
  for (const claim of claims) {
    const say = makeClaimReporter(context, claim);
    for (const [verb, id] of [
      ['supersedes', claim.supersedes],
      ['challenges', claim.challenges],
    ] as const) {
      const raised = findLaterRound(id, claim.round);
      if (raised !== undefined)
        yield say('backwards', `it ${verb} ${id}, which was raised later, in round ${raised}`);
    }
    if (claim.superseded_in !== undefined && claim.superseded_in < claim.round)
      yield say(
        'backwards',
        `it was superseded in round ${claim.superseded_in}, before it was raised`,
      );
  }
  for (const verification of verifications) {
    const say = makeVerificationReporter(context, verification);
    for (const id of findNamedClaims(verification)) {
      const raised = findLaterRound(id, verification.round);
      if (raised !== undefined)
        yield say('backwards', `it tests ${id}, which was raised later, in round ${raised}`);
    }
    for (const { claim_id, round } of verification.claim_status_changes ?? [])
      if (round !== undefined && round < verification.round)
        yield say('backwards', `it moves ${claim_id} in round ${round}, before it was made`);
  }
}

/** Reports ids that differ only in upper and lower case, because readers could confuse them. */
export function* checkLetterCase(context: Context): Errors {
  const { claims, verifications, decisions } = context.records;
  yield* alikeIn(claims, (claim) => makeClaimReporter(context, claim));
  yield* alikeIn(verifications, (verification) => makeVerificationReporter(context, verification));
  yield* alikeIn(decisions, (decision) => makeDecisionReporter(context, decision));
}

function* alikeIn<T extends { readonly id: string }>(
  records: readonly T[],
  sayOf: (record: T) => ProblemMaker,
): Errors {
  const first = new Map<string, string>();
  for (const record of records) {
    const plain = record.id.toLowerCase();
    const before = first.get(plain);
    if (before === undefined) first.set(plain, record.id);
    else
      yield sayOf(record)('duplicate-id', `${record.id} and ${before} differ only in letter case`);
  }
}
