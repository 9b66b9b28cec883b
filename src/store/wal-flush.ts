/**
 * Flushes a database's write-ahead log to the disk beside the program's work. SQLite would do it within
 * every transaction, and everything else would wait: six calls that begin together are six flushes of
 * several milliseconds each. Here they are one, of which only the sending of the calls waits.
 *
 * SQLite writes a transaction into the log before it returns, so a process that dies loses nothing either
 * way; a flush is about machines that lose their power.
 */
import { open } from 'node:fs/promises';
import type Database from 'better-sqlite3';

/** One for each connection: a flush is of everything that was written to the log. */
const FLUSHES = new WeakMap<Database.Database, WalFlush>();

export class WalFlush {
  readonly #flush: () => Promise<void>;
  /** The flush that covers the latest write. Once one has failed, all later ones have. */
  #last: Promise<void> = Promise.resolve();
  /** Whether `#last` has yet to begin, and will cover what is written until then. */
  #isDue = false;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Returns the flush of a connection. */
  static of(db: Database.Database): WalFlush {
    const known = FLUSHES.get(db);
    if (known !== undefined) return known;
    // A database in memory has no log, and one that was told not to sync is not to be synced.
    const syncs = !db.memory && Number(db.pragma('synchronous', { simple: true })) > 0;
    const made = new WalFlush(syncs ? () => flushFile(`${db.name}-wal`) : async () => undefined);
    FLUSHES.set(db, made);
    return made;
  }

  /** To be called when something was written that must outlast a loss of power. */
  begin(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#last = this.#last.then(async () => {
      // What is written in the same turn of the event loop is flushed in one go.
      await new Promise((resolve) => setImmediate(resolve));
      this.#isDue = false;
      await this.#flush();
    });
    // Whoever waits hears of a failure; it is no unhandled rejection where nobody does.
    this.#last.catch(() => undefined);
  }

  /** Resolves when everything written so far is on the disk. Rejects where the disk failed. */
  done(): Promise<void> {
    return this.#last;
  }
}

async function flushFile(name: string): Promise<void> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // Windows flushes what may be written to.
    file = await open(name, 'r+');
  } catch (error) {
    // The last connection was closed: SQLite has moved the log into the database, and flushed that.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
