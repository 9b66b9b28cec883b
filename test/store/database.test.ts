/**
 * Tests the database file: the program's own, sound and private. A file of another program is never harmed.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoreError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { openDatabase } from '../../src/store/database.ts';
import { SqliteJournal } from '../../src/store/journal.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../src/store/schema.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { withSyncing } from '../setup/unsynced.ts';
import { makeRunStarted, makeSynthesisFact } from './bodies.ts';
import { Child, startScript } from './child.ts';
import type { FullDiskReport } from './filler.ts';
import { temporaryFolder } from './folder.ts';
import type { OpenResult } from './opener.ts';

/** The number of migrations before a test adds its own. */
const KNOWN = MIGRATIONS.length;

function openStore(file: string): Store {
  const store = Store.open(file, FACTS);
  onTestFinished(() => store.close());
  return store;
}

/** Returns the error that opening or using the store throws. */
function errorOf(work: () => unknown): StoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

/** Returns every file of the folder with its content, to show that nothing was changed. */
function readContents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

describe('The durability settings of the database', () => {
  it('are WAL, synchronous FULL and foreign keys', () => {
    withSyncing();
    const file = join(temporaryFolder(), 'test.db');
    const db = openDatabase(file, FACTS.sqlViews);
    onTestFinished(() => void db.close());
    const readPragma = (name: string): unknown => db.pragma(name, { simple: true });
    expect(readPragma('journal_mode')).toBe('wal');
    expect(readPragma('synchronous')).toBe(2);
    expect(readPragma('foreign_keys')).toBe(1);
    expect(readPragma('application_id')).toBe(APPLICATION_ID);
    expect(readPragma('user_version')).toBe(MIGRATIONS.length);

    db.exec("INSERT INTO run (id, protocol, created_at) VALUES ('r', 'test', '2026-01-01')");
    const journal = new SqliteJournal(db, FACTS, 'r', null, () => undefined);
    journal.keep([{ step: 's', attempt: '1', text: 'so far', thinking: '' }]);
    expect(readPragma('synchronous')).toBe(2);
    const unborn = new SqliteJournal(db, FACTS, 'unknown', null, () => undefined);
    expect(() => unborn.keep([{ step: 's', attempt: '1', text: '', thinking: '' }])).toThrow();
    expect(readPragma('synchronous')).toBe(2);
  });

  it('are synchronous NORMAL during each write of a journal, and FULL again after it', async () => {
    withSyncing();
    const db = openDatabase(join(temporaryFolder(), 'test.db'), FACTS.sqlViews);
    onTestFinished(() => void db.close());
    db.exec("INSERT INTO run (id, protocol, created_at) VALUES ('r', 'test', '2026-01-01')");
    const journal = new SqliteJournal(db, FACTS, 'r', null, () => undefined);
    const note = 'BEGIN INSERT INTO noted SELECT synchronous FROM pragma_synchronous; END';
    db.exec(`CREATE TEMP TABLE noted (level INTEGER);
      CREATE TEMP TRIGGER on_fact AFTER INSERT ON fact ${note};
      CREATE TEMP TRIGGER on_chunk AFTER INSERT ON chunk ${note}`);
    journal.note([makeRunStarted('Why?')]);
    journal.commit({ step: 's', hash: 'h', result: null }, [makeSynthesisFact(1, 'text')]);
    journal.keep([{ step: 's', attempt: '1', text: 'so far', thinking: '' }]);
    expect(db.prepare('SELECT level FROM noted').pluck().all()).toEqual([1, 1, 1]);
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    await journal.outlasts();
  });
});

describe('Permissions in the data folder', () => {
  it('let only the owner open the folder and its files, whatever the umask is', () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const folder = join(temporaryFolder(), 'share', 'deliberate');
    const store = openStore(join(folder, 'test.db'));
    store.create('test');
    expect(modeOf(folder)).toBe('700');
    expect(readdirSync(folder).sort()).toEqual(['test.db', 'test.db-shm', 'test.db-wal']);
    for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe('600');
  });

  it('are also restricted for existing files', () => {
    const file = join(temporaryFolder(), 'test.db');
    Store.open(file, FACTS).close();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    chmodSync(file, 0o644);
    const reader = new Database(file); // SQLite gives the new WAL and shm files the mode of `file`, 0644.
    onTestFinished(() => void reader.close());
    reader.prepare('SELECT * FROM runs').all();
    openStore(file).create('test');
    for (const name of ['', '-wal', '-shm']) expect(modeOf(`${file}${name}`)).toBe('600');
  });
});

