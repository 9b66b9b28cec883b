/**
 * The journal of a run whose log is kept by a Restate server. Records are kept in memory, where steps are
 * looked up, and are sent in batches, each of which is one durable step at the server.
 */

import { RunStopped } from '../kernel/errors.ts';
import type { Chunk, Journal, Prompt, RecordedStep, StepRecord } from '../kernel/journal.ts';
import type { AnyBody, AnyFact } from '../kernel/vocabulary.ts';
import type { StoredFact } from '../store/archive.ts';
import type { Entry } from '../store/elsewhere.ts';

/** The approximate size of one batch in characters, far below the server's limit of 32 MiB. */
const BATCH = 4_000_000;

/**
 * Keeps the log of a run in memory and passes new records on in batches, which a Restate server
 * stores.
 */
export class BatchedJournal implements Journal {
  readonly run: string;
  readonly #inner: Journal;
  readonly #entries: Entry[] = [];
  #recorded = 0;
  #durable = 0;
  #isOver = false;
  readonly #waiting: { readonly until: number; readonly over: (error?: RunStopped) => void }[] = [];
  #tell: () => void = () => undefined;

  /** Expects a journal in memory that only this process uses. */
  constructor(inner: Journal) {
    this.#inner = inner;
    this.run = inner.run;
  }

  recall(step: string, hash: string): RecordedStep {
    return this.#inner.recall(step, hash);
  }

  // Prompts are not sent: they repeat each other, and a run is complete without them.
  commit(record: StepRecord, facts: readonly AnyBody[]): readonly AnyFact[] {
    const written = this.#inner.commit(record, facts);
    const { step: key, hash, result } = record;
    const [firstSeq, lastSeq] = [written[0]?.seq ?? 0, written.at(-1)?.seq ?? 0];
    this.#record({ facts: toStoredFacts(written), step: { key, hash, result, firstSeq, lastSeq } });
    return written;
  }

  note(facts: readonly AnyBody[], _prompt?: Prompt): readonly AnyFact[] {
    const written = this.#inner.note(facts);
    this.#record({ facts: toStoredFacts(written) });
    return written;
  }

  forget(step: string): void {
    this.#inner.forget(step);
    this.#record({
      facts: [],
      step: { key: step, hash: '', result: null, firstSeq: 0, lastSeq: 0 },
    });
  }

  keep(_chunks: readonly Chunk[]): void {
    // Do nothing: partial text is kept only for other processes to read, and they cannot read the memory of this
    // one.
  }

  facts(after?: number): AnyFact[] {
    return this.#inner.facts(after);
  }

  release(): void {
    this.#inner.release();
  }

  outlasts(): Promise<void> {
    const until = this.#recorded;
    return new Promise((resolve, reject) => {
      const settle = (error?: RunStopped): void =>
        error === undefined ? resolve() : reject(error);
      if (this.#isOver) settle(new RunStopped('handed-back'));
      else if (this.#durable >= until) settle();
      else this.#waiting.push({ until, over: settle });
    });
  }

  /** Whether there are records that no batch contains yet. */
  get isPending(): boolean {
    return this.#entries.length > 0;
  }

  /** Resolves when there are records for a batch, or when `settled` settles. */
  async something(settled: Promise<unknown>): Promise<void> {
    while (this.#entries.length === 0) {
      const news = new Promise<false>((resolve) => {
        this.#tell = () => resolve(false);
      });
      const isSettled = await Promise.race([news, settled.then(() => true)]);
      if (isSettled) return;
    }
    // Wait until this turn of the event loop ends, so that everything that is recorded in it goes into one batch.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Returns the next batch. Records that exceed the size of a batch are left for the next one. */
  take(): readonly Entry[] {
    let size = 0;
    let count = 0;
    for (const entry of this.#entries) {
      size += JSON.stringify(entry).length;
      if (count > 0 && size > BATCH) break;
      count += 1;
    }
    return this.#entries.splice(0, count);
  }

  /** Marks the next `count` records as stored by the server. */
  confirm(count: number): void {
    this.#durable += count;
    for (const waiter of this.#waiting.splice(0))
      if (waiter.until <= this.#durable) waiter.over();
      else this.#waiting.push(waiter);
  }

  /** Ends the journal, because another process continues the run. Later records are discarded. */
  end(): void {
    this.#isOver = true;
    for (const { over } of this.#waiting.splice(0)) over(new RunStopped('handed-back'));
    this.#tell();
  }

  #record(entry: Entry): void {
    this.#recorded += 1;
    if (this.#isOver) return;
    this.#entries.push(entry);
    this.#tell();
  }
}

function toStoredFacts(facts: readonly AnyFact[]): readonly StoredFact[] {
  return facts as readonly (AnyFact & StoredFact)[];
}
