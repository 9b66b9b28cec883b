/** Rule 8: a run has one owner, tested with real processes. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunOwnedError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { checkOwner, describeThisProcess, type Owner } from '../../src/store/owner.ts';
import { Store } from '../../src/store/store.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { makeRunStarted } from './bodies.ts';
import { Child, startScript } from './child.ts';
import { temporaryFolder } from './folder.ts';

/**
 * The number of runs that the processes try to own at once. By chance, only one process may try at some runs.
 */
const RUNS = LONG ? 200 : 40;

interface Working {
  readonly run: string;
  readonly pid: number;
}

/** What `contender.ts` prints about one process that tried to own a run. */
interface Try {
  /** Whether the process owns the run now. */
  readonly won: boolean;
  /** Whether the process tried before any other process was done. */
  readonly isEarly: boolean;
}

/** Starts another process that works on a run. Resolves once it does. */
async function startWorker(store: Store, run?: string): Promise<Child & { at: Working }> {
  const child = startScript(import.meta.url, './owner.ts', [store.file, ...(run ? [run] : [])]);
  return Object.assign(child, { at: await child.readLine<Working>() });
}

function openDatabase(store: Store): Database.Database {
  const db = new Database(store.file);
  onTestFinished(() => void db.close());
  return db;
}

