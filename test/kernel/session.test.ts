/** Tests sessions that begin, stop, resume and end, and what they leave behind if something goes wrong. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { RunStopped, StoreError } from '../../src/kernel/errors.ts';
import type { Answerer } from '../../src/kernel/handle.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import type { CallContext, Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { unsettledFailures } from '../../src/kernel/unsettled.ts';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import {
  beginSession,
  copyMethods,
  listFactsOfType,
  panelProtocol,
  protocolOf,
  stopAtGate,
  temporaryStore,
  turnEventLoop,
  turnUntil,
  typesOf,
} from './desk.ts';
import {
  HeldModels,
  makeAnswer,
  makeFailure,
  makeModelRequest,
  makeStopped,
  ScriptedModels,
  streamUntilStopped,
  waitForAbort,
} from './scripted-models.ts';

afterEach(() => vi.useRealTimers());

function sessionOf(
  journal: Journal,
  models: Models,
  protocol: Protocol = panelProtocol,
  answer: Answerer = stopAtGate,
): Session {
  return new Session({ journal, models, protocol, answer });
}

describe('Attempts at a run', () => {
  it('are continued by another session after the first one returned the run with `handBack`, without repeating an answered call', async () => {
    const store = temporaryStore();
    const journal = store.create('test');
    const models = new HeldModels();
    const session = sessionOf(journal, models);
    const first = beginSession(session);
    await models.waitForCalls(3);
    models.endCall('b');
    await turnEventLoop();
    session.handBack();
    await session.close();
    expect((await first).status).toBe('stopped');
    expect(
      listFactsOfType(store.facts(journal.run), 'call.stopped').map(({ step }) => step),
    ).toEqual(['a', 'c']);
    expect(viewOf(store.facts(journal.run)).status).toBe('running');
    expect(store.summary(journal.run).status).toBe('interrupted');

    const next = store.own(journal.run);
    const second = sessionOf(next, models).resume({ kind: 'convene' });
    await models.waitForCalls(5);
    models.endCall('a');
    models.endCall('c');
    expect(await second).toEqual({ status: 'done' });
    expect(models.asked.slice(3).sort()).toEqual(['a', 'c']);
    expect(listFactsOfType(next.facts(), 'run.ended')).toHaveLength(1);
  });

  it('end as stopped if a person stopped the run before the session returned it with `handBack`', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const session = sessionOf(journal, models);
    const first = beginSession(session);
    await models.waitForCalls(3);
    session.stop();
    session.handBack();
    await first;
    expect(listFactsOfType(journal.facts(), 'run.ended')).toMatchObject([{ status: 'stopped' }]);
  });

  it('do not repeat answered calls after a stop and a resumption', async () => {
    const store = temporaryStore();
    const journal = store.create('test');
    const models = new HeldModels();
    const session = sessionOf(journal, models);
    expect(session.live).toBe(false);
    const first = beginSession(session);
    await models.waitForCalls(3);
    expect(session.live).toBe(true);
    models.endCall('b');
    await turnEventLoop();
    session.stop();
    expect(await first).toEqual({ status: 'stopped' });
    expect(session.live).toBe(false);
    expect(store.summary(journal.run).status).toBe('stopped');
    expect(viewOf(journal.facts())).toMatchObject({
      status: 'stopped',
      question: 'Why?',
      calls: {
        a: { state: 'stopped', text: 'half of a' },
        b: { state: 'done', text: 'b says so' },
        c: { state: 'stopped', text: 'half of c' },
      },
    });

    const second = session.resume({ kind: 'convene' });
    await models.waitForCalls(5);
    expect(models.asked.slice(3).sort()).toEqual(['a', 'c']);
    expect(viewOf(journal.facts()).status).toBe('running');
    models.endCall('a');
    models.endCall('c');
    expect(await second).toEqual({ status: 'done' });
    expect(store.summary(journal.run).status).toBe('done');
    const log = journal.facts();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(
      typesOf(log).filter((type) => type.startsWith('run.') || type.startsWith('call.')),
    ).toEqual([
      'run.started',
      'call.completed',
      'call.stopped',
      'call.stopped',
      'run.ended',
      'run.resumed',
      'call.completed',
      'call.completed',
      'run.ended',
    ]);
  });

  it('give the protocol the same question, seats and settings each time', async () => {
    const journal = temporaryStore().create('test');
    const tables: unknown[] = [];
    const protocol = protocolOf(async (_run, { question, seats, config, request: asked, past }) => {
      tables.push({ question, seats: seats.map(({ id }) => id), config, asked, past: past.status });
      return { status: 'done' };
    });
    const session = sessionOf(journal, new ScriptedModels(), protocol);
    await session.begin({ question: 'Why?', seats: [], config: { open: true } });
    await session.resume({ kind: 'retry', seats: ['a'] });
    expect(tables).toEqual([
      {
        question: 'Why?',
        seats: [],
        config: { open: true },
        asked: { kind: 'convene' },
        past: 'running',
      },
      {
        question: 'Why?',
        seats: [],
        config: { open: true },
        asked: { kind: 'retry', seats: ['a'] },
        past: 'running',
      },
    ]);
  });

  it('are refused while another attempt is running', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const session = sessionOf(journal, models);
    const attempt = beginSession(session, ['a']);
    await models.waitForCalls(1);
    const log = journal.facts();
    expect(() => session.resume({ kind: 'convene' })).toThrow(/already in progress/);
    expect(journal.facts()).toEqual(log);
    models.endCall('a');
    expect(await attempt).toEqual({ status: 'done' });
  });

  it('make no call if the run is finished', async () => {
    const journal = temporaryStore().create('test');
    await beginSession(sessionOf(journal, new ScriptedModels()));
    const before = journal.facts().length;
    const models = new ScriptedModels();
    await sessionOf(journal, models).resume({ kind: 'convene' });
    expect(models.asked).toEqual([]);
    expect(typesOf(journal.facts(before))).toEqual(['run.resumed', 'run.ended']);
  });

  it('repeat a failed call if the protocol made no later step', async () => {
    const journal = temporaryStore().create('test');
    const flaky = new ScriptedModels((asked) =>
      asked.seat.id === 'b' ? makeFailure('unreachable', 'refused') : makeAnswer('yes'),
    );
    await beginSession(sessionOf(journal, flaky));
    const second = new ScriptedModels();
    await sessionOf(journal, second).resume({ kind: 'convene' });
    expect(second.asked).toEqual(['b']);
    expect(viewOf(journal.facts()).calls.b?.state).toBe('done');
  });

  it('do not repeat a failed call if the protocol continued with a later call', async () => {
    const journal = temporaryStore().create('test');
    const protocol = protocolOf(async (run, { seats }) => {
      const replies = await Promise.all(
        seats.map((seat) => run.ask(seat.id, makeModelRequest(seat))),
      );
      await run.ask('chair', makeModelRequest('chair', replies.map(({ text }) => text).join()));
      return { status: 'done' };
    });
    const flaky = new ScriptedModels((asked) =>
      asked.seat.id === 'b' ? makeFailure('unreachable', 'refused') : makeAnswer('yes'),
    );
    await beginSession(sessionOf(journal, flaky, protocol));
    const second = new ScriptedModels();
    await sessionOf(journal, second, protocol).resume({ kind: 'convene' });
    expect(second.asked).toEqual([]);
  });

  it('deliver every fact to subscribers of the session, in the order of the journal', async () => {
    const journal = temporaryStore().create('test');
    const session = sessionOf(journal, new ScriptedModels());
    const heard: AnyFact[] = [];
    session.feed.subscribe({ fact: (fact) => heard.push(fact) });
    await beginSession(session);
    await session.resume({ kind: 'convene' });
    expect(heard).toEqual(journal.facts());
  });
});

describe('An attempt at a run', () => {
  it('stops its running calls and ends as failed if the protocol throws an error', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const session = sessionOf(
      journal,
      models,
      protocolOf(async (run) => {
        const asking = run.ask('a', makeModelRequest('a'));
        await run.ask('b', makeModelRequest('b'));
        (undefined as unknown as { length: number }).length.toFixed();
        await asking;
        return { status: 'done' };
      }),
    );
    const attempt = beginSession(session);
    await models.waitForCalls(2);
    models.endCall('b');
    await expect(attempt).rejects.toBeInstanceOf(TypeError);
    const log = journal.facts();
    expect(typesOf(log).slice(-2)).toEqual(['call.stopped', 'run.ended']);
    expect(listFactsOfType(log, 'call.stopped')[0]?.text).toBe('half of a');
    expect(log.at(-1)).toMatchObject({ status: 'failed', reason: /undefined/ });
    expect(session.live).toBe(false);
  });

  it('ends as failed before any call if the settings are invalid', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels();
    const strict = {
      ...panelProtocol,
      config: panelProtocol.config.refine(() => false, 'no such board'),
    };
    await expect(beginSession(sessionOf(journal, models, strict))).rejects.toThrow('no such board');
    expect(models.asked).toEqual([]);
    expect(journal.facts().at(-1)).toMatchObject({ type: 'run.ended', status: 'failed' });
  });

  it('ends as failed, with the call shown as lost, if the function `conclude` throws when it gets the reply', async () => {
    const journal = temporaryStore().create('test');
    const protocol = protocolOf(async (run) => {
      await run.ask('a', makeModelRequest('a'), {
        conclude: () => {
          throw new Error('bad quote');
        },
      });
      return { status: 'done' };
    });
    await expect(
      beginSession(sessionOf(journal, new ScriptedModels(), protocol)),
    ).rejects.toThrow();
    expect(viewOf(journal.facts())).toMatchObject({
      status: 'failed',
      reason: 'bad quote',
      calls: { a: { state: 'lost' } },
    });
  });

  it('ends at once on a full disk, and a later attempt continues', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const store = temporaryStore();
    const journal = store.create('test');
    const throwDiskFull = (): never => {
      throw new StoreError('disk-full', 'the disk is full');
    };
    let room = true;
    const crowded: Journal = {
      ...copyMethods(journal),
      commit: (record, facts) => (room ? journal.commit(record, facts) : throwDiskFull()),
      note: (facts) => (room ? journal.note(facts) : throwDiskFull()),
    };
    const models = new HeldModels();
    const session = sessionOf(crowded, models);
    const attempt = beginSession(session);
    await models.waitForCalls(3);
    models.endCall('a');
    await turnEventLoop();
    room = false;
    models.endCall('b');
    await expect(attempt).rejects.toMatchObject({ code: 'disk-full' });
    expect(session.live).toBe(false);
    expect(vi.getTimerCount()).toBe(0);

    room = true;
    const next = new ScriptedModels();
    const again = sessionOf(crowded, next);
    expect(await again.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(next.asked).toEqual(['b', 'c']);
  });

  it('waits for steps that the protocol did not await', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const protocol = protocolOf(async (run) => {
      void run.ask('a', makeModelRequest('a'));
      return { status: 'done' };
    });
    const attempt = beginSession(sessionOf(journal, models, protocol));
    await models.waitForCalls(1);
    await turnEventLoop();
    expect(typesOf(journal.facts())).not.toContain('run.ended');
    models.endCall('a');
    await attempt;
    expect(typesOf(journal.facts()).slice(-3)).toEqual([
      'call.completed',
      'step.completed',
      'run.ended',
    ]);
  });
});

describe('Closing a session', () => {
  it('stops the run before it releases the run', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    let log: readonly string[] = [];
    const watched: Journal = {
      ...copyMethods(journal),
      release: () => {
        log = typesOf(journal.facts());
        journal.release();
      },
    };
    const session = sessionOf(watched, models);
    const attempt = beginSession(session);
    await models.waitForCalls(3);
    await session.close();
    expect(log.filter((type) => type === 'call.stopped')).toHaveLength(3);
    expect(log.at(-1)).toBe('run.ended');
    expect(await attempt).toEqual({ status: 'stopped' });
  });

  it('releases a run whose protocol has thrown an error', async () => {
    const store = temporaryStore();
    const journal = store.create('test');
    const broken = protocolOf(() => Promise.reject(new Error('defect')));
    const session = sessionOf(journal, new ScriptedModels(), broken);
    await expect(beginSession(session)).rejects.toThrow('defect');
    expect(() => store.own(journal.run)).toThrow(/is in use/);
    await session.close();
    expect(store.own(journal.run).run).toBe(journal.run);
  });
});

describe('The stored text of running calls', () => {
  const streamForever = (
    context: CallContext,
    ...texts: string[]
  ): Promise<ReturnType<typeof makeStopped>> => {
    context.onEvent({ type: 'sent', attempt: 1 });
    for (const text of texts) context.onEvent({ type: 'text', text });
    return waitForAbort(context.signal).then(() => makeStopped(texts.join('')));
  };

  it('can be read from the store until the call ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const store = temporaryStore();
    const journal = store.create('test');
    let begun = 0;
    const models = new ScriptedModels((asked, context) => {
      begun += 1;
      return asked.seat.id === 'a'
        ? streamUntilStopped(context, 'Well, ')
        : streamForever(context, 'No. ');
    });
    const session = sessionOf(journal, models);
    const attempt = beginSession(session, ['a', 'b']);
    await turnUntil(() => begun === 2);
    vi.advanceTimersByTime(100);
    expect(store.chunks(journal.run)).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(store.chunks(journal.run)).toMatchObject([
      { step: 'a', text: 'Well, ', thinking: '' },
      { step: 'b', text: 'No. ', thinking: '' },
    ]);
    session.stopSeat('a');
    await turnEventLoop();
    expect(store.chunks(journal.run)).toMatchObject([{ step: 'b' }]);
    session.stop();
    await attempt;
    expect(store.chunks(journal.run)).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(store.chunks(journal.run)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not contain the text of an earlier request of the same call', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const store = temporaryStore();
    const journal = store.create('test');
    let context: CallContext | undefined;
    const models = new ScriptedModels((_asked, given) => {
      context = given;
      return streamForever(given, 'one ');
    });
    const session = sessionOf(journal, models);
    const attempt = beginSession(session, ['a']);
    await turnUntil(() => context !== undefined);
    vi.advanceTimersByTime(600);
    context?.onEvent({ type: 'thinking', text: 'hm' });
    context?.onEvent({ type: 'text', text: 'two ' });
    vi.advanceTimersByTime(600);
    expect(store.chunks(journal.run).map(({ text }) => text)).toEqual(['one ', 'two ']);
    const [first] = store.chunks(journal.run);
    context?.onEvent({ type: 'sent', attempt: 2 });
    context?.onEvent({ type: 'text', text: 'anew' });
    vi.advanceTimersByTime(600);
    const kept = store.chunks(journal.run);
    expect(kept.map(({ text }) => text)).toEqual(['anew']);
    expect(kept[0]?.attempt).not.toBe(first?.attempt);
    session.stop();
    await attempt;
  });

  it('is not written while the disk is full, and the calls go on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const store = temporaryStore();
    const journal = store.create('test');
    let full = true;
    const crowded: Journal = {
      ...copyMethods(journal),
      keep: (chunks) => {
        if (full) throw new StoreError('disk-full', 'the disk is full');
        journal.keep(chunks);
      },
    };
    let context: CallContext | undefined;
    const models = new ScriptedModels((_asked, given) => {
      context = given;
      return streamForever(given, 'one ');
    });
    const session = sessionOf(crowded, models);
    const attempt = beginSession(session, ['a']);
    await turnEventLoop();
    vi.advanceTimersByTime(600);
    full = false;
    context?.onEvent({ type: 'text', text: 'two' });
    vi.advanceTimersByTime(600);
    expect(store.chunks(journal.run).map(({ text }) => text)).toEqual(['one two']);
    session.stop();
    await attempt;
  });
});

describe('A budget', () => {
  /** Returns a request for which 100 tokens are estimated and 15 are used. */
  const makeModestRequest = (seat: string) => ({
    ...makeModelRequest(
      { id: seat, role: seat, title: seat, model: 'test/model-1', brief: '' },
      'x'.repeat(35),
    ),
    maxTokens: 90,
  });
  const eager = protocolOf(async (run, { seats }) => {
    await Promise.all(seats.map(({ id }) => run.ask(id, makeModestRequest(id))));
    return { status: 'done' };
  });

  function openBudgeted(
    journal: Journal,
    models: Models,
    limits: { tokens?: number; usd?: number },
    answer: Answerer = stopAtGate,
  ): Session {
    return new Session({ journal, models, protocol: eager, limits, answer });
  }

  it('includes estimates of running calls', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const attempt = beginSession(openBudgeted(journal, models, { tokens: 250 }));
    expect(await attempt).toEqual({ status: 'stopped', reason: 'there is nobody to answer' });
    expect(models.asked).toEqual(['a', 'b']);
    const log = journal.facts();
    expect(listFactsOfType(log, 'call.stopped').map(({ step }) => step)).toEqual(['a', 'b']);
    expect(log.at(-1)?.type).toBe('run.ended');
  });

  it('releases the part of an estimate that a call did not use', async () => {
    const journal = temporaryStore().create('test');
    const oneByOne = protocolOf(async (run, { seats }) => {
      for (const { id } of seats) await run.ask(id, makeModestRequest(id));
      return { status: 'done' };
    });
    // The third call just fits: two calls have used 15 tokens each, and 100 are estimated for the third.
    const limits = { tokens: 130 };
    const session = new Session({
      journal,
      models: new ScriptedModels(),
      protocol: oneByOne,
      limits,
      answer: stopAtGate,
    });
    expect(await beginSession(session)).toEqual({ status: 'done' });
    expect(typesOf(journal.facts())).not.toContain('gate.opened');
  });

  it('asks the person one question for all parallel calls that would exceed the budget', async () => {
    const journal = temporaryStore().create('test');
    let reply: (answer: string) => void = () => undefined;
    const answer: Answerer = () =>
      new Promise((resolve) => {
        reply = (said) => resolve({ answer: said, by: 'person' });
      });
    const models = new ScriptedModels();
    const attempt = beginSession(openBudgeted(journal, models, { tokens: 50 }, answer));
    await turnEventLoop();
    expect(models.asked).toEqual([]);
    const opened = listFactsOfType(journal.facts(), 'gate.opened');
    expect(opened).toHaveLength(1);
    expect(opened[0]?.prompt).toMatch(/0 tokens are spent.*budget of 50.*Continue without/);
    expect(opened[0]?.default).toBe('stop');
    reply('go-on');
    expect(await attempt).toEqual({ status: 'done' });
    expect(models.asked.sort()).toEqual(['a', 'b', 'c']);

    // A later process with the same budget does not ask the person again, but a process with another budget
    // does.
    const more = ['a', 'b', 'c', 'd'];
    const wider = protocolOf(async (run) => {
      for (const id of more) await run.ask(id, makeModestRequest(id));
      return { status: 'done' };
    });
    const again = new Session({
      journal,
      models,
      protocol: wider,
      limits: { tokens: 50 },
      answer: stopAtGate,
    });
    expect(await again.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(models.asked.at(-1)).toBe('d');
    more.push('e');
    const other = new Session({
      journal,
      models,
      protocol: wider,
      limits: { tokens: 60 },
      answer: stopAtGate,
    });
    expect((await other.resume({ kind: 'convene' })).status).toBe('stopped');
  });

  it('limits a fork even if a person lifted it for the parent run: the fork does not ask a model without a new answer', async () => {
    const store = temporaryStore();
    const parent = store.create('test');
    const models = new ScriptedModels();
    const answerGoOn: Answerer = async () => ({ answer: 'go-on', by: 'person' });
    const limits = { tokens: 50 };
    const first = await beginSession(openBudgeted(parent, models, limits, answerGoOn), ['a']);
    expect([first.status, models.asked]).toEqual(['done', ['a']]);
    const fork = store.create('test', parent.run);
    const ending = await beginSession(openBudgeted(fork, models, limits), ['b']);
    expect(ending).toEqual({ status: 'stopped', reason: 'there is nobody to answer' });
    expect(models.asked).toEqual(['a']);
  });

  it('stops the run if the person does not allow a call beyond the budget', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels();
    const answerStop: Answerer = async () => ({ answer: 'stop', by: 'person' });
    const session = openBudgeted(journal, models, { tokens: 50 }, answerStop);
    const ending = await beginSession(session);
    expect(ending).toMatchObject({ status: 'stopped', reason: /may pass the budget of 50/ });
    expect(models.asked).toEqual([]);
    expect(await session.resume({ kind: 'convene' })).toEqual(ending);
    expect(listFactsOfType(journal.facts(), 'gate.opened')).toHaveLength(2);
    const answerGoOn: Answerer = async () => ({ answer: 'go-on', by: 'person' });
    const generous = openBudgeted(journal, models, { tokens: 50 }, answerGoOn);
    expect(await generous.resume({ kind: 'convene' })).toEqual({ status: 'done' });
  });

  it('in dollars uses the model’s price', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels(
      () => makeAnswer('yes'),
      ({ input, output }) => (input + output) / 1000, // The estimate is 0.1 dollars, and 0.015 are paid.
    );
    expect(await beginSession(openBudgeted(journal, models, { usd: 0.11 }), ['a'])).toEqual({
      status: 'done',
    });
    expect(models.asked).toEqual(['a']);
    const { status, reason } = await beginSession(openBudgeted(journal, models, { usd: 0.11 }), [
      'a',
      'b',
    ]);
    expect(status).toBe('stopped');
    expect(reason).toBe('there is nobody to answer');
    expect(listFactsOfType(journal.facts(), 'gate.opened')[0]?.prompt).toMatch(/^\$0.015 is spent/);
    expect(models.asked).toEqual(['a']);
  });

  it('in dollars asks before a call without a known price', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels(
      () => makeAnswer('yes'),
      () => undefined,
    );
    const ending = await beginSession(openBudgeted(journal, models, { usd: 100 }), ['a']);
    expect(ending).toEqual({ status: 'stopped', reason: 'there is nobody to answer' });
    expect(models.asked).toEqual([]);
    expect(listFactsOfType(journal.facts(), 'gate.opened')[0]?.prompt).toMatch(
      /^No price is known for /,
    );
    expect(
      (await beginSession(openBudgeted(journal, models, { tokens: 1000 }), ['a'])).status,
    ).toBe('done');
  });

  it('includes the cost of failed and stopped calls', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels((asked) =>
      asked.seat.id === 'a' ? makeFailure('server', 'oops') : makeStopped('I'),
    );
    await beginSession(openBudgeted(journal, models, {}), ['a', 'b']);
    await beginSession(openBudgeted(journal, models, { tokens: 100 }), ['c']);
    expect(listFactsOfType(journal.facts(), 'gate.opened')[0]?.prompt).toMatch(
      /^30 tokens are spent/,
    );
  });
});

