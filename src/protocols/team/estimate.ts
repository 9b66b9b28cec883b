/**
 * Estimates what a team's work costs. Before there is a plan, the estimate reaches from the shortest path
 * to all tiers; with a plan, it counts the plan's workstreams and what each tier above T4 adds.
 */
import {
  fixedSpan,
  multiplySpans,
  ONCE,
  type PlannedCalls,
  planCalls,
  type Span,
  sumSpans,
} from '../../kernel/estimate.ts';
import type { Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { Survey } from '../../kernel/tools/workshop.ts';
import { SHARE } from '../common/asking/asking.ts';
import { countAttachedPart } from '../common/prompts/attached.ts';
import type { SeatId, TeamConfig } from './config.ts';
import type { TeamPlan, Workstream } from './forms/plan.ts';
import { correctByMeasured, type PlanningCost, type RunEstimate } from './measured.ts';
import { MOST_PATHS } from './prompts/opening.ts';
import { attemptsAllowed, countAttemptsOfRun, TRIES_OF_ATTEMPT } from './rules/failures.ts';
import { isTestedFirst } from './rules/plan.ts';

/**
 * Tokens of a task's instructions, tools and answer form, as measured in three runs that were answered by
 * hand.
 */
const TASK = 1_800;
/**
 * Tokens of a task's instructions, tools and answer form without the survey, the specialists and the plan,
 * which are counted separately from version 3 of the rules on.
 */
const TASK_ALONE = 1_700;
/** Tokens that a survey, a plan, a design or a diff adds to a prompt. */
const MATERIAL: Span = { low: 1_000, high: 6_000 };
/** The same from version 3 of the rules on, where the survey and the plan are counted separately. */
const MATERIAL_ALONE: Span = { ...MATERIAL, low: MATERIAL.low / 2 };
/** Tokens of a written answer: a plan, a design or a squad's tasks. */
const WRITTEN: Span = { low: 500, high: 3_000 };
const TURN: Span = { low: 100, high: 1_500 };
const VERDICT: Span = { low: 200, high: 1_200 };

/** How many tasks a squad's lead makes of a workstream; assumed, since one task needs no lead. */
const TASKS: Span = { low: 2, high: 6 };
/** How many tasks of a squad a forecast assumes. */
const USUAL_TASKS = 3;
/** A task takes at least two turns: one that writes and one that reports. */
const LEAST_TURNS = 2;
/** How often answers to contradictions are asked for, at most. */
const CYCLES = 2;
/** How often a workstream is verified: once, and again after each rejection. */
const ROUNDS: Span = { low: 1, high: 3 };

type Shape = Pick<Workstream, 'path' | 'retry_multiplier'> & {
  /** Whether any requirement of the workstream needs a test; absent: assumed so. */
  readonly isTested?: boolean | undefined;
  /** How many tasks a squad is assumed to have; absent: the least of `TASKS`. */
  readonly tasks?: number | undefined;
};

const SHORTEST: readonly Shape[] = [{ path: 'T4-T5', retry_multiplier: 1 }];
/** What is assumed as the most before there is a plan: three workstreams with all tiers. */
const FULL: readonly Shape[] = Array.from({ length: 3 }, () => ({
  path: 'T2-T5',
  retry_multiplier: 2,
}));

/**
 * Estimates the calls of every seat, from the plan if there is one. If the settings want only a plan, only
 * planning is counted. Verifiers that the settings leave out have no calls.
 */
export function estimateSeats(
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

/**
 * Returns the shape of each workstream. From version 3 of the rules on, a workstream gets no acceptance
 * tests if none of its requirements needs a test.
 */
function shapesOf({ workstreams, requirements }: TeamPlan, { version }: TeamConfig): Shape[] {
  const byTest = new Set(requirements.flatMap(({ id, proof }) => (proof === 'test' ? [id] : [])));
  return workstreams.map(({ path, retry_multiplier, covers }) => ({
    path,
    retry_multiplier,
    ...((version ?? 1) >= 3
      ? { isTested: covers.some((id) => byTest.has(id)), tasks: USUAL_TASKS }
      : {}),
  }));
}

/** The calls and tokens of a run with and without the design tier (T2) or the task-dividing tier (T3). */
export interface TierEstimate {
  readonly tier: 'T2' | 'T3';
  /** The calls and tokens of the whole run with the tier. */
  readonly with: RunEstimate;
  /** The calls and tokens of the whole run without the tier. */
  readonly without: RunEstimate;
}

/**
 * Returns what the run would cost with and without the design tier (T2) and the task-dividing tier
 * (T3), if the plan has them. Without T3 there is no T2 either, because a workstream without T3 is a single task, for
 * which no design is made.
 */
export function estimateTiers(
  plan: TeamPlan,
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  survey?: Survey,
  measured?: PlanningCost,
): readonly TierEstimate[] {
  const sizes = sizesOf(config, plan, survey, measured);
  const price = priceOf(goal, seats, config, sizes);
  const planning = price([]);
  const ofShapes = (of: readonly Shape[]): RunEstimate =>
    correctByMeasured(price(of), planning, measured);
  const shapes = shapesOf(plan, config);
  const whole = ofShapes(shapes);
  const estimateWithout = (from: readonly string[], to: Shape['path']): RunEstimate =>
    ofShapes(shapes.map((shape) => (from.includes(shape.path) ? { ...shape, path: to } : shape)));
  const prices: TierEstimate[] = [];
  if (plan.workstreams.some(hasDesign))
    prices.push({ tier: 'T2', with: whole, without: estimateWithout(['T2-T5'], 'T3-T5') });
  if (plan.workstreams.some(hasSquad))
    prices.push({ tier: 'T3', with: whole, without: estimateWithout(['T2-T5', 'T3-T5'], 'T4-T5') });
  return prices;
}

/**
 * Estimates the calls and tokens of the whole run from its plan.
 * @param measured what planning has taken, by which the estimate is corrected; if absent, it is not corrected
 */
export function estimatePlan(
  plan: TeamPlan,
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  survey?: Survey,
  measured?: PlanningCost,
): RunEstimate {
  const price = priceOf(goal, seats, config, sizesOf(config, plan, survey, measured));
  return correctByMeasured(price(shapesOf(plan, config)), price([]), measured);
}

function priceOf(goal: string, seats: readonly Seat[], config: TeamConfig, sizes: Sizes) {
  return (shapes: readonly Shape[]): RunEstimate => {
    const planned = callsOf(goal, seats, config, shapes, shapes, sizes);
    return {
      calls: sumSpans(planned.map(({ calls }) => calls)),
      tokens: sumSpans(planned.flatMap(({ input, output }) => [input, output])),
    };
  };
}

/**
 * Tokens that every prompt of a tier contains. `above`: the survey and the specialists, in prompts of T1.
 * `below`: the plan, in prompts of the tiers below T1.
 */
interface Sizes {
  readonly above: number;
  readonly below: number;
  /** Tokens of the files that a task holds, which every prompt of T4 contains. */
  readonly held?: number | undefined;
}

/** The sizes assumed before there is a survey or a plan. */
const ASSUMED: Sizes = { above: 500, below: 400 };

/**
 * Returns the sizes of what every prompt contains. They are zero up to version 2 of the rules, because the
 * constant `TASK` includes them there.
 */
function sizesOf(
  { version, specialists }: TeamConfig,
  plan?: TeamPlan,
  survey?: Survey,
  { held }: Partial<PlanningCost> = {},
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

/**
 * Counts the calls of every seat. `low` and `high` are the fewest and the most workstreams assumed; both
 * are empty if only a plan is made.
 */
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
  const material = lookFurther ? MATERIAL_ALONE : MATERIAL;
  const further: Span = { low: material.low / 2, high: material.high + SHARE.tokens };
  const shown = spanOf(opening, material);
  const looking = spanOf(opening, further);
  const planning = spanOf(start + sizes.above, further);
  const planned = spanOf(start + sizes.above + sizes.below, material);
  const computeSpan = (of: (shapes: readonly Shape[], end: keyof Span) => number): Span => ({
    low: of(low, 'low'),
    high: of(high, 'high'),
  });
  const countShapes = (is: (shape: Shape) => boolean): Span =>
    computeSpan((shapes) => shapes.filter(is).length);
  const capAtOne = ({ low: least, high: most }: Span): Span => ({
    low: Math.min(1, least),
    high: Math.min(1, most),
  });
  const all = countShapes(() => true);
  const works = capAtOne(all);
  const designed = countShapes(hasDesign);
  const squads = countShapes(hasSquad);
  const turns = computeSpan(turnsOf(config));
  // From version 3 of the rules on, if only one workstream is designed, one architect designs it alone, in one
  // question.
  const isAlone = lookFurther && designed.high === 1;
  const tests = countShapes(
    (shape) => isTested(shape) && isTestedFirst(shape, config.version ?? 1),
  );
  const tested = countShapes(isTested);

  /** Counts the calls that ask the tier above squads (T2 if there is a design, otherwise T1) what to do. */
  const countQuestionsAbove = (among: Span, is: (shape: Shape) => boolean): Span => {
    const tasks = computeSpan((shapes, end) =>
      addUp(shapes.filter(is).map((shape) => tasksOf(shape, end))),
    );
    const unownedWork = 2 * capAtOne(among).high;
    // A task causes two questions at most: one about failed work and one about a wrong brief. If code refuses the
    // answer to a question, the question is asked once more.
    return { low: 0, high: unownedWork + 2 * 2 * tasks.high };
  };

  const tiers: Readonly<Record<SeatId, Parameters<typeof planCalls>[3]>> = {
    t1: [
      {
        calls: { low: 1, high: high.length === 0 ? 1 : SHARE.turns },
        prompt: planning,
        answer: WRITTEN,
      },
      { calls: ONCE, prompt: planned, answer: WRITTEN },
      // Calls that ask again for a plan or a critique that code refused.
      { calls: { low: 0, high: 2 * works.high }, prompt: planned, answer: WRITTEN },
      // Calls that check the design.
      { calls: isAlone ? { low: 0, high: 0 } : capAtOne(designed), prompt: shown, answer: VERDICT },
      // The estimate of T1's calls that accept or reject the finished work: one, or two if code refuses the first.
      { calls: multiplySpans(works, { low: 1, high: 2 }), prompt: shown, answer: VERDICT },
      // Calls in which T1 plans again.
      { calls: { low: 0, high: all.high }, prompt: planned, answer: WRITTEN },
      {
        calls: countQuestionsAbove(squads, (shape) => !hasDesign(shape)),
        prompt: shown,
        answer: WRITTEN,
      },
    ],
    't2-lead': [
      {
        calls: multiplySpans(
          capAtOne(designed),
          isAlone ? { low: 0, high: 0 } : { low: 3, high: 5 },
        ),
        prompt: shown,
        answer: WRITTEN,
      },
      { calls: countQuestionsAbove(designed, hasDesign), prompt: shown, answer: WRITTEN },
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
      { calls: { low: 0, high: computeSpan(correctionsOf).high }, prompt: shown, answer: VERDICT },
    ],
    t4: [{ calls: turns, prompt: spanOf(opening + (sizes.held ?? 0), further), answer: TURN }],
    't5-1': [
      {
        calls: multiplySpans(tests, { low: 2, high: SHARE.turns * (lookFurther ? 2 : 1) }),
        prompt: looking,
        answer: TURN,
      },
      ...estimateVerifierCalls(all, looking, plain, lookFurther ? tested : undefined),
    ],
    't5-2':
      config.verifiers < 2
        ? []
        : estimateVerifierCalls(all, looking, plain, lookFurther ? tested : undefined),
  };
  const bySeat = new Map<string, Parameters<typeof planCalls>[3]>(Object.entries(tiers));
  return seats.map(({ id, title, model }) => planCalls(id, title, model, bySeat.get(id) ?? []));
}

/**
 * Estimates a verifier's calls. `tested` is how many workstreams need tests, from version 3 of the rules
 * on: these are looked at twice, and a third time if a test is red; undefined before.
 */
function estimateVerifierCalls(
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
      : // Before version 3 of the rules, a verifier is asked at most once more, with the other verifier's evidence.
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

/** Counts the turns of all attempts, within the bound on the whole run's attempts. */
function turnsOf({ turns }: TeamConfig) {
  return (shapes: readonly Shape[], end: keyof Span): number => {
    const tasks = addUp(shapes.map((shape) => tasksOf(shape, end)));
    if (end === 'low') return tasks * LEAST_TURNS;
    const attempts = addUp(
      shapes.map((shape) => tasksOf(shape, end) * attemptsAllowed(shape.retry_multiplier)),
    );
    return Math.min(attempts, countAttemptsOfRun(tasks)) * TRIES_OF_ATTEMPT * turns;
  };
}

/** Counts the briefs that squads' leads correct. */
function correctionsOf(shapes: readonly Shape[], end: keyof Span): number {
  return addUp(
    shapes.map((shape) =>
      hasSquad(shape) ? tasksOf(shape, end) * (attemptsAllowed(shape.retry_multiplier) - 1) : 0,
    ),
  );
}

function addUp(numbers: readonly number[]): number {
  return numbers.reduce((before, number) => before + number, 0);
}
