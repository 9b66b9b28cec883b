/**
 * The database of runs: creates, finds, reads, owns and removes runs. Tables have singular names and are
 * private; the views with plural names (`sql-views.ts`) are public. The database uses WAL, and flushes
 * completed steps and starts of calls to disk.
 */

import type Database from 'better-sqlite3';
import { v7 as uuidv7 } from 'uuid';
import { RunOwnedError } from '../kernel/errors.ts';
import type { RunEstimate, Span } from '../kernel/estimate.ts';
import type { Chunk, Journal, Prompt } from '../kernel/journal.ts';
import { viewOf } from '../kernel/view.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import type { Archive } from './archive.ts';
import { Catalog, noSuchRun } from './catalog.ts';
import { openDatabase, openInMemory } from './database.ts';
import { Elsewhere } from './elsewhere.ts';
import { type Cell, Evaluations } from './evaluations.ts';
import { archiveRun, restoreRun } from './exchange.ts';
import * as byType from './facts-by-type.ts';
import { SqliteJournal } from './journal.ts';
import { readOwner, standingOf, thisProcess } from './owner.ts';
import { promptsOf } from './prompts.ts';
import { Queue } from './queue.ts';
import { readFact, readJson } from './rows.ts';

/** How a run is taken that somebody else may hold. */
export interface Taking {
  /** Also from a process of which nobody here can tell whether it lives; never from one that does. */
  readonly takeOver?: boolean;
}

/** As the settings of these names have them. */
export interface Limits {
  readonly budget_tokens?: number | undefined;
  readonly budget_usd?: number | undefined;
  /** Milliseconds. */
  readonly idle_timeout?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly rehearse_speed?: number | undefined;
}

/** How a process of its own works on a run. */
export interface Terms {
  readonly limits: Limits;
  /** What the run was expected to take in all, in dollars where somebody is paid; absent where nobody could say. */
  readonly expected?:
    | (Pick<RunEstimate, 'calls'> & { readonly usd?: Span | undefined })
    | undefined;
  /** Whatever it asks is answered by its default. */
  readonly yes?: boolean | undefined;
  /** The person has said that what it starts may run without a sandbox: on this machine, for this attempt. */
  readonly unsandboxed?: boolean | undefined;
  /** Its budget is a program's wish, which another one may replace; else a person gave it. */
  readonly isWish?: boolean | undefined;
}

/** What another process says to the one that works on a run. */
export interface Message {
  readonly kind: 'answer' | 'stop';
  /** The gate that is answered. */
  readonly step?: string;
  readonly value?: string;
  /** Who says it. */
  readonly by: 'person' | 'program';
}

export class Store extends Catalog {
  readonly #reader: FactReader;
  #evaluations: Evaluations | undefined;
  #queued: Queue | undefined;
  #elsewhere: Elsewhere | undefined;

  private constructor(file: string, db: Database.Database, reader: FactReader) {
    super(file, db);
    this.#reader = reader;
  }

  /**
   * `reader` checks the facts that are written and read: the store knows no vocabulary.
   * @throws StoreError, with what to do, where the file cannot serve.
   */
  static open(file: string, reader: FactReader): Store {
    return new Store(file, openDatabase(file, reader.sqlViews), reader);
  }

  /** A database that nobody else sees and that ends with this process: another log is the record. */
  static inMemory(reader: FactReader): Store {
    return new Store(':memory:', openInMemory(reader.sqlViews), reader);
  }

  /** A new run, owned by this process. `cell`: what it answers in evaluations. */
  create(protocol: string, parent: string | null = null, cell?: Cell): Journal {
    const id = uuidv7();
    const owner = JSON.stringify(thisProcess());
    this.write(() => {
      this.db
        .prepare('INSERT INTO run (id, protocol, created_at, parent, owner) VALUES (?, ?, ?, ?, ?)')
        .run(id, protocol, new Date().toISOString(), parent, owner);
      if (cell !== undefined) this.evaluations.addCell(cell, id);
    });
    return this.#journal(id, parent, owner);
  }

