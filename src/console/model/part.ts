/**
 * State that one protocol's view derives from a run's facts, in addition to the console's own. The run model
 * keeps it; only the view that defines a part knows its type.
 */
import type { AnyFact } from '../../kernel/vocabulary.ts';

/** Computes a piece of the console's state from the facts of a run, for the view of a protocol. */
export interface Part<S> {
  /** Returns the state before the first fact. */
  begin(): S;
  /** Returns the state after one more fact, which contains no control characters. */
  fold(state: S, one: AnyFact): S;
}

/** Keeps the states of several parts (see `Part`) up to date. */
export class Parts {
  readonly #parts: readonly Part<unknown>[];
  readonly #states = new Map<unknown, unknown>();

  constructor(parts: readonly Part<unknown>[]) {
    this.#parts = parts;
    for (const part of parts) this.#states.set(part, part.begin());
  }

  /** Updates all states with a fact. */
  take(fact: AnyFact): void {
    for (const part of this.#parts) this.#states.set(part, part.fold(this.#states.get(part), fact));
  }

  /** Returns the state of a part; its initial state if the run does not have the part. */
  read<S>(part: Part<S>): S {
    if (!this.#states.has(part)) this.#states.set(part, part.begin());
    return this.#states.get(part) as S;
  }
}
