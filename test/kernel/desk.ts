/** A run on a real database without a session: a test holds its journal, bus and budget. */

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { Budget, type Limits } from '../../src/kernel/budget.ts';
import { Bus } from '../../src/kernel/bus.ts';
import { RunStopped } from '../../src/kernel/errors.ts';
import { requestSchema } from '../../src/kernel/facts.ts';
import type { Answerer, Run } from '../../src/kernel/handle.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import type { Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { RunAttempt } from '../../src/kernel/run.ts';
import type { Ending, Session } from '../../src/kernel/session.ts';
import type { Tools } from '../../src/kernel/tools/tools.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fact, FactType } from '../every-fact.ts';
import { openEmptyStore } from '../store/empty.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeModelRequest, makeSeat, ScriptedModels } from './scripted-models.ts';

/** Opens a store on a new database in a temporary folder. After the test, it is closed and the folder removed. */
export function temporaryStore(): Store {
  const store = openEmptyStore(join(temporaryFolder(), 'test.db'));
  onTestFinished(() => store.close());
  return store;
}

/** Answers no question to a person, but stops the run at every one, as a run without a console does. */
export const stopAtGate: Answerer = () => {
  throw new RunStopped('gate', 'there is nobody to answer');
};

/** An attempt at a run (`live`), its handle for protocols (`run`), and the bus with its news. */
export interface StartedAttempt {
  readonly live: RunAttempt;
  readonly run: Run;
  readonly bus: Bus;
}

/**
 * Opens an attempt at a run from its journal alone, as a new process does. By default questions stop the
 * run, and there is no budget.
 */
export function openAttempt(
  journal: Journal,
  models: Models = new ScriptedModels(),
  more: {
    answer?: Answerer;
    limits?: Limits;
    budget?: Budget;
    tools?: Tools;
    longPauses?: boolean;
  } = {},
): StartedAttempt {
  const bus = new Bus();
  const budget = more.budget ?? new Budget(more.limits);
  const { answer = stopAtGate, tools, longPauses } = more;
  const live = new RunAttempt({ journal, bus, models, budget, answer, tools, longPauses });
  return { live, run: live.handle(), bus };
}

/** Returns the types of facts, in order. */
export function typesOf(facts: readonly AnyFact[]): string[] {
  return facts.map(({ type }) => type);
}

/** Returns all facts of one type, in order. */
export function listFactsOfType<T extends FactType>(
  facts: readonly AnyFact[],
  type: T,
): Extract<Fact, { type: T }>[] {
  return facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
}

/** Returns an object with all methods of a journal, of which a test can replace some. */
export function copyMethods(journal: Journal): Journal {
  return {
    run: journal.run,
    recall: (step, hash) => journal.recall(step, hash),
    commit: (record, facts) => journal.commit(record, facts),
    note: (facts) => journal.note(facts),
    forget: (step) => journal.forget(step),
    keep: (chunks) => journal.keep(chunks),
    facts: (after) => journal.facts(after),
    release: () => journal.release(),
  };
}

/** Returns a protocol named `test` that takes any settings and runs the given function. */
export function protocolOf(execute: Protocol['execute']): Protocol {
  return {
    name: 'test',
    config: z.record(z.string(), z.unknown()),
    requests: requestSchema,
    execute,
  };
}

/** A protocol that calls the models of all seats at once. The key of each step is the id of the seat. */
export const panelProtocol: Protocol = protocolOf(async (run, { seats }) => {
  await Promise.all(seats.map((seat) => run.ask(seat.id, makeModelRequest(seat))));
  return { status: 'done' };
});

/**
 * Begins the first attempt of a session with seats of the given ids. An error that the session throws at
 * once becomes a rejection.
 */
export async function beginSession(
  session: Session,
  seats: readonly string[] = ['a', 'b', 'c'],
): Promise<Ending> {
  return session.begin({ question: 'Why?', seats: seats.map((id) => makeSeat(id)), config: {} });
}

/** Lets the event loop turn until a condition holds. Works with fake timers, too. */
export async function turnUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the event loop turn three times, so that callbacks that are ready can run. */
export async function turnEventLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
