/**
 * Tests the queue of workers: its order, that no run is taken twice, and that a run which kills its workers
 * is left alone.
 */
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ANSWER_WAIT_MS, Gates } from '../../src/app/run/gates.ts';
import { RunOwnedError } from '../../src/kernel/errors.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { describeThisProcess } from '../../src/store/owner.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { beginSession, protocolOf, temporaryStore } from '../kernel/desk.ts';
import { ScriptedModels } from '../kernel/scripted-models.ts';
import { makeRunStarted } from './bodies.ts';
import { startScript } from './child.ts';
import { temporaryFolder } from './folder.ts';

/** Puts a new run into the queue, and returns its id. No worker has taken the run yet. */
function queueRun(store: Store, question = 'Why?'): string {
  const journal = store.create('test');
  journal.note([makeRunStarted(question)]);
  store.enqueue(journal.run);
  journal.release();
  return journal.run;
}

function openDatabase(store: Store): Database.Database {
  const db = new Database(store.file);
  onTestFinished(() => void db.close());
  return db;
}

/** Records a process that does not exist as the owner of the run. */
function killOwner(store: Store, run: string): void {
  const dead = { ...describeThisProcess(), pid: 2 ** 30 };
  openDatabase(store)
    .prepare('UPDATE run SET owner = ? WHERE id = ?')
    .run(JSON.stringify(dead), run);
}

function takeRun(store: Store): Journal {
  const taken = store.takeQueued();
  if (taken === undefined || 'leftAlone' in taken) throw new Error('nothing rests');
  return taken;
}

const DONE = fact('run.ended', { status: 'done' });

describe('The queue of runs', () => {
  it('gives each run to one worker, in the order in which the runs were queued', () => {
    const store = temporaryStore();
    const [first, second] = [queueRun(store), queueRun(store)];
    const other = Store.open(store.file, FACTS);
    onTestFinished(() => other.close());
    expect(store.summary(first).status).toBe('queued');
    const journal = takeRun(store);
    expect([journal.run, store.summary(first).status]).toEqual([first, 'running']);
    expect(takeRun(other).run).toBe(second);
    expect(other.takeQueued()).toBeUndefined();
    journal.note([DONE]);
    expect(store.summary(first).status, 'still held').toBe('done');
    journal.release();
    expect(store.takeQueued()).toBeUndefined();
  });

  it('keeps the position of a run if its worker dies', () => {
    const store = temporaryStore();
    const [first, second] = [queueRun(store), queueRun(store)];
    takeRun(store);
    killOwner(store, first);
    expect(takeRun(store).run).toBe(first);
    takeRun(store).release();
    killOwner(store, first);
    expect([takeRun(store).run, takeRun(store).run]).toEqual([first, second]);
  });

  it('contains only runs that a person has put into the queue', () => {
    const store = temporaryStore();
    for (const end of [true, false]) {
      const journal = store.create('test');
      journal.note([
        makeRunStarted('Why?'),
        ...(end ? [fact('run.ended', { status: 'stopped' })] : []),
      ]);
      journal.release();
    }
    expect(store.takeQueued()).toBeUndefined();
    const run = queueRun(store);
    store.own(run).release();
    expect([store.takeQueued(), store.summary(run).status]).toEqual([undefined, 'interrupted']);
    store.enqueue(run);
    expect(store.dequeue(run)).toBe(true);
    expect([store.dequeue(run), store.takeQueued()]).toEqual([false, undefined]);
  });

  it('does not accept a run that another process owns', async () => {
    const store = temporaryStore();
    const child = startScript(import.meta.url, './owner.ts', [store.file]);
    const { run } = await child.readLine<{ run: string }>();
    expect(() => store.enqueue(run)).toThrow(RunOwnedError);
    await child.kill();
    store.enqueue(run);
    expect(takeRun(store).run).toBe(run);
  });

  it('skips a run with an open question until the question is answered', () => {
    const store = temporaryStore();
    const run = queueRun(store);
    const gate = { step: 'gate/1', prompt: 'Go on?', options: [], default: 'yes' };
    const journal = takeRun(store);
    journal.note([fact('gate.opened', gate)]);
    journal.release();
    const next = queueRun(store);
    expect([takeRun(store).run, store.takeQueued()]).toEqual([next, undefined]);
    expect(store.summary(run).status).toBe('queued');
    store.messages.leave(run, { kind: 'answer', step: 'gate/2', value: 'yes', by: 'person' });
    expect(store.takeQueued()).toBeUndefined();
    store.messages.leave(run, { kind: 'answer', step: 'gate/1', value: 'yes', by: 'person' });
    expect(takeRun(store).run).toBe(run);
  });

  it('gets a run back if nobody answers its question for half an hour, and gives it to a worker only after the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = temporaryStore();
    const journal = store.create('test');
    store.enqueue(journal.run);
    const question = {
      prompt: 'Go on?',
      options: [{ value: 'yes', label: 'Yes' }],
      default: 'yes',
    };
    const protocol = protocolOf(async (run) => {
      await run.gate('gate/1', question);
      return { status: 'done' };
    });
    const { answer } = new Gates(store, journal.run, 'some day');
    const session = new Session({ journal, models: new ScriptedModels(), protocol, answer });
    const ending = beginSession(session);
    await vi.advanceTimersByTimeAsync(ANSWER_WAIT_MS);
    expect(await ending).toMatchObject({ status: 'stopped' });
    await session.close();
    expect(store.summary(journal.run).status).toBe('queued');
    expect(viewOf(store.facts(journal.run))).toMatchObject({ status: 'running', gate: question });
    expect(store.takeQueued()).toBeUndefined();
    store.messages.leave(journal.run, {
      kind: 'answer',
      step: 'gate/1',
      value: 'yes',
      by: 'person',
    });
    expect(takeRun(store).run).toBe(journal.run);
  });

  it('gives up a run after five workers in succession died without finishing a step', () => {
    const store = temporaryStore();
    const run = queueRun(store);
    for (let death = 0; death < 12; death++) {
      // Here every third worker finishes a step before it dies, so at most two in a row die without one. Only the
      // three deaths after this loop complete the five that make workers give up.
      if (death % 3 === 0)
        takeRun(store).commit({ step: `s/${death}`, hash: 'h', result: null }, [
          fact('step.completed', { step: `s/${death}`, attempt: 'a' }),
        ]);
      else takeRun(store);
      killOwner(store, run);
    }
    for (let death = 0; death < 3; death++) {
      takeRun(store);
      killOwner(store, run);
    }
    expect(store.takeQueued()).toEqual({ leftAlone: run });
    expect([store.takeQueued(), store.summary(run).status]).toEqual([undefined, 'interrupted']);
    // A worker leaves this run alone now, but a person may put it into the queue again.
    store.enqueue(run);
    expect(takeRun(store).run).toBe(run);
  });

  it('never gives one run to two of four processes', async () => {
    const store = temporaryStore();
    const runs = Array.from({ length: 40 }, () => queueRun(store));
    const takers = Array.from({ length: 4 }, () =>
      startScript(import.meta.url, './taker.ts', [store.file]),
    );
    for (const taker of takers) expect(await taker.readLine()).toBe('ready');
    const told = { folder: temporaryFolder(), processes: takers.length };
    for (const taker of takers) taker.writeLine(JSON.stringify(told));
    const got = await Promise.all(takers.map((taker) => taker.readLine<string[]>()));
    expect(got.flat().sort()).toEqual([...runs].sort());
    for (const taker of takers) await taker.kill();
    expect(takeRun(store).run, 'all of them are gone').toBe(runs[0]);
  });
});
