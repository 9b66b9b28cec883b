/** What the tiers of a team cost, every call that was ever made, by seat and by what it was made for. */
import { isCall } from '../../../kernel/call.ts';
import { KERNEL } from '../../../kernel/facts.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { TIERS, type Tier } from '../facts.ts';

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
  readonly estimated: boolean;
}

export const NOTHING: Spent = { calls: 0, tokens: 0, costUsd: 0, unpriced: 0, estimated: false };

/** A seat in a step: what it is about stands among the parts of the step's key. */
export interface Payee {
  readonly seat: string;
  /** What it was asked for: `team/work`. */
  readonly task: string;
  readonly parts: readonly string[];
}

export class Costs {
  /** By seat and step. */
  readonly #paid = new Map<string, Payee & { spent: Spent }>();
  /** By step. */
  readonly #tasks = new Map<string, string>();

  static of(facts: Iterable<AnyFact>): Costs {
    const costs = new Costs();
    for (const one of facts) costs.take(one);
    return costs;
  }

  take(one: AnyFact): void {
    const begun = KERNEL.own(one);
    if (begun?.type === 'step.started' && begun.task !== undefined)
      this.#tasks.set(begun.step, begun.task);
    // What a fork took over was paid for by its parent.
    if (!isCall(one) || one.inherited === true) return;
    const { seat, step } = one;
    const key = JSON.stringify([seat, step]);
    const task = this.#tasks.get(step) ?? '';
    const paid = this.#paid.get(key) ?? { seat, task, parts: step.split('/'), spent: NOTHING };
    this.#paid.set(key, {
      ...paid,
      spent: add(paid.spent, {
        calls: 1,
        tokens: one.usage.input + one.usage.output,
        costUsd: one.costUsd ?? 0,
        unpriced: one.costUsd === undefined ? 1 : 0,
        estimated: one.usage.estimated === true,
      }),
    });
  }

  of(wanted: (payee: Payee) => boolean): Spent {
    let sum = NOTHING;
    for (const { spent, ...payee } of this.#paid.values()) if (wanted(payee)) sum = add(sum, spent);
    return sum;
  }
}

function add(one: Spent, other: Spent): Spent {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd + other.costUsd,
    unpriced: one.unpriced + other.unpriced,
    estimated: one.estimated || other.estimated,
  };
}

/** `T2` of `t2-lead`; undefined of a seat that is none of the team's. */
export function tierOf(seat: string): Tier | undefined {
  const tier = /^t[1-5](?=-|$)/.exec(seat)?.[0].toUpperCase();
  return TIERS.find((one) => one === tier);
}
