/**
 * Registers the claims of a round as they came with the artifacts. No verdict of the round is known
 * at that time, so no claim is made to fit one. Contradictions, adoptions and withdrawals are
 * resolved here, too; invalid ones are refused and recorded.
 */

import { entryOf } from '../../../kernel/entry.ts';
import { withoutFalse, withoutUndefined } from '../../../text/without-undefined.ts';
import { findUnknownCitations } from '../cited-sources.ts';
import { type FactBody, fact } from '../facts.ts';
import {
  type HandedClaim,
  recordedClaimFieldsSchema,
  recordedClaimSchema,
  recordedDisputeSchema,
} from '../prompts/claims.ts';
import { isSince } from '../prompts/order.ts';
import { claimId } from '../records/layout.ts';
import type { Role } from '../records/types.ts';
import type { RoundsRun } from '../rounds-run.ts';
import { areSameStatement, explainRefusedClaim, removeCitations } from './judge.ts';
import type { ClaimView } from './rounds-view.ts';

/**
 * A seat's answer that contains its artifact of a round, and with it the claims that the seat
 * raises.
 */
export interface HandedArtifact {
  readonly role: Role;
  /** The seat's answer, which fits the schema. */
  readonly value: unknown;
  /** The key of the call that gave the answer. */
  readonly step: string;
}

/** A role's statement that it withdraws a claim which it has raised itself. */
export interface Concession {
  readonly role: Role;
  readonly claim: string;
}

/**
 * A role's objection to how a claim was decided by reading, with a quotation that is meant to show
 * the reader's error.
 */
export interface Dispute extends Concession {
  readonly quotation: string;
}

/** What seats said about earlier claims: withdrawals and objections. */
interface SaidOfClaims {
  readonly concessions: readonly Concession[];
  readonly disputes: readonly Dispute[];
}

/**
 * Checks the claims that seats raise in their artifacts, and records the accepted claims and the
 * refusals. Returns what the same artifacts say about earlier claims: withdrawals and objections.
 * @param most the most claims of each seat; further ones are refused
 */
export async function registerClaims(
  roundsRun: RoundsRun,
  round: number,
  most: number,
  handed: readonly HandedArtifact[],
): Promise<SaidOfClaims> {
  const facts: FactBody[] = [];
  const concessions: Concession[] = [];
  const disputes: Dispute[] = [];
  const raised: ClaimView[] = [];
  for (const { role, value, step } of handed) {
    const held = recordedClaimFieldsSchema.safeParse(value);
    if (!held.success) continue;
    const { claims = [], concedes = [], disputes: disputed = [] } = held.data;
    for (const claim of claims.slice(0, most)) {
      const read = recordedClaimSchema.safeParse(claim);
      if (!read.success)
        facts.push(makeRefusal(round, role, textOf(claim), 'it lacks what a claim needs'));
      else facts.push(...registerClaim(roundsRun, { round, role, step }, read.data, raised));
    }
    for (const claim of claims.slice(most))
      facts.push(
        makeRefusal(round, role, textOf(claim), `a seat raises ${most} at most in this round`),
      );
    for (const id of concedes) if (typeof id === 'string') concessions.push({ role, claim: id });
    for (const dispute of disputed) {
      const read = recordedDisputeSchema.safeParse(dispute);
      if (read.success) disputes.push({ role, ...read.data });
    }
  }
  await roundsRun.record(`round-${round}/F/claims`, facts);
  return { concessions, disputes };
}

type Worded = Pick<HandedClaim, 'text' | 'testable_as'>;

