/**
 * What happens in a run, as it happens. Two kinds of news: facts, which every listener gets in order
 * and exactly once; and live news of running calls, which is merged and may be missed without harm,
 * because the fact that ends the call says it all again.
 */
import type { CallEvent } from './model.ts';
import type { AnyFact } from './vocabulary.ts';

/** News of a call that is still running. Consecutive text of one step arrives merged. */
export type Live = CallEvent & {
  readonly step: string;
  readonly seat: string;
  /** Which attempt at the step, as in its `step.started`. */
  readonly call: string;
};

export interface Listener {
  fact?(fact: AnyFact): void;
  live?(news: Live): void;
}

/** How long text is gathered before listeners hear of it: below what an eye notices at 15 frames/s. */
const GATHER_MS = 30;

export interface Feed {
  /** Hears everything from now on. Returns how to stop listening. */
  subscribe(listener: Listener): () => void;
}

export class Bus implements Feed {
  readonly #listeners = new Set<Listener>();
  readonly #gathered = new Map<string, Live & { type: 'text' | 'thinking' }>();
  #timer: NodeJS.Timeout | undefined;

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  facts(facts: readonly AnyFact[]): void {
    if (facts.length === 0) return;
    this.flush();
    for (const fact of facts) for (const listener of this.#listeners) listener.fact?.(fact);
  }

  live(news: Live): void {
    if (news.type !== 'text' && news.type !== 'thinking') {
      this.flush();
      this.#tell(news);
      return;
    }
    const key = `${news.step}\n${news.type}`;
    const before = this.#gathered.get(key);
    this.#gathered.set(key, before ? { ...before, text: before.text + news.text } : news);
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Delivers gathered text now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = [...this.#gathered.values()];
    this.#gathered.clear();
    for (const news of gathered) this.#tell(news);
  }

  #tell(news: Live): void {
    for (const listener of this.#listeners) listener.live?.(news);
  }
}