const readSchema = (file: string): unknown => {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
  } finally {
    db.close();
  }
};

describe('Migrations of the database', () => {
  it('create the same database from a missing file as from an empty one', () => {
    const folder = temporaryFolder();
    const [none, empty] = [join(folder, 'none.db'), join(folder, 'empty.db')];
    writeFileSync(empty, '');
    for (const file of [none, empty]) Store.open(file, FACTS).close();
    const before = readContents(folder);
    for (const file of [none, empty]) Store.open(file, FACTS).close();
    expect(readContents(folder)).toEqual(before);
    expect(readSchema(none)).toEqual(readSchema(empty));
  });

  it('keep the content of an older database, and a program that lacks one of them refuses the newer database', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'test.db');
    const old = Store.open(file, FACTS);
    const journal = old.create('test');
    journal.note([makeRunStarted('Why?')]);
    old.close();

    const migrations = MIGRATIONS as string[];
    migrations.push('CREATE TABLE later (id INTEGER PRIMARY KEY); INSERT INTO later VALUES (7)');
    onTestFinished(() => void migrations.splice(KNOWN));
    const store = Store.open(file, FACTS);
    expect(store.facts(journal.run)).toHaveLength(1);
    store.close();
    Store.open(file, FACTS).close(); // A second run of the migration would fail, because row 7 exists.

    migrations.pop();
    const before = readContents(folder);
    const error = errorOf(() => Store.open(file, FACTS));
    expect(error.code).toBe('newer-version');
    expect(error.message).toContain(`schema ${MIGRATIONS.length + 1}`);
    expect(error.next).toMatch(/Update deliberate/);
    expect(readContents(folder)).toEqual(before);
  });

  it('leave the file unchanged if one of them fails', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'test.db');
    Store.open(file, FACTS).close();
    const before = readSchema(file);
    const migrations = MIGRATIONS as string[];
    migrations.push('CREATE TABLE later (id INTEGER)', 'CREATE TABLE later (id INTEGER)');
    onTestFinished(() => void migrations.splice(KNOWN));
    expect(() => Store.open(file, FACTS)).toThrow(/already exists/);
    migrations.splice(KNOWN);
    expect(readSchema(file)).toEqual(before);
    openStore(file).create('test');
  });

  it('run only once if three processes open a new file together', async () => {
    const folder = temporaryFolder();
    const children = Array.from({ length: 3 }, () =>
      startScript(import.meta.url, './opener.ts', []),
    );
    for (const child of children) expect(await child.readLine()).toBe('ready');
    for (let round = 0; round < 10; round++) {
      const file = join(folder, `${round}`, 'test.db');
      for (const child of children) child.writeLine(file);
      const opened = await Promise.all(children.map((child) => child.readLine<OpenResult>()));
      const store = Store.open(file, FACTS);
      const runs = store.list().map(({ id }) => id);
      store.close();
      expect(opened.map(({ message }) => message)).toEqual(Array(3).fill(undefined));
      expect(runs.sort()).toEqual(opened.map(({ run }) => run).sort());
    }
  });
});

describe("A file that is not this program's database", () => {
  it("is not changed if another program's database is in it", () => {
    const folder = temporaryFolder();
    const file = join(folder, 'music.db');
    const other = new Database(file);
    other.exec('CREATE TABLE song (title TEXT); INSERT INTO song VALUES (1)');
    other.close();
    chmodSync(file, 0o644);
    const before = readContents(folder);
    const error = errorOf(() => Store.open(file, FACTS));
    expect(error.code).toBe('not-a-database');
    expect(error.message).toBe(`${file} is another program's database`);
    expect(error.next).toMatch(/--db/);
    expect(readContents(folder)).toEqual(before);
    expect(modeOf(file)).toBe('644');
  });

  it('is not changed if it has a version number but no tables', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'music.db');
    const other = new Database(file);
    other.pragma('user_version = 1');
    other.close();
    const before = readContents(folder);
    expect(errorOf(() => Store.open(file, FACTS)).code).toBe('not-a-database');
    expect(readContents(folder)).toEqual(before);
  });

  it('is not changed if it contains text', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'notes.md');
    writeFileSync(file, '# Notes\n\n'.repeat(500));
    const before = readContents(folder);
    const error = errorOf(() => Store.open(file, FACTS));
    expect(error.code).toBe('not-a-database');
    expect(error.message).toBe(`${file} is not a database`);
    expect(readContents(folder)).toEqual(before);
  });

  it('is refused if it is a folder', () => {
    const folder = temporaryFolder();
    expect(errorOf(() => Store.open(folder, FACTS)).message).toContain(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused if its path leads through a file', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const error = errorOf(() => Store.open(join(file, 'deeper', 'test.db'), FACTS));
    expect(error.code).toBe('io');
    expect(error.message).toContain('ENOTDIR');
  });
});

