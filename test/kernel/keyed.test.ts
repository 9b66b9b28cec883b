/**
 * Rule 6: steps have keys and no positions. A protocol with branches runs in processes that die at random
 * moments, while its calls end in random order; it always comes to the same end.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/kernel/handle.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import type { CallContext, ModelRequest, ModelResult, Models } from '../../src/kernel/model.ts';
import { Session } from '../../src/kernel/session.ts';
import type { Store } from '../../src/store/store.ts';
import { type FactBody, fact } from '../every-fact.ts';
import { beginSession, copyMethods, listFactsOfType, protocolOf, temporaryStore } from './desk.ts';
import {
  makeAnswer,
  makeModelRequest,
  makeSeat,
  makeStopped,
  textOf,
  waitForAbort,
} from './scripted-models.ts';

const SEATS = ['a', 'b', 'c', 'd'];

/**
 * A protocol with branches of different length, in which each step uses the one before, and which are
 * joined twice.
 */
async function deliberate(run: Run): Promise<string> {
  const branches = await Promise.all(
    SEATS.map(async (seat, index) => {
      const own = run.scope(seat);
      const opening = await own.ask('opening', makeRequest(`${seat}/opening`, ''));
      const length = await own.step('length', { of: opening.text }, ({ emit }) => {
        emit(makeSynthesis(index + 1, opening.text));
        return opening.text.length;
      });
      if (index % 2 === 0) return `${opening.text}:${length}`;
      return (await own.ask('more', makeRequest(`${seat}/more`, `${opening.text}:${length}`))).text;
    }),
  );
  const go = await run.gate('go', {
    prompt: 'Go on?',
    options: [{ value: 'yes', label: 'Yes' }],
    default: 'yes',
  });
  const [left, right] = await Promise.all(
    ['left', 'right'].map((side) =>
      run.ask(side, makeRequest(side, `${go} ${branches.join(' ')}`)),
    ),
  );
  return `${left?.text} | ${right?.text}`;
}

/** Returns a request whose first line is the key of its step, so that the model knows the step. */
function makeRequest(step: string, text: string): ModelRequest {
  return makeModelRequest(makeSeat(step), `${step}\n${text}`);
}

function makeSynthesis(version: number, text: string): FactBody {
  return fact('synthesis.completed', {
    version,
    model: 'test/m',
    text,
    included: [],
    excluded: [],
    labels: {},
    missing: [],
    rehearsal: false,
  });
}

function answerTo(request: ModelRequest): string {
  return `<${textOf(request).replace('\n', ' ')}>`;
}

class Crash extends Error {}

/** Returns a journal whose process dies at its n-th write, before or after the write has become durable. */
function makeMortalJournal(
  journal: Journal,
  death: { after: number; durable: boolean } | undefined,
): Journal {
  if (death === undefined) return journal;
  let left = death.after;
  let dead = false;
  const writeOrDie = <T>(work: () => T): T => {
    if (dead) throw new Crash();
    if (left-- > 0) return work();
    dead = true;
    if (death.durable) work();
    throw new Crash();
  };
  return {
    ...copyMethods(journal),
    commit: (record, facts) => writeOrDie(() => journal.commit(record, facts)),
    note: (facts) => writeOrDie(() => journal.note(facts)),
    forget: (step) => writeOrDie(() => journal.forget(step)),
  };
}

/** Models that end one waiting call in each turn of the event loop, in the order that `order` gives. */
class UnorderedModels implements Models {
  readonly asked: string[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #journal: Journal;
  readonly #order: number[];

  constructor(journal: Journal, order: readonly number[]) {
    this.#journal = journal;
    this.#order = [...order];
  }

  call(request: ModelRequest, { signal }: CallContext): Promise<ModelResult> {
    const step = request.seat.id;
    const recorded = listFactsOfType(this.#journal.facts(), 'call.completed');
    expect(
      recorded.map((call) => call.step),
      'asked although it is recorded',
    ).not.toContain(step);
    this.asked.push(step);
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(makeAnswer(answerTo(request))));
      void waitForAbort(signal).then(() => resolve(makeStopped('')));
    });
  }

  price(): number {
    return 0;
  }

  endOne(): void {
    const index = (this.#order.shift() ?? 0) % Math.max(1, this.#waiting.length);
    this.#waiting.splice(index, 1)[0]?.();
  }
}