describe('The owner of a run', () => {
  it('keeps out a second process until the owner is killed with -9', async () => {
    const store = temporaryStore();
    const child = await startWorker(store);
    const { run, pid } = child.at;
    expect(() => store.own(run)).toThrow(RunOwnedError);
    expect(() => store.own(run)).toThrow(`process ${pid}`);
    expect(() => store.remove(run)).toThrow(RunOwnedError);
    expect(store.facts(run), 'it can still be watched').toHaveLength(1);

    const ownJournal = store.create('test');
    ownJournal.note([makeRunStarted('Why?')]);
    const other = startScript(import.meta.url, './owner.ts', [store.file, ownJournal.run]);
    expect(await other.readLine()).toEqual({
      code: 'run-owned',
      name: 'RunOwnedError',
      message: expect.stringContaining(`process ${process.pid}`),
      next: `Watch it with: deliberate watch ${ownJournal.run}`,
    });
    expect((await other.ended).code).toBe(1);
    expect(ownJournal.facts(), 'the loser wrote nothing').toHaveLength(1);
    expect(() => store.own(ownJournal.run), 'not even twice in one process').toThrow(RunOwnedError);

    child.process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(() => store.own(run), 'suspended, however long').toThrow(RunOwnedError);
    child.process.kill('SIGCONT');
    expect(store.summary(run).status).toBe('running');

    // After the owner was killed, the run counts as interrupted as soon as the database is opened again.
    await child.kill();
    const next = Store.open(store.file, FACTS);
    onTestFinished(() => next.close());
    expect(next.summary(run).status).toBe('interrupted');
    expect(store.list().find(({ id }) => id === run)?.status).toBe('interrupted');
    const journal = store.own(run);
    journal.note([makeRunStarted('Again?')]);
    expect(store.facts(run)).toHaveLength(2);
  });

  it.runIf(process.platform === 'linux')(
    'is gone as soon as it is killed, even if a zombie process remains',
    async () => {
      const store = temporaryStore();
      const script = fileURLToPath(new URL('./owner.ts', import.meta.url));
      // The shell starts the owner and then becomes `sleep`, which never waits for its child, so the killed
      // owner stays as a zombie.
      const child = new Child('sh', [
        '-c',
        '"$1" "$2" "$3" & exec sleep 60',
        'sh',
        process.execPath,
        script,
        store.file,
      ]);
      const { run, pid } = await child.readLine<Working>();
      process.kill(pid, 'SIGKILL');
      const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
      await expect.poll(stateOf, { message: 'a zombie' }).toBe('Z');
      expect(() => process.kill(pid, 0), 'its number is still taken').not.toThrow();
      expect(store.own(run).run).toBe(run);
    },
  );

  it('is recognised by machine, boot and process even if the host has a new name; by the host name only if no machine is recorded', () => {
    const here = describeThisProcess();
    const old = { host: here.host, pid: here.pid, born: here.born };
    const boot = '11111111-2222-3333-4444-555555555555';
    const nobody = 2 ** 30;
    expect(checkOwner(here)).toBe('working');
    expect(checkOwner({ ...here, host: 'renamed' }), 'another name').toBe('working');
    expect(checkOwner({ ...here, host: 'renamed', pid: nobody })).toBe('gone');
    expect(checkOwner({ ...here, pid: nobody })).toBe('gone');
    expect(checkOwner({ ...here, born: `${here.boot}:1` }), 'another birth').toBe('gone');
    expect(checkOwner({ ...here, born: '' }), 'no birth').toBe('unknown');
    expect(checkOwner({ ...here, boot }), 'started anew').toBe('gone');
    expect(checkOwner({ ...here, boot, host: 'renamed' }), 'and renamed').toBe('gone');
    expect(checkOwner({ ...here, boot, machine: 'other' }), 'a machine of that name').toBe(
      'unknown',
    );
    expect(checkOwner({ ...here, boot, host: 'other', machine: undefined })).toBe('unknown');
    expect(checkOwner(old)).toBe('working');
    expect(checkOwner({ ...old, pid: nobody })).toBe('gone');
    expect(checkOwner({ ...old, born: `${boot}:1` }), 'the same name, started anew').toBe('gone');
    expect(checkOwner({ ...old, host: 'other', born: `${boot}:1` })).toBe('unknown');
    expect(checkOwner({ ...old, host: 'other', born: 'Mon Nov 1 10:00:00 2026' })).toBe('unknown');
  });

  it.runIf(process.platform === 'linux')(
    'in a container can be checked from outside of containers, but not from another container',
    () => {
      const here = describeThisProcess();
      const whole = { ...here, space: 'pid:[4026531836]' };
      const part = { ...here, space: 'pid:[4026532000]' };
      const elsewhere = { ...here, space: 'pid:[4026532001]' };
      expect(checkOwner(elsewhere, whole), 'this very process').toBe('working');
      expect(checkOwner({ ...elsewhere, born: `${here.boot}:1` }, whole)).toBe('gone');
      expect(checkOwner(elsewhere, part), 'a container says nothing of another').toBe('unknown');
      const old = { host: 'renamed', pid: here.pid, born: `${here.boot}:1` };
      expect(checkOwner(old, whole)).toBe('gone');
      expect(checkOwner(old, part)).toBe('unknown');
    },
  );

  it('is exactly one of three processes that try to take the same runs at once', async () => {
    const store = temporaryStore();
    const runs = Array.from({ length: RUNS }, () => store.create('test'));
    for (const journal of runs) journal.release();
    const contenders = Array.from({ length: 3 }, () =>
      startScript(import.meta.url, './contender.ts', [store.file]),
    );
    for (const child of contenders) expect(await child.readLine()).toBe('ready');
    let contended = 0;
    for (const { run } of runs) {
      const told = { run, folder: temporaryFolder(), processes: contenders.length };
      for (const child of contenders) child.writeLine(JSON.stringify(told));
      const tries = await Promise.all(contenders.map((child) => child.readLine<Try>()));
      expect(tries.filter(({ won }) => won)).toHaveLength(1);
      if (tries.filter(({ isEarly }) => isEarly).length > 1) contended += 1;
    }
    expect(contended, 'they did contend').toBeGreaterThan(0);
  });

  it('is gone after a release, and cannot take anything from the next owner by a second release', async () => {
    const store = temporaryStore();
    const given = store.create('test');
    const { run } = given;
    given.release();
    const child = await startWorker(store, run);
    given.release();
    expect(() => store.own(run), 'nothing is taken from the next owner').toThrow(
      `process ${child.at.pid}`,
    );
    const owner = leaseOf(store, run);
    expect(owner.pid).toBe(child.at.pid);
    openDatabase(store)
      .prepare('UPDATE run SET owner = ? WHERE id = ?')
      .run(JSON.stringify({ ...owner, born: `${owner.born}0` }), run);
    expect(store.own(run).run).toBe(run);
  });
});

