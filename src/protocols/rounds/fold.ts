/**
 * The fold of a deliberation: rounds with artifacts and verdicts, claims with their history, and
 * decisions. The protocol reads its own past through it; console and exports show it.
 */

import { entryOf } from '../../kernel/entry.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import {
  type ClaimMove,
  type ClaimView,
  EMPTY_ROUNDS,
  type RecordedFact,
  type RefusalView,
  type RoundsView,
  type RoundView,
} from './claims/rounds-view.ts';
import { type Fact, ROUNDS } from './facts.ts';
import type { Role } from './records/types.ts';
import { addSource, makeSource } from './sources.ts';

/** Computes the state of a deliberation from all facts of its run. */
export function roundsOf(facts: Iterable<AnyFact>): RoundsView {
  let view = EMPTY_ROUNDS;
  for (const fact of facts) view = foldRounds(view, fact);
  return view;
}

/**
 * Updates the state of a deliberation in rounds by one fact. Returns the same object if the fact is
 * of no concern to rounds.
 */
export function foldRounds(view: RoundsView, any: AnyFact): RoundsView {
  const fact = ROUNDS.own(any);
  if (fact === undefined) return view;
  switch (fact.type) {
    case 'round.started':
      return beginRound(view, fact);
    case 'phase.entered': {
      const course = fact.phase === 'synthesis' ? withoutRoundsAfter(view, fact.round) : view;
      return inRound(course, fact.round, () => ({ phase: fact.phase }));
    }
    case 'claim.raised':
      return raiseClaim(view, fact);
    case 'claim.moved':
      return moveClaim(view, fact);
    case 'claim.edited':
      return editClaim(view, fact);
    case 'call.completed':
      return noteObjection(markAnswered(view, fact.step), fact);
    case 'reader.examined':
      return noteExam(view, fact);
    case 'tool.called': {
      const source = makeSource(fact);
      return source === undefined ? view : addSource(view, source);
    }
    default:
      return 'round' in fact ? inRound(view, fact.round, (round) => changesOf(round, fact)) : view;
  }
}

/** Returns the changes to a round by a fact that is only about this round. */
function changesOf(round: RoundView, fact: Fact): Partial<RoundView> {
  switch (fact.type) {
    case 'stress.predicted':
      return { predicted: fact.signature };
    case 'stress.compared':
      return { compared: getFactContent(fact) };
    case 'artifact.produced':
      return { artifacts: placeItem(round.artifacts, getFactContent(fact), ({ role }) => role) };
    case 'verification.recorded':
      // If a verdict is recorded a second time, drop the reasons for which the first one was
      // refused. The reasons for the new one follow in the log.
      return {
        verifications: placeItem(round.verifications, getFactContent(fact), ({ id }) => id),
        refusals: round.refusals.filter(({ kind, id }) => kind !== 'verdict' || id !== fact.id),
      };
    case 'evidence.recorded':
      return { evidence: placeItem(round.evidence ?? [], getFactContent(fact), ({ id }) => id) };
    case 'decision.made': {
      const { decisions } = round;
      const at = decisions.findIndex(({ id }) => id === fact.id);
      if (at < 0) return { decisions: [...decisions, getFactContent(fact)] };
      // If the id of a decision is repeated, the lead has made the round's decisions again. Drop its earlier ones.
      return { decisions: [...decisions.slice(0, at), getFactContent(fact)], refused: [] };
    }
    case 'decision.refused':
      return { refused: [...round.refused, getFactContent(fact)] };
    case 'refusal.recorded': {
      const getRefusalKey = ({ kind, by, id, text }: RefusalView) =>
        [kind, by, id ?? '', text].join('\n');
      return { refusals: placeItem(round.refusals, getFactContent(fact), getRefusalKey) };
    }
    case 'claim.read':
      return { findings: placeItem(round.findings, getFactContent(fact), ({ claim }) => claim) };
    case 'reader.controlled':
      return { controls: placeItem(round.controls, getFactContent(fact), ({ text }) => text) };
    case 'round.closed': {
      const { tensions, impact, answer } = fact;
      return { tensions, impact, answer, closed: true };
    }
    case 'drift.checked':
      return { drift: getFactContent(fact) };
    case 'signals.read':
      // Suspected failure modes are recorded after the signals. If the signals are recorded again, drop the
      // earlier suspicions.
      return { signals: getFactContent(fact), suspicions: [] };
    case 'stance.taken':
      return { stances: placeItem(round.stances, getFactContent(fact), ({ step }) => step) };
    case 'vote.counted':
      return {
        votes: placeItem(round.votes, getFactContent(fact), ({ peers }) =>
          peers ? 'peers' : 'blind',
        ),
      };
    case 'stance.compared':
      return { shifts: placeItem(round.shifts, getFactContent(fact), ({ seat }) => seat) };
    case 'failure-mode.answered':
      return { responses: [...round.responses, getFactContent(fact)] };
    case 'failure-mode.suspected':
      return { suspicions: [...round.suspicions, getFactContent(fact)] };
    default:
      return {};
  }
}

