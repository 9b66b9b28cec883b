/** What a run may spend, what it has spent, and what its running calls may still cost. */
import type { Usage } from './model.ts';

export interface Limits {
  /** Input plus output tokens. */
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

/** What a call may come to, at most or as well as can be told. */
export interface Estimate {
  readonly tokens: number;
  readonly usd: number;
}

/**
 * Output tokens a call is counted with before it has answered, where no limit was set: about twice
 * the 400 to 600 tokens that seats were seen to write.
 */
export const ASSUMED_OUTPUT = 1_000;

export class Budget {
  #limits: Limits;
  #tokens = 0;
  #usd = 0;
  readonly #reserved = new Set<Estimate>();

  constructor(limits: Limits = {}) {
    this.#limits = limits;
  }

  /** Tells one budget from another: what was decided about the one says nothing of the other. */
  get name(): string {
    return `${this.#limits.tokens ?? ''}t-${this.#limits.usd ?? ''}usd`;
  }

  /** Counts what a finished call took; facts of earlier sittings count as well. */
  spend(usage: Usage, usd: number | undefined): void {
    this.#tokens += usage.input + usage.output;
    this.#usd += usd ?? 0;
  }

  /**
   * Sets the estimate aside for a call that is about to start. Returns how to give it back, or a
   * sentence that says which limit it may pass.
   */
  reserve(estimate: Estimate): (() => void) | string {
    let running: Estimate = { tokens: 0, usd: 0 };
    for (const { tokens, usd } of this.#reserved)
      running = { tokens: running.tokens + tokens, usd: running.usd + usd };
    const { tokens: mostTokens, usd: mostUsd } = this.#limits;
    if (mostTokens !== undefined && this.#tokens + running.tokens + estimate.tokens > mostTokens)
      return `${this.#tokens} tokens are spent${running.tokens > 0 ? `, running calls may take ${running.tokens}` : ''} and this call may pass the budget of ${mostTokens}`;
    if (mostUsd !== undefined && this.#usd + running.usd + estimate.usd > mostUsd)
      return `$${this.#usd.toFixed(3)} is spent${running.usd > 0 ? `, running calls may take $${running.usd.toFixed(3)}` : ''} and this call may pass the budget of $${mostUsd}`;
    this.#reserved.add(estimate);
    return () => this.#reserved.delete(estimate);
  }

  /** From now on nothing is refused. */
  lift(): void {
    this.#limits = {};
  }
}
