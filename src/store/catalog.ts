/**
 * Lists and finds runs without reading their facts, for commands that need only a list and must not wait
 * until the vocabularies of facts are loaded.
 */

import type Database from 'better-sqlite3';
import { StoreError } from '../kernel/errors.ts';
import type { Grouping, Usage } from '../text/usage-table.ts';
import { explainErrors, getFileIdentity, openDatabase } from './database.ts';
import { checkOwner, readOwner } from './owner.ts';
import { searchRuns } from './search.ts';
import { readUsage } from './usage.ts';

type RunStatus = 'queued' | 'running' | 'done' | 'stopped' | 'failed' | 'interrupted';

/** A run as one row of the history, from the SQL view `runs`. */
export interface RunSummary {
  readonly id: string;
  readonly protocol: string;
  readonly question: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** US dollars of the calls with a known price; null if no call has one. */
  readonly costUsd: number | null;
  /**
   * Whether tokens and cost contain estimates, which replace the counts of a provider that reported
   * none.
   */
  readonly estimated: boolean;
  /** Whether the built-in stand-in answered any call in place of a model. */
  readonly rehearsal: boolean;
  /** The text around the match; absent if the run was not found by a search. */
  readonly snippet?: string;
}

const SUMMARY = `
  SELECT id, protocol, coalesce(question, '') AS question, status, started_at AS startedAt,
    ended_at AS endedAt, tokens_in AS tokensIn, tokens_out AS tokensOut, cost_usd AS costUsd, estimated,
    EXISTS (SELECT 1 FROM calls WHERE run_id = runs.id AND rehearsal) AS rehearsal
  FROM runs`;

/**
 * The condition that excludes cells of evaluations. There are thousands of them, and they are opened by id
 * from their evaluation.
 */
const NO_CELLS = 'NOT EXISTS (SELECT 1 FROM cell WHERE cell.run_id = id)';

/** A row as SQLite returns it, with numbers for booleans. */
type SummaryRow = Omit<RunSummary, 'estimated' | 'rehearsal'> & {
  readonly estimated: 0 | 1;
  readonly rehearsal: 0 | 1;
};

function summaryOf(row: SummaryRow): RunSummary {
  return { ...row, estimated: row.estimated === 1, rehearsal: row.rehearsal === 1 };
}

/** A connection to the database that lists and finds runs. */
export class Catalog {
  /** The path of the database file. */
  readonly file: string;
  protected readonly db: Database.Database;
  /** The identity of the opened file: its device and inode. */
  readonly #opened: string | undefined;

  protected constructor(file: string, db: Database.Database) {
    this.file = file;
    this.db = db;
    this.#opened = getFileIdentity(file);
    this.clearDeadOwners();
  }

  /**
   * Opens the database.
   * @throws StoreError with the next step to take if the file cannot be used
   */
  static openCatalog(file: string): Catalog {
    return new Catalog(file, openDatabase(file));
  }

  /**
   * Returns whether the opened file is still at its path. If the file was moved, deleted or
   * replaced, new records are not where people look for them.
   */
  isInPlace(): boolean {
    return this.#opened !== undefined && getFileIdentity(this.file) === this.#opened;
  }

  close(): void {
    this.db.close();
  }

  /**
   * Returns the id of the run that `ref` names by its id, a unique prefix of the id, or `latest`.
   * `latest` is the run that was added last, leaving out runs that belong to an evaluation.
   * @throws StoreError if `ref` names no run, or several
   */
  find(ref: string): string {
    return this.read(() => {
      if (ref === 'latest') return this.findLatest();
      const ids = this.db
        .prepare('SELECT id FROM run WHERE substr(id, 1, length(@ref)) = @ref ORDER BY id LIMIT 2')
        .pluck()
        .all({ ref: ref.toLowerCase() }) as string[];
      if (ref === '' || ids[0] === undefined) throw noSuchRunError(ref);
      if (ids.length > 1)
        throw new StoreError(
          'ambiguous-run',
          `"${ref}" matches several runs: ${ids.join(', ')} …`,
          'Use more of the id; see deliberate list.',
        );
      return ids[0];
    });
  }

  /**
   * Returns the id of the run that was added last, leaving out runs that belong to an evaluation.
   *
   * @param protocol searches only runs of this protocol
   * @throws StoreError if there is none
   */
  findLatest(protocol?: string): string {
    const id = this.read(
      () =>
        this.db
          .prepare(
            `SELECT id FROM run WHERE ${NO_CELLS} AND protocol = coalesce(?, protocol)
              ORDER BY arrived DESC LIMIT 1`,
          )
          .pluck()
          .get(protocol ?? null) as string | undefined,
    );
    if (id !== undefined) return id;
    throw new StoreError(
      'no-such-run',
      protocol === undefined ? 'no runs yet' : `no ${protocol} runs yet`,
      `Start one with: deliberate ${protocol ?? 'board'} "…"`,
    );
  }

