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
  for (const one of facts) view = foldRounds(view, one);
  return view;
}

/**
 * Updates the state of a deliberation in rounds by one fact. Returns the same object if the fact is
 * of no concern to rounds.
 */
export function foldRounds(view: RoundsView, any: AnyFact): RoundsView {
  const one = ROUNDS.own(any);
  if (one === undefined) return view;
  switch (one.type) {
    case 'round.started':
      return beginRound(view, one);
    case 'phase.entered': {
      const course = one.phase === 'synthesis' ? withoutRoundsAfter(view, one.round) : view;
      return inRound(course, one.round, () => ({ phase: one.phase }));
    }
    case 'claim.raised':
      return raiseClaim(view, one);
    case 'claim.moved':
      return moveClaim(view, one);
    case 'claim.edited':
      return editClaim(view, one);
    case 'call.completed':
      return noteObjection(markAnswered(view, one.step), one);
    case 'reader.examined':
      return noteExam(view, one);
    case 'tool.called': {
      const source = makeSource(one);
      return source === undefined ? view : addSource(view, source);
    }
    default:
      return 'round' in one ? inRound(view, one.round, (round) => changesOf(round, one)) : view;
  }
}

/** Returns the changes to a round by a fact that is only about this round. */
function changesOf(round: RoundView, one: Fact): Partial<RoundView> {
  switch (one.type) {
    case 'stress.predicted':
      return { predicted: one.signature };
    case 'stress.compared':
      return { compared: body(one) };
    case 'artifact.produced':
      return { artifacts: place(round.artifacts, body(one), ({ role }) => role) };
    case 'verification.recorded':
      // If a verdict is recorded a second time, drop the reasons for which the first one was
      // refused. The reasons for the new one follow in the log.
      return {
        verifications: place(round.verifications, body(one), ({ id }) => id),
        refusals: round.refusals.filter(({ kind, id }) => kind !== 'verdict' || id !== one.id),
      };
    case 'evidence.recorded':
      return { evidence: place(round.evidence ?? [], body(one), ({ id }) => id) };
    case 'decision.made': {
      const { decisions } = round;
      const at = decisions.findIndex(({ id }) => id === one.id);
      if (at < 0) return { decisions: [...decisions, body(one)] };
      // A decision with an id that exists already shows that the lead's assessment was repeated.
      // Drop the later decisions and all refusals of the first assessment.
      return { decisions: [...decisions.slice(0, at), body(one)], refused: [] };
    }
    case 'decision.refused':
      return { refused: [...round.refused, body(one)] };
    case 'refusal.recorded': {
      const key = ({ kind, by, id, text }: RefusalView) => [kind, by, id ?? '', text].join('\n');
      return { refusals: place(round.refusals, body(one), key) };
    }
    case 'claim.read':
      return { findings: place(round.findings, body(one), ({ claim }) => claim) };
    case 'reader.controlled':
      return { controls: place(round.controls, body(one), ({ text }) => text) };
    case 'round.closed': {
      const { tensions, impact, answer } = one;
      return { tensions, impact, answer, closed: true };
    }
    case 'drift.checked':
      return { drift: body(one) };
    case 'signals.read':
      // Suspected failure modes are recorded after the signals. If the signals are recorded again, drop the
      // earlier suspicions.
      return { signals: body(one), suspicions: [] };
    case 'stance.taken':
      return { stances: place(round.stances, body(one), ({ step }) => step) };
    case 'vote.counted':
      return {
        votes: place(round.votes, body(one), ({ peers }) => (peers ? 'peers' : 'blind')),
      };
    case 'stance.compared':
      return { shifts: place(round.shifts, body(one), ({ seat }) => seat) };
    case 'failure-mode.answered':
      return { responses: [...round.responses, body(one)] };
    case 'failure-mode.suspected':
      return { suspicions: [...round.suspicions, body(one)] };
    default:
      return {};
  }
}

/**
 * Begins a round. If the round is begun again because its inputs changed, its earlier content is
 * dropped.
 */
function beginRound(view: RoundsView, one: RecordedFact<'round.started'>): RoundsView {
  const started: RoundView = {
    round: one.round,
    lead: one.lead,
    absent: one.absent,
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
    rounds: [...view.rounds.filter(({ round }) => round !== one.round), started],
    claims: claimsWhere(view, ({ round }) => round !== one.round),
  };
}

/**
 * Adds a claim. If a claim with this id exists, the existing claim and later ones are dropped,
 * because the round is repeated and all its claims are numbered again.
 */
function raiseClaim(view: RoundsView, one: RecordedFact<'claim.raised'>): RoundsView {
  const known = entryOf(view.claims, one.id);
  const before = known?.round === one.round ? withoutClaimsFrom(view, known) : view;
  const claim: ClaimView = { ...body(one), status: 'pending', moves: [] };
  return inRound(withClaim(before, claim), one.round, ({ raised }) => ({
    raised: [...raised.filter((id) => id !== one.id), one.id],
  }));
}