/**
 * The user and group of processes without privileges, if the tests run as root, who may write everywhere;
 * empty for other users.
 */
const NOBODY: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function giveToNobody(...files: string[]): void {
  const { uid, gid } = NOBODY;
  if (uid !== undefined && gid !== undefined) for (const file of files) chownSync(file, uid, gid);
}

describe('A folder or file that cannot be written', () => {
  /**
   * Starts a process without privileges. The returned function lets this process open a file, and returns the
   * result.
   */
  async function becomeNobody(): Promise<(file: string) => Promise<OpenResult>> {
    const { uid } = NOBODY;
    const args = uid === undefined ? [] : [String(uid)];
    const child = startScript(import.meta.url, './opener.ts', args);
    expect(await child.readLine()).toBe('ready');
    return (file) => {
      child.writeLine(file);
      return child.readLine<OpenResult>();
    };
  }

  /** Creates a folder that every user may enter. */
  function openFolder(): string {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    return folder;
  }

  it('causes the error `read-only`, also if another user owns the file', async () => {
    const open = await becomeNobody();
    // For comparison with the cases below: the user without privileges can work in a folder of its own.
    const own = temporaryFolder();
    giveToNobody(own);
    expect((await open(join(own, 'test.db'))).run).toBeTypeOf('string');

    for (const [locked, filled] of [
      ['folder', false],
      ['folder', true],
      ['file', true],
    ]) {
      const folder = join(openFolder(), 'data');
      const file = join(folder, 'test.db');
      mkdirSync(folder);
      if (filled) {
        Store.open(file, FACTS).close();
        giveToNobody(file);
      }
      giveToNobody(folder);
      if (locked === 'file') chmodSync(file, 0o444);
      else chmodSync(folder, 0o500);
      const before = filled ? readFileSync(file) : undefined;
      expect(await open(file), `${locked}, ${filled}`).toMatchObject({
        code: 'read-only',
        message: expect.stringContaining(file),
        next: 'Name a writable file with --db or DELIBERATE_DB.',
      });
      if (filled) expect(readFileSync(file)).toEqual(before);
      else expect(existsSync(file)).toBe(false);
      if (locked === 'file') expect(modeOf(file), 'made private, not writable').toBe('400');
    }

    const file = join(openFolder(), 'test.db');
    Store.open(file, FACTS).close();
    // Only root can start a process as another user. Without root, take all rights to the file away instead.
    if (NOBODY.uid === undefined) chmodSync(file, 0o000);
    expect(await open(file)).toMatchObject({ code: 'read-only' });
  });
});

/**
 * Runs `filler.ts` on a disk of 1.25 MiB that only the child process sees and that ends with it. A user
 * mounts the disk in a user namespace; where user namespaces are forbidden, root mounts it without one.
 */
async function fillSmallDisk(): Promise<FullDiskReport> {
  const folder = temporaryFolder();
  const mount = 'mount -t tmpfs -o size=1280k none "$1" && exec "$2" "$3" "$1"';
  const script = fileURLToPath(new URL('./filler.ts', import.meta.url));
  const args = ['sh', '-c', mount, 'sh', folder, process.execPath, script];
  const namespaces =
    process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  return new Child('unshare', [...namespaces, ...args]).readLine<FullDiskReport>();
}

describe('A full disk', () => {
  it.runIf(process.platform === 'linux')(
    'causes an error and loses nothing that was recorded (Linux: needs mount namespaces)',
    async () => {
      const filled = await fillSmallDisk();
      expect(filled).toMatchObject({
        code: 'disk-full',
        message: expect.stringMatching(/^the disk that holds .*test\.db is full/),
        next: 'Free some space, then: deliberate resume latest',
        opening: ['disk-full', 'disk-full'],
        integrity: 'ok',
      });
      expect(filled.acknowledged).toBeGreaterThan(10);
      expect(filled.found).toBe(filled.acknowledged);
      expect(filled.after).toBe(filled.acknowledged + 1);
    },
  );
});