  /** Evaluations, and which runs are their cells. */
  get evaluations(): Evaluations {
    this.#evaluations ??= new Evaluations(this.db, (work) => this.write(work));
    return this.#evaluations;
  }

  /**
   * Makes a run this process's. @throws RunOwnedError while another living process works on it, or one of
   * which nobody here can tell: then `takeOver` is a person's word that it is gone.
   */
  own(id: string, { takeOver = false }: Taking = {}): Journal {
    const owner = JSON.stringify(thisProcess());
    const parent = this.write(() => {
      const { parent } = this.#unowned(id, takeOver);
      this.db.prepare('UPDATE run SET owner = ? WHERE id = ?').run(owner, id);
      // It was meant for whoever had the run before, and whoever has it now does what workers would.
      this.db.prepare("DELETE FROM message WHERE run_id = ? AND kind = 'stop'").run(id);
      this.#queue.remove(id);
      this.elsewhere.forget(id);
      return parent;
    });
    return this.#journal(id, parent, owner);
  }

  /** The runs that are worked on at another place, whose log is mirrored here. */
  get elsewhere(): Elsewhere {
    this.#elsewhere ??= new Elsewhere(this.db, (work) => this.write(work));
    return this.#elsewhere;
  }

  /** Leaves a run to workers that this process owns, or nobody. @throws RunOwnedError as `own` does */
  enqueue(id: string, { takeOver = false }: Taking = {}): void {
    const own = JSON.stringify(thisProcess());
    this.write(() => {
      const held = this.db.prepare('SELECT owner FROM run WHERE id = ?').pluck().get(id);
      if (held !== own) {
        this.#unowned(id, takeOver);
        this.db.prepare('UPDATE run SET owner = NULL WHERE id = ?').run(id);
      }
      this.#queue.add(id);
    });
  }

