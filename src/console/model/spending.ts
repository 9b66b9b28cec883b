/** What rounds have cost so far, every attempt counted: the only honest guess at the next one. */

import { isCall } from '../../kernel/call.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
  /** A part of it is an estimate. */
  readonly estimated: boolean;
  /** Milliseconds in which some call of it was under way; what lay between two attempts is left out. */
  readonly busyMs: number;
}

const NOTHING: Spent = { tokens: 0, costUsd: 0, unpriced: 0, estimated: false, busyMs: 0 };

export class Spending {
  readonly #rounds = new Map<number, Spent>();
  /** When the last call ended, of whatever round. */
  #ended = 0;

  take(one: AnyFact): void {
    if (!isCall(one)) return;
    const round = roundOf(one.step);
    // What a fork took over was paid for by its parent.
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

  of(round: number): Spent {
    return this.#rounds.get(round) ?? NOTHING;
  }
}

/** The round of a step's key: 3 for `round-3/D/critic`; the synthesis is of none. */
function roundOf(step: string): number | undefined {
  const found = /^round-(\d+)\/(?!synthesis)/.exec(step)?.[1];
  return found === undefined ? undefined : Number(found);
}
