/**
 * What others say to a run while this process works on it: the person at the console answers a gate, and
 * another process leaves an answer or a stop in the database.
 */
import { RunStopped, StoreError } from '../../kernel/errors.ts';
import type { Answerer, GateAnswer, GateQuestion } from '../../kernel/handle.ts';
import type { Store } from '../../store/store.ts';

/** How often it is looked what others have left: a stop takes effect as soon as people expect it to. */
const LOOK_MS = 250;
/** A process of its own waits so long for an answer; whoever comes back to the run is asked again. */
export const PATIENCE_MS = 30 * 60_000;

/**
 * `console`: a person sits there. `elsewhere`: people and programs answer from other processes, while
 * this one waits. `some day`: as well, but in the end the run waits in the queue and not here.
 */
export type Answered = 'console' | 'elsewhere' | 'some day' | 'by default' | 'by nobody';

export class Gates {
  readonly #store: Store;
  readonly #run: string;
  readonly #answered: Answered;
  readonly #open = new Map<string, (given: GateAnswer) => void>();

  constructor(store: Store, run: string, answered: Answered) {
    this.#store = store;
    this.#run = run;
    this.#answered = answered;
  }

  readonly answer: Answerer = (step, question, signal) => {
    const isAsked = this.#answered !== 'by default' && this.#answered !== 'by nobody';
    const said = isAsked ? undefined : this.#store.peekMessage(this.#run, 'answer', step);
    // Beforehand: it stays there, so that it is known again where this process is killed.
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
        PATIENCE_MS,
      );
      signal.addEventListener('abort', () => clearTimeout(late), { once: true });
    }).finally(() => this.#open.delete(step));
  };

  /** The person at the console has answered. */
  give(step: string, answer: string): void {
    this.#open.get(step)?.({ answer, by: 'person' });
  }

  /** Looks what others leave for the run, until what it returns is called. */
  watch(stop: () => void): () => void {
    // An answer is taken away once the log has it: whoever looks meanwhile sees one or the other.
    const answered = new Set<string>();
    const takeAway = (): void => {
      for (const step of answered) this.#store.takeMessage(this.#run, 'answer', step);
      answered.clear();
    };
    const look = (): void => {
      if (this.#store.takeMessage(this.#run, 'stop') !== undefined) stop();
      takeAway();
      for (const [step, resolve] of this.#open) {
        const given = this.#store.peekMessage(this.#run, 'answer', step);
        if (given?.value === undefined) continue;
        answered.add(step);
        resolve({ answer: given.value, by: given.by });
      }
    };
    const timer = setInterval(() => tryTo(look), LOOK_MS);
    return () => {
      clearInterval(timer);
      tryTo(takeAway);
    };
  }
}

/** Nothing is lost: it is looked again soon, and what is recorded meanwhile fails in words. */
function tryTo(look: () => void): void {
  try {
    look();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** The question is recorded whole; its first line says which one it was. */
function firstLine({ prompt }: GateQuestion): string {
  return prompt.split('\n', 1)[0] ?? '';
}