/**
 * Begins a round. If the round is begun again because its inputs changed, its earlier content is
 * dropped.
 */
function beginRound(view: RoundsView, fact: RecordedFact<'round.started'>): RoundsView {
  const started: RoundView = {
    round: fact.round,
    lead: fact.lead,
    absent: fact.absent,
    artifacts: [],
    verifications: [],
    raised: [],
    moves: [],
    decisions: [],
    refused: [],
    refusals: [],
    findings: [],
    controls: [],
    tensions: [],
    impact: '',
    closed: false,
    suspicions: [],
    responses: [],
    stances: [],
    votes: [],
    shifts: [],
  };
  return {
    ...view,
    rounds: [...view.rounds.filter(({ round }) => round !== fact.round), started],
    claims: claimsWhere(view, ({ round }) => round !== fact.round),
  };
}

/**
 * Adds a claim. If a claim with this id exists, the existing claim and later ones are dropped,
 * because the round is repeated and all its claims are numbered again.
 */
function raiseClaim(view: RoundsView, fact: RecordedFact<'claim.raised'>): RoundsView {
  const known = entryOf(view.claims, fact.id);
  const before = known?.round === fact.round ? withoutClaimsFrom(view, known) : view;
  const claim: ClaimView = { ...getFactContent(fact), status: 'pending', moves: [] };
  return inRound(withClaim(before, claim), fact.round, ({ raised }) => ({
    raised: [...raised.filter((id) => id !== fact.id), fact.id],
  }));
}

function moveClaim(view: RoundsView, fact: RecordedFact<'claim.moved'>): RoundsView {
  const claim = entryOf(view.claims, fact.claim);
  if (claim === undefined) return view;
  const { phase } = view.rounds.find(({ round }) => round === fact.round) ?? {};
  // Mark a change that was made in the phase of the synthesis by edition 1 of the rules, which records no `basis`.
  const settled = phase === 'synthesis' && fact.basis === undefined && fact.verification;
  const move = { ...getFactContent(fact), ...(settled ? { settled: true as const } : {}) };
  const dropSameMoves = (moves: readonly ClaimMove[]) =>
    moves.filter((earlierMove) => !isSameMove(earlierMove, move));
  const moved = { ...claim, status: fact.to, moves: [...dropSameMoves(claim.moves), move] };
  return inRound(withClaim(view, moved), fact.round, ({ moves }) => ({
    moves: [...dropSameMoves(moves), move],
  }));
}

function editClaim(view: RoundsView, fact: RecordedFact<'claim.edited'>): RoundsView {
  const claim = entryOf(view.claims, fact.claim);
  if (claim === undefined) return view;
  const read = view.rounds.some(({ findings }) =>
    findings.some((finding) => finding.claim === fact.claim),
  );
  const edit = { ...getFactContent(fact), moved: claim.moves.length, read };
  return withClaim(view, { ...claim, text: fact.text, edits: [...(claim.edits ?? []), edit] });
}

/**
 * Adds the result of a reading test. If the model was tested before, its earlier result and all results after that
 * are dropped.
 */
function noteExam(view: RoundsView, fact: RecordedFact<'reader.examined'>): RoundsView {
  const at = view.exams.findIndex(({ model }) => model === fact.model);
  return {
    ...view,
    exams: [...view.exams.slice(0, at < 0 ? undefined : at), getFactContent(fact)],
  };
}

function withClaim(view: RoundsView, claim: ClaimView): RoundsView {
  return { ...view, claims: { ...view.claims, [claim.id]: claim } };
}

/**
 * Puts an item into a list that is sorted by key, or replaces the item with the same key. Items
 * that were produced at the same time arrive in any order, but prompts made from such lists must
 * always be the same.
 */
function placeItem<T>(list: readonly T[], item: T, key: (item: T) => string): T[] {
  return [...list.filter((entry) => key(entry) !== key(item)), item].sort((left, right) =>
    key(left) < key(right) ? -1 : 1,
  );
}

/** Returns whether two facts record the same status change, because its round was repeated. */
function isSameMove(left: ClaimMove, right: ClaimMove): boolean {
  return (
    left.claim === right.claim &&
    left.round === right.round &&
    left.from === right.from &&
    left.to === right.to &&
    left.verification === right.verification &&
    left.superseded_by === right.superseded_by
  );
}

/**
 * Removes the refusal for a failed call once the call was answered. An answer of the lead with its assessment also
 * removes the decisions that the round had before.
 */
