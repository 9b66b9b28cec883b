/**
 * Sums up what each round has cost so far, including all attempts, as the basis for guessing the next round's
 * cost.
 */

import { isCall } from '../../kernel/call.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
  /** How many calls have no known price. */
  readonly unpriced: number;
  /** Whether a part of it is estimated. */
  readonly estimated: boolean;
  /**
   * Milliseconds during which a call of the round was running; the time between two attempts is not counted.
   */
  readonly busyMs: number;
}

const NOTHING: Spent = { tokens: 0, costUsd: 0, unpriced: 0, estimated: false, busyMs: 0 };

/** Adds up what each round of a run costs. */
export class Spending {
  readonly #rounds = new Map<number, Spent>();
  /** When the latest call of any round ended. */
  #ended = 0;

  /** Adds the cost that a fact reports, if it reports one. */
  take(fact: AnyFact): void {
    if (!isCall(fact)) return;
    const round = roundOf(fact.step);
    // Leave out calls that a fork has copied: its parent has paid for them.
    if (round === undefined || fact.inherited === true) return;
    const before = this.of(round);
    const at = Date.parse(fact.at);
    const busyMs = Math.max(0, Math.min(fact.latencyMs, at - this.#ended));
    this.#ended = Math.max(this.#ended, at);
    this.#rounds.set(round, {
      tokens: before.tokens + fact.usage.input + fact.usage.output,
      costUsd: before.costUsd + (fact.costUsd ?? 0),
      unpriced: before.unpriced + (fact.costUsd === undefined ? 1 : 0),
      estimated: before.estimated || fact.usage.estimated === true,
      busyMs: before.busyMs + busyMs,
    });
  }

  /** Returns the tokens and costs of a round, by its number. */
  of(round: number): Spent {
    return this.#rounds.get(round) ?? NOTHING;
  }
}

/** Returns the round of a step's key: 3 for `round-3/D/critic`; undefined for the synthesis. */
function roundOf(step: string): number | undefined {
  const found = /^round-(\d+)\/(?!synthesis)/.exec(step)?.[1];
  return found === undefined ? undefined : Number(found);
}
