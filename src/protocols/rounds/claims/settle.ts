/** Changes claims without the verifier: withdrawals, and contradictions that have been decided. */

import { entryOf } from '../../../kernel/entry.ts';
import { type FactBody, fact } from '../facts.ts';
import { findAnchors } from '../records/anchors.ts';
import { BASES, type Basis, CONCEDED } from '../records/types.ts';
import type { RoundsRun } from '../rounds-run.ts';
import { getClaimCitation, getNextVerificationId } from './places.ts';
import type { Concession } from './register.ts';
import type { ClaimView } from './rounds-view.ts';

/** Returns how strong the basis of a claim's status is, or -1 if it has none. */
function strengthOf({ moves }: ClaimView): number {
  const basis = moves.at(-1)?.basis;
  return basis === undefined ? -1 : BASES.indexOf(basis);
}

/**
 * Returns whether a basis (how a claim is decided: withdrawn, argued, read or tested, weakest
 * first) is stronger than the basis of this claim's present status. Every basis is stronger than
 * none.
 */
export function isStronger(basis: Basis, claim: ClaimView): boolean {
  return BASES.indexOf(basis) > strengthOf(claim);
}

/**
 * Withdraws claims as the roles that raised them wish. Refuses to withdraw a claim that another role raised, that
 * is decided, or on which a decision is based: a role must not hide that its claim was refuted.
 * @param concessions the withdrawals that roles have stated in this round
 */
export async function withdrawClaims(
  roundsRun: RoundsRun,
  round: number,
  concessions: readonly Concession[],
): Promise<void> {
  if (concessions.length === 0) return;
  // Look at all decisions, even at those that no longer hold: a role must not withdraw a claim that
  // any decision was based on.
  const grounds = roundsRun.view.rounds.flatMap(({ decisions }) =>
    decisions.flatMap(({ id, cites }) =>
      cites.flatMap((cite) => (cite.relation === 'supersedes' ? [] : { of: id, id: cite.id })),
    ),
  );
  const whyNot = ({ role, claim: id }: Concession): string | undefined => {
    const claim = entryOf(roundsRun.view.claims, id);
    if (claim === undefined) return 'there is no such claim';
    if (claim.raised_by !== role) return `it is a claim of the ${claim.raised_by}`;
    if (claim.status !== 'pending') return 'it is decided: conceding withdraws what is open';
    const ground = grounds.find((ground) => ground.id === id);
    return ground === undefined ? undefined : `${ground.of} rests on it`;
  };
  const facts: FactBody[] = [];
  const taken = new Map<string, Concession>();
  for (const concession of concessions) {
    const why = whyNot(concession);
    if (why === undefined) taken.set(concession.claim, concession);
    else
      facts.push(
        fact('refusal.recorded', {
          round,
          kind: 'concession',
          by: concession.role,
          text: `${concession.claim} conceded`,
          why,
        }),
      );
  }
  if (taken.size > 0) {
    const id = getNextVerificationId(roundsRun.view, round);
    const { artifacts } = roundsRun.round(round);
    const refs = [...taken.values()].map(({ role, claim }) => [
      getClaimCitation(roundsRun.view, claim),
      ...artifacts
        .filter((artifact) => artifact.role === role)
        .flatMap(({ path, markdown }) =>
          [...findAnchors(markdown)].slice(0, 1).map((anchor) => `${path}#${anchor}`),
        ),
    ]);
    facts.push(
      fact('verification.recorded', {
        id,
        round,
        check: CONCEDED,
        result: 'ROBUST',
        evidence_refs: [...new Set(refs.flat())],
        notes: `Withdrawn by ${[...new Set([...taken.values()].map(({ role }) => role))].join(', ')}: ${[...taken.keys()].join(', ')}.`,
      }),
      ...[...taken.keys()].map((claim, index) =>
        fact('claim.moved', {
          claim,
          round,
          from: 'pending',
          to: 'tested_unclear',
          verification: id,
          basis: 'conceded',
          refs: refs[index] ?? [],
          why: 'its seat took it back',
        }),
      ),
    );
  }
  await roundsRun.record(`round-${round}/F/concessions`, facts);
}

/**
 * Looks for confirmed claims that were raised to contradict a decided claim. If the confirmed claim has
 * the stronger basis, the contradicted claim is recorded as superseded.
 */
export async function resolveChallenges(roundsRun: RoundsRun, round: number): Promise<void> {
  const facts: FactBody[] = [];
  for (const claim of Object.values(roundsRun.view.claims)) {
    const old =
      claim.challenges === undefined ? undefined : entryOf(roundsRun.view.claims, claim.challenges);
    if (old === undefined || old.status === 'superseded' || old.status === 'pending') continue;
    if (claim.status !== 'tested_confirmed' || strengthOf(claim) <= strengthOf(old)) continue;
    facts.push(
      fact('claim.moved', {
        claim: old.id,
        round,
        from: old.status,
        to: 'superseded',
        superseded_by: claim.id,
        why: `${claim.id} denies it on stronger grounds`,
      }),
    );
  }
  await roundsRun.record(`round-${round}/F/challenges`, facts);
}
