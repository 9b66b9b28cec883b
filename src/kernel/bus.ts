/**
 * Delivers the events of a run to its listeners. Every listener gets every fact, in order and exactly once.
 * Live events of running calls are merged, and a listener may miss some: the fact that ends the call
 * contains everything.
 */
import type { CallEvent } from './model.ts';
import type { AnyFact } from './vocabulary.ts';

/**
 * An event of a call that is still running. Pieces of text of one step that arrive within 30 ms are merged
 * into one event.
 */
export type LiveEvent = CallEvent & {
  readonly step: string;
  readonly seat: string;
  /** The id of this call; a repeated call of the same step has another id. As in the fact `step.started`. */
  readonly call: string;
};

/** Functions that receive the facts and events of a run. Each is optional. */
export interface Listener {
  /** Receives each fact once it is recorded. */
  fact?(fact: AnyFact): void;
  /** Receives the events of running calls, with pieces of text merged. Events are not facts. */
  live?(news: LiveEvent): void;
}

/**
 * How long text is collected before it is delivered, in milliseconds. The delay is below what an eye
 * notices at 15 frames per second.
 */
const GATHER_MS = 30;

/** A source of facts and events that listeners can subscribe to. */
export interface Feed {
  /** Adds a listener. Returns a function that removes it. */
  subscribe(listener: Listener): () => void;
}

/**
 * Passes a run's facts and events on to its listeners. Text of running calls is collected for a
 * moment first.
 */
export class Bus implements Feed {
  readonly #listeners = new Set<Listener>();
  readonly #gathered = new Map<string, LiveEvent & { type: 'text' | 'thinking' }>();
  #timer: NodeJS.Timeout | undefined;

  /** Adds a listener. Returns a function that removes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Delivers facts to all listeners, after the text that was collected before them. */
  facts(facts: readonly AnyFact[]): void {
    if (facts.length === 0) return;
    this.flush();
    for (const fact of facts) for (const listener of this.#listeners) listener.fact?.(fact);
  }

  /**
   * Delivers an event to all listeners, after the text that was collected before it. Text itself is collected
   * and delivered up to 30 ms later.
   */
  live(news: LiveEvent): void {
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

  /** Delivers the collected text at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = [...this.#gathered.values()];
    this.#gathered.clear();
    for (const news of gathered) this.#tell(news);
  }

  #tell(news: LiveEvent): void {
    for (const listener of this.#listeners) listener.live?.(news);
  }
}