function markAnswered(view: RoundsView, step: string): RoundsView {
  const [, assessed] = /^round-(\d+)\/G\/assessment/.exec(step) ?? [];
  return {
    ...view,
    rounds: view.rounds.map((round) => {
      const lost = round.refusals.some(({ kind, text }) => kind === 'call' && text === step);
      const rest = round.refusals.filter(({ kind, text }) => kind !== 'call' || text !== step);
      if (round.round === Number(assessed))
        return { ...round, decisions: [], refused: [], refusals: rest };
      return lost ? { ...round, refusals: rest } : round;
    }),
  };
}

/**
 * The failure mode whose response asks every seat to name a decision that rests on nothing tested.
 */
const ASKS_FOR_AN_OBJECTION = 'FM-1';
const SUPPLEMENT = /^round-(\d+)\/C\/(action|guardian|observer|critic)$/;
const NAMES = /\b[CD]-\d+-\d+\b/;

/**
 * Notes whether a role's answer to the lead's proposal (phase C) names a claim or a decision that it objects to, if the
 * role was asked for an objection.
 */
function noteObjection(
  view: RoundsView,
  { step, text }: { readonly step: string; readonly text: string },
): RoundsView {
  const [, number, role] = SUPPLEMENT.exec(step) ?? [];
  if (role === undefined || !isAskedToObject(view, Number(number))) return view;
  return inRound(view, Number(number), ({ unobjecting = [] }) => ({
    unobjecting: [
      ...unobjecting.filter((silentRole) => silentRole !== role),
      ...(NAMES.test(text) ? [] : [role as Role]),
    ].sort(),
  }));
}

function isAskedToObject({ rounds }: RoundsView, number: number): boolean {
  const before = rounds.filter(({ round }) => round < number);
  // A seat is asked to object to earlier decisions, so there is nothing to ask before the first
  // decision.
  if (before.every(({ decisions }) => decisions.length === 0)) return false;
  const own = rounds.find(({ round }) => round === number)?.responses ?? [];
  const automatic =
    before.at(-1)?.suspicions.filter(({ response }) => response !== undefined) ?? [];
  return [...own, ...automatic].some(({ id }) => id === ASKS_FOR_AN_OBJECTION);
}

/** Drops the rounds after the given round, and the claims that were raised in them. */
function withoutRoundsAfter(view: RoundsView, last: number): RoundsView {
  if (view.rounds.every(({ round }) => round <= last)) return view;
  return {
    ...view,
    rounds: view.rounds.filter(({ round }) => round <= last),
    claims: claimsWhere(view, ({ round }) => round <= last),
  };
}

/**
 * Drops a claim and the later claims of its round, and restores the claims that they had
 * superseded.
 */
function withoutClaimsFrom(view: RoundsView, { id, round: number }: ClaimView): RoundsView {
  const round = view.rounds.find((round) => round.round === number);
  const at = round?.raised.indexOf(id) ?? -1;
  const left = new Set(at < 0 ? [id] : round?.raised.slice(at));
  const isStanding = ({ superseded_by }: ClaimMove): boolean =>
    superseded_by === undefined || !left.has(superseded_by);
  const claims = Object.entries(claimsWhere(view, (claim) => !left.has(claim.id))).map(
    ([name, claim]): [string, ClaimView] => {
      const moves = claim.moves.filter(isStanding);
      if (moves.length === claim.moves.length) return [name, claim];
      return [name, { ...claim, moves, status: moves.at(-1)?.to ?? 'pending' }];
    },
  );
  return inRound({ ...view, claims: Object.fromEntries(claims) }, number, (round) => ({
    raised: round.raised.filter((claimId) => !left.has(claimId)),
    moves: round.moves.filter((move) => isStanding(move) && !left.has(move.claim)),
    findings: round.findings.filter(({ claim }) => !left.has(claim)),
    refusals: round.refusals.filter(({ id: of }) => of === undefined || !left.has(of)),
  }));
}

function claimsWhere(
  { claims }: RoundsView,
  wanted: (claim: ClaimView) => boolean,
): RoundsView['claims'] {
  return Object.fromEntries(Object.entries(claims).filter(([, claim]) => wanted(claim)));
}

/** Returns a fact without its run, position in the log and time, so that equal runs have equal views. */
function getFactContent<T extends Fact>(fact: T): Omit<T, 'v' | 'type' | 'run' | 'seq' | 'at'> {
  const { v: _v, type: _type, run: _run, seq: _seq, at: _at, ...said } = fact;
  return said;
}

function inRound(
  view: RoundsView,
  number: number,
  change: (round: RoundView) => Partial<RoundView>,
): RoundsView {
  return {
    ...view,
    rounds: view.rounds.map((round) =>
      round.round === number ? { ...round, ...change(round) } : round,
    ),
  };
}
