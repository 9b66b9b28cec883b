/** A run on a real database, without a session: journal, bus and budget in a test's hands. */

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

export function temporaryStore(): Store {
  const store = openEmptyStore(join(temporaryFolder(), 'test.db'));
  onTestFinished(() => store.close());
  return store;
}

/** What a run without a console does with a question. */
export const stopAtGate: Answerer = () => {
  throw new RunStopped('gate', 'there is nobody to answer');
};

export interface StartedAttempt {
  readonly live: RunAttempt;
  readonly run: Run;
  readonly bus: Bus;
}

/** The run taken up by a process that knows nothing but the journal. */
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

export function typesOf(facts: readonly AnyFact[]): string[] {
  return facts.map(({ type }) => type);
}

/** All facts of one type, as that type. */
export function listFactsOfType<T extends FactType>(
  facts: readonly AnyFact[],
  type: T,
): Extract<Fact, { type: T }>[] {
  return facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
}

/** The journal's methods as an object of which a test can replace some. */
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

/** A protocol that takes any configuration. */
export function protocolOf(execute: Protocol['execute']): Protocol {
  return {
    name: 'test',
    config: z.record(z.string(), z.unknown()),
    requests: requestSchema,
    execute,
  };
}

/** Asks every seat at once, by the seat's name as key. */
export const panelProtocol: Protocol = protocolOf(async (run, { seats }) => {
  await Promise.all(seats.map((seat) => run.ask(seat.id, makeModelRequest(seat))));
  return { status: 'done' };
});

/** The first attempt; what `beginSession` throws at once comes as a rejection as well. */
export async function beginSession(
  session: Session,
  seats: readonly string[] = ['a', 'b', 'c'],
): Promise<Ending> {
  return session.begin({ question: 'Why?', seats: seats.map((id) => makeSeat(id)), config: {} });
}

/** Lets the event loop turn until the condition holds. Works with fake timers, too. */
export async function turnUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Turns the event loop three times, so that callbacks that are ready can run. */
export async function turnEventLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