/** Like `startWorker`, but under another host name, and with process numbers of its own if `apart`. */
async function startOnOtherHost(store: Store, apart: boolean): Promise<Child & { at: Working }> {
  const script = fileURLToPath(new URL('./owner.ts', import.meta.url));
  const child = new Child('unshare', [
    ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
    '--uts',
    ...(apart ? ['--pid', '--fork', '--kill-child'] : []),
    'sh',
    '-c',
    'hostname elsewhere && exec "$@"',
    'sh',
    process.execPath,
    script,
    store.file,
  ]);
  return Object.assign(child, { at: await child.readLine<Working>() });
}

function leaseOf(store: Store, run: string): Owner {
  return JSON.parse(
    openDatabase(store).prepare('SELECT owner FROM run WHERE id = ?').pluck().get(run) as string,
  ) as Owner;
}

/** Records an unknown machine as the owner of the run. */
function recordForeignOwner(store: Store, run: string): void {
  openDatabase(store)
    .prepare('UPDATE run SET owner = ? WHERE id = ?')
    .run(JSON.stringify({ host: 'elsewhere', pid: 7, born: 'x', boot: 'y', machine: 'z' }), run);
}

describe('The owner of a run under a changed host name', () => {
  it.runIf(process.platform === 'linux')(
    'keeps the run exactly as long as its process lives',
    async () => {
      const store = temporaryStore();
      const child = await startOnOtherHost(store, false);
      const { run, pid } = child.at;
      expect(leaseOf(store, run).host).toBe('elsewhere');
      expect(() => store.own(run)).toThrow(`is in use by process ${pid} on elsewhere`);
      expect(() => store.own(run, { takeOver: true }), 'it lives').toThrow(RunOwnedError);
      await child.kill();
      expect(store.own(run).run).toBe(run);
    },
  );

  it.runIf(process.platform === 'linux')(
    'keeps the run while it lives, even if it works in a container with process numbers of its own',
    async () => {
      const store = temporaryStore();
      const child = await startOnOtherHost(store, true);
      const { run, pid } = child.at;
      expect(pid, 'a number that is another process here').toBe(1);
      const owner = leaseOf(store, run);
      expect(() => store.own(run)).toThrow(RunOwnedError);
      store.clearDeadOwners();
      expect(store.summary(run).status).toBe('running');
      await child.kill();
      // `pid:[4026531836]` is the process namespace outside of containers. Only there does the program see
      // that the owner has ended. In a container, a person has to confirm that with `takeOver`.
      const sees = describeThisProcess().space === 'pid:[4026531836]';
      // The killed process is `unshare`. The process that owns the run is its child, and ends a moment later.
      await expect.poll(() => checkOwner(owner)).toBe(sees ? 'gone' : 'unknown');
      expect(store.own(run, { takeOver: !sees }).run).toBe(run);
    },
  );
});

describe('A run that another machine owns', () => {
  it('can be taken over only if a person confirms it', () => {
    const store = temporaryStore();
    const journal = store.create('test');
    journal.note([makeRunStarted('Why?')]);
    recordForeignOwner(store, journal.run);
    for (const reach of [() => store.own(journal.run), () => store.remove(journal.run)])
      expect(reach).toThrow(
        expect.objectContaining({
          code: 'run-owned',
          certain: false,
          message: expect.stringMatching(/held by process 7 on elsewhere, which may or may not/),
          next: expect.stringContaining('--take-over'),
        }),
      );
    store.clearDeadOwners();
    expect(store.summary(journal.run).status).toBe('running');
    store.own(journal.run, { takeOver: true }).release();
    recordForeignOwner(store, journal.run);
    store.remove(journal.run, { takeOver: true });
    expect(store.list()).toEqual([]);
  });

  it('can no longer be written by the process there once a process here has taken it over', async () => {
    const store = temporaryStore();
    const child = await startWorker(store);
    const { run } = child.at;
    recordForeignOwner(store, run);
    const journal = store.own(run, { takeOver: true });
    child.writeLine('note');
    expect(await child.readLine()).toMatchObject({ code: 'taken-over', name: 'StoreError' });
    journal.note([makeRunStarted('Again?')]);
    expect(store.facts(run)).toHaveLength(2);
  });
});
