/**
 * Opens the database file and checks that it belongs to this program, is intact, has a known version, and
 * is readable by its owner alone.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../io/folders.ts';
import { StoreError } from '../kernel/errors.ts';
import type { SqlView } from '../kernel/vocabulary.ts';
import { keepToOwner } from '../platform/modes.ts';
import { shellOf, shellWord } from '../platform/shells.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { hasViews, makeViews } from './sql-views.ts';

/**
 * Thrown for a row of the database whose text this program cannot have written, for example because
 * the file is damaged. SQLite checks the structure of its pages, but not their contents.
 */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
}

/** Milliseconds that a transaction waits for the transaction of another process. */
export const BUSY_MS = 5_000;

/**
 * Opens the database file, and creates or migrates it if needed. `views` are the SQL views of the
 * protocols; if absent, the views stay as they are.
 * @throws StoreError if the file is no database, belongs to another program, has a later version,
 * or cannot be written; also if `file` is no file name, such as `:memory:`
 */
export function openDatabase(file: string, views?: readonly SqlView[]): Database.Database {
  checkName(file);
  return explainErrors(file, () => {
    makeFolder(dirname(resolve(file)));
    const there = statSync(file, { throwIfNoEntry: false });
    // Refuse pipes and devices: opening a pipe would block until another program writes to it, and a device
    // stores nothing.
    if (there !== undefined && !there.isFile())
      throw notAFile(`${file} is ${there.isDirectory() ? 'a folder' : 'not a regular file'}`);
    // Create the file with a mode for its owner only: SQLite would use the default mode. SQLite's own files
    // beside it, `-wal` and `-shm`, get the same mode.
    if (there === undefined) closeSync(openSync(file, 'a', 0o600));
    const db = new Database(file, { timeout: BUSY_MS });
    try {
      // Check the version before anything is written, so that a file of another program is not changed.
      const version = db.transaction(() => versionOf(db, file)).deferred();
      for (const path of [file, `${file}-wal`, `${file}-shm`]) keepToOwner(path);
      switchToWal(db);
      db.pragma('synchronous = FULL');
      db.pragma('foreign_keys = ON');
      // Let SQLite overwrite deleted rows, so that a deleted run cannot be read in the file.
      db.pragma('secure_delete = ON');
      if (version < MIGRATIONS.length || !hasViews(db, views)) migrateDatabase(db, file, views);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Creates a database in memory with the SQL views of the protocols. */
export function openInMemory(views: readonly SqlView[]): Database.Database {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrateDatabase(db, ':memory:', views);
  return db;
}

/**
 * Refuses names that SQLite does not treat as plain files: an empty name and `:memory:` are databases in
 * memory, other names with a leading colon are reserved, and `file:` begins a URI. Spaces around a name
 * would be trimmed by the library. @throws StoreError
 */
function checkName(file: string): void {
  if (file.trim() === '') throw notAFile('the name of the database is empty');
  if (/^\s*(?::|file:)/i.test(file))
    throw notAFile(`"${file}" is not a file name, and a database in memory is lost at exit`);
  if (file !== file.trim() || file.includes('\0'))
    throw notAFile(
      `"${file}" cannot be the name of a database: it starts or ends with a space, or contains a NUL`,
    );
}

function notAFile(sentence: string): StoreError {
  return new StoreError('not-a-file', sentence, 'Name a file with --db or DELIBERATE_DB.');
}

/** Returns the device and inode of a file; undefined if it does not exist or cannot be reached. */
export function getFileIdentity(file: string): string | undefined {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns the version of the schema in the file; 0 for a new file. @throws StoreError if the file belongs
 * to another program
 */
function versionOf(db: Database.Database, file: string): number {
  const readPragma = (name: string): number => db.pragma(name, { simple: true }) as number;
  const version = readPragma('user_version');
  const things = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (readPragma('application_id') !== APPLICATION_ID && (version > 0 || things > 0))
    throw new StoreError(
      'not-a-database',
      `${file} is another program's database`,
      'Name another file with --db or DELIBERATE_DB.',
    );
  if (version > MIGRATIONS.length)
    throw new StoreError(
      'newer-version',
      `${file} was written by a later version of deliberate (schema ${version}; this version reads up to ${MIGRATIONS.length})`,
      'Update deliberate, or name another file with --db.',
    );
  return version;
}

/**
 * Switches the database to WAL mode. SQLite fails at once if another process switches the same new file at
 * that moment, so this function retries.
 */
function switchToWal(db: Database.Database): void {
  const until = Date.now() + BUSY_MS;
  for (;;) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function migrateDatabase(
  db: Database.Database,
  file: string,
  views: readonly SqlView[] | undefined,
): void {
  db.transaction(() => {
    // Read the version again within the transaction: another process may have migrated the file
    // meanwhile.
    for (const migration of MIGRATIONS.slice(versionOf(db, file))) db.exec(migration);
    makeViews(db, views);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

/**
 * Runs `work`. Errors of SQLite and the file system are turned into StoreErrors with sentences for
 * a person.
 */
export function explainErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainError(file, error);
  }
}

function explainError(file: string, error: unknown): unknown {
  if (error instanceof DamagedRow) return damagedError(file, error.message);
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (code.startsWith('SQLITE_NOTADB'))
    return new StoreError(
      'not-a-database',
      `${file} is not a database`,
      'Name another file with --db or DELIBERATE_DB.',
    );
  // The views parse the contents of facts, so SQLite reports a damaged fact as malformed JSON.
  if (code.startsWith('SQLITE_CORRUPT') || error.message === 'malformed JSON')
    return damagedError(file, error.message);
  if (
    code.startsWith('SQLITE_FULL') ||
    // Even to read a database, SQLite needs a file of 32 kB (`-shm`). The error SHMSIZE says that the disk has
    // no room for this file.
    code === 'SQLITE_IOERR_SHMSIZE' ||
    code === 'ENOSPC' ||
    code === 'EDQUOT'
  )
    return new StoreError(
      'disk-full',
      `the disk that holds ${file} is full; what was recorded so far is kept`,
      'Free some space, then: deliberate resume latest',
    );
  if (code === 'EMFILE' || code === 'ENFILE' || (code === 'SQLITE_CANTOPEN' && noFileCanBeOpened()))
    return new StoreError(
      'io',
      `${file} cannot be opened: too many open files`,
      'Raise the limit, for example with: ulimit -n 1024',
    );
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    code === 'SQLITE_PERM' ||
    code === 'EACCES' ||
    code === 'EROFS' ||
    code === 'EPERM' ||
    // The folder exists here. The code ENOENT may mean that no file can be created in it, as in /proc.
    code === 'ENOENT'
  )
    return new StoreError(
      'read-only',
      `${file} cannot be opened for writing (${error.message})`,
      'Name a writable file with --db or DELIBERATE_DB.',
    );
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new StoreError(
      'busy',
      `${file} has been locked by another program for more than ${BUSY_MS / 1000} s`,
      'Close the program that holds it, then try again.',
    );
  if (code.startsWith('SQLITE_') || 'errno' in error)
    return new StoreError('io', `${file}: ${error.message}`);
  return error;
}

/**
 * The number of files that an open database needs: the file, its log, the index of the log, and a temporary
 * file for sorting.
 */
const FILES_OF_A_DATABASE = 4;

/**
 * Returns whether the process has too few file descriptors left to open a database. SQLite does not report
 * that reason, so this function tries to open as many files.
 */
function noFileCanBeOpened(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_A_DATABASE) opened.push(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && /^E[MN]FILE$/.test(String(error.code));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * Quotes a file's name for the shell in use. For a shell of Unix, every name is quoted, to show where it
 * ends.
 */
function quoteForShell(file: string): string {
  const shell = shellOf(process.env);
  return shell === 'posix' ? `'${file.replaceAll("'", "'\\''")}'` : shellWord(file, shell);
}

function damagedError(file: string, how: string): StoreError {
  return new StoreError(
    'corrupt',
    `${file} is damaged: ${how}`,
    `What can be saved: sqlite3 ${quoteForShell(file)} .recover | sqlite3 rescued.db`,
  );
}