describe('unsettledFailures, which lists the failed calls that a later attempt may repeat,', () => {
  const usage = { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 };
  const spoken = { attempt: '1', seat: 's', role: 's', model: 't/m', text: '', thinking: '' };
  const common = { ...spoken, usage, latencyMs: 0, attempts: 1, notes: [], rehearsal: false };
  const makeStepStarted = (step: string): FactBody =>
    fact('step.started', { step, attempt: '1', kind: 'call' });
  const makeStepCompleted = (step: string, inherited?: string): FactBody =>
    fact('step.completed', { step, attempt: '1', ...(inherited ? { inherited } : {}) });
  const makeFailedCall = (step: string, inherited?: string): FactBody[] => [
    fact('call.failed', { step, ...common, code: 'timeout', message: 'silence' }),
    makeStepCompleted(step, inherited),
  ];
  const makeCompletedCall = (step: string, inherited?: string): FactBody[] => [
    fact('call.completed', { step, ...common }),
    makeStepCompleted(step, inherited),
  ];
  const makeLog = (...bodies: FactBody[]): Fact[] =>
    bodies.map((body, index) => ({ run: 'r', seq: index + 1, at: '2026-01-01', ...body }));

  it('includes a failed call if no step that began after the failure has succeeded', () => {
    expect(unsettledFailures(makeLog(makeStepStarted('a'), ...makeFailedCall('a')))).toEqual(['a']);
    expect(
      unsettledFailures(
        makeLog(
          makeStepStarted('a'),
          makeStepStarted('b'),
          ...makeFailedCall('a'),
          ...makeCompletedCall('b'),
        ),
      ),
      'a sibling that finished later was not built on it',
    ).toEqual(['a']);
    expect(
      unsettledFailures(
        makeLog(
          makeStepStarted('a'),
          ...makeFailedCall('a'),
          makeStepStarted('z'),
          ...makeFailedCall('z'),
        ),
      ),
      'what came after failed as well',
    ).toEqual(['a', 'z']);
    expect(
      unsettledFailures(
        makeLog(makeStepStarted('a'), ...makeFailedCall('a'), makeStepStarted('z')),
      ),
      'what came after never finished',
    ).toEqual(['a']);
  });

  it('leaves out a failed call if a step that began after the failure has succeeded', () => {
    expect(
      unsettledFailures(
        makeLog(
          makeStepStarted('a'),
          ...makeFailedCall('a'),
          makeStepStarted('z'),
          ...makeCompletedCall('z'),
        ),
      ),
    ).toEqual([]);
    expect(
      unsettledFailures(
        makeLog(
          makeStepStarted('a'),
          ...makeFailedCall('a'),
          makeStepStarted('z'),
          ...makeCompletedCall('z'),
          makeStepStarted('b'),
          ...makeFailedCall('b'),
        ),
      ),
      'only the later one is open',
    ).toEqual(['b']);
  });

  it('leaves out a failed call that succeeded when it was repeated', () => {
    expect(
      unsettledFailures(
        makeLog(
          makeStepStarted('a'),
          ...makeFailedCall('a'),
          makeStepStarted('a'),
          ...makeCompletedCall('a'),
        ),
      ),
    ).toEqual([]);
  });

  it('leaves out a failed call that a fork copied', () => {
    expect(
      unsettledFailures(
        makeLog(...makeFailedCall('a', 'parent'), ...makeCompletedCall('z', 'parent')),
      ),
    ).toEqual([]);
    expect(
      unsettledFailures(
        makeLog(makeStepStarted('b'), ...makeFailedCall('b'), ...makeCompletedCall('c', 'parent')),
      ),
      'what was taken over cannot depend on what happened here',
    ).toEqual(['b']);
  });
});