/** Returns the facts that register or refuse one claim. Adds an accepted claim to `raised`, the claims of the round. */
function registerClaim(
  roundsRun: RoundsRun,
  { round, role, step }: { readonly round: number; readonly role: Role; readonly step: string },
  claim: HandedClaim,
  raised: ClaimView[],
): FactBody[] {
  const known = [...Object.values(roundsRun.view.claims), ...raised];
  const standing = known.filter((earlierClaim) => !isLeft(earlierClaim));
  const { sources } = roundsRun.view;
  const stripCitations = <T extends Worded>(claim: T): T =>
    isSince(roundsRun.settings.rules, 4)
      ? {
          ...claim,
          text: removeCitations(claim.text),
          testable_as: removeCitations(claim.testable_as),
        }
      : claim;
  const why =
    whyUncitable(claim, roundsRun) ??
    explainRefusedClaim(stripCitations(claim), standing.map(stripCitations), [
      ...roundsRun.settings.attachments,
      ...sources,
    ]);
  if (why !== undefined) return [makeRefusal(round, role, claim.text, why)];
  const { replaces, ...said } = claim;
  const left = known.find(
    (earlierClaim) =>
      isLeft(earlierClaim) &&
      areSameStatement(stripCitations(earlierClaim).text, stripCitations(claim).text),
  );
  if (left?.raised_by === role && isWithdrawn(left))
    return [makeRefusal(round, role, claim.text, `the same seat has withdrawn it as ${left.id}`)];
  const id = claimId(round, raised.length + 1);
  const about = getRelation(roundsRun, role, left, replaces);
  const body = fact('claim.raised', {
    ...said,
    id,
    round,
    raised_by: role,
    ...('supersedes' in about ? { supersedes: about.supersedes } : {}),
    ...('challenges' in about ? { challenges: about.challenges } : {}),
    raised_at_artifact: `artifacts/round_${round}/${role}.md`,
    step,
  });
  raised.push({ ...body, status: 'pending', moves: [] });
  return withoutFalse([
    body,
    'supersedes' in about &&
      fact('claim.moved', {
        claim: about.supersedes,
        round,
        from: 'tested_unclear',
        to: 'superseded',
        superseded_by: id,
        why: `adopted as ${id}`,
      }),
    'refused' in about && makeRefusal(round, role, claim.text, about.refused, id),
  ]);
}

/**
 * Returns why a claim's first invalid citation of a tool result is invalid. Returns undefined if the claim has no
 * invalid citation, or if the seats have no tools.
 */
function whyUncitable(claim: HandedClaim, { view, looks }: RoundsRun): string | undefined {
  if (!looks) return undefined;
  const said = [claim.text, claim.testable_as, claim.if_false].join('\n');
  const [unknown] = findUnknownCitations(said, view.sources);
  return unknown === undefined ? undefined : `it cites ${unknown.ref}: ${unknown.why}`;
}

type Relation =
  /** The claim adopts a claim that another seat has withdrawn. */
  | { readonly supersedes: string }
  /** The claim contradicts a decided claim. */
  | { readonly challenges: string }
  | { readonly refused: string }
  | Readonly<Record<never, never>>;

function getRelation(
  roundsRun: RoundsRun,
  role: Role,
  left: ClaimView | undefined,
  replaces: string | undefined,
): Relation {
  if (left !== undefined && isWithdrawn(left) && left.raised_by !== role)
    return { supersedes: left.id };
  const id = replaces?.trim() ?? '';
  if (id === '') return {};
  const old = entryOf(roundsRun.view.claims, id);
  if (old === undefined) return { refused: `there is no claim ${id} that it could replace` };
  if (old.status === 'superseded') return { refused: `${id} is superseded already` };
  if (isWithdrawn(old))
    return old.raised_by === role
      ? { refused: `${id} was withdrawn by the same seat` }
      : { supersedes: id };
  if (old.status === 'pending')
    return { refused: `${id} is still open: it has to be decided before it can be replaced` };
  return { challenges: id };
}

/** Returns whether a claim was withdrawn by its seat and not yet adopted. */
function isWithdrawn({ status, moves }: ClaimView): boolean {
  return status === 'tested_unclear' && moves.at(-1)?.basis === 'conceded';
}

/** Returns whether a claim is superseded or withdrawn, so that a new claim does not count as its repetition. */
function isLeft(claim: ClaimView): boolean {
  return claim.status === 'superseded' || isWithdrawn(claim);
}

function makeRefusal(round: number, by: Role, text: string, why: string, id?: string): FactBody {
  return fact('refusal.recorded', {
    round,
    kind: id === undefined ? 'claim' : 'supersession',
    by,
    text,
    why,
    ...withoutUndefined({ id }),
  });
}

function textOf(claim: unknown): string {
  if (typeof claim !== 'object' || claim === null || !('text' in claim)) return 'a claim';
  return typeof claim.text === 'string' ? claim.text : 'a claim';
}
