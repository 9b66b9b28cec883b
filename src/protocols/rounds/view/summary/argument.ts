/**
 * Draws a deliberation's argument as a graph: who raised which claim, which checks concern it, and
 * which decisions rest on it. The words and colors of the tables are defined here, too.
 */

import type { Graph, GraphEdge, GraphNode, Tone } from '../../../../plain/blocks.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import { firstSentence } from '../../../../text/answers/first-sentence.ts';
import type { ClaimState } from '../../records/standing/claims.ts';
import type { DecisionState } from '../../records/standing/decisions.ts';
import { findNamedClaims } from '../../records/timeline.ts';
import type { Verification } from '../../records/types.ts';
import type { Deliberation } from '../display-state.ts';
import { CHECK_NAMES, DECISION_WORDS, formatResult, formatStanding } from '../wording.ts';

const CLAIM_TONES: Readonly<Record<ClaimState['standing'], Tone>> = {
  open: 'open',
  confirmed: 'good',
  refuted: 'bad',
  partly: 'mixed',
  unclear: 'mixed',
  withdrawn: 'gone',
  superseded: 'gone',
};

/** Returns the color of a claim in the report's drawing of the argument. */
export function claimTone({ standing }: Pick<ClaimState, 'standing'>): Tone {
  return CLAIM_TONES[standing];
}

const RESULT_TONES: Readonly<Record<Verification['result'], Tone>> = {
  ROBUST: 'good',
  BROKEN: 'bad',
  UNCLEAR: 'mixed',
  NOT_APPLICABLE: 'gone',
};

/** Returns the color of a verdict in the report's drawing of the argument. */
export function verdictTone({ result, degraded }: Verification): Tone {
  return degraded === undefined ? RESULT_TONES[result] : 'gone';
}

/** Describes a verdict in a few words: its result, or `could not stand` if code refused it. */
export function describeVerdict(verification: Verification): string {
  return verification.degraded === undefined ? formatResult(verification) : 'could not stand';
}

const DECISION_TONES: Readonly<Record<DecisionState['standing'], Tone>> = {
  stands: 'good',
  fallen: 'bad',
  overturned: 'gone',
};

/** Returns the color of a decision in the report's drawing of the argument. */
export function decisionTone({ standing }: DecisionState): Tone {
  return DECISION_TONES[standing];
}

/** The columns of a round: roles, claims, verdicts, decisions. */
const STEPS = { role: 0, claim: 1, verdict: 2, decision: 3 } as const;
const STEP_COUNT = Object.keys(STEPS).length;

/**
 * Returns the report's drawing of the argument: a graph of the roles in each round, claims, verdicts
 * and decisions. Returns undefined if there are neither claims nor decisions.
 */
export function drawArgument({ view, rounds, records, state }: Deliberation): Graph | undefined {
  const held = rounds.rounds;
  const place = new Map(held.map(({ round }, at) => [round, at * STEP_COUNT]));
  const getColumn = (round: number, step: keyof typeof STEPS): number =>
    (place.get(round) ?? 0) + STEPS[step];
  const roles = records.roles;
  const getLane = (role: string): number => (roles as readonly string[]).indexOf(role);
  const checks = roles.length;
  const formatSpeaker = (round: number, role: string): string =>
    `${getSeatTitle(role, view)}, round ${round}`;

  const spoke = held.flatMap(({ round, lead, artifacts }) =>
    artifacts.map(
      ({ role }): GraphNode => ({
        id: formatSpeaker(round, role),
        kind: 'role',
        about: role === lead ? 'led the round' : 'handed its artifact in',
        column: getColumn(round, 'role'),
        lane: getLane(role),
      }),
    ),
  );
  const claims = state.claims.map((claimState): GraphNode => {
    const { id, text, round, raised_by } = claimState.claim;
    return {
      id,
      kind: 'claim',
      about: text,
      column: getColumn(round, 'claim'),
      lane: getLane(raised_by),
      tone: claimTone(claimState),
      standing: formatStanding(claimState),
    };
  });
  const verdicts = records.verifications.map(
    (verification): GraphNode => ({
      id: verification.id,
      kind: 'verdict',
      about: `${CHECK_NAMES[verification.check]}: ${verification.degraded ?? firstSentence(verification.notes) ?? describeVerdict(verification)}`,
      column: getColumn(verification.round, 'verdict'),
      lane: checks,
      tone: verdictTone(verification),
      standing: describeVerdict(verification),
    }),
  );
  const decisions = state.decisions.map((decisionState): GraphNode => {
    const { id, text, round } = decisionState.decision;
    return {
      id,
      kind: 'decision',
      about: text,
      column: getColumn(round, 'decision'),
      lane: checks + 1,
      tone: decisionTone(decisionState),
      standing: DECISION_WORDS[decisionState.standing],
    };
  });
  const nodes = [...spoke, ...claims, ...verdicts, ...decisions];
  if (claims.length + decisions.length === 0) return undefined;
  const there = new Set(nodes.map(({ id }) => id));
  const edges: GraphEdge[] = [
    ...state.claims.flatMap(({ claim }): GraphEdge[] => [
      { from: formatSpeaker(claim.round, claim.raised_by), to: claim.id, kind: 'raised' },
      ...(claim.supersedes === undefined
        ? []
        : [{ from: claim.supersedes, to: claim.id, kind: 'superseded' }]),
    ]),
    ...records.verifications.flatMap((verification) =>
      [...findNamedClaims(verification)].map((id) => ({
        from: id,
        to: verification.id,
        kind: 'tested',
      })),
    ),
    ...records.decisions.flatMap(({ id, cites }) =>
      cites.map((cite) => ({
        from: cite.id,
        to: id,
        kind: cite.relation === 'supersedes' ? 'superseded' : 'cited',
      })),
    ),
  ];
  return {
    about: 'Claims, the checks on them, and the decisions that rest on both.',
    lanes: [...roles.map((role) => getSeatTitle(role, view)), 'Checks', 'Decisions'],
    columns: held.flatMap(({ round, lead, absent }) => {
      const title = `Round ${round}, ${getSeatTitle(lead, view)} leads${absent === undefined ? '' : `, without ${getSeatTitle(absent, view)}`}`;
      return Array.from({ length: STEP_COUNT }, () => title);
    }),
    kinds: { role: 'dot', claim: 'box', verdict: 'cut', decision: 'round' },
    relations: {
      raised: { forth: 'raised', back: 'raised by' },
      tested: { forth: 'tested by', back: 'tests' },
      cited: { forth: 'cited in', back: 'cites' },
      superseded: { forth: 'superseded by', back: 'supersedes' },
    },
    nodes,
    edges: edges.filter(({ from, to }) => there.has(from) && there.has(to)),
  };
}
