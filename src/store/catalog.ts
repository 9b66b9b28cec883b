/**
 * Which runs there are, without a word of what was said in them: for commands that only list or find
 * them, and must not wait for the vocabulary of facts.
 */

import type Database from 'better-sqlite3';
import { StoreError } from '../kernel/errors.ts';
import type { Grouping, Usage } from '../text/usage-table.ts';
import { explained, identityOf, openDatabase } from './database.ts';
import { readOwner, standingOf } from './owner.ts';
import { search } from './search.ts';
import { readUsage } from './usage.ts';

type RunStatus = 'queued' | 'running' | 'done' | 'stopped' | 'failed' | 'interrupted';

/** A line of the history: a row of the `runs` view. */
export interface RunSummary {
  readonly id: string;
  readonly protocol: string;
  readonly question: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Null where no call has a known price. */
  readonly costUsd: number | null;
  /** Tokens and cost hold an estimate: a provider had not counted when its call ended. */
  readonly estimated: boolean;
  /** The stand-in spoke in it. */
  readonly rehearsal: boolean;
  /** Where the run was found by a search: the passage around the match, as it was said. */
  readonly snippet?: string;
}

const SUMMARY = `
  SELECT id, protocol, coalesce(question, '') AS question, status, started_at AS startedAt,
    ended_at AS endedAt, tokens_in AS tokensIn, tokens_out AS tokensOut, cost_usd AS costUsd, estimated,
    EXISTS (SELECT 1 FROM calls WHERE run_id = runs.id AND rehearsal) AS rehearsal
  FROM runs`;

/** Not the cells of evaluations, which come by the thousand: they are opened from there, by their id. */
const OF_PEOPLE = 'NOT EXISTS (SELECT 1 FROM cell WHERE cell.run_id = id)';

/** As SQLite has it, which knows no booleans. */
type SummaryRow = Omit<RunSummary, 'estimated' | 'rehearsal'> & {
  readonly estimated: 0 | 1;
  readonly rehearsal: 0 | 1;
};

function summaryOf(row: SummaryRow): RunSummary {
  return { ...row, estimated: row.estimated === 1, rehearsal: row.rehearsal === 1 };
}

export class Catalog {
  readonly file: string;
  protected readonly db: Database.Database;
  /** Which file it is, whatever its name. */
  readonly #opened: string | undefined;

  protected constructor(file: string, db: Database.Database) {
    this.file = file;
    this.db = db;
    this.#opened = identityOf(file);
    this.forgetTheDead();
  }

  /** @throws StoreError, with what to do, where the file cannot serve. */
  static openCatalog(file: string): Catalog {
    return new Catalog(file, openDatabase(file));
  }

  /** False where the file was moved, deleted or replaced: what is recorded is not where people look. */
  isInPlace(): boolean {
    return this.#opened !== undefined && identityOf(this.file) === this.#opened;
  }

  close(): void {
    this.db.close();
  }

  /**
   * The run that `ref` names: an id, a unique prefix of one, or `latest`, the one that came in last
   * and is no cell of an evaluation,
   * whatever the clock said.
   * @throws StoreError if it names none, or several.
   */
  find(ref: string): string {
    return this.read(() => {
      if (ref === 'latest') return this.findLatest();
      const ids = this.db
        .prepare('SELECT id FROM run WHERE substr(id, 1, length(@ref)) = @ref ORDER BY id LIMIT 2')
        .pluck()
        .all({ ref: ref.toLowerCase() }) as string[];
      if (ref === '' || ids[0] === undefined) throw noSuchRun(ref);
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
   * Returns the run that came in last and is no cell of an evaluation.
   *
   * @param protocol Looks only among runs of this protocol.
   * @throws StoreError if there is none.
   */
  findLatest(protocol?: string): string {
    const id = this.read(
      () =>
        this.db
          .prepare(
            `SELECT id FROM run WHERE ${OF_PEOPLE} AND protocol = coalesce(?, protocol)
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

  /** The latest run that a process works on now; undefined where nothing goes on. */
  findLive(): string | undefined {
    return this.read(
      () =>
        this.db
          .prepare("SELECT id FROM runs WHERE status = 'running' ORDER BY arrived DESC LIMIT 1")
          .pluck()
          .get() as string | undefined,
    );
  }

  /** Returns what calls took, summed: see `readUsage`. */
  usage(by: Grouping, since?: string): Usage[] {
    return this.read(() => readUsage(this.db, by, since));
  }

  /** Whether there are runs whose log is at another place and may have grown. */
  hasRunsElsewhere(): boolean {
    return this.read(
      () =>
        this.db.prepare('SELECT 1 FROM elsewhere WHERE NOT is_over LIMIT 1').get() !== undefined,
    );
  }

  /** Whether a process has it, at work or at rest. */
  isOwned(id: string): boolean {
    this.forgetTheDead();
    return this.read(
      () => this.db.prepare('SELECT owner FROM run WHERE id = ?').pluck().get(id) !== null,
    );
  }

  /**
   * What came in last first; with `search`, what fits best first, each with a `snippet`: see `search.ts` for what
   * is found.
   */
  list(options: { search?: string | undefined; limit?: number | undefined } = {}): RunSummary[] {
    const { search: query, limit = 100 } = options;
    return this.together(() => {
      if (query === undefined || query.trim() === '')
        return this.db
          .prepare<[number], SummaryRow>(
            `${SUMMARY} WHERE ${OF_PEOPLE} ORDER BY arrived DESC LIMIT ?`,
          )
          .all(limit)
          .map(summaryOf);
      return search(this.db, query, limit).map(({ run, snippet }) => ({
        ...this.summary(run),
        snippet,
      }));
    });
  }

  summary(id: string): RunSummary {
    const row = this.read(() =>
      this.db.prepare<[string], SummaryRow>(`${SUMMARY} WHERE id = ?`).get(id),
    );
    if (row === undefined) throw noSuchRun(id);
    return summaryOf(row);
  }

  /**
   * Runs whose process is gone are nobody's: their status reads `interrupted` from now on. `among`: only
   * those in the queue, for whoever looks again and again in a file of many runs.
   */
  forgetTheDead(among: 'all' | 'queued' = 'all'): void {
    const sql =
      among === 'all'
        ? 'SELECT id, owner FROM run WHERE owner IS NOT NULL'
        : `SELECT id, owner FROM queue CROSS JOIN run ON run.id = queue.run_id
            WHERE owner IS NOT NULL`;
    const owned = this.read(() => this.db.prepare(sql).all()) as { id: string; owner: string }[];
    for (const { id, owner } of owned) {
      if (standingOf(this.read(() => readOwner(owner))) !== 'gone') continue;
      this.write(() =>
        this.db.prepare('UPDATE run SET owner = NULL WHERE id = ? AND owner = ?').run(id, owner),
      );
    }
  }

  protected write<T>(work: () => T): T {
    return explained(this.file, () => this.db.transaction(work).immediate());
  }

  protected read<T>(work: () => T): T {
    return explained(this.file, work);
  }

  /** Several reads of one state of the database. */
  protected together<T>(work: () => T): T {
    return this.read(() => this.db.transaction(work).deferred());
  }
}

/** As much of what was taken for a run as is quoted: a little more than an id. */
const MAX_REF = 60;

export function noSuchRun(ref: string): StoreError {
  return new StoreError(
    'no-such-run',
    `there is no run "${ref.length > MAX_REF ? `${ref.slice(0, MAX_REF)}…` : ref}"`,
    'See deliberate list.',
  );
}
