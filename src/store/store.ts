/**
 * The database of runs: creates, finds, reads, owns and removes runs. Tables have singular names and are
 * private; the views with plural names (`sql-views.ts`) are public. Completed steps and starts of calls are
 * flushed to disk.
 */

import type Database from 'better-sqlite3';
import { v7 as uuidv7 } from 'uuid';
import { RunOwnedError } from '../kernel/errors.ts';
import type { Chunk, Journal, Prompt } from '../kernel/journal.ts';
import { viewOf } from '../kernel/view.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import type { Archive } from './archive.ts';
import { Catalog, noSuchRunError } from './catalog.ts';
import { openDatabase, openInMemory } from './database.ts';
import { RestateRuns } from './elsewhere.ts';
import { type Cell, Evaluations } from './evaluations.ts';
import { archiveRun, restoreRun } from './exchange.ts';
import * as byType from './facts-by-type.ts';
import { SqliteJournal } from './journal.ts';
import { checkOwner, describeThisProcess, readOwner } from './owner.ts';
import { promptsOf } from './prompts.ts';
import { Queue } from './queue.ts';
import { readFact, readFirstFact } from './rows.ts';
import { type Access, DetachedRuns, Messages } from './terms.ts';

/** Options for becoming the owner of a run, which another process may own at present. */
export interface OwnOptions {
  /** True: takes the run even from a process on another machine that may be alive. */
  readonly takeOver?: boolean;
}

/** A connection to the database that also reads and writes the facts of runs. */
export class Store extends Catalog {
  readonly #reader: FactReader;
  #evaluations: Evaluations | undefined;
  #queued: Queue | undefined;
  #elsewhere: RestateRuns | undefined;
  #detached: DetachedRuns | undefined;
  #messages: Messages | undefined;

  private constructor(file: string, db: Database.Database, reader: FactReader) {
    super(file, db);
    this.#reader = reader;
  }

  /**
   * Opens the database. `reader` checks the facts that are written and read, since the store does
   * not know the protocols.
   * @throws StoreError with the next step to take if the file cannot be used
   */
  static open(file: string, reader: FactReader): Store {
    return new Store(file, openDatabase(file, reader.sqlViews), reader);
  }

  /**
   * Creates a database in memory for runs whose log is stored elsewhere. The database ends with
   * this process.
   */
  static inMemory(reader: FactReader): Store {
    return new Store(':memory:', openInMemory(reader.sqlViews), reader);
  }

  /**
   * Creates a run that this process owns. `parent` is the run that the new run is a fork of. `cell`
   * is the answer of an evaluation (to one item, with one seed, in one arm) that the run is to give.
   */
  create(protocol: string, parent: string | null = null, cell?: Cell): Journal {
    const id = uuidv7();
    const owner = JSON.stringify(describeThisProcess());
    this.write(() => {
      this.db
        .prepare('INSERT INTO run (id, protocol, created_at, parent, owner) VALUES (?, ?, ?, ?, ?)')
        .run(id, protocol, new Date().toISOString(), parent, owner);
      if (cell !== undefined) this.evaluations.addCell(cell, id);
    });
    return this.#journal(id, parent, owner);
  }

  /** The evaluations and their cells. */
  get evaluations(): Evaluations {
    this.#evaluations ??= new Evaluations(this.db, (work) => this.write(work));
    return this.#evaluations;
  }

