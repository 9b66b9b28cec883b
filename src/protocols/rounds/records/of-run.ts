/** Converts the state of a run to records. */
import { entryOf } from '../../../kernel/entry.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { ClaimView, RoundsView, RoundView } from '../claims/rounds-view.ts';
import type { SourceView } from '../sources.ts';
import type { Records, StressPlan } from './records.ts';
import { parseAttack } from './sections.ts';
import type { Claim, ReadingRecord, SourceRecord, Verification } from './types.ts';
import { EXECUTED_TEST, ROLES } from './types.ts';

/**
 * The part of a run's settings from which records are made: the planned rounds, the question, and
 * how claims can be decided.
 */
export interface Plan {
  /** The number of planned rounds. */
  readonly budget: number;
  /** The rounds in which a role is left out. */
  readonly stressSchedule: readonly StressPlan[];
  /** The number of rounds between drift checks. */
  readonly driftEvery: number;
  readonly question: string;
  /** The number 2 for runs with edition 2 of the rules or any later edition. Absent for older runs. */
  readonly rules?: 2 | undefined;
  /** Whether there is a text by which claims can be decided. */
  readonly documents?: boolean | undefined;
}

/**
 * Converts the state of a run to its records: claims, verifications, decisions and so on. For a
 * running deliberation, these are the records so far.
 * @param plan the run's plan; undefined if it is not known
 */
export function convertToRecords(view: RoundsView, plan?: Plan): Records {
  const { rounds, sources } = view;
  return {
    claims: Object.values(view.claims).map((claim) => claimOf(claim, view)),
    verifications: rounds.flatMap((round) =>
      round.verifications.map((verification) => verificationOf(verification, round, view)),
    ),
    decisions: rounds.flatMap(({ decisions }) => decisions),
    leads: rounds.map(({ round, lead, absent }) => ({
      round,
      lead,
      is_stress: absent !== undefined,
      absent_agent: absent ?? null,
    })),
    drifts: rounds.flatMap(({ drift }) => (drift === undefined ? [] : [drift])),
    roles: ROLES,
    readings: readingsOf(view),
    refusals: rounds.flatMap(({ refusals }) => refusals),
    closings: rounds.flatMap(({ round, closed, tensions, answer }) =>
      closed ? [{ round, tensions, answer }] : [],
    ),
    // Also count a round as finished if it has no recorded end but another round follows: a person may have stopped
    // its last call.
    completed: rounds.flatMap(({ round, closed }, at) =>
      closed || at + 1 < rounds.length ? [round] : [],
    ),
    artifacts: rounds.flatMap(({ artifacts }) => artifacts.map(({ path }) => path)),
    attacks: rounds.flatMap(({ round, artifacts }) =>
      artifacts
        .filter(({ role }) => role === 'critic')
        .map(({ markdown }) => parseAttack(round, markdown)),
    ),
    unobjecting: rounds.flatMap(({ round, unobjecting = [] }) =>
      unobjecting.map((role) => ({ round, role })),
    ),
    ...plan,
    ...(sources.length === 0 ? {} : { sources: sources.map(sourceOf) }),
    // Tool results count as documents, because claims can also be decided by reading them.
    ...(plan?.documents === false && sources.length > 0 ? { documents: true } : {}),
  };
}

function sourceOf(source: SourceView): SourceRecord {
  const { name: id, round, seat, tool, about, from, parts, fetched } = source;
  return {
    id,
    round,
    seat,
    tool,
    about,
    from,
    ...withoutUndefined({ parts, fetched }),
  };
}

function claimOf(claim: ClaimView, view: RoundsView): Claim {
  const { moves, step: _step, edits: _edits, challenges, ...said } = claim;
  const replaced = moves.findLast(({ to }) => to === 'superseded');
  // A claim that contradicts an older claim has replaced the older one only if a status change of the older one
  // says so.
  const won =
    challenges !== undefined &&
    entryOf(view.claims, challenges)?.moves.some(({ superseded_by }) => superseded_by === claim.id);
  return {
    ...said,
    supersedes: won ? challenges : said.supersedes,
    raised_at_artifact: said.raised_at_artifact,
    ...(won ? {} : { challenges }),
    ...withoutUndefined({ superseded_in: replaced?.round }),
  };
}

/** Returns reading tests first, then findings and controls, round by round. */
function readingsOf({ exams, rounds }: RoundsView): ReadingRecord[] {
  return [
    ...exams.map(({ why: _why, ...exam }) => ({ kind: 'entrance' as const, ...exam })),
    ...rounds.flatMap(({ findings, controls }) => [
      ...findings.map(({ step: _step, ...finding }) => ({ kind: 'finding' as const, ...finding })),
      ...controls.map((control) => ({ kind: 'control' as const, ...control })),
    ]),
  ];
}

function verificationOf(
  verification: RoundView['verifications'][number],
  { evidence = [] }: RoundView,
  view: RoundsView,
): Verification {
  const { id, round, check, result, evidence_refs, notes, degraded } = verification;
  const last = view.rounds.at(-1)?.round ?? round;
  const changes = Object.values(view.claims).flatMap(({ moves }) =>
    moves
      .filter(({ verification }) => verification === id)
      .map(({ claim, from, to, stance, bearing, basis, refs, quotes, why, settled }) => ({
        claim_id: claim,
        from,
        to,
        stance,
        bearing,
        basis,
        ...(basis === undefined ? {} : { refs, quotes, why }),
        // A test that was run after the synthesis belongs to the last round.
        ...(settled && check !== EXECUTED_TEST ? { round: last + 1 } : {}),
      })),
  );
  return {
    id,
    round,
    check,
    result,
    evidence_refs,
    notes,
    // List the claim of a test even if the test did not change the claim's status.
    claims_affected: [
      ...new Set([
        ...changes.map(({ claim_id }) => claim_id),
        ...evidence.filter(({ verification }) => verification === id).map(({ claim }) => claim),
      ]),
    ],
    claim_status_changes: changes,
    degraded,
  };
}
