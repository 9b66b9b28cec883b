/**
 * Rules for bases since edition 2 of the rules. Every status change names its basis, the basis fits
 * the check, and only a stronger basis overrides another. A superseding claim has the stronger
 * basis.
 */

import { plainWords } from '../../../../text/words/quotation.ts';
import { deduplicateRefs, normalizeRef } from '../anchors.ts';
import { CLAIMS_FILE } from '../layout.ts';
import type { Move } from '../timeline.ts';
import { getBasis, isStrongerBasis } from '../transitions.ts';
import {
  type Basis,
  type Claim,
  CONCEDED,
  SETTLED_BY_READING,
  type StatusChange,
  type Verification,
} from '../types.ts';
import {
  type Context,
  type Errors,
  makeClaimReporter,
  makeVerificationReporter,
  type Warnings,
} from './context.ts';
import { makeRecordFinder } from './lines.ts';

/**
 * Checks the basis of every status change (argued, read, executed or conceded). The basis must fit
 * the check, only a stronger basis may override another, and a verification of the same round must
 * contain the change's citations. Also checks that a claim is superseded with reason, and that a verdict which failed a
 * check is no evidence. Records before edition 2 of the rules are skipped.
 */
export function* checkGrounds(context: Context): Errors {
  if (!context.strict) return;
  const held = makeRecordFinder(context);
  /** For each round, the places that its verifications cite. A status change may rest on no other places. */
  const cited = new Map<number, Set<string>>();
  for (const { round, evidence_refs } of context.records.verifications) {
    const places = cited.get(round) ?? new Set();
    for (const ref of evidence_refs) places.add(normalizeRef(ref));
    cited.set(round, places);
  }
  for (const verification of context.records.verifications) {
    yield* checkDegraded(context, verification);
    yield* checkBases(context, verification, cited.get(verification.round) ?? new Set());
    if (verification.check === SETTLED_BY_READING || verification.check === CONCEDED)
      yield* checkOwnLines(context, verification, held);
  }
  for (const claim of context.records.claims) {
    yield* checkStrength(context, claim);
    yield* checkSuperseder(context, claim);
  }
}

function* checkDegraded(context: Context, verification: Verification): Errors {
  if (verification.degraded === undefined) return;
  if (verification.result === 'NOT_APPLICABLE' && verification.evidence_refs.length === 0) return;
  yield makeVerificationReporter(context, verification)(
    'degraded-evidence',
    `the verifier's answer could not stand, so it is NOT_APPLICABLE and cites nothing; it is ${verification.result} with ${verification.evidence_refs.length} refs`,
  );
}

/**
 * Checks the bases of a verification's changes. `cited` are the places that this or another
 * verification of the round cites.
 */
function* checkBases(
  context: Context,
  verification: Verification,
  cited: ReadonlySet<string>,
): Errors {
  const say = makeVerificationReporter(context, verification);
  const due = getBasis(verification.check);
  for (const { claim_id, to, basis, refs = [], quotes = [] } of verification.claim_status_changes ??
    []) {
    if (to !== 'superseded' && due !== undefined && basis !== due)
      yield say(
        'wrong-basis',
        `a change by ${verification.check} is ${due}, not ${basis ?? 'without a basis'}`,
      );
    for (const ref of deduplicateRefs([...refs, ...quotes.map((quote) => quote.ref)]))
      if (!cited.has(ref))
        yield say(
          'uncited-ref',
          `${claim_id} is decided by ${ref}, which no verification of the round cites`,
        );
  }
}

/** Checks that readings and withdrawals cite the lines of exactly the claims that they decide. */
function* checkOwnLines(
  context: Context,
  verification: Verification,
  held: ReturnType<typeof makeRecordFinder>,
): Errors {
  if (context.torn.has(CLAIMS_FILE)) return;
  const say = makeVerificationReporter(context, verification);
  const moved = new Set((verification.claim_status_changes ?? []).map(({ claim_id }) => claim_id));
  const cited = new Set<string>();
  for (const ref of deduplicateRefs(verification.evidence_refs)) {
    const found = context.resolve(ref);
    if (found.state !== 'ok' || found.path !== CLAIMS_FILE) continue;
    const id = found.lines === undefined ? found.anchor : held(CLAIMS_FILE, found.lines[0]);
    if (id !== undefined && moved.has(id)) cited.add(id);
    else yield say('wrong-line', `${ref} is ${id ?? 'no claim'}, which it does not move`);
  }
  for (const id of moved)
    if (context.claims.has(id) && !cited.has(id))
      yield say('wrong-line', `no ref is the own line of ${id}`);
}

