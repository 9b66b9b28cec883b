/** What a run may spend, what it has spent, and what its running calls may still cost. */
import { line } from '../text/line.ts';
import type { GateQuestion } from './handle.ts';
import type { ModelSpec, Usage } from './model.ts';

export interface Limits {
  /** Input plus output tokens. */
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

/** What a call may come to, at most or as well as can be told. */
interface Estimate {
  readonly tokens: number;
  /** Undefined where no price is known. */
  readonly usd: number | undefined;
}

/**
 * Output tokens a call is counted with before it has answered, where no limit was set: about twice
 * the 400 to 600 tokens that seats were seen to write.
 */
export const ASSUMED_OUTPUT = 1_000;

/** The gate that lets a run go past its budget begins so. Only a person answers it. */
export const BUDGET_GATE = 'budget/';

export class Budget {
  #limits: Limits;
  #tokens = 0;
  #usd = 0;
  /** A part of what is spent is an estimate. */
  #estimated = false;
  readonly #reserved = new Set<Estimate>();

  constructor(limits: Limits = {}) {
    this.#limits = limits;
  }

  /** Tells one budget from another: what was decided about the one says nothing of the other. */
  get name(): string {
    return `${this.#limits.tokens ?? ''}t-${this.#limits.usd ?? ''}usd`;
  }

  /** Counts what a finished call took; facts of earlier attempts count as well. */
  spend(usage: Usage, usd: number | undefined): void {
    this.#tokens += usage.input + usage.output;
    this.#usd += usd ?? 0;
    this.#estimated ||= usage.estimated === true;
  }

  /**
   * Sets the estimate aside for a call of that model that is about to start. Returns how to give it back,
   * or a sentence that says which limit it may pass.
   */
  reserve(estimate: Estimate, model: ModelSpec): (() => void) | string {
    let running = { tokens: 0, usd: 0 };
    for (const { tokens, usd = 0 } of this.#reserved)
      running = { tokens: running.tokens + tokens, usd: running.usd + usd };
    const about = this.#estimated ? '~' : '';
    const { tokens: mostTokens, usd: mostUsd } = this.#limits;
    if (mostTokens !== undefined && this.#tokens + running.tokens + estimate.tokens > mostTokens)
      return passing(
        `${about}${this.#tokens} tokens are spent`,
        running.tokens > 0 ? String(running.tokens) : undefined,
        String(estimate.tokens),
        String(mostTokens),
      );
    // What nobody knows is not nothing.
    if (mostUsd !== undefined && estimate.usd === undefined)
      return `No price is known for ${line(model)}, which may pass the budget of $${mostUsd}`;
    if (
      mostUsd !== undefined &&
      estimate.usd !== undefined &&
      this.#usd + running.usd + estimate.usd > mostUsd
    )
      return passing(
        `${this.#usd > 0 ? about : ''}${dollars(this.#usd)} is spent`,
        running.usd > 0 ? dollars(running.usd) : undefined,
        dollars(estimate.usd),
        `$${mostUsd}`,
      );
    this.#reserved.add(estimate);
    return () => this.#reserved.delete(estimate);
  }

  /** From now on nothing is refused. */
  lift(): void {
    this.#limits = {};
  }
}

/** What a person is asked where a call may pass the budget. `standing`: how the work stands; may be empty. */
export function overBudget(reserved: string, standing: string): GateQuestion {
  return {
    prompt: `${reserved}.${standing === '' ? ' ' : `\n${standing}\n`}Continue without a limit?`,
    options: [
      { value: 'stop', label: 'Stop here and keep the answers so far' },
      { value: 'go-on', label: 'Continue without a limit' },
    ],
    default: 'stop',
  };
}

/** All of the sum, so that whoever is asked can tell a budget that is too small from one that is used up. */
function passing(spent: string, running: string | undefined, call: string, most: string): string {
  const others =
    running === undefined
      ? ` and this call may take ${call}`
      : `, running calls may take ${running} and this one ${call}`;
  return `${spent}${others}, which may pass the budget of ${most}`;
}

/** To a tenth of a cent, without zeros that say nothing. */
function dollars(usd: number): string {
  return `$${Number(usd.toFixed(3))}`;
}
