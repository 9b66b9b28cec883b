/** What a run may spend, what it has spent, and what its running calls may still cost. */
import { toLine } from '../text/line.ts';
import type { GateQuestion } from './handle.ts';
import type { ModelSpec, Usage } from './model.ts';

/** The most that a run may spend. A limit that is absent does not apply. */
export interface Limits {
  /** The sum of input and output tokens. */
  readonly tokens?: number | undefined;
  /** The cost in US dollars. */
  readonly usd?: number | undefined;
}

/** The estimated tokens and cost of a call: an upper bound where one is known. */
interface Estimate {
  readonly tokens: number;
  /** Undefined where no price is known. */
  readonly usd: number | undefined;
}

/**
 * The output tokens that are assumed for a call without a token limit. Measured answers of models
 * had 400 to 600 tokens; this is about twice as many.
 */
export const ASSUMED_OUTPUT = 1_000;

/**
 * The key prefix of gates (recorded questions to a person) that ask whether a run may exceed its
 * budget. Only a person can allow this: a program may not answer such a gate, and its default is to stop.
 */
export const BUDGET_GATE = 'budget/';

/** Sums what a run has spent, and reserves the estimated cost of calls that are about to start. */
export class Budget {
  #limits: Limits;
  #tokens = 0;
  #usd = 0;
  /** Whether part of the sum is an estimate. */
  #estimated = false;
  readonly #reserved = new Set<Estimate>();

  constructor(limits: Limits = {}) {
    this.#limits = limits;
  }

  /**
   * A name computed from the limits. A person's decision to exceed a budget is recorded under this
   * name and counts only for a budget with the same limits.
   */
  get name(): string {
    return `${this.#limits.tokens ?? ''}t-${this.#limits.usd ?? ''}usd`;
  }

  /**
   * Adds the usage of an ended call and its cost in US dollars; `usd` is undefined if no price is
   * known. Calls of earlier attempts have to be added as well.
   */
  spend(usage: Usage, usd: number | undefined): void {
    this.#tokens += usage.input + usage.output;
    this.#usd += usd ?? 0;
    this.#estimated ||= usage.estimated === true;
  }

  /**
   * Reserves the estimated cost of a call to the model. Returns a function that releases the
   * reservation. If the call may exceed a limit together with what is spent and reserved, or if there is a
   * limit in dollars and no price is known, reserves nothing and returns a sentence that says so.
   */
  reserve(estimate: Estimate, model: ModelSpec): (() => void) | string {
    let running = { tokens: 0, usd: 0 };
    for (const { tokens, usd = 0 } of this.#reserved)
      running = { tokens: running.tokens + tokens, usd: running.usd + usd };
    const about = this.#estimated ? '~' : '';
    const { tokens: mostTokens, usd: mostUsd } = this.#limits;
    if (mostTokens !== undefined && this.#tokens + running.tokens + estimate.tokens > mostTokens)
      return formatExcess(
        `${about}${this.#tokens} tokens are spent`,
        running.tokens > 0 ? String(running.tokens) : undefined,
        String(estimate.tokens),
        String(mostTokens),
      );
    // If there is a limit in dollars, refuse a call whose price is not known, because it could exceed the
    // limit.
    if (mostUsd !== undefined && estimate.usd === undefined)
      return `No price is known for ${toLine(model)}, which may pass the budget of $${mostUsd}`;
    if (
      mostUsd !== undefined &&
      estimate.usd !== undefined &&
      this.#usd + running.usd + estimate.usd > mostUsd
    )
      return formatExcess(
        `${this.#usd > 0 ? about : ''}${formatDollars(this.#usd)} is spent`,
        running.usd > 0 ? formatDollars(running.usd) : undefined,
        formatDollars(estimate.usd),
        `$${mostUsd}`,
      );
    this.#reserved.add(estimate);
    return () => this.#reserved.delete(estimate);
  }

  /** Removes the limits, so that every later call is allowed. */
  lift(): void {
    this.#limits = {};
  }
}

/**
 * Makes the question whether a run may go on although its next call may exceed the budget.
 * @param reserved the sentence of `Budget.reserve` that says what was spent and what the call may cost
 * @param standing a sentence that says how far the work has come; may be empty
 */
export function budgetQuestion(reserved: string, standing: string): GateQuestion {
  return {
    prompt: `${reserved}.${standing === '' ? ' ' : `\n${standing}\n`}Continue without a limit?`,
    options: [
      { value: 'stop', label: 'Stop here and keep the answers so far' },
      { value: 'go-on', label: 'Continue without a limit' },
    ],
    default: 'stop',
  };
}

/**
 * Returns the sentence with every part of the sum, so that a reader sees whether the budget is too small or
 * used up.
 */
function formatExcess(
  spent: string,
  running: string | undefined,
  call: string,
  most: string,
): string {
  const others =
    running === undefined
      ? ` and this call may take ${call}`
      : `, running calls may take ${running} and this one ${call}`;
  return `${spent}${others}, which may pass the budget of ${most}`;
}

/** Formats dollars to a tenth of a cent, without trailing zeros. */
function formatDollars(usd: number): string {
  return `$${Number(usd.toFixed(3))}`;
}
