/**
 * Flushes a database's write-ahead log to disk in the background. SQLite would flush within every
 * transaction and block everything else: six calls that begin together would cause six flushes of several
 * milliseconds each. This class combines them into one, for which only the sending of the calls waits.
 *
 * SQLite writes a transaction into the log before it returns, so nothing is lost if the process dies; the
 * flush protects against a loss of power.
 */
import { open } from 'node:fs/promises';
import type Database from 'better-sqlite3';

/** The flush of each connection, since a flush covers everything that was written to its log. */
const FLUSHES = new WeakMap<Database.Database, WalFlush>();

/** Combines requests to flush the write-ahead log to disk, so that one flush serves many. */
export class WalFlush {
  readonly #flush: () => Promise<void>;
  /** The flush that covers the latest write. After a failure all later flushes fail too. */
  #last: Promise<void> = Promise.resolve();
  /** Whether `#last` has yet to begin, and will cover what is written until then. */
  #isDue = false;

  /** `flush` writes the log to disk. */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Returns the flush that all users of a database connection share. */
  static of(db: Database.Database): WalFlush {
    const known = FLUSHES.get(db);
    if (known !== undefined) return known;
    // There is nothing to flush for a database in memory, which has no log, or with the setting `synchronous`
    // off.
    const syncs = !db.memory && Number(db.pragma('synchronous', { simple: true })) > 0;
    const made = new WalFlush(syncs ? () => flushFile(`${db.name}-wal`) : async () => undefined);
    FLUSHES.set(db, made);
    return made;
  }

  /** Requests a flush of what was just written, without waiting for it. */
  begin(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#last = this.#last.then(async () => {
      // Wait for the end of this turn of the event loop, so that one flush covers everything that
      // is written in it.
      await new Promise((resolve) => setImmediate(resolve));
      this.#isDue = false;
      await this.#flush();
    });
    // Callers of `done` get the failure of a flush. If nobody calls `done`, Node must not treat the failure as an
    // unhandled rejection and end the process.
    this.#last.catch(() => undefined);
  }

  /**
   * Resolves when everything that was written before the last call of `begin` is on disk. Rejects if
   * this flush or an earlier one failed.
   */
  done(): Promise<void> {
    return this.#last;
  }
}

async function flushFile(name: string): Promise<void> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // Windows can flush a file only if it is open for writing.
    file = await open(name, 'r+');
  } catch (error) {
    // Without SQLite's write-ahead log, there is nothing to flush: when the last connection is closed, SQLite moves
    // the log's contents into the database file, flushes that file and deletes the log.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
