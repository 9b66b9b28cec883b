/** The decisions of a leading simulated model, and their grounds. */
import type { ClaimView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import type { Ask } from './answers.ts';
import { fallenIn } from './grounds.ts';

interface Cite {
  readonly id: string;
  readonly relation: 'based-on' | 'supported-by' | 'supersedes';
  readonly takes_as: 'true' | 'false';
}

/** The probability that a decision also rests on something open. */
const RESTS_ON_OPEN = 0.4;

/**
 * Returns the assessment that a simulated model gives of a round: up to three decisions with the claims and
 * verdicts that they cite, tensions and an answer. Decisions that would cite nothing are left out.
 */
export function listDecided(ask: Ask): unknown {
  const { world, round, chance } = ask;
  const decisions = Array.from({ length: chance.between(1, 3) }, (_, turn) => ({
    text: `Decision ${turn + 1} of round ${round}: ${world.sentence(chance)}`,
    ...groundsOf(ask, turn),
    made_by: chance.pick(['consensus', 'round_lead', 'adversary_concession']),
  }));
  return {
    decisions: decisions.filter(({ cites }) => cites.length > 0),
    tensions: [world.sentence(chance), world.sentence(chance)],
    architecture_impact: world.sentence(chance),
    answer: world.prose(chance, 90),
  };
}

function groundsOf(ask: Ask, turn: number): { cites: Cite[]; conditions: string[] } {
  const { mind, world, round, chance } = ask;
  const claims = Object.values(world.journal.view.claims);
  const { rounds } = world.journal.view;
  const verdicts = rounds
    .flatMap(({ verifications }) => verifications)
    .filter(({ result, degraded }) => result !== 'NOT_APPLICABLE' && degraded === undefined);
  const [carries] = chance.some(
    verdicts.filter((verdict) => verdict.round === round),
    1,
  );
  if (mind.habit === 'flattering')
    return {
      cites: chance.some(claims, 2).map((claim) => makeCite(claim.id, 'true')),
      conditions: [],
    };
  if (mind.habit === 'careless')
    return {
      cites: [
        ...chance
          .some(claims, 2)
          .map((claim) => makeCite(claim.id, chance.pick(['true', 'false']))),
        ...(chance.next() < 0.3 ? [makeCite('C-9-9', 'true')] : []),
      ],
      conditions: [],
    };
  const settled = claims.filter(
    ({ status }) => status === 'tested_confirmed' || status === 'tested_refuted',
  );
  const open = claims.filter(({ status }) => status === 'pending');
  const rests = chance.next() < RESTS_ON_OPEN || settled.length === 0 ? chance.some(open, 1) : [];
  // If the model notices that a ground of an earlier decision no longer holds, it overturns that decision by name.
  const [fallen] = turn === 0 ? [...fallenIn(rounds, world.journal.view.claims)] : [];
  return {
    cites: [
      ...chance.some(settled, 2).map((claim) => makeCite(claim.id, heldFor(claim))),
      ...rests.map((claim) => makeCite(claim.id, 'true')),
      ...(carries === undefined ? [] : [makeCite(carries.id, 'true', 'supported-by')]),
      ...(fallen !== undefined && chance.next() < mind.accuracy
        ? [makeCite(fallen, 'true', 'supersedes')]
        : []),
    ],
    conditions: rests.map(({ id }) => id),
  };
}

function makeCite(id: string, takes_as: Cite['takes_as'], relation: Cite['relation'] = 'based-on') {
  return { id, relation, takes_as };
}

function heldFor({ status }: ClaimView): 'true' | 'false' {
  return status === 'tested_refuted' ? 'false' : 'true';
}
