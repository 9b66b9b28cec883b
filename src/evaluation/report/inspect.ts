/**
 * Converts an evaluation to logs of Inspect (inspect_ai), one per arm: `EvalLog`, version 2, as JSON.
 * Fields are in the order that its reader expects: it stops before the samples if only the header is
 * requested. Nothing is invented: without the seats' own figures there is no `role_usage`.
 */
import { computeDigest } from '../../kernel/digest.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Arm, Header } from '../header.ts';
import type { Outcome } from '../outcome.ts';
import { type Analysis, type ArmFigures, analyseEvaluation } from '../statistics/analysis.ts';

/** The parts of the set that the log contains beside outcomes. */
interface Asked {
  readonly input: string;
  readonly target: string;
  readonly choices?: readonly string[];
}

/** The usage of one seat for one item, all its calls together. */
export interface SeatUsage {
  readonly seat: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost in US dollars; absent if no price is known. */
  readonly costUsd?: number;
}

interface InspectSources {
  /** Items by id; a missing item has an empty input and target. */
  readonly items: ReadonlyMap<string, Asked>;
  /** Returns the usage of a run's seats; absent or empty if unknown. */
  readonly seats?: (outcome: Outcome) => readonly SeatUsage[];
}

/** The log of one arm: its name, and JSON for `read_eval_log`. */
interface InspectLog {
  readonly arm: string;
  readonly json: string;
}

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  total_cost?: number;
}

const SCORER = 'answer';

/**
 * Makes logs in the format of Inspect, a framework for evaluations by the UK AI Security Institute,
 * one log for each arm.
 * @throws Error under the same conditions as `analyseEvaluation`
 */
export function inspectLogs(
  header: Header,
  outcomes: readonly Outcome[],
  sources: InspectSources,
): InspectLog[] {
  const analysis = analyseEvaluation(header, outcomes);
  return header.arms.map((arm) => {
    const figures = analysis.arms.find(({ name }) => name === arm.name);
    const own = outcomes
      .filter((outcome) => outcome.arm === arm.name)
      .sort((outcome, other) => outcome.seed - other.seed || (outcome.item < other.item ? -1 : 1));
    return {
      arm: arm.name,
      json: `${JSON.stringify(logOf(header, arm, own, analysis, figures, sources))}\n`,
    };
  });
}

function logOf(
  header: Header,
  arm: Arm,
  outcomes: readonly Outcome[],
  analysis: Analysis,
  figures: ArmFigures | undefined,
  sources: InspectSources,
): unknown {
  const samples = outcomes.map((outcome) => sampleOf(outcome, sources));
  const { set, startedAt, units, turns = units, primary } = header;
  const identity = { set, startedAt, units, primary };
  const asked = new Set(outcomes.map(({ unit, seed }) => `${seed} ${unit}`)).size;
  const isWhole = figures !== undefined && figures.score.units >= units && asked >= turns;
  return {
    version: 2,
    status: isWhole ? 'success' : 'cancelled',
    eval: {
      eval_id: computeDigest({ ...identity, arm: arm.name }),
      run_id: computeDigest(identity),
      created: inUtc(startedAt),
      task: set,
      task_id: computeDigest({ set }),
      task_version: 0,
      solver: arm.name,
      tags: ['deliberate'],
      dataset: {
        name: set,
        samples: new Set(outcomes.map(({ item }) => item)).size,
        sample_ids: [...new Set(outcomes.map(({ item }) => item))],
        shuffled: true,
      },
      model: arm.models.join(', ') || 'none/none',
      config: { epochs: Math.max(1, analysis.seeds), epochs_reducer: ['mean'] },
      metadata: {
        about: arm.about ?? null,
        set: header.about ?? null,
        models_served: figures?.models ?? [],
        primary: primary ?? null,
        prices: header.prices ?? null,
      },
    },
    plan: { name: arm.name, steps: [{ solver: arm.name, params: {} }], config: {} },
    results: {
      total_samples: outcomes.length,
      completed_samples: outcomes.filter(({ state }) => state !== 'missing').length,
      scores: figures === undefined ? [] : [scoreOf(figures, analysis, outcomes)],
    },
    stats: {
      started_at: inUtc(startedAt),
      completed_at: header.endedAt === undefined ? '' : inUtc(header.endedAt),
      model_usage: addUp(samples.map(({ model_usage }) => model_usage)),
      role_usage: addUp(samples.map(({ role_usage }) => role_usage)),
    },
    samples,
  };
}