  /** Takes a run from the workers: none takes it from now on. False where it was not left to them. */
  dequeue(id: string): boolean {
    return this.write(() => this.#queue.remove(id));
  }

  /**
   * The next run that was left to workers and rests; this process owns it from now on. It stays in its
   * place until its attempt has ended. `leftAlone`: the id of one that is given up instead, as whoever
   * took it died each time. Undefined where none rests.
   */
  takeQueued(): Journal | { readonly leftAlone: string } | undefined {
    this.forgetTheDead('queued');
    // Looked for again and again: who only looks keeps nobody from writing.
    if (this.read(() => this.#queue.next()) === undefined) return undefined;
    const owner = JSON.stringify(thisProcess());
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

  facts(id: string, after = 0): AnyFact[] {
    return this.read(() =>
      this.db
        .prepare('SELECT run_id, seq, at, body FROM fact WHERE run_id = ? AND seq > ? ORDER BY seq')
        .all(id, after)
        .map((row) => readFact(this.#reader, row)),
    );
  }

  factsByType(types: readonly string[], having: string): Map<string, AnyFact[]> {
    return this.read(() => byType.readFactsByType(this.db, this.#reader, types, having));
  }

  /** Returns the ids of the runs that were imported from a file. */
  importedRuns(): ReadonlySet<string> {
    const ids = this.read(() => this.db.prepare('SELECT run_id FROM imported').pluck().all());
    return new Set(ids.map(String));
  }

  claimsOfRunsWith(having: string): byType.ClaimStanding[] {
    return this.read(() => byType.readClaims(this.db, having));
  }

  /** Returns the ids of a run's claims, in the order in which they were raised. */
  claimIds(run: string): string[] {
    const ids = this.read(() =>
      this.db.prepare('SELECT id FROM claims WHERE run_id = ?').pluck().all(run),
    );
    return ids.map(String);
  }

  seatUsageOfRunsWith(having: string): byType.SeatUsage[] {
    return this.read(() => byType.readSeatUsage(this.db, having));
  }

  /** What each attempt at a call was asked; empty of a run that came from elsewhere. */
  prompts(id: string): ReadonlyMap<string, Prompt> {
    return this.read(() => promptsOf(this.db, id));
  }

  /** The whole run as it is stored, at one moment, also while another process works on it. */
  archive(id: string, program: string): Archive {
    return this.together(() => {
      const { status: now } = this.summary(id);
      // Workers elsewhere know nothing of it.
      const status = now === 'queued' ? 'interrupted' : now;
      const { rehearsal } = viewOf(this.facts(id));
      return archiveRun(this.db, id, { program, status, rehearsal });
    });
  }

  /**
   * Takes in an exported run: all of it or nothing. False where it is here already, the same in every
   * fact and step. `isForeign`: it comes out of somebody's file, and what was answered there is asked here
   * again. @throws DeliberateError where a run of that id is here and differs.
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

  /** Keeps which file a person named for a run of their own protocol. It is no part of an export. */
  nameProtocol(id: string, file: string): void {
    this.write(() =>
      this.db
        .prepare(
          `INSERT INTO protocol_file (run_id, file) VALUES (?, ?)
            ON CONFLICT (run_id) DO UPDATE SET file = excluded.file`,
        )
        .run(id, file),
    );
  }

  /** The file that was named for a run here; undefined where nobody has named one. */
  protocolFile(id: string): string | undefined {
    return this.read(
      () =>
        this.db.prepare('SELECT file FROM protocol_file WHERE run_id = ?').pluck().get(id) as
          | string
          | undefined,
    );
  }

  /** Keeps which folder a person named for a run's seats to look into. It is no part of an export. */
  nameRoot(id: string, name: string, path: string): void {
    this.write(() =>
      this.db
        .prepare(
          `INSERT INTO look_root (run_id, name, path) VALUES (?, ?, ?)
            ON CONFLICT (run_id, name) DO UPDATE SET path = excluded.path`,
        )
        .run(id, name, path),
    );
  }

  /** The folders that were named for a run here, by their names. */
  lookRoots(id: string): ReadonlyMap<string, string> {
    return this.read(() => {
      const rows = this.db
        .prepare<[string], [string, string]>('SELECT name, path FROM look_root WHERE run_id = ?')
        .raw()
        .all(id);
      return new Map(rows as [string, string][]);
    });
  }

  /** Keeps on what terms a process of its own works on a run. `key`: of what a program asked for. */
  keepTerms(id: string, terms: Terms, key: string | null = null): void {
    this.write(() =>
      this.db
        .prepare(
          `INSERT INTO detached (run_id, key, at, terms) VALUES (?, ?, ?, ?)
            ON CONFLICT (run_id) DO UPDATE SET terms = excluded.terms`,
        )
        .run(id, key, new Date().toISOString(), JSON.stringify(terms)),
    );
  }

  /** Undefined where no process of its own ever worked on the run. */
  terms(id: string): Terms | undefined {
    const text = this.read(() =>
      this.db.prepare('SELECT terms FROM detached WHERE run_id = ?').pluck().get(id),
    ) as string | undefined;
    return text === undefined
      ? undefined
      : this.read(() => readJson(`the terms of run ${id}`, text) as Terms);
  }

  /** The latest run that came of the same wish since then. `since`: ISO 8601. */
  askedFor(key: string, since: string): string | undefined {
    return this.read(
      () =>
        this.db
          .prepare('SELECT run_id FROM detached WHERE key = ? AND at >= ? ORDER BY at DESC LIMIT 1')
          .pluck()
          .get(key, since) as string | undefined,
    );
  }

  /** How many runs processes of their own work on now. */
  detachedAtWork(): number {
    this.forgetTheDead();
    return this.read(
      () =>
        this.db
          .prepare(
            `SELECT count(*) FROM detached JOIN run ON run.id = run_id
              WHERE owner IS NOT NULL AND run_id NOT IN (SELECT run_id FROM queue)`,
          )
          .pluck()
          .get() as number,
    );
  }

  /** For whoever works on the run. False where it was said already, and not taken yet. */
  leave(id: string, { kind, step = '', value = '', by }: Message): boolean {
    return this.write(
      () =>
        this.db
          .prepare(
            `INSERT INTO message (run_id, kind, step, value, giver) VALUES (?, ?, ?, ?, ?)
              ON CONFLICT DO NOTHING`,
          )
          .run(id, kind, step, value, by).changes > 0,
    );
  }

  /** Whether it was left, and not taken yet. */
  isLeft(id: string, kind: Message['kind'], step = ''): boolean {
    return this.read(
      () =>
        this.db
          .prepare('SELECT 1 FROM message WHERE run_id = ? AND kind = ? AND step = ?')
          .get(id, kind, step) !== undefined,
    );
  }

  /** What was left, which stays there. */
  left(id: string, kind: Message['kind'], step = ''): Message | undefined {
    return this.read(
      () =>
        this.db
          .prepare(
            `SELECT kind, step, value, giver AS by FROM message
              WHERE run_id = ? AND kind = ? AND step = ?`,
          )
          .get(id, kind, step) as Message | undefined,
    );
  }

  /** What was left, and is taken with this. */
  take(id: string, kind: Message['kind'], step = ''): Message | undefined {
    if (!this.isLeft(id, kind, step)) return undefined;
    return this.write(
      () =>
        this.db
          .prepare(
            `DELETE FROM message WHERE run_id = ? AND kind = ? AND step = ?
              RETURNING kind, step, value, giver AS by`,
          )
          .get(id, kind, step) as Message | undefined,
    );
  }

  /** What running calls have said since chunk number `after`, each with its number. */
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
   * Removes a run with all its words: its rows are overwritten and what the log beside the file still
   * holds of them is cut off, as soon as no other process reads there.
   * @throws RunOwnedError as `own` does.
   */
  remove(id: string, { takeOver = false }: Taking = {}): void {
    this.write(() => {
      this.#unowned(id, takeOver);
      this.db.prepare('DELETE FROM run WHERE id = ?').run(id);
    });
    this.read(() => this.db.pragma('wal_checkpoint(TRUNCATE)'));
  }

  /** A run that nobody works on. @throws RunOwnedError */
  #unowned(id: string, takeOver: boolean): { parent: string | null } {
    const row = this.db.prepare('SELECT parent, owner FROM run WHERE id = ?').get(id) as
      | { parent: string | null; owner: string | null }
      | undefined;
    if (row === undefined) throw noSuchRun(id);
    const there = this.elsewhere.find(id);
    if (there?.isOver === false && !takeOver)
      throw new RunOwnedError(id, `a worker of ${there.address}`, false);
    if (row.owner !== null) {
      const owner = readOwner(row.owner);
      const standing = standingOf(owner);
      if (standing === 'working' || (standing === 'unknown' && !takeOver))
        throw new RunOwnedError(
          id,
          `process ${owner.pid} on ${owner.host}`,
          standing === 'working',
        );
    }
    return row;
  }

  /** Most who open the file want nothing of it. */
  get #queue(): Queue {
    this.#queued ??= new Queue(this.db);
    return this.#queued;
  }

  #journal(id: string, parent: string | null, owner: string): Journal {
    const release = (): void => {
      // Not where another process has taken the run over since.
      const sql = 'UPDATE run SET owner = NULL WHERE id = ? AND owner = ?';
      this.write(() => {
        if (this.db.prepare(sql).run(id, owner).changes > 0) this.#queue.forgive(id);
      });
    };
    return this.read(() => new SqliteJournal(this.db, this.#reader, id, parent, release, owner));
  }
}
