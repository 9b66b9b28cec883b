/** Counts the calls that a deliberation in rounds still makes. */
import { entryOf } from '../../kernel/entry.ts';
import type { Span } from '../../kernel/estimate.ts';
import type { CallsLeft } from '../../kernel/time-left.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import type { CallView, RunView } from '../../kernel/view.ts';

/** The phases of a round in which models are asked, in order; the last follows the last round. */
const PHASES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'synthesis'] as const;
type Phase = (typeof PHASES)[number];

/**
 * How long a call of each phase is, about a hundred tokens of its answer each: as small models answered, and as the
 * tasks ask for. An artifact has 600 words, a ballot two lines.
 */
const WEIGHTS: Readonly<Record<Phase, number>> = {
  A: 2,
  B: 5,
  C: 4,
  D: 7,
  E: 3,
  F: 3,
  G: 4,
  H: 1,
  synthesis: 2,
};
/** How long the call of the synthesis is, in the same unit. */
const SYNTHESIS_WEIGHT = 4;

/** A step of a round: its number and its phase. */
const STEP = /^round-(\d+)\/([A-H]|synthesis)\/(?!\d+$)/;
/** The step of the synthesis, whose last part is the synthesis's version. */
const SYNTHESIS = /^round-\d+\/synthesis\/\d+$/;

/**
 * Returns the calls that are left of the planned rounds and the synthesis after them. The least assumes that
 * signals end the deliberation after the present round, unless the last is being held. Returns undefined for
 * another synthesis, and for runs whose settings do not say how many rounds there are.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  const { rounds, stress, driftEvery, stopAt, control, predict } = view.config;
  if (view.request.kind !== 'convene' || typeof rounds !== 'number') return undefined;
  const calls = Object.values(view.calls);
  const synthesis = calls.findLast(({ step }) => SYNTHESIS.test(step));
  if (synthesis !== undefined) {
    const inTurn = synthesis.state === 'running' ? SYNTHESIS_WEIGHT : 0;
    return { calls: { low: 0, high: 0 }, inTurn, weightOf };
  }
  const { round, phase } = placeOf(calls);
  const plan = (number: number): ReadonlyMap<Phase, Span> =>
    callsOfRound({
      round: number,
      isLast: number === rounds,
      seats: view.seats.length - (stressed(stress, number) ? 1 : 0),
      isStressed: stressed(stress, number),
      drifts: typeof driftEvery === 'number' && number % driftEvery === 0,
    });
  const made = calls.filter(
    (call) => startsIn(call, round, phase) && stepOf(call.step) === call.step,
  );
  const running = made.filter(({ state }) => state === 'running').length;
  const ended = made.length - running;
  const present = PHASES.slice(PHASES.indexOf(phase)).map((name): [Phase, Span] => {
    const { low, high } = plan(round).get(name) ?? { low: 0, high: 0 };
    if (name !== phase) return [name, { low, high }];
    return [name, { low: Math.max(running, low - ended), high: Math.max(running, high - ended) }];
  });
  const later = Array.from({ length: Math.max(0, rounds - round) }, (_, index) =>
    sum([...plan(round + 1 + index)]),
  ).reduce(add, NONE);
  const seats = view.seats.length;
  const vote = seats * WEIGHTS.synthesis;
  const mayEnd = stopAt !== 'never' && rounds > round;
  // After the last round and its vote, the seats may be asked once more, and for predictions.
  const after =
    (control === true ? vote : 0) +
    (typeof predict === 'number' && predict > 0 ? (seats + 1) * WEIGHTS.synthesis : 0);
  const now = sum(present);
  return {
    calls: {
      low: now.low + (mayEnd ? vote : later.low) + after,
      high: now.high + later.high + after,
    },
    inTurn: SYNTHESIS_WEIGHT,
    weightOf,
  };
}

function weightOf(step: string): number {
  if (SYNTHESIS.test(step)) return SYNTHESIS_WEIGHT;
  return WEIGHTS[(STEP.exec(step)?.[2] as Phase | undefined) ?? 'synthesis'];
}

/** Returns the latest round and phase in which a call was made. */
function placeOf(calls: readonly CallView[]): { round: number; phase: Phase } {
  const places = calls.flatMap(({ step }) => {
    const found = STEP.exec(step);
    return found === null ? [] : [{ round: Number(found[1]), phase: found[2] as Phase }];
  });
  const rank = ({ round, phase }: { round: number; phase: Phase }): number =>
    round * PHASES.length + PHASES.indexOf(phase);
  return places.reduce((one, other) => (rank(other) > rank(one) ? other : one), {
    round: 1,
    phase: 'A' as Phase,
  });
}

function startsIn({ step }: CallView, round: number, phase: Phase): boolean {
  return step.startsWith(`round-${round}/${phase}/`);
}

/**
 * Returns how many calls each phase of a round makes, as counted in runs with the stand-in and with small models:
 * in phase E there are two to eight verdicts, in phase G one or two assessments.
 */
function callsOfRound({
  round,
  isLast,
  seats,
  isStressed,
  drifts,
}: {
  readonly round: number;
  readonly isLast: boolean;
  readonly seats: number;
  readonly isStressed: boolean;
  readonly drifts: boolean;
}): ReadonlyMap<Phase, Span> {
  const exact = (count: number): Span => ({ low: count, high: count });
  return new Map<Phase, Span>([
    ['A', round === 1 ? { low: seats, high: seats + 2 } : exact(isStressed ? 1 : 0)],
    ['B', exact(1)],
    ['C', exact(seats - 1)],
    ['D', exact(seats)],
    ['E', { low: 2, high: 8 }],
    ['F', { low: 0, high: 2 }],
    ['G', { low: 1, high: 2 }],
    ['H', exact(drifts ? 1 : 0)],
    ['synthesis', isLast ? { low: seats, high: seats + 1 } : exact(0)],
  ]);
}

function stressed(stress: unknown, round: number): boolean {
  return (
    typeof stress === 'object' &&
    stress !== null &&
    entryOf(stress as Readonly<Record<string, unknown>>, String(round)) !== undefined
  );
}

const NONE: Span = { low: 0, high: 0 };

/** Adds up the calls of phases by their length. */
function sum(phases: readonly (readonly [Phase, Span])[]): Span {
  return phases
    .map(([phase, { low, high }]) => ({ low: low * WEIGHTS[phase], high: high * WEIGHTS[phase] }))
    .reduce(add, NONE);
}

function add(one: Span, other: Span): Span {
  return { low: one.low + other.low, high: one.high + other.high };
}