describe('unsettledFailures with the option `byWork: false`', () => {
  it('still lists a failed call after later local work, but not after a later call or gate', () => {
    const at = { run: 'r', at: '2026-01-01' };
    const usage = { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 };
    const spoken = { attempt: '1', seat: 's', role: 's', model: 't/m', text: '', thinking: '' };
    const common = { ...spoken, usage, latencyMs: 0, attempts: 1, notes: [], rehearsal: false };
    const makeFacts = (kind: 'work' | 'gate' | 'call'): Fact[] =>
      [
        fact('step.started', { step: 'a', attempt: '1', kind: 'call' }),
        fact('call.failed', { step: 'a', ...common, code: 'unreachable', message: 'refused' }),
        fact('step.completed', { step: 'a', attempt: '1' }),
        fact('step.started', { step: 'z', attempt: '1', kind }),
        fact('step.completed', { step: 'z', attempt: '1' }),
      ].map((body, index) => ({ ...at, seq: index + 1, ...body }));
    for (const kind of ['work', 'gate', 'call'] as const)
      expect(unsettledFailures(makeFacts(kind)), kind).toEqual([]);
    expect(unsettledFailures(makeFacts('work'), { byWork: false })).toEqual(['a']);
    expect(unsettledFailures(makeFacts('gate'), { byWork: false })).toEqual([]);
    expect(unsettledFailures(makeFacts('call'), { byWork: false })).toEqual([]);
    expect(unsettledFailures(makeFacts('work'), { byWork: false, upTo: 2 })).toEqual([]);
  });
});

describe('A protocol that catches the error of a stop', () => {
  it('still ends the attempt as stopped', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const protocol = protocolOf(async (run) => {
      await run.ask('a', makeModelRequest('a'));
      await run.ask('b', makeModelRequest('b')).catch((error: unknown) => {
        if (!(error instanceof RunStopped)) throw error;
      });
      return { status: 'done' };
    });
    const session = sessionOf(journal, models, protocol);
    const attempt = beginSession(session);
    await models.waitForCalls(1);
    session.stop();
    expect(await attempt).toEqual({ status: 'stopped' });
  });
});
