/**
 * What one protocol's view knows of a run beyond what every run shows: a fold of its own over the same
 * facts. The run model keeps it; only the view that defined it can read it as what it is.
 */
import type { AnyFact } from '../../kernel/vocabulary.ts';

export interface Part<S> {
  /** What is known before the first fact. */
  begin(): S;
  /** One fact more; facts are clean already. */
  fold(state: S, one: AnyFact): S;
}

/** The state of several parts, each by the part that it belongs to. */
export class Parts {
  readonly #parts: readonly Part<unknown>[];
  readonly #states = new Map<unknown, unknown>();

  constructor(parts: readonly Part<unknown>[]) {
    this.#parts = parts;
    for (const part of parts) this.#states.set(part, part.begin());
  }

  take(one: AnyFact): void {
    for (const part of this.#parts) this.#states.set(part, part.fold(this.#states.get(part), one));
  }

  /** The state of a part; where the run has no such part, what is known before the first fact. */
  read<S>(part: Part<S>): S {
    if (!this.#states.has(part)) this.#states.set(part, part.begin());
    return this.#states.get(part) as S;
  }
}