async function runAttempt(
  journal: Journal,
  death: { after: number; durable: boolean } | undefined,
  order: readonly number[],
): Promise<{ asked: string[]; result?: string }> {
  const models = new UnorderedModels(journal, order);
  let result: string | undefined;
  const session = new Session({
    journal: makeMortalJournal(journal, death),
    models,
    answer: async () => ({ answer: 'yes', by: 'default' }),
    protocol: protocolOf(async (run) => {
      result = await deliberate(run);
      return { status: 'done' };
    }),
  });
  const first = journal.facts().length === 0;
  let over = false;
  const living = (async () =>
    first ? beginSession(session, SEATS) : session.resume({ kind: 'convene' }))()
    .catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
      return error;
    })
    .finally(() => {
      over = true;
    });
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    models.endOne();
  }
  const crashed = (await living) instanceof Crash;
  return { asked: models.asked, ...(crashed ? {} : { result: result ?? '' }) };
}

const order = fc.array(fc.nat(7), { minLength: 20, maxLength: 20 });
const lives = fc.array(
  fc.record({ order, death: fc.record({ after: fc.nat(30), durable: fc.boolean() }) }),
  { maxLength: 5 },
);

describe('A protocol whose steps have keys', () => {
  it('gives the same result whatever the order of its calls and the number of crashes', async () => {
    const store = temporaryStore();
    const expected = await runUninterrupted(store);
    let crashes = 0;
    let repeated = 0;
    await fc.assert(
      fc.asyncProperty(lives, order, async (history, last) => {
        const journal = store.create('test');
        const asks: string[] = [];
        let cut = 0;
        for (const { order: inOrder, death } of history) {
          const life = await runAttempt(journal, death, inOrder);
          asks.push(...life.asked);
          if (life.result === undefined) cut += 1;
          else expect(life.result).toBe(expected);
        }
        const { asked: finally_, result } = await runAttempt(journal, undefined, last);
        asks.push(...finally_);
        expect(result).toBe(expected);

        const log = journal.facts();
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
        const completed = listFactsOfType(log, 'step.completed').map(({ step }) => step);
        expect(completed.sort(), 'each step is recorded once').toEqual(STEPS);
        expect(
          listFactsOfType(log, 'synthesis.completed'),
          'each fact is recorded once',
        ).toHaveLength(4);
        expect(listFactsOfType(log, 'call.completed')).toHaveLength(new Set(asks).size);
        expect(asks.length).toBeLessThanOrEqual(CALLS + cut * SEATS.length);
        crashes += cut;
        repeated += asks.length - CALLS;

        // A replay asks no model, and records only that the run was resumed and ended.
        expect(await runAttempt(journal, undefined, [])).toEqual({ asked: [], result: expected });
        expect(journal.facts(log.length).map(({ type }) => type)).toEqual([
          'run.resumed',
          'run.ended',
        ]);
      }),
      { numRuns: 25 },
    );
    // This test means something only if processes died, and some of them during calls.
    expect(crashes).toBeGreaterThan(10);
    expect(repeated).toBeGreaterThan(10);
  });
});

const CALLS = 8;
const STEPS = [
  ...SEATS.flatMap((seat, index) => [
    `${seat}/opening`,
    `${seat}/length`,
    ...(index % 2 === 0 ? [] : [`${seat}/more`]),
  ]),
  'go',
  'left',
  'right',
].sort();

async function runUninterrupted(store: Store): Promise<string> {
  const { asked: calls, result } = await runAttempt(store.create('test'), undefined, []);
  expect(calls).toHaveLength(CALLS);
  return result ?? '';
}
