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
  take(one: AnyFact): void {
    if (!isCall(one)) return;
    const round = roundOf(one.step);
    // Leave out calls that a fork has copied: its parent has paid for them.
    if (round === undefined || one.inherited === true) return;
    const before = this.of(round);
    const at = Date.parse(one.at);
    const busyMs = Math.max(0, Math.min(one.latencyMs, at - this.#ended));
    this.#ended = Math.max(this.#ended, at);
    this.#rounds.set(round, {
      tokens: before.tokens + one.usage.input + one.usage.output,
      costUsd: before.costUsd + (one.costUsd ?? 0),
      unpriced: before.unpriced + (one.costUsd === undefined ? 1 : 0),
      estimated: before.estimated || one.usage.estimated === true,
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
