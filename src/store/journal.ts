/** The kernel's journal of one run, in SQLite. Each step is recorded in one immediate transaction. */

import type Database from 'better-sqlite3';
import { StoreError } from '../kernel/errors.ts';
import type { Chunk, Journal, Prompt, RecordedStep, StepRecord } from '../kernel/journal.ts';
import type { AnyBody, AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { BUSY_MS, explainErrors } from './database.ts';
import { Prompts } from './prompts.ts';
import { readFact, readJson } from './rows.ts';
import { WalFlush } from './wal-flush.ts';

interface StepRow {
  hash: string;
  result: string;
  first_seq: number;
  last_seq: number;
}

/** Milliseconds of a wait for another program that a person at a console does not notice. */
const SHORT_MS = 50;
/** Connections whose last full wait for another program ended without the lock. */
const timedOut = new WeakSet<Database.Database>();

/**
 * Stored instead of the hash of a forgotten step. The row stays, so that a fork does not look the step up
 * in its parent.
 */
const FORGOTTEN = '';

/** A `Journal` that is stored in the database. */
export class SqliteJournal implements Journal {
  readonly run: string;
  readonly #db: Database.Database;
  readonly #reader: FactReader;
  readonly #file: string;
  readonly #parent: string | null;
  readonly #release: () => void;
  readonly #owner: string | undefined;
  readonly #prompts: Prompts;
  readonly #flush: WalFlush;
  readonly #sql;

  /**
   * `reader` checks facts that are written and read. `owner` is the lease under which the journal
   * writes: once another process has taken the run, writing throws.
   */
  constructor(
    db: Database.Database,
    reader: FactReader,
    run: string,
    parent: string | null,
    release: () => void,
    owner?: string,
  ) {
    this.run = run;
    this.#db = db;
    this.#reader = reader;
    this.#file = db.name;
    this.#parent = parent;
    this.#release = release;
    this.#owner = owner;
    this.#prompts = new Prompts(db, run);
    this.#flush = WalFlush.of(db);
    this.#sql = {
      owner: db.prepare<[string], string | null>('SELECT owner FROM run WHERE id = ?').pluck(),
      step: db.prepare<[string, string], StepRow>(
        'SELECT hash, result, first_seq, last_seq FROM step WHERE run_id = ? AND key = ?',
      ),
      saveStep: db.prepare(
        `INSERT INTO step (run_id, key, hash, result, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (run_id, key) DO UPDATE SET hash = excluded.hash, result = excluded.result,
           first_seq = excluded.first_seq, last_seq = excluded.last_seq`,
      ),
      lastSeq: db
        .prepare<[string], number>('SELECT coalesce(max(seq), 0) FROM fact WHERE run_id = ?')
        .pluck(),
      addFact: db.prepare(
        'INSERT INTO fact (run_id, seq, at, type, step, body) VALUES (?, ?, ?, ?, ?, ?)',
      ),
      facts: db.prepare<[string, number, number]>(
        'SELECT run_id, seq, at, body FROM fact WHERE run_id = ? AND seq BETWEEN ? AND ? ORDER BY seq',
      ),
      dropOtherChunks: db.prepare(
        'DELETE FROM chunk WHERE run_id = ? AND step = ? AND attempt <> ?',
      ),
      imported: db.prepare<[string], number>('SELECT seq FROM imported WHERE run_id = ?').pluck(),
      leaveQueue: db.prepare('DELETE FROM queue WHERE run_id = ?'),
      dropChunks: db.prepare('DELETE FROM chunk WHERE run_id = ? AND step = ?'),
      addChunk: db.prepare(
        'INSERT INTO chunk (run_id, step, attempt, text, thinking) VALUES (?, ?, ?, ?, ?)',
      ),
    };
  }

  recall(step: string, hash: string): RecordedStep {
    return this.#explained(() => {
      const own = this.#sql.step.get(this.run, step);
      if (own?.hash === FORGOTTEN) return { kind: 'absent' };
      if (own !== undefined && own.hash === hash) return this.#recorded(this.run, own);
      if (this.#parent !== null) {
        const parentStep = this.#sql.step.get(this.#parent, step);
        if (parentStep !== undefined && parentStep.hash === hash)
          return { ...this.#recorded(this.#parent, parentStep), inheritedFrom: this.#parent };
      }
      return { kind: own === undefined ? 'absent' : 'stale' };
    });
  }

  commit(record: StepRecord, facts: readonly AnyBody[], prompt?: Prompt): readonly AnyFact[] {
    return this.#write(() => {
      const written = this.#append(facts, prompt);
      this.#sql.saveStep.run(
        this.run,
        record.step,
        record.hash,
        JSON.stringify(record.result),
        written[0]?.seq ?? 0,
        written.at(-1)?.seq ?? 0,
      );
      return written;
    });
  }

  note(facts: readonly AnyBody[], prompt?: Prompt): readonly AnyFact[] {
    return this.#write(() => this.#append(facts, prompt));
  }

  forget(step: string): void {
    this.#write(() => this.#sql.saveStep.run(this.run, step, FORGOTTEN, 'null', 0, 0));
  }

  keep(chunks: readonly Chunk[]): void {
    // This stores partial text. Do not wait long for a lock and do not flush to disk, because both would delay
    // the answers that are arriving. If the text cannot be stored now, the caller tries again half a second
    // later.
    this.#db.pragma(`busy_timeout = ${SHORT_MS}`);
    try {
      this.#unflushed(() => {
        for (const { step, attempt, text, thinking } of chunks) {
          this.#sql.dropOtherChunks.run(this.run, step, attempt);
          this.#sql.addChunk.run(this.run, step, attempt, text, thinking);
        }
      });
    } finally {
      this.#db.pragma(`busy_timeout = ${timedOut.has(this.#db) ? SHORT_MS : BUSY_MS}`);
    }
  }

  facts(after = 0): AnyFact[] {
    return this.#between(this.run, after + 1, Number.MAX_SAFE_INTEGER);
  }

  parentFacts(): AnyFact[] {
    return this.#parent === null ? [] : this.#between(this.#parent, 1, Number.MAX_SAFE_INTEGER);
  }

  outlasts(): Promise<void> {
    return this.#flush.done().catch((error: unknown) => {
      const { message } = error instanceof Error ? error : new Error(String(error));
      throw new StoreError(
        'io',
        `what was recorded in ${this.#file} may not be on the disk: ${message}`,
        'Check the disk. Nothing more is asked of models.',
      );
    });
  }

  release(): void {
    // Releasing the run is a flushed transaction, which also flushes all earlier ones.
    this.#release();
  }

  #recorded(run: string, row: StepRow): RecordedStep & { kind: 'recorded' } {
    return {
      kind: 'recorded',
      ...(row.last_seq <= (this.#sql.imported.get(run) ?? 0) ? { isForeign: true } : {}),
      result: this.#explained(() => readJson(`the result of a step of run ${run}`, row.result)),
      facts: () => this.#between(run, row.first_seq, row.last_seq),
    };
  }

  #between(run: string, first: number, last: number): AnyFact[] {
    return this.#explained(() =>
      this.#sql.facts.all(run, first, last).map((row) => readFact(this.#reader, row)),
    );
  }

  #append(facts: readonly AnyBody[], prompt?: Prompt): AnyFact[] {
    if (prompt !== undefined) this.#prompts.keep(prompt);
    let seq = this.#sql.lastSeq.get(this.run) ?? 0;
    return facts.map((draft) => {
      const body = this.#reader.check(draft);
      const step = body.step ?? null;
      if (step !== null && body.type.startsWith('call.')) this.#sql.dropChunks.run(this.run, step);
      // Remove the run from the queue in the transaction that ends its attempt. Otherwise a worker
      // could take the run again if this process died right after.
      if (body.type === 'run.ended') this.#sql.leaveQueue.run(this.run);
      const at = new Date().toISOString();
      this.#sql.addFact.run(this.run, ++seq, at, body.type, step, JSON.stringify(body));
      return { run: this.run, seq, at, ...body };
    });
  }

  /**
   * Waits the full time for another program once. After a wait without success, later writes fail soon,
   * until one succeeds.
   */
  #write<T>(work: () => T): T {
    try {
      const done = this.#unflushed(work);
      this.#flush.begin();
      if (timedOut.delete(this.#db)) this.#db.pragma(`busy_timeout = ${BUSY_MS}`);
      return done;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') {
        timedOut.add(this.#db);
        this.#db.pragma(`busy_timeout = ${SHORT_MS}`);
      }
      throw error;
    }
  }

  /**
   * Runs a transaction that is not flushed to disk. What it writes survives the end of this process, but
   * not a loss of power.
   */
  #unflushed<T>(work: () => T): T {
    this.#db.pragma('synchronous = NORMAL');
    try {
      return this.#transact(work);
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }

  #transact<T>(work: () => T): T {
    const workAsOwner = (): T => {
      this.#checkLease();
      return work();
    };
    return this.#explained(() => this.#db.transaction(workAsOwner).immediate());
  }

  /** @throws StoreError if another process took the run over or deleted it */
  #checkLease(): void {
    if (this.#owner === undefined || this.#sql.owner.get(this.run) === this.#owner) return;
    throw new StoreError(
      'taken-over',
      `run ${this.run} is no longer held by this process: it was taken over, removed or released`,
      'Nothing more is recorded here. See deliberate list.',
    );
  }

  #explained<T>(work: () => T): T {
    return explainErrors(this.#file, work);
  }
}
