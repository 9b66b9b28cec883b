/** What processes tell each other about a run: the terms of detached work, and messages. */
import type Database from 'better-sqlite3';
import type { RunEstimate, Span } from '../kernel/estimate.ts';
import { readJson } from './rows.ts';

/**
 * Settings for the work on a run, under their names. An absent budget sets no limit; for the others the
 * program's default applies.
 */
export interface Limits {
  readonly budget_tokens?: number | undefined;
  readonly budget_usd?: number | undefined;
  /** Milliseconds without data after which a request is given up. */
  readonly idle_timeout?: number | undefined;
  /** The most simultaneous calls per provider. */
  readonly concurrency?: number | undefined;
  /** The speed factor of the stand-in's answers. */
  readonly rehearse_speed?: number | undefined;
}

/**
 * The limits and permissions with which a detached process (a worker without a terminal) works on a
 * run.
 */
export interface Terms {
  readonly limits: Limits;
  /**
   * The estimate of the whole run: its calls and, if anything is paid, US dollars. Absent if there
   * was none.
   */
  readonly expected?:
    | (Pick<RunEstimate, 'calls'> & { readonly usd?: Span | undefined })
    | undefined;
  /** True if the default answer is taken for every question of the run. */
  readonly yes?: boolean | undefined;
  /**
   * True if a person has allowed the run's agents to run without a sandbox, on this machine and in
   * this attempt.
   */
  readonly unsandboxed?: boolean | undefined;
  /**
   * True if a program set the budget over MCP, so that a later call over MCP may also raise it. False
   * or absent if a person set the budget, which programs can only lower.
   */
  readonly isWish?: boolean | undefined;
}

/** A message to the process that works on a run, left in the database by another process. */
export interface Message {
  readonly kind: 'answer' | 'stop';
  /** The key of the gate that an answer belongs to; absent or empty for a message of kind `stop`. */
  readonly step?: string;
  /** The answer to the gate; absent or empty for a message of kind `stop`. */
  readonly value?: string;
  /** Whether a person or a program sent the message. */
  readonly by: 'person' | 'program';
}

/** The database, and the functions through which work reads and writes it. */
export interface Access {
  readonly db: Database.Database;
  /** Runs work that only reads. Errors of SQLite become StoreErrors. */
  readonly read: <T>(work: () => T) => T;
  /** Runs work in a transaction. Errors of SQLite become StoreErrors. */
  readonly write: <T>(work: () => T) => T;
}

/** Reads and writes the terms of runs that detached processes work on. */
export class DetachedRuns {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /**
   * Stores the limits and permissions with which a detached process works on a run, in place of
   * earlier ones.
   * @param key the digest of the request by which another program started the run over MCP; null if
   * a person started it. A key that is stored already stays.
   */
  keep(id: string, terms: Terms, key: string | null = null): void {
    this.#access.write(() =>
      this.#access.db
        .prepare(
          `INSERT INTO detached (run_id, key, at, terms) VALUES (?, ?, ?, ?)
            ON CONFLICT (run_id) DO UPDATE SET terms = excluded.terms`,
        )
        .run(id, key, new Date().toISOString(), JSON.stringify(terms)),
    );
  }

  /**
   * Returns the limits and permissions that were last stored for a detached process to work on the
   * run; undefined if none were.
   */
  find(id: string): Terms | undefined {
    const text = this.#access.read(() =>
      this.#access.db.prepare('SELECT terms FROM detached WHERE run_id = ?').pluck().get(id),
    ) as string | undefined;
    return text === undefined
      ? undefined
      : this.#access.read(() => readJson(`the terms of run ${id}`, text) as Terms);
  }

  /**
   * Returns the id of the latest run that a program requested at or after `since` with a request of
   * this digest; undefined if there is none. `since` is in ISO 8601.
   */
  findRequested(key: string, since: string): string | undefined {
    return this.#access.read(
      () =>
        this.#access.db
          .prepare('SELECT run_id FROM detached WHERE key = ? AND at >= ? ORDER BY at DESC LIMIT 1')
          .pluck()
          .get(key, since) as string | undefined,
    );
  }

  /**
   * Returns the number of runs that detached processes work on now, without the runs in the queue of
   * the workers. Call `clearDeadOwners` before, so that ended processes do not count.
   */
  countAtWork(): number {
    return this.#access.read(
      () =>
        this.#access.db
          .prepare(
            `SELECT count(*) FROM detached JOIN run ON run.id = run_id
              WHERE owner IS NOT NULL AND run_id NOT IN (SELECT run_id FROM queue)`,
          )
          .pluck()
          .get() as number,
    );
  }
}

/** Reads and writes the messages for the processes that work on runs. */
export class Messages {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /**
   * Leaves a message for the run's owner. Returns false and changes nothing if a message of the same
   * kind for the same gate is still waiting, even one with another answer.
   */
  leave(id: string, { kind, step = '', value = '', by }: Message): boolean {
    return this.#access.write(
      () =>
        this.#access.db
          .prepare(
            `INSERT INTO message (run_id, kind, step, value, giver) VALUES (?, ?, ?, ?, ?)
              ON CONFLICT DO NOTHING`,
          )
          .run(id, kind, step, value, by).changes > 0,
    );
  }

  /** Returns whether a message of this kind is waiting. `step` is the key of an answer's gate. */
  has(id: string, kind: Message['kind'], step = ''): boolean {
    return this.#access.read(
      () =>
        this.#access.db
          .prepare('SELECT 1 FROM message WHERE run_id = ? AND kind = ? AND step = ?')
          .get(id, kind, step) !== undefined,
    );
  }

  /**
   * Returns the waiting message of this kind and leaves it in place; undefined if there is none.
   * `step` is the key of an answer's gate.
   */
  peek(id: string, kind: Message['kind'], step = ''): Message | undefined {
    return this.#access.read(
      () =>
        this.#access.db
          .prepare(
            `SELECT kind, step, value, giver AS by FROM message
              WHERE run_id = ? AND kind = ? AND step = ?`,
          )
          .get(id, kind, step) as Message | undefined,
    );
  }

  /**
   * Removes and returns the waiting message of this kind; undefined if there is none. `step` is the
   * key of an answer's gate.
   */
  take(id: string, kind: Message['kind'], step = ''): Message | undefined {
    if (!this.has(id, kind, step)) return undefined;
    return this.#access.write(
      () =>
        this.#access.db
          .prepare(
            `DELETE FROM message WHERE run_id = ? AND kind = ? AND step = ?
              RETURNING kind, step, value, giver AS by`,
          )
          .get(id, kind, step) as Message | undefined,
    );
  }
}