/** Returns a function that lists the lock timeouts, in milliseconds, that connections have set since now. */
function busyTimeouts(): () => number[] {
  const pragma = vi.spyOn(Database.prototype, 'pragma');
  onTestFinished(() => pragma.mockRestore());
  return () =>
    pragma.mock.calls.flatMap(([text]) => {
      const [, ms] = /^busy_timeout = (\d+)$/.exec(text) ?? [];
      return ms === undefined ? [] : [Number(ms)];
    });
}

describe('A database that another program has locked', () => {
  it('is waited for until the lock is released', async () => {
    const store = openStore(join(temporaryFolder(), 'test.db'));
    const child = startScript(import.meta.url, './locker.ts', [store.file]);
    await child.readLine();
    const impatient = new Database(store.file, { timeout: 0 });
    onTestFinished(() => void impatient.close());
    expect(() => impatient.exec('BEGIN IMMEDIATE')).toThrow('locked');
    child.writeLine('let go');
    expect(store.create('test').run).toBeTypeOf('string');
  });

  it('is waited for even if its file is new and empty', async () => {
    const file = join(temporaryFolder(), 'test.db');
    writeFileSync(file, '');
    const child = startScript(import.meta.url, './locker.ts', [file]);
    await child.readLine();
    child.writeLine('let go');
    expect(openStore(file).create('test').run).toBeTypeOf('string');
  });

  it('causes an error after five seconds', async () => {
    const store = openStore(join(temporaryFolder(), 'test.db'));
    const journal = store.create('test');
    const child = startScript(import.meta.url, './locker.ts', [store.file]);
    await child.readLine();
    const waits = busyTimeouts();
    const error = errorOf(() => journal.note([makeRunStarted('Why?')]));
    expect(error.code).toBe('busy');
    expect(error.message).toBe(
      `${store.file} has been locked by another program for more than 5 s`,
    );
    expect(error.next).toMatch(/Close the program/);
    expect(journal.facts(), 'reading goes on').toEqual([]);
    const chunk = { step: 'a', attempt: 'a#1', text: 'so far', thinking: '' };
    expect(errorOf(() => journal.keep([chunk])).code).toBe('busy');
    expect(errorOf(() => journal.note([makeRunStarted('Why?')])).code).toBe('busy');
    expect(new Set(waits()), 'nobody waits for it twice').toEqual(new Set([50]));
    await child.kill();
    journal.keep([chunk]);
    journal.note([makeRunStarted('Why?')]);
    expect(waits().at(-1), 'another one is waited for again').toBe(5_000);
    expect(journal.facts()).toHaveLength(1);
  });
});

describe('A damaged database file', () => {
  function makeDamagedDatabase(table: string): { file: string; run: string } {
    const file = join(temporaryFolder(), 'test.db');
    const store = Store.open(file, FACTS);
    const journal = store.create('test');
    for (let step = 1; step <= 50; step++)
      journal.commit({ step: `${step}`, hash: 'h', result: null }, [
        makeSynthesisFact(step, 'x'.repeat(1_000)),
        fact('step.completed', { step: `${step}`, attempt: 'x' }),
      ]);
    journal.release();
    store.close();
    const db = new Database(file);
    const root = db
      .prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .pluck()
      .get(table) as number;
    const size = db.pragma('page_size', { simple: true }) as number;
    db.close();
    const raw = openSync(file, 'r+');
    writeSync(raw, Buffer.alloc(size, 0xee), 0, size, (root - 1) * size);
    closeSync(raw);
    return { file, run: journal.run };
  }

  it('causes an error when facts are read or recorded, and the error says how to rescue the data', () => {
    const { file, run } = makeDamagedDatabase('fact');
    const store = openStore(file);
    const error = errorOf(() => store.facts(run));
    expect(error.code).toBe('corrupt');
    expect(error.message).toContain(`${file} is damaged`);
    expect(error.next).toContain(`sqlite3 '${file}' .recover`);
    expect(errorOf(() => store.own(run).note([makeRunStarted('Why?')])).code).toBe('corrupt');
  });

  it('causes an error with the code `corrupt` if the runs cannot be read', () => {
    const { file } = makeDamagedDatabase('run');
    expect(errorOf(() => Store.open(file, FACTS)).code).toBe('corrupt');
  });

  it('causes an error with the code `corrupt` if the schema cannot be read', () => {
    const { file } = makeDamagedDatabase('fact');
    const db = new Database(file);
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    db.exec("UPDATE sqlite_schema SET sql = 'CREATE TABLE fact (' WHERE name = 'fact'");
    db.close();
    expect(errorOf(() => Store.open(file, FACTS)).code).toBe('corrupt');
  });
});