  /**
   * Makes this process the owner of a run and removes the run from the queue.
   * @throws StoreError if there is no run with this id
   * @throws RunOwnedError if a living process owns the run, even this process; also if the owner may
   * be alive on another machine or a Restate server works on the run, unless `takeOver` is set
   * @throws NewerRunError if a newer version of this program recorded the run
   */
  own(id: string, { takeOver = false }: OwnOptions = {}): Journal {
    const owner = JSON.stringify(describeThisProcess());
    const parent = this.write(() => {
      const { parent } = this.#unowned(id, takeOver);
      readFirstFact(this.db, this.#reader, id);
      this.db.prepare('UPDATE run SET owner = ? WHERE id = ?').run(owner, id);
      // A waiting request to stop was meant for the previous owner, so delete it.
      this.db.prepare("DELETE FROM message WHERE run_id = ? AND kind = 'stop'").run(id);
      this.#queue.remove(id);
      this.elsewhere.forget(id);
      return parent;
    });
    return this.#journal(id, parent, owner);
  }

  /** The limits and permissions of runs that detached processes work on. */
  get detached(): DetachedRuns {
    this.#detached ??= new DetachedRuns(this.#access);
    return this.#detached;
  }

  /** The messages for the processes that work on runs. */
  get messages(): Messages {
    this.#messages ??= new Messages(this.#access);
    return this.#messages;
  }

  /** The runs that Restate servers work on, whose logs are copied into this database. */
  get elsewhere(): RestateRuns {
    this.#elsewhere ??= new RestateRuns(this.db, (work) => this.write(work));
    return this.#elsewhere;
  }

  /**
   * Puts a run into the queue for workers. The run has no owner afterwards, unless this process owns
   * it already.
   * @throws RunOwnedError if another process owns the run, in the same cases as `own`
   */
  enqueue(id: string, { takeOver = false }: OwnOptions = {}): void {
    const own = JSON.stringify(describeThisProcess());
    this.write(() => {
      const held = this.db.prepare('SELECT owner FROM run WHERE id = ?').pluck().get(id);
      if (held !== own) {
        this.#unowned(id, takeOver);
        this.db.prepare('UPDATE run SET owner = NULL WHERE id = ?').run(id);
      }
      this.#queue.add(id);
    });
  }

  /** Removes a run from the queue. Returns false if the run was not in the queue. */
  dequeue(id: string): boolean {
    return this.write(() => this.#queue.remove(id));
  }

  /**
   * Makes this process the owner of the first waiting run in the queue. The run keeps its place in
   * the queue until its attempt has ended. If the first waiting run was taken several times and each
   * time its worker died, removes this run from the queue and returns its id as `leftAlone`. Returns
   * undefined if no run waits.
   */
  takeQueued(): Journal | { readonly leftAlone: string } | undefined {
    this.clearDeadOwners('queued');
    // Look for a run without a write lock first: idle workers ask again and again, and must not keep others from
    // writing.
    if (this.read(() => this.#queue.next()) === undefined) return undefined;
    const owner = JSON.stringify(describeThisProcess());
    const taken = this.write(() => {
      const next = this.#queue.take(owner);
      if (next !== undefined)
        this.db.prepare("DELETE FROM message WHERE run_id = ? AND kind = 'stop'").run(next.run);
      return next;
    });
    if (taken === undefined) return undefined;
    const { run, parent, leftAlone } = taken;
    return leftAlone ? { leftAlone: run } : this.#journal(run, parent, owner);
  }

  /** Returns the facts of a run with a position above `after`, in order. */
  facts(id: string, after = 0): AnyFact[] {
    return this.read(() =>
      this.db
        .prepare('SELECT run_id, seq, at, body FROM fact WHERE run_id = ? AND seq > ? ORDER BY seq')
        .all(id, after)
        .map((row) => readFact(this.#reader, row)),
    );
  }

  /**
   * Returns the facts of the given types by the id of their run, from all runs that have a fact of
   * the type `having`.
   */
  factsByType(types: readonly string[], having: string): Map<string, AnyFact[]> {
    return this.read(() => byType.readFactsByType(this.db, this.#reader, types, having));
  }

  /** Returns the ids of the runs that were imported from a file. */
  importedRuns(): ReadonlySet<string> {
    const ids = this.read(() => this.db.prepare('SELECT run_id FROM imported').pluck().all());
    return new Set(ids.map(String));
  }

  /** Returns the claims of the runs that have a fact of the type `having`. */
  claimsOfRunsWith(having: string): byType.ClaimStanding[] {
    return this.read(() => byType.readClaims(this.db, having));
  }

  /** Returns the ids of a run's claims, in the order in which the claims were raised. */
  claimIds(run: string): string[] {
    const ids = this.read(() =>
      this.db.prepare('SELECT id FROM claims WHERE run_id = ?').pluck().all(run),
    );
    return ids.map(String);
  }

  /** Returns the usage of each seat in the runs that have a fact of the type `having`. */
  seatUsageOfRunsWith(having: string): byType.SeatUsage[] {
    return this.read(() => byType.readSeatUsage(this.db, having));
  }

  /**
   * Returns the prompt of each attempt at a call of the run, by the attempt's id; empty for an
   * imported run.
   */
  prompts(id: string): ReadonlyMap<string, Prompt> {
    return this.read(() => promptsOf(this.db, id));
  }

  /**
   * Returns the whole run in the format of exported files, in its state at one moment even while
   * another process works on it. `program` is the version of this program.
   */
  archive(id: string, program: string): Archive {
    return this.together(() => {
      const { status: now } = this.summary(id);
      // The queue belongs to this database, so an exported run does not count as queued.
      const status = now === 'queued' ? 'interrupted' : now;
      const { rehearsal } = viewOf(this.facts(id));
      return archiveRun(this.db, id, { program, status, rehearsal });
    });
  }

  /**
   * Inserts an exported run completely or not at all. Returns false if the database already has this
   * run with the same contents. Set `isForeign` for a run from a file: the answers to its gates do
   * not count on this machine.
   * @throws DeliberateError if a run with the same id exists and differs
   */
  restore(archive: Archive, { isForeign = false } = {}): boolean {
    return this.write(() => {
      const isNew = restoreRun(this.db, archive);
      if (isNew && isForeign)
        this.db
          .prepare('INSERT INTO imported (run_id, seq) VALUES (?, ?)')
          .run(archive.run, archive.facts.length);
      return isNew;
    });
  }

  /**
   * Stores the path of the protocol file that a person named for a run. Exports do not contain the
   * path.
   */
  setProtocolFile(id: string, file: string): void {
    this.write(() =>
      this.db
        .prepare(
          `INSERT INTO protocol_file (run_id, file) VALUES (?, ?)
            ON CONFLICT (run_id) DO UPDATE SET file = excluded.file`,
        )
        .run(id, file),
    );
  }

  /** Returns the protocol file that was named for a run on this machine; undefined if none was. */
  protocolFile(id: string): string | undefined {
    return this.read(
      () =>
        this.db.prepare('SELECT file FROM protocol_file WHERE run_id = ?').pluck().get(id) as
          | string
          | undefined,
    );
  }

  /**
   * Stores a folder that a person named for a run's seats to read. Exports do not contain the path.
   */
  setLookRoot(id: string, name: string, path: string): void {
    this.write(() =>
      this.db
        .prepare(
          `INSERT INTO look_root (run_id, name, path) VALUES (?, ?, ?)
            ON CONFLICT (run_id, name) DO UPDATE SET path = excluded.path`,
        )
        .run(id, name, path),
    );
  }

  /** Returns the folders that were named for a run on this machine, by their names. */
  lookRoots(id: string): ReadonlyMap<string, string> {
    return this.read(() => {
      const rows = this.db
        .prepare<[string], [string, string]>('SELECT name, path FROM look_root WHERE run_id = ?')
        .raw()
        .all(id);
      return new Map(rows as [string, string][]);
    });
  }

  /**
   * Returns the chunks (pieces of streamed text) of the run's calls that have not ended, in the
   * order in which they were stored. Only chunks with an `id` above `after` are returned.
   */
  chunks(id: string, after = 0): (Chunk & { id: number })[] {
    return this.read(
      () =>
        this.db
          .prepare(
            'SELECT id, step, attempt, text, thinking FROM chunk WHERE run_id = ? AND id > ? ORDER BY id',
          )
          .all(id, after) as (Chunk & { id: number })[],
    );
  }

  /**
   * Deletes a run and overwrites its rows. Also truncates the write-ahead log, unless another process
   * is reading it.
   * @throws RunOwnedError if a process owns the run, in the same cases as `own`
   */
  remove(id: string, { takeOver = false }: OwnOptions = {}): void {
    this.write(() => {
      this.#unowned(id, takeOver);
      this.db.prepare('DELETE FROM run WHERE id = ?').run(id);
    });
    this.read(() => this.db.pragma('wal_checkpoint(TRUNCATE)'));
  }

  get #access(): Access {
    return { db: this.db, read: (work) => this.read(work), write: (work) => this.write(work) };
  }

  /** Returns a run that no process owns, or that `takeOver` permits to take. @throws RunOwnedError */
  #unowned(id: string, takeOver: boolean): { parent: string | null } {
    const row = this.db.prepare('SELECT parent, owner FROM run WHERE id = ?').get(id) as
      | { parent: string | null; owner: string | null }
      | undefined;
    if (row === undefined) throw noSuchRunError(id);
    const there = this.elsewhere.find(id);
    if (there?.isOver === false && !takeOver)
      throw new RunOwnedError(id, `a worker of ${there.address}`, false);
    if (row.owner !== null) {
      const owner = readOwner(row.owner);
      const standing = checkOwner(owner);
      if (standing === 'working' || (standing === 'unknown' && !takeOver))
        throw new RunOwnedError(
          id,
          `process ${owner.pid} on ${owner.host}`,
          standing === 'working',
        );
    }
    return row;
  }

  /** Prepares the queue when it is first used: most commands do not need it. */
  get #queue(): Queue {
    this.#queued ??= new Queue(this.db);
    return this.#queued;
  }

  #journal(id: string, parent: string | null, owner: string): Journal {
    const releaseRun = (): void => {
      // Clear the owner only if this process still owns the run.
      const sql = 'UPDATE run SET owner = NULL WHERE id = ? AND owner = ?';
      this.write(() => {
        if (this.db.prepare(sql).run(id, owner).changes > 0) this.#queue.forgive(id);
      });
    };
    return this.read(() => new SqliteJournal(this.db, this.#reader, id, parent, releaseRun, owner));
  }
}