/**
 * Warns of claims that a role withdrew although an earlier decision rests on them. It does not
 * matter whether that decision still held at the time.
 */
export function* checkWithdrawnGrounds(context: Context): Warnings {
  if (!context.strict) return;
  const { decisions, verifications } = context.records;
  /** For each claim, by its id: the first decision that rests on it. A withdrawal in a later round gets a warning. */
  const relied = new Map<string, { id: string; round: number }>();
  for (const { id, round, cites } of decisions)
    for (const cite of cites) {
      if (cite.type !== 'claim' || cite.relation === 'supersedes') continue;
      if (round < (relied.get(cite.id)?.round ?? Infinity)) relied.set(cite.id, { id, round });
    }
  for (const verification of verifications) {
    if (verification.check !== CONCEDED) continue;
    for (const { claim_id } of verification.claim_status_changes ?? []) {
      const decision = relied.get(claim_id);
      if (decision !== undefined && decision.round < verification.round)
        yield makeVerificationReporter(context, verification)(
          'relied-on',
          `${claim_id} is taken back, but ${decision.id} rests on it`,
        );
    }
  }
}

function* checkStrength(context: Context, claim: Claim): Errors {
  let standing: StatusChange | undefined;
  for (const { change, verification } of movesOf(context, claim)) {
    const { basis } = change;
    if (basis === undefined || change.to === 'superseded') continue;
    if (!isStrongerBasis(basis, standing?.basis) && !isReadAgain(change, standing))
      yield makeVerificationReporter(context, verification)(
        'weak-ground',
        `${claim.id} was ${standing?.basis}; ${basis} does not override it`,
      );
    standing = change;
  }
}

/**
 * Returns whether a reading repeats an earlier reading because of a dispute: it has all quotations of the earlier
 * reading and at least one more.
 */
function isReadAgain(change: StatusChange, before: StatusChange | undefined): boolean {
  if (change.basis !== 'read' || before?.basis !== 'read') return false;
  const now = new Set((change.quotes ?? []).map(({ ref }) => normalizeRef(ref)));
  const then = new Set((before.quotes ?? []).map(({ ref }) => normalizeRef(ref)));
  return [...then].every((ref) => now.has(ref)) && now.size > then.size;
}

/**
 * Checks that a superseded claim has a confirmed successor with a stronger basis. A withdrawn claim may also have a
 * successor by another seat.
 */
function* checkSuperseder(context: Context, claim: Claim): Errors {
  if (claim.status !== 'superseded') return;
  const successors = context.successors.get(claim.id) ?? [];
  const areAllReadable = context.torn.size === 0;
  // The rule `no-superseder` reports a claim without successors.
  if (successors.length === 0 || !areAllReadable) return;
  const basis = basisOfLast(context, claim);
  const canSupersede = (successor: Claim): boolean => {
    const round = claim.superseded_in ?? successor.round;
    const moves = movesOf(context, successor).filter(
      ({ verification }) => verification.round <= round,
    );
    const last = moves.findLast(({ change }) => change.to !== 'superseded');
    if (last?.change.to === 'tested_confirmed' && last.change.basis !== undefined)
      if (isStrongerBasis(last.change.basis, basis)) return true;
    return basis === 'conceded' && successor.raised_by !== claim.raised_by;
  };
  if (successors.some(canSupersede)) return;
  yield makeClaimReporter(context, claim)(
    'weak-superseder',
    `${successors.map(({ id }) => id).join(', ')} took its place without stronger ground: ${claim.id} is ${basis ?? 'pending'}`,
  );
}

/** Warns of claims that supersede a withdrawn claim but have other words. */
export function* checkRewordedAdoptions(context: Context): Warnings {
  if (!context.strict) return;
  for (const claim of context.records.claims) {
    if (claim.status !== 'superseded' || basisOfLast(context, claim) !== 'conceded') continue;
    for (const successor of context.successors.get(claim.id) ?? [])
      if (!isSameText(successor.text, claim.text))
        yield makeClaimReporter(context, successor)(
          'reworded-adoption',
          `it takes up ${claim.id}, which its seat took back, in other words`,
        );
  }
}

function basisOfLast(context: Context, claim: Claim): Basis | undefined {
  return movesOf(context, claim).findLast(({ change }) => change.to !== 'superseded')?.change.basis;
}

function movesOf({ history }: Context, { id }: Claim): readonly Move[] {
  return history.moves.get(id) ?? [];
}

/**
 * Returns whether two texts have the same words. Case, width, punctuation and line endings are
 * ignored.
 */
export function isSameText(left: string, right: string): boolean {
  return plainWords(left).join(' ') === plainWords(right).join(' ');
}
