/** A run's log in memory, with the behavior of the store. */
import type { Journal, RecordedStep, StepRecord } from '../../src/kernel/journal.ts';
import type { AnyBody, AnyFact } from '../../src/kernel/vocabulary.ts';
import { EMPTY_ROUNDS, type RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { foldRounds } from '../../src/protocols/rounds/fold.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** The log of a simulated run, in memory only. Behaves as the store's. */
export class MemoryJournal implements Journal {
  readonly run = '01900000-0000-7000-8000-000000000000';
  /** The view of the log so far; simulated models look up records here instead of parsing prompts. */
  view: RoundsView = EMPTY_ROUNDS;
  readonly #log: AnyFact[] = [];
  readonly #steps = new Map<string, { readonly record: StepRecord; readonly facts: AnyFact[] }>();

  recall(step: string, hash: string): RecordedStep {
    const known = this.#steps.get(step);
    if (known === undefined) return { kind: 'absent' };
    if (known.record.hash !== hash) return { kind: 'stale' };
    return { kind: 'recorded', result: known.record.result, facts: () => known.facts };
  }

  commit(record: StepRecord, bodies: readonly AnyBody[]): readonly AnyFact[] {
    const facts = this.note(bodies);
    this.#steps.set(record.step, { record, facts });
    return facts;
  }

  note(bodies: readonly AnyBody[]): AnyFact[] {
    return bodies.map((body) => {
      const fact = { ...FACTS.check(body), run: this.run, seq: this.#log.length + 1, at: AT };
      this.#log.push(fact);
      this.view = foldRounds(this.view, fact);
      return fact;
    });
  }

  forget(step: string): void {
    this.#steps.delete(step);
  }

  /** Nothing to do; nobody resumes this run after a crash. */
  keep(): void {
    return;
  }

  facts(after = 0): AnyFact[] {
    return this.#log.slice(after);
  }

  release(): void {
    return;
  }
}