/** Returns the score with its interval. */
function scoreOf(
  { score, isExact, unreadable, repaired }: ArmFigures,
  { hasVariants }: Analysis,
  outcomes: readonly Outcome[],
): unknown {
  const name = hasVariants ? 'balanced' : 'accuracy';
  const missing = outcomes.filter(({ state }) => state === 'missing').length;
  return {
    name: SCORER,
    scorer: SCORER,
    scored_samples: outcomes.length - missing,
    unscored_samples: missing,
    params: {},
    metrics: {
      [name]: {
        name,
        value: score.mean,
        params: {},
        metadata: {
          ...(score.units > 0 && { low: score.low, high: score.high }),
          interval: isExact ? 'Clopper-Pearson, 95 %' : 'bootstrap over units, 95 %',
          units: score.units,
        },
      },
    },
    metadata: { unreadable, repaired },
  };
}

function sampleOf(outcome: Outcome, { items, seats }: InspectSources) {
  const { item, seed, state, answer, models, tokens, costUsd } = outcome;
  const asked = items.get(item);
  const told = seats?.(outcome) ?? [];
  const [only, ...others] = models;
  const whole: Usage = {
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: Math.round(tokens),
    ...(costUsd !== null && { total_cost: costUsd }),
  };
  return {
    id: item,
    epoch: seed,
    input: asked?.input ?? '',
    ...(asked?.choices !== undefined && { choices: asked.choices }),
    target: asked?.target ?? '',
    messages: [],
    output: {
      model: models.join(', '),
      choices:
        state === 'missing'
          ? []
          : [
              {
                message: { role: 'assistant', content: answer ?? '', source: 'generate' },
                stop_reason: 'stop',
              },
            ],
      completion: answer ?? '',
      usage: whole,
    },
    ...(state === 'missing'
      ? {
          error: { message: 'no answer was recorded', traceback: '', traceback_ansi: '' },
        }
      : {
          scores: {
            [SCORER]: {
              // Export an unreadable answer as `N`, which Inspect reads as "no answer" and counts as wrong.
              value: state === 'unreadable' ? 'N' : outcome.isRight ? 'C' : 'I',
              answer,
              metadata: { repaired: outcome.isRepaired },
            },
          },
        }),
    metadata: {
      unit: outcome.unit,
      variant: outcome.variant ?? null,
      state,
      confidence: outcome.confidence ?? null,
      votes: outcome.votes ?? null,
      run: outcome.run ?? null,
    },
    // Give the usage of each model. If an arm uses several models, this is possible only if the usage of its seats
    // is known.
    model_usage:
      told.length > 0
        ? addUp(told.map((seatUsage) => ({ [seatUsage.model]: usageOf(seatUsage) })))
        : only !== undefined && others.length === 0
          ? { [only]: whole }
          : {},
    role_usage: addUp(told.map((seatUsage) => ({ [seatUsage.seat]: usageOf(seatUsage) }))),
  };
}

function usageOf({ inputTokens, outputTokens, costUsd }: SeatUsage): Usage {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...withoutUndefined({ total_cost: costUsd }),
  };
}

function addUp(all: readonly Readonly<Record<string, Usage>>[]): Record<string, Usage> {
  const sums = new Map<string, Usage>();
  for (const [name, usage] of all.flatMap((part) => Object.entries(part))) {
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? usage : addUsage(sum, usage));
  }
  return Object.fromEntries(sums);
}

/** Adds usage; the cost of the sum is unknown if that of a part is. */
function addUsage(usage: Usage, other: Usage): Usage {
  return {
    input_tokens: usage.input_tokens + other.input_tokens,
    output_tokens: usage.output_tokens + other.output_tokens,
    total_tokens: usage.total_tokens + other.total_tokens,
    ...(usage.total_cost !== undefined &&
      other.total_cost !== undefined && { total_cost: usage.total_cost + other.total_cost }),
  };
}

/** Formats a time with a numeric offset, as Python before 3.11 cannot parse `Z`. */
function inUtc(iso: string): string {
  return new Date(iso).toISOString().replace('Z', '+00:00');
}