function moveClaim(view: RoundsView, one: RecordedFact<'claim.moved'>): RoundsView {
  const claim = entryOf(view.claims, one.claim);
  if (claim === undefined) return view;
  const { phase } = view.rounds.find(({ round }) => round === one.round) ?? {};
  // In old runs, status changes without a basis could be made for the synthesis. Only these belong
  // to the synthesis: a change with a basis belongs to a round.
  const settled = phase === 'synthesis' && one.basis === undefined && one.verification;
  const move = { ...body(one), ...(settled ? { settled: true as const } : {}) };
  const others = (moves: readonly ClaimMove[]) => moves.filter((it) => !isSameMove(it, move));
  const moved = { ...claim, status: one.to, moves: [...others(claim.moves), move] };
  return inRound(withClaim(view, moved), one.round, ({ moves }) => ({
    moves: [...others(moves), move],
  }));
}

function editClaim(view: RoundsView, one: RecordedFact<'claim.edited'>): RoundsView {
  const claim = entryOf(view.claims, one.claim);
  if (claim === undefined) return view;
  const read = view.rounds.some(({ findings }) => findings.some((it) => it.claim === one.claim));
  const edit = { ...body(one), moved: claim.moves.length, read };
  return withClaim(view, { ...claim, text: one.text, edits: [...(claim.edits ?? []), edit] });
}

/** Adds the result of a reading test. If a model is tested again, later results are dropped. */
function noteExam(view: RoundsView, one: RecordedFact<'reader.examined'>): RoundsView {
  const at = view.exams.findIndex(({ model }) => model === one.model);
  return { ...view, exams: [...view.exams.slice(0, at < 0 ? undefined : at), body(one)] };
}

function withClaim(view: RoundsView, claim: ClaimView): RoundsView {
  return { ...view, claims: { ...view.claims, [claim.id]: claim } };
}

/**
 * Puts an item into a list that is sorted by key, or replaces the item with the same key. Items
 * that were produced at the same time arrive in any order, but prompts made from such lists must
 * always be the same.
 */
function place<T>(list: readonly T[], item: T, key: (one: T) => string): T[] {
  return [...list.filter((one) => key(one) !== key(item)), item].sort((left, right) =>
    key(left) < key(right) ? -1 : 1,
  );
}

/** Returns whether two facts record the same status change, because its round was repeated. */
function isSameMove(one: ClaimMove, other: ClaimMove): boolean {
  return (
    one.claim === other.claim &&
    one.round === other.round &&
    one.from === other.from &&
    one.to === other.to &&
    one.verification === other.verification &&
    one.superseded_by === other.superseded_by
  );
}

/** Removes the refusal for a failed call once the call was answered. */
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

/** Notes whether a supplement contains an objection, if one was asked for. */
function noteObjection(
  view: RoundsView,
  { step, text }: { readonly step: string; readonly text: string },
): RoundsView {
  const [, number, role] = SUPPLEMENT.exec(step) ?? [];
  if (role === undefined || !isAskedToObject(view, Number(number))) return view;
  return inRound(view, Number(number), ({ unobjecting = [] }) => ({
    unobjecting: [
      ...unobjecting.filter((one) => one !== role),
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

/** Drops the rounds after the last round of the deliberation. */
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
  const round = view.rounds.find((one) => one.round === number);
  const at = round?.raised.indexOf(id) ?? -1;
  const left = new Set(at < 0 ? [id] : round?.raised.slice(at));
  const stands = ({ superseded_by }: ClaimMove): boolean =>
    superseded_by === undefined || !left.has(superseded_by);
  const claims = Object.entries(claimsWhere(view, (claim) => !left.has(claim.id))).map(
    ([name, claim]): [string, ClaimView] => {
      const moves = claim.moves.filter(stands);
      if (moves.length === claim.moves.length) return [name, claim];
      return [name, { ...claim, moves, status: moves.at(-1)?.to ?? 'pending' }];
    },
  );
  return inRound({ ...view, claims: Object.fromEntries(claims) }, number, (one) => ({
    raised: one.raised.filter((it) => !left.has(it)),
    moves: one.moves.filter((move) => stands(move) && !left.has(move.claim)),
    findings: one.findings.filter(({ claim }) => !left.has(claim)),
    refusals: one.refusals.filter(({ id: of }) => of === undefined || !left.has(of)),
  }));
}

function claimsWhere(
  { claims }: RoundsView,
  wanted: (claim: ClaimView) => boolean,
): RoundsView['claims'] {
  return Object.fromEntries(Object.entries(claims).filter(([, claim]) => wanted(claim)));
}

/** Returns a fact without its position in the log, so that equal runs have equal views. */
function body<T extends Fact>(one: T): Omit<T, 'v' | 'type' | 'run' | 'seq' | 'at'> {
  const { v: _v, type: _type, run: _run, seq: _seq, at: _at, ...said } = one;
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
