/**
 * What a team's work is likely to take. Before there is a plan, from the shortest path to the full stack;
 * with one, by its workstreams, and what each tier above T4 adds to it.
 */
import {
  fixedSpan,
  multiplySpans,
  ONCE,
  type PlannedCalls,
  planCalls,
  type Span,
} from '../../kernel/estimate.ts';
import type { Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { Survey } from '../../kernel/tools/workshop.ts';
import { SHARE } from '../common/ask-with-tools.ts';
import { countAttachedPart } from '../common/attached.ts';
import type { SeatId, TeamConfig } from './config.ts';
import type { TeamPlan, Workstream } from './forms/plan.ts';
import { asMeasured, type Measured, type Price } from './measured.ts';
import { MOST_PATHS } from './prompts/opening.ts';
import { attemptsAllowed, attemptsOfRun } from './rules/failures.ts';
import { isTestedFirst } from './rules/plan.ts';

/**
 * Tokens of what is told in a task with its tools, and of the form it is answered in (110 to 905 as JSON
 * schema): measured in three runs that were answered by hand.
 */
const TASK = 1_800;
/** The same without what is counted for itself from version 3 on: the survey, the specialists, the plan. */
const TASK_ALONE = 1_700;
/** Tokens of what a survey, a plan, a design or a diff adds to a prompt. */
const MATERIAL: Span = { low: 1_000, high: 6_000 };
/** Tokens of a plan or a design, of a squad's tasks, of one turn at work, of a verdict. */
const WRITTEN: Span = { low: 500, high: 3_000 };
const TURN: Span = { low: 100, high: 1_500 };
const VERDICT: Span = { low: 200, high: 1_200 };

/** What a squad's lead makes of a workstream: assumed, since one task needs no lead. */
const TASKS: Span = { low: 2, high: 6 };
/** What a forecast reckons with. */
const USUAL_TASKS = 3;
/** A task takes two turns at least: one that writes, one that reports. */
const LEAST_TURNS = 2;
/** Answers to contradictions, as often as they are asked for at most. */
const CYCLES = 2;
/** Verifications of a workstream: the first, and those of what was rejected. */
const ROUNDS: Span = { low: 1, high: 3 };

type Shape = Pick<Workstream, 'path' | 'retry_multiplier'> & {
  /** Whether a test has to show any of its requirements; absent: assumed. */
  readonly isTested?: boolean | undefined;
  /** Of a squad, where it is not the least of `TASKS`. */
  readonly tasks?: number | undefined;
};

const SHORTEST: readonly Shape[] = [{ path: 'T4-T5', retry_multiplier: 1 }];
/** Assumed where nothing is known: three workstreams of every tier. */
const FULL: readonly Shape[] = Array.from({ length: 3 }, () => ({
  path: 'T2-T5',
  retry_multiplier: 2,
}));

/** Every seat, as often as its tier is called; verifiers that are not set count for nothing. */
export function planTeam(
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  plan?: TeamPlan,
): PlannedCalls[] {
  if (config.planOnly) return callsOf(goal, seats, config, [], []);
  return plan === undefined
    ? callsOf(goal, seats, config, SHORTEST, FULL)
    : callsOf(goal, seats, config, shapesOf(plan, config), shapesOf(plan, config));
}

/** From version 3 on it counts whether a test has to show anything: no tests come first where none does. */
function shapesOf({ workstreams, requirements }: TeamPlan, { version }: TeamConfig): Shape[] {
  const byTest = new Set(requirements.flatMap(({ id, proof }) => (proof === 'test' ? [id] : [])));
  return workstreams.map(({ path, retry_multiplier, covers }) => ({
    ...{ path, retry_multiplier },
    ...((version ?? 1) >= 3
      ? { isTested: covers.some((id) => byTest.has(id)), tasks: USUAL_TASKS }
      : {}),
  }));
}

export interface TierPrice {
  readonly tier: 'T2' | 'T3';
  /** Of the whole run, with the tier and without it. */
  readonly with: Price;
  readonly without: Price;
}

/**
 * What each tier above T4 that the plan goes through adds. Without T3 a workstream is one task, and there
 * is nobody whom a design could be handed to: T2 goes with it.
 */
export function pricesOf(
  plan: TeamPlan,
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  survey?: Survey,
  measured?: Measured,
): readonly TierPrice[] {
  const sizes = sizesOf(config, plan, survey, measured);
  const price = priceOf(goal, seats, config, sizes);
  const planning = price([]);
  const ofShapes = (of: readonly Shape[]): Price => asMeasured(price(of), planning, measured);
  const shapes = shapesOf(plan, config);
  const whole = ofShapes(shapes);
  const without = (from: readonly string[], to: Shape['path']): Price =>
    ofShapes(shapes.map((one) => (from.includes(one.path) ? { ...one, path: to } : one)));
  const prices: TierPrice[] = [];
  if (plan.workstreams.some(hasDesign))
    prices.push({ tier: 'T2', with: whole, without: without(['T2-T5'], 'T3-T5') });
  if (plan.workstreams.some(hasSquad))
    prices.push({ tier: 'T3', with: whole, without: without(['T2-T5', 'T3-T5'], 'T4-T5') });
  return prices;
}

/** The price of the whole run by a plan, corrected by what was measured, and the price of its planning alone. */
export function pricePlan(
  plan: TeamPlan,
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  survey?: Survey,
  measured?: Measured,
): Price {
  const price = priceOf(goal, seats, config, sizesOf(config, plan, survey, measured));
  return asMeasured(price(shapesOf(plan, config)), price([]), measured);
}

function priceOf(goal: string, seats: readonly Seat[], config: TeamConfig, sizes: Sizes) {
  return (shapes: readonly Shape[]): Price => {
    const planned = callsOf(goal, seats, config, shapes, shapes, sizes);
    return {
      calls: sum(planned.map(({ calls }) => calls)),
      tokens: sum(planned.flatMap(({ input, output }) => [input, output])),
    };
  };
}

/** Tokens of what stands in every prompt: of T1's the survey and the specialists, of those below the plan. */
interface Sizes {
  readonly above: number;
  readonly below: number;
  /** Of the files that a task holds, which stand in each prompt of T4. */
  readonly held?: number | undefined;
}

/** Paths that are told of a repository, where it has not been looked at yet, and a short plan. */
const ASSUMED: Sizes = { above: 500, below: 400 };

/** Up to version 2 nothing but a constant stood for them. */
function sizesOf(
  { version, specialists }: TeamConfig,
  plan?: TeamPlan,
  survey?: Survey,
  { held }: Partial<Measured> = {},
): Sizes {
  if ((version ?? 1) < 3) return { above: 0, below: 0 };
  const pool = specialists.map(({ slug, name, about }) => `${slug}: ${name}. ${about}`).join('\n');
  const paths = survey?.paths.slice(0, MOST_PATHS).join('\n');
  return {
    above: estimateTokens(pool) + (paths === undefined ? ASSUMED.above : estimateTokens(paths)),
    below: plan === undefined ? ASSUMED.below : estimateTokens(JSON.stringify(plan)),
    held,
  };
}

/** `low` and `high`: the workstreams there are at least and at most; none where only a plan is made. */
function callsOf(
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  low: readonly Shape[],
  high: readonly Shape[],
  sizes = sizesOf(config),
): PlannedCalls[] {
  const lookFurther = (config.version ?? 1) >= 3;
  const start =
    estimateTokens(goal) + countAttachedPart(config) + (lookFurther ? TASK_ALONE : TASK);
  const opening = start + sizes.below;
  const plain = fixedSpan(opening);
  const spanOf = (tokens: number, more: Span): Span => ({
    low: tokens + more.low,
    high: tokens + more.high,
  });
  // From version 3 on the survey and the plan are counted for themselves.
  const material = lookFurther ? { ...MATERIAL, low: MATERIAL.low / 2 } : MATERIAL;
  const further: Span = { low: material.low / 2, high: material.high + SHARE.tokens };
  const shown = spanOf(opening, material);
  const looking = spanOf(opening, further);
  const planning = spanOf(start + sizes.above, further);
  const planned = spanOf(start + sizes.above + sizes.below, material);
  const span = (of: (shapes: readonly Shape[], end: keyof Span) => number): Span => ({
    low: of(low, 'low'),
    high: of(high, 'high'),
  });
  const count = (is: (shape: Shape) => boolean): Span => span((shapes) => shapes.filter(is).length);
  const any = ({ low: least, high: most }: Span): Span => ({
    low: Math.min(1, least),
    high: Math.min(1, most),
  });
  const all = count(() => true);
  const works = any(all);
  const designed = count(hasDesign);
  const squads = count(hasSquad);
  const turns = span(turnsOf(config));
  // One domain has one architect, who is asked once.
  const isAlone = lookFurther && designed.high === 1;
  const tests = count((shape) => isTested(shape) && isTestedFirst(shape, config.version ?? 1));
  const tested = count(isTested);

  /** What is nobody's, twice, and the tasks that come up, each for two causes, twice. */
  const above = (among: Span, is: (shape: Shape) => boolean): Span => ({
    low: 0,
    high:
      2 * any(among).high +
      4 * span((shapes, end) => total(shapes.filter(is).map((one) => tasksOf(one, end)))).high,
  });

  const tiers: Readonly<Record<SeatId, Parameters<typeof planCalls>[3]>> = {
    t1: [
      {
        calls: { low: 1, high: high.length === 0 ? 1 : SHARE.turns },
        prompt: planning,
        answer: WRITTEN,
      },
      { calls: ONCE, prompt: planned, answer: WRITTEN },
      // What code refused of them, once each; the design held against the goal; acceptance.
      { calls: { low: 0, high: 2 * works.high }, prompt: planned, answer: WRITTEN },
      { calls: isAlone ? { low: 0, high: 0 } : any(designed), prompt: shown, answer: VERDICT },
      { calls: multiplySpans(works, { low: 1, high: 2 }), prompt: shown, answer: VERDICT },
      // Plans again where a design was wrong or nobody else is above.
      { calls: { low: 0, high: all.high }, prompt: planned, answer: WRITTEN },
      { calls: above(squads, (shape) => !hasDesign(shape)), prompt: shown, answer: WRITTEN },
    ],
    't2-lead': [
      {
        calls: multiplySpans(any(designed), isAlone ? { low: 0, high: 0 } : { low: 3, high: 5 }),
        ...{ prompt: shown, answer: WRITTEN },
      },
      { calls: above(designed, hasDesign), prompt: shown, answer: WRITTEN },
    ],
    t2: [
      {
        calls: isAlone
          ? { low: designed.low, high: 2 * SHARE.turns }
          : { low: designed.low, high: designed.high * (1 + CYCLES) },
        prompt: shown,
        answer: WRITTEN,
      },
      { calls: { low: 0, high: designed.high }, prompt: shown, answer: VERDICT },
    ],
    t3: [
      { calls: multiplySpans(squads, { low: 1, high: 2 }), prompt: shown, answer: WRITTEN },
      { calls: { low: 0, high: span(correctionsOf).high }, prompt: shown, answer: VERDICT },
    ],
    t4: [{ calls: turns, prompt: spanOf(opening + (sizes.held ?? 0), further), answer: TURN }],
    't5-1': [
      {
        calls: multiplySpans(tests, { low: 2, high: SHARE.turns * (lookFurther ? 2 : 1) }),
        prompt: looking,
        answer: TURN,
      },
      ...verifying(all, looking, plain, lookFurther ? tested : undefined),
    ],
    't5-2':
      config.verifiers < 2 ? [] : verifying(all, looking, plain, lookFurther ? tested : undefined),
  };
  const bySeat = new Map<string, Parameters<typeof planCalls>[3]>(Object.entries(tiers));
  return seats.map(({ id, title, model }) => planCalls(id, title, model, bySeat.get(id) ?? []));
}

/**
 * `tested`: the workstreams of a run from version 3 on in which a test has to show something. There both
 * verifiers look twice, and a third time at a test that is red by then.
 */
function verifying(
  workstreams: Span,
  looking: Span,
  plain: Span,
  tested: Span | undefined,
): Parameters<typeof planCalls>[3] {
  const rounds = multiplySpans(workstreams, ROUNDS);
  return [
    {
      calls: multiplySpans(rounds, { low: 1, high: SHARE.turns }),
      prompt: looking,
      answer: VERDICT,
    },
    tested !== undefined
      ? {
          calls: { low: tested.low, high: rounds.high * (2 * SHARE.turns + 2) },
          prompt: looking,
          answer: VERDICT,
        }
      : // Again, with the other's evidence.
        { calls: { low: 0, high: rounds.high }, prompt: plain, answer: VERDICT },
  ];
}

function isTested({ isTested: is = true }: Shape): boolean {
  return is;
}

function hasDesign({ path }: Shape): boolean {
  return path === 'T2-T5';
}

function hasSquad({ path }: Shape): boolean {
  return path !== 'T4-T5';
}

function tasksOf(shape: Shape, end: keyof Span): number {
  if (!hasSquad(shape)) return 1;
  return end === 'low' ? (shape.tasks ?? TASKS.low) : TASKS.high;
}

/** Turns of all attempts; those of the whole run are bounded, too. */
function turnsOf({ turns }: TeamConfig) {
  return (shapes: readonly Shape[], end: keyof Span): number => {
    const tasks = total(shapes.map((one) => tasksOf(one, end)));
    if (end === 'low') return tasks * LEAST_TURNS;
    const attempts = total(
      shapes.map((one) => tasksOf(one, end) * attemptsAllowed(one.retry_multiplier)),
    );
    return Math.min(attempts, attemptsOfRun(tasks)) * turns;
  };
}

/** Briefs that a squad's lead corrects. */
function correctionsOf(shapes: readonly Shape[], end: keyof Span): number {
  return total(
    shapes.map((one) =>
      hasSquad(one) ? tasksOf(one, end) * (attemptsAllowed(one.retry_multiplier) - 1) : 0,
    ),
  );
}

function sum(spans: readonly Span[]): Span {
  return { low: total(spans.map(({ low }) => low)), high: total(spans.map(({ high }) => high)) };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((before, one) => before + one, 0);
}
