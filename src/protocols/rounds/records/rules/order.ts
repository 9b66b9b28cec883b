/**
 * Rules about the order of rounds: nothing replaces, tests or decides a claim that was raised
 * later.
 */
import { findAffectedClaims } from '../timeline.ts';
import {
  type Context,
  type Errors,
  makeClaimReporter,
  makeDecisionReporter,
  makeVerificationReporter,
  type ProblemMaker,
} from './context.ts';

/**
 * Checks that no record tests, contradicts or replaces a claim that was raised in a later round.
 */
export function* checkOrder(context: Context): Errors {
  const { claims, verifications } = context.records;
  const later = (id: string | undefined, round: number): number | undefined => {
    const raised = context.claims.get(id ?? '')?.round;
    return raised !== undefined && raised > round ? raised : undefined;
  };
  for (const claim of claims) {
    const say = makeClaimReporter(context, claim);
    for (const [verb, id] of [
      ['supersedes', claim.supersedes],
      ['challenges', claim.challenges],
    ] as const) {
      const raised = later(id, claim.round);
      if (raised !== undefined)
        yield say('backwards', `it ${verb} ${id}, which was raised later, in round ${raised}`);
    }
    if (claim.superseded_in !== undefined && claim.superseded_in < claim.round)
      yield say(
        'backwards',
        `it was superseded in round ${claim.superseded_in}, before it was raised`,
      );
  }
  for (const one of verifications) {
    const say = makeVerificationReporter(context, one);
    for (const id of findAffectedClaims(one)) {
      const raised = later(id, one.round);
      if (raised !== undefined)
        yield say('backwards', `it tests ${id}, which was raised later, in round ${raised}`);
    }
    for (const { claim_id, round } of one.claim_status_changes ?? [])
      if (round !== undefined && round < one.round)
        yield say('backwards', `it moves ${claim_id} in round ${round}, before it was made`);
  }
}

/** Reports ids that differ only in upper and lower case, because readers could confuse them. */
export function* checkLetterCase(context: Context): Errors {
  const { claims, verifications, decisions } = context.records;
  yield* alikeIn(claims, (one) => makeClaimReporter(context, one));
  yield* alikeIn(verifications, (one) => makeVerificationReporter(context, one));
  yield* alikeIn(decisions, (one) => makeDecisionReporter(context, one));
}

function* alikeIn<T extends { readonly id: string }>(
  records: readonly T[],
  sayOf: (one: T) => ProblemMaker,
): Errors {
  const first = new Map<string, string>();
  for (const one of records) {
    const plain = one.id.toLowerCase();
    const before = first.get(plain);
    if (before === undefined) first.set(plain, one.id);
    else yield sayOf(one)('duplicate-id', `${one.id} and ${before} differ only in letter case`);
  }
}
