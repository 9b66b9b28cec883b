/** Sums up what the calls of a team cost, by seat and by step. */
import { isCall } from '../../../kernel/call.ts';
import { KERNEL } from '../../../kernel/facts.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { toLine } from '../../../text/line.ts';
import { formatUsd } from '../../../text/numbers.ts';
import { TIERS, type Tier } from '../facts.ts';

/** What a number of calls have cost. */
export interface CallCost {
  readonly calls: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** How many of the calls have no known price. */
  readonly unpriced: number;
  /** Whether a part of the numbers is estimated. */
  readonly estimated: boolean;
}

/** The cost before the first call: zero. */
export const NO_COST: CallCost = { calls: 0, tokens: 0, costUsd: 0, unpriced: 0, estimated: false };

/** The seat and the step of the calls that cost something. */
export interface CostOrigin {
  readonly seat: string;
  /** The name of what the seat was asked to do, such as `team/work`; empty if the step recorded none. */
  readonly task: string;
  /** The step's key, split at slashes. Most keys contain the id of a workstream or of a task of the plan. */
  readonly parts: readonly string[];
}

/** The costs of all calls of a run, including stopped ones, without those that a fork copied. */
export class Costs {
  /** Costs by seat and step. */
  readonly #paid = new Map<string, CostOrigin & { spent: CallCost }>();
  /** The name of what each step asked a seat to do, such as `team/work`. */
  readonly #tasks = new Map<string, string>();

  /** Collects the costs that facts report. */
  static of(facts: Iterable<AnyFact>): Costs {
    const costs = new Costs();
    for (const fact of facts) costs.take(fact);
    return costs;
  }

  /** Adds the cost that a fact reports; a fact without a cost adds nothing. */
  take(fact: AnyFact): void {
    const begun = KERNEL.own(fact);
    if (begun?.type === 'step.started' && begun.task !== undefined)
      this.#tasks.set(begun.step, begun.task);
    // A fork copies calls of its parent run, which were paid for there.
    if (!isCall(fact) || fact.inherited === true) return;
    const { seat, step } = fact;
    const key = JSON.stringify([seat, step]);
    const task = this.#tasks.get(step) ?? '';
    const paid = this.#paid.get(key) ?? { seat, task, parts: step.split('/'), spent: NO_COST };
    this.#paid.set(key, {
      ...paid,
      spent: addCosts(paid.spent, {
        calls: 1,
        tokens: fact.usage.input + fact.usage.output,
        costUsd: fact.costUsd ?? 0,
        unpriced: fact.costUsd === undefined ? 1 : 0,
        estimated: fact.usage.estimated === true,
      }),
    });
  }

  /** Returns the total cost of the calls for whose seat and step `wanted` returns true. */
  of(wanted: (payee: CostOrigin) => boolean): CallCost {
    let sum = NO_COST;
    for (const { spent, ...payee } of this.#paid.values())
      if (wanted(payee)) sum = addCosts(sum, spent);
    return sum;
  }
}

function addCosts(one: CallCost, other: CallCost): CallCost {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd + other.costUsd,
    unpriced: one.unpriced + other.unpriced,
    estimated: one.estimated || other.estimated,
  };
}

/** Returns the tier to which a seat belongs, such as `T2` for `t2-lead`; undefined if its id names no tier. */
export function tierOf(seat: string): Tier | undefined {
  const tier = /^t[1-5](?=-|$)/.exec(seat)?.[0].toUpperCase();
  return TIERS.find((name) => name === tier);
}

/** Formats a cost, such as `$0.12`, `at least $0.12` or `not known`; empty if there was no call. */
export function costWords({ calls, costUsd, unpriced, estimated }: CallCost): string {
  if (calls === 0) return '';
  if (unpriced === calls) return 'not known';
  return toLine(`${unpriced > 0 ? 'at least ' : ''}${formatUsd(costUsd, estimated)}`);
}
