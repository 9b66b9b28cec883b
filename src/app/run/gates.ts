/**
 * Answers the gates of a run in this process: from the person at the terminal, by default, or from answers that
 * other processes leave in the database. Stops the run if another process leaves a stop.
 */
import { RunStopped, StoreError } from '../../kernel/errors.ts';
import type { Answerer, GateAnswer, GateQuestion } from '../../kernel/handle.ts';
import type { Store } from '../../store/store.ts';

/** Milliseconds between two looks for messages from other processes. */
const LOOK_MS = 250;
/**
 * Milliseconds that a background process or worker waits until another process answers a gate, that is
 * a question to a person. After that the run stops or, at a worker, returns to the queue; the question
 * is asked again when the run goes on. A person at a console or terminal has no time limit.
 */
export const ANSWER_WAIT_MS = 30 * 60_000;

/**
 * Who answers the questions that a run asks people. `console`: the person at the console of this
 * process, or at its terminal if no console is open, unless another process answers first.
 * `elsewhere`: people and programs in other
 * processes, while this process waits up to `ANSWER_WAIT_MS`. `some day`: as `elsewhere`, but if
 * nobody answers in time, the run returns to the queue instead of stopping. `by default`: the default
 * answer is taken. `by nobody`: the run stops at the question. With the last two, an answer that
 * another process has left in advance comes first.
 */
export type GateAnswerer = 'console' | 'elsewhere' | 'some day' | 'by default' | 'by nobody';

/** The questions to people that a run has asked and that nobody has answered yet. */
export class Gates {
  readonly #store: Store;
  readonly #run: string;
  readonly #answered: GateAnswerer;
  readonly #open = new Map<string, (given: GateAnswer) => void>();

  constructor(store: Store, run: string, answered: GateAnswerer) {
    this.#store = store;
    this.#run = run;
    this.#answered = answered;
  }

  /**
   * Waits for the answer to a gate's question. Rejects with `RunStopped` if nobody can answer or
   * nobody answers in time.
   */
  readonly answer: Answerer = (step, question, signal) => {
    const isAsked = this.#answered !== 'by default' && this.#answered !== 'by nobody';
    const said = isAsked ? undefined : this.#store.messages.peek(this.#run, 'answer', step);
    // An answer given in advance stays in the database, so that it is found again if this process is
    // killed.
    if (said?.value !== undefined) return Promise.resolve({ answer: said.value, by: said.by });
    if (this.#answered === 'by default')
      return Promise.resolve({ answer: question.default, by: 'default' });
    if (this.#answered === 'by nobody')
      return Promise.reject(new RunStopped('gate', `${firstLine(question)} Nobody to ask`));
    return new Promise<GateAnswer>((resolve, reject) => {
      this.#open.set(step, resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (this.#answered === 'console') return;
      const reason = this.#answered === 'elsewhere' ? 'gate' : 'handed-back';
      const late = setTimeout(
        () => reject(new RunStopped(reason, `${firstLine(question)} Not answered`)),
        ANSWER_WAIT_MS,
      );
      signal.addEventListener('abort', () => clearTimeout(late), { once: true });
    }).finally(() => this.#open.delete(step));
  };

  /** Answers an open gate for the person at the console or terminal. */
  give(step: string, answer: string): void {
    this.#open.get(step)?.({ answer, by: 'person' });
  }

  /**
   * Polls for answers and stops from other processes. Returns a function that ends the polling.
   *
   * @param stop called when another process stops the run
   */
  watch(stop: () => void): () => void {
    const answered = new Set<string>();
    const takeAway = (): void => {
      for (const step of answered) this.#store.messages.take(this.#run, 'answer', step);
      answered.clear();
    };
    const readMessages = (): void => {
      if (this.#store.messages.take(this.#run, 'stop') !== undefined) stop();
      takeAway();
      for (const [step, resolve] of this.#open) {
        const given = this.#store.messages.peek(this.#run, 'answer', step);
        if (given?.value === undefined) continue;
        // The message is deleted at the next poll, because the answer may not be in the log yet.
        answered.add(step);
        resolve({ answer: given.value, by: given.by });
      }
    };
    const timer = setInterval(() => ignoreStoreErrors(readMessages), LOOK_MS);
    return () => {
      clearInterval(timer);
      ignoreStoreErrors(takeAway);
    };
  }
}

/**
 * Calls `look` and ignores errors of the store. Nothing is lost: the next poll tries again, and recording facts
 * reports the error.
 */
function ignoreStoreErrors(look: () => void): void {
  try {
    look();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Returns the first line of a gate's question, which suffices to identify it in a message. */
function firstLine({ prompt }: GateQuestion): string {
  return prompt.split('\n', 1)[0] ?? '';
}
