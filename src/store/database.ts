/** Opens the database file: ours, sound, of a version we know, and readable by its owner alone. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreError } from '../kernel/errors.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';

/** How long a transaction waits for another process's. */
const BUSY_MS = 5_000;

/**
 * @throws StoreError if the file is no database, not ours, of a later version, or cannot be written.
 */
export function openDatabase(file: string): Database.Database {
  return explained(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite would create the file with the umask's mode; WAL and shm files take this file's mode.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const db = new Database(file, { timeout: BUSY_MS });
    try {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      db.pragma('foreign_keys = ON');
      migrate(db, file);
      if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function migrate(db: Database.Database, file: string): void {
  const pragma = (name: string): number => db.pragma(name, { simple: true }) as number;
  const version = pragma('user_version');
  if (version === MIGRATIONS.length && pragma('application_id') === APPLICATION_ID) return;
  db.transaction(() => {
    const found = pragma('user_version');
    const empty = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number };
    if (pragma('application_id') !== APPLICATION_ID && (found > 0 || empty.n > 0))
      throw new StoreError(
        'not-a-database',
        `${file} is a database of another program`,
        'Name another file with --db or DELIBERATE_DB.',
      );
    if (found > MIGRATIONS.length)
      throw new StoreError(
        'newer-version',
        `${file} was written by a later version of deliberate (its schema is ${found}, this program knows ${MIGRATIONS.length})`,
        'Update deliberate, or name another file with --db.',
      );
    for (const migration of MIGRATIONS.slice(found)) db.exec(migration);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

/** Runs `work`, turning what SQLite and the file system throw into sentences for a person. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explain(file, error);
  }
}

function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (code.startsWith('SQLITE_NOTADB'))
    return new StoreError(
      'not-a-database',
      `${file} is not a database`,
      'Name another file with --db or DELIBERATE_DB.',
    );
  if (code.startsWith('SQLITE_CORRUPT'))
    return new StoreError(
      'corrupt',
      `${file} is damaged: ${error.message}`,
      `What can be saved: sqlite3 '${file}' .recover | sqlite3 rescued.db`,
    );
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC' || code === 'EDQUOT')
    return new StoreError(
      'disk-full',
      `the disk that holds ${file} is full: what was recorded so far is kept`,
      'Make room, then: deliberate resume latest',
    );
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    code === 'SQLITE_PERM' ||
    code === 'EACCES' ||
    code === 'EROFS' ||
    code === 'EPERM'
  )
    return new StoreError(
      'read-only',
      `${file} cannot be opened for writing (${error.message})`,
      'Name a writable file with --db or DELIBERATE_DB.',
    );
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new StoreError(
      'busy',
      `${file} is locked by another program for more than ${BUSY_MS / 1000} s`,
      'Close the program that holds it, then try again.',
    );
  if (code.startsWith('SQLITE_') || code.startsWith('E'))
    return new StoreError('io', `${file}: ${error.message}`);
  return error;
}