  /**
   * Returns the id of the latest run that is running now, in a process or at a Restate server; undefined if there
   * is none.
   */
  findLive(): string | undefined {
    return this.read(
      () =>
        this.db
          .prepare("SELECT id FROM runs WHERE status = 'running' ORDER BY arrived DESC LIMIT 1")
          .pluck()
          .get() as string | undefined,
    );
  }

  /** Sums the usage of calls in groups, see `readUsage`. `since` is ISO 8601. */
  usage(by: Grouping, since?: string): Usage[] {
    return this.read(() => readUsage(this.db, by, since));
  }

  /**
   * Returns whether any run is worked on by a Restate server, so that its log may have grown there.
   */
  hasRunsElsewhere(): boolean {
    return this.read(
      () =>
        this.db.prepare('SELECT 1 FROM elsewhere WHERE NOT is_over LIMIT 1').get() !== undefined,
    );
  }

  /** Returns whether a process owns the run. */
  isOwned(id: string): boolean {
    this.clearDeadOwners();
    const owner = this.read(() =>
      this.db.prepare('SELECT owner FROM run WHERE id = ?').pluck().get(id),
    );
    return owner !== null && owner !== undefined;
  }

  /**
   * Returns at most `limit` runs (default: 100), the latest first, without runs that belong to an evaluation.
   * With `search`, returns the matching runs of all kinds, the best match first, each with a `snippet`; see
   * `search.ts` for what matches.
   */
  list(options: { search?: string | undefined; limit?: number | undefined } = {}): RunSummary[] {
    const { search: query, limit = 100 } = options;
    return this.together(() => {
      if (query === undefined || query.trim() === '')
        return this.db
          .prepare<[number], SummaryRow>(
            `${SUMMARY} WHERE ${NO_CELLS} ORDER BY arrived DESC LIMIT ?`,
          )
          .all(limit)
          .map(summaryOf);
      return searchRuns(this.db, query, limit).map(({ run, snippet }) => ({
        ...this.summary(run),
        snippet,
      }));
    });
  }

  /**
   * Returns the run with this id.
   * @throws StoreError if there is none
   */
  summary(id: string): RunSummary {
    const row = this.read(() =>
      this.db.prepare<[string], SummaryRow>(`${SUMMARY} WHERE id = ?`).get(id),
    );
    if (row === undefined) throw noSuchRunError(id);
    return summaryOf(row);
  }

  /**
   * Clears the owner of runs whose process has ended, so that none of them counts as `running`.
   * With `among` set to `queued`, only runs in the queue are checked, for workers that poll a
   * database with many runs.
   */
  clearDeadOwners(among: 'all' | 'queued' = 'all'): void {
    const sql =
      among === 'all'
        ? 'SELECT id, owner FROM run WHERE owner IS NOT NULL'
        : `SELECT id, owner FROM queue CROSS JOIN run ON run.id = queue.run_id
            WHERE owner IS NOT NULL`;
    const owned = this.read(() => this.db.prepare(sql).all()) as { id: string; owner: string }[];
    for (const { id, owner } of owned) {
      if (checkOwner(this.read(() => readOwner(owner))) !== 'gone') continue;
      this.write(() =>
        this.db.prepare('UPDATE run SET owner = NULL WHERE id = ? AND owner = ?').run(id, owner),
      );
    }
  }

  /** Runs `work` in a transaction that may write. Errors of SQLite become StoreErrors. */
  protected write<T>(work: () => T): T {
    return explainErrors(this.file, () => this.db.transaction(work).immediate());
  }

  /** Runs `work`, which only reads. Errors of SQLite become StoreErrors. */
  protected read<T>(work: () => T): T {
    return explainErrors(this.file, work);
  }

  /** Runs several reads in one transaction, so that they see the same state of the database. */
  protected together<T>(work: () => T): T {
    return this.read(() => this.db.transaction(work).deferred());
  }
}

/** The most characters of an unknown run's name that an error quotes: a little more than an id. */
const MAX_REF = 60;

/** Returns the error for a name or id that no run has. */
export function noSuchRunError(ref: string): StoreError {
  return new StoreError(
    'no-such-run',
    `there is no run "${ref.length > MAX_REF ? `${ref.slice(0, MAX_REF)}…` : ref}"`,
    'See deliberate list.',
  );
}
