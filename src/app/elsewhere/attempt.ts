/**
 * A run of a Restate server that this process works on: the same session as with any other run, over a
 * log in memory that the server makes durable. What is said from outside is left where a session looks.
 */
import { fact, KERNEL } from '../../kernel/facts.ts';
import { FACTS } from '../../protocols/vocabulary.ts';
import type { Batch, Given, Handed } from '../../restate/handed.ts';
import { BatchedJournal } from '../../restate/log.ts';
import type { Attempt } from '../../restate/service.ts';
import { Store } from '../../store/store.ts';
import { type Held, hold } from '../run/hold.ts';
import type { Unattended } from '../run/unattended.ts';

const NEVER = Promise.withResolvers<never>().promise;

/** What a worker knows of those at work. */
export interface Bench {
  readonly unattended: Unattended;
  /** Resolves when there is room for one more; what it returns makes room again. */
  enter(): Promise<() => void>;
  /** How the work ended, in words; undefined where it was given back. */
  tell(store: Store, run: string, asks?: string): void;
}

export class AttemptHere implements Attempt {
  readonly run: string;
  readonly #bench: Bench;
  readonly #handed: Handed;
  readonly #store: Store;
  readonly #log: BatchedJournal;
  readonly #over: () => void;
  /** Entries of the batch that the server has been handed and has not confirmed. */
  #handing: number | undefined;
  #work: Promise<void> | undefined;
  #held: Held | undefined;
  #isLeaving = false;
  #isDropped = false;

  /** `over`: told when nothing of it goes on in this process any more. */
  constructor(bench: Bench, handed: Handed, over: () => void) {
    this.#bench = bench;
    this.#handed = handed;
    this.#over = over;
    this.run = handed.run.run;
    this.#store = Store.inMemory(FACTS);
    this.#store.restore(handed.run);
    this.#log = new BatchedJournal(this.#store.own(this.run));
    this.#store.keepTerms(this.run, handed.terms);
    for (const [name, path] of handed.look) this.#store.setLookRoot(this.run, name, path);
  }

  async next(): Promise<Batch> {
    this.#work ??= this.#begin();
    await this.#log.something(this.#work);
    // Who is asked to leave says no more, and who goes on in its place has the log.
    if (!this.#log.isPending && (this.#isLeaving || this.#isDropped)) return NEVER;
    const entries = this.#log.take();
    this.#handing = entries.length;
    const isMore = this.#isLeaving || this.#log.isPending || isEnd(entries);
    if (isMore || !(await isSettled(this.#work))) return { entries };
    // Its patience is over: it is taken up again with the answer.
    this.#work = undefined;
    return { entries, waits: true };
  }

  take({ entries }: Batch): void {
    if (this.#handing === undefined) this.#store.elsewhere.add(this.run, entries);
    else this.#log.confirm(this.#handing);
    this.#handing = undefined;
    if (!isEnd(entries)) return;
    this.#bench.tell(this.#store, this.run);
    this.drop();
  }

  stop({ by }: Given): void {
    this.#store.leaveMessage(this.run, { kind: 'stop', by });
  }

  answer(step: string, { by, value = '' }: Given): void {
    this.#store.leaveMessage(this.run, { kind: 'answer', step, value, by });
  }

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

  /** Stops its calls, and resolves when what they had said is durable. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#held?.session.handBack();
    await this.#work;
    await this.#log.outlasts().catch(() => undefined);
  }

  /** Never rejects: what is wrong is recorded as the run's end. */
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
    this.#held = await hold(run, this.#handed.answered);
    try {
      if (this.#isLeaving || this.#isDropped) return;
      this.#held.session.feed.subscribe({
        live: () => undefined,
        fact: (any) => {
          const one = KERNEL.own(any);
          if (one?.type !== 'gate.opened' || this.#handed.answered !== 'some day') return;
          this.#bench.tell(this.#store, this.run, one.prompt);
          // To wait takes nobody's time.
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

/** Whether it has resolved by now. */
function isSettled(work: Promise<void>): Promise<boolean> {
  return Promise.race([work.then(() => true), new Promise<false>((no) => setImmediate(no, false))]);
}
