/**
 * Works on one run of a Restate server in this process. The session is the same as for any other run; its log
 * is in memory, and the server makes it durable batch by batch. Answers and stops from outside are put into the
 * in-memory store, where the session looks for them.
 */
import { fact, KERNEL } from '../../kernel/facts.ts';
import type { FactReader } from '../../kernel/vocabulary.ts';
import type { Batch, RunSignal, SubmittedRun } from '../../restate/handed.ts';
import { BatchedJournal } from '../../restate/log.ts';
import type { Attempt } from '../../restate/service.ts';
import { Store } from '../../store/store.ts';
import { type OpenSession, openRunSession } from '../run/hold.ts';
import type { UnattendedRuns } from '../run/unattended.ts';

const NEVER = Promise.withResolvers<never>().promise;

/** What an attempt at a run needs from the worker process in which it takes place. */
export interface AttemptHost {
  /** Reads the facts of runs. */
  readonly facts: FactReader;
  /** Opens runs without a display, for a worker at which no person sits. */
  readonly unattended: UnattendedRuns;
  /**
   * Waits until the worker may work on one more run. Resolves to a function to call when the work
   * is over or waits for a person.
   */
  enter(): Promise<() => void>;
  /** Prints that the run has ended or, with `asks`, which question it waits for. */
  tell(store: Store, run: string, asks?: string): void;
}

/** One attempt at a run that a Restate server has given to this process. */
export class LocalAttempt implements Attempt {
  readonly run: string;
  readonly #bench: AttemptHost;
  readonly #handed: SubmittedRun;
  readonly #store: Store;
  readonly #log: BatchedJournal;
  readonly #over: () => void;
  /** How many entries of the log the server was given and has not confirmed yet; undefined if none. */
  #handing: number | undefined;
  #work: Promise<void> | undefined;
  #held: OpenSession | undefined;
  #isLeaving = false;
  #isDropped = false;

  /**
   * Prepares the attempt.
   *
   * @param handed the run as it was submitted
   * @param over called when this process has stopped working on the attempt
   */
  constructor(bench: AttemptHost, handed: SubmittedRun, over: () => void) {
    this.#bench = bench;
    this.#handed = handed;
    this.#over = over;
    this.run = handed.run.run;
    this.#store = Store.inMemory(bench.facts);
    this.#store.restore(handed.run);
    this.#log = new BatchedJournal(this.#store.own(this.run));
    this.#store.detached.keep(this.run, handed.terms);
    for (const [name, path] of handed.look) this.#store.setLookRoot(this.run, name, path);
  }

  /**
   * Waits for new records and returns them. The first call begins the work. `waits` in the result is true if the
   * run waits for a person's answer.
   *
   * If this process no longer works on the run and all records are returned, never resolves: another process may
   * continue the run.
   */
  async next(): Promise<Batch> {
    this.#work ??= this.#begin();
    await this.#log.something(this.#work);
    if (!this.#log.isPending && (this.#isLeaving || this.#isDropped)) return NEVER;
    const entries = this.#log.take();
    this.#handing = entries.length;
    const isMore = this.#isLeaving || this.#log.isPending || isEnd(entries);
    if (isMore || !(await isSettled(this.#work))) return { entries };
    // The run's work has ended here to wait for a person's answer. Clear `#work`, so that the next call of `next`
    // opens the run again and finds the answer.
    this.#work = undefined;
    return { entries, waits: true };
  }

  /** Stores a batch of records that the server has confirmed. */
  take({ entries }: Batch): void {
    if (this.#handing === undefined) this.#store.elsewhere.add(this.run, entries);
    else this.#log.confirm(this.#handing);
    this.#handing = undefined;
    if (!isEnd(entries)) return;
    this.#bench.tell(this.#store, this.run);
    this.drop();
  }

  /** Stops the run. */
  stop({ by }: RunSignal): void {
    this.#store.messages.leave(this.run, { kind: 'stop', by });
  }

  /** Answers the question of a step. */
  answer(step: string, { by, value = '' }: RunSignal): void {
    this.#store.messages.leave(this.run, { kind: 'answer', step, value, by });
  }

  /** Ends the work here, after the run's end or because the server has ended this attempt. */
  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#log.end();
    this.#held?.session.handBack();
    void Promise.allSettled([this.#work]).then(() => {
      this.#store.close();
      this.#over();
    });
  }

  /** Stops all calls. Resolves when the server has stored all records, or the attempt was dropped. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#held?.session.handBack();
    await this.#work;
    await this.#log.outlasts().catch(() => undefined);
  }

  /** Works on the run. Never rejects: an error is recorded as the end of the run. */
  async #begin(): Promise<void> {
    const leave = await this.#bench.enter();
    try {
      if (this.#isLeaving || this.#isDropped) return;
      await this.#go(leave);
    } catch (error) {
      if (this.#isDropped || this.#isEnded()) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.note([fact('run.ended', { status: 'failed', reason })]);
    } finally {
      leave();
    }
  }

  async #go(leave: () => void): Promise<void> {
    const run = await this.#bench.unattended.open(this.#store, this.#log);
    this.#held = await openRunSession(run, this.#handed.answered);
    try {
      if (this.#isLeaving || this.#isDropped) return;
      this.#held.session.feed.subscribe({
        live: () => undefined,
        fact: (any) => {
          const fact = KERNEL.own(any);
          if (fact?.type !== 'gate.opened' || this.#handed.answered !== 'some day') return;
          this.#bench.tell(this.#store, this.run, fact.prompt);
          // While the run waits for a person's answer, let this worker work on another run.
          leave();
        },
      });
      await run.start(this.#held.session);
    } finally {
      await this.#held.close();
      this.#held = undefined;
    }
  }

  #isEnded(): boolean {
    return this.#log.facts().at(-1)?.type === 'run.ended';
  }
}

function isEnd(entries: Batch['entries']): boolean {
  return entries.some(({ facts }) => facts.some(({ type }) => type === 'run.ended'));
}

/** Returns whether the promise has resolved already. */
function isSettled(work: Promise<void>): Promise<boolean> {
  return Promise.race([work.then(() => true), new Promise<false>((no) => setImmediate(no, false))]);
}
