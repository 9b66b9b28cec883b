/** Tests the kernel's rules, one after the other, on a real database. */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { LiveEvent } from '../../src/kernel/bus.ts';
import { callIdentity, type Reply } from '../../src/kernel/call.ts';
import { computeDigest } from '../../src/kernel/digest.ts';
import { failureLabel, RunStopped } from '../../src/kernel/errors.ts';
import type { Run } from '../../src/kernel/handle.ts';
import type { Chunk } from '../../src/kernel/journal.ts';
import { type ModelRequest, NO_USAGE } from '../../src/kernel/model.ts';
import { Session } from '../../src/kernel/session.ts';
import { type RunView, viewOf } from '../../src/kernel/view.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { type FactBody, fact, filterKnownFacts } from '../every-fact.ts';
import { makeRunStarted } from '../store/bodies.ts';
import { startScript } from '../store/child.ts';
import { temporaryFolder } from '../store/folder.ts';
import {
  beginSession,
  copyMethods,
  listFactsOfType,
  openAttempt,
  protocolOf,
  stopAtGate,
  temporaryStore,
  turnEventLoop,
  typesOf,
} from './desk.ts';
import {
  HeldModels,
  makeAnswer,
  makeFailure,
  makeModelRequest,
  makeSeat,
  makeStopped,
  ScriptedModels,
  streamUntilStopped,
  waitForAbort,
} from './scripted-models.ts';

function makeSynthesis(version: number): FactBody {
  return fact('synthesis.completed', {
    version,
    model: 'test/model-1',
    text: 'Do it.',
    included: [],
    excluded: [],
    labels: {},
    missing: [],
    rehearsal: false,
  });
}

describe('The facts of a step', () => {
  it('are recorded in one transaction', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    const before: string[] = [];
    await run.step('work', null, ({ emit }) => {
      emit(makeSynthesis(1));
      before.push(...typesOf(journal.facts()));
    });
    expect(before).toEqual([]);
    expect(typesOf(journal.facts())).toEqual([
      'step.started',
      'synthesis.completed',
      'step.completed',
    ]);
  });

  it('are not recorded if the transaction fails half-way', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    const attempt = run.step('work', null, ({ emit }) => {
      emit(makeSynthesis(1));
      // This fact fits no schema. When it is refused, the fact before it is already in the database table and
      // has to be removed again.
      emit(makeSynthesis(-1));
      return 'result';
    });
    await expect(attempt).rejects.toThrow();
    expect(typesOf(journal.facts())).toEqual([]);
    expect(journal.recall('work', computeDigest(null))).toEqual({ kind: 'absent' });
  });

  it('are not recorded if the step’s result cannot be written', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    const attempt = run.step('work', null, ({ emit }) => {
      emit(makeSynthesis(1));
      return 1n; // The step's result is a BigInt, which has no form in JSON.
    });
    await expect(attempt).rejects.toThrow(/BigInt/);
    expect(typesOf(journal.facts())).toEqual([]);
    expect(journal.recall('work', computeDigest(null))).toEqual({ kind: 'absent' });
  });

  it('are discarded if the step throws', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    const attempt = run.step('work', null, ({ emit }) => {
      emit(makeSynthesis(1));
      throw new Error('out of ideas');
    });
    await expect(attempt).rejects.toThrow('out of ideas');
    expect(typesOf(journal.facts())).toEqual(['step.started', 'step.failed']);
    expect(listFactsOfType(journal.facts(), 'step.failed')[0]?.message).toBe('out of ideas');
    await expect(openAttempt(journal).run.step('work', null, () => 'now')).resolves.toBe('now');
  });

  it('that the option `conclude` derives from a reply are recorded in one transaction with the call', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    await run.ask('ask', makeModelRequest('critic'), { conclude: () => [makeSynthesis(1)] });
    expect(typesOf(journal.facts())).toEqual([
      'step.started',
      'call.completed',
      'synthesis.completed',
      'step.completed',
    ]);
  });

  it('are not recorded again when a step is replayed', async () => {
    const journal = temporaryStore().create('test');
    const runProtocol = async (run: Run): Promise<unknown> => [
      await run.step('work', { a: 1 }, ({ emit }) => {
        emit(makeSynthesis(1));
        return { answer: 42 };
      }),
      await run.ask('ask', makeModelRequest('critic')),
      await run.gate('gate', GO),
    ];
    const answer = async () => ({ answer: 'yes', by: 'person' as const });
    const first = await runProtocol(openAttempt(journal, undefined, { answer }).run);
    const log = journal.facts();

    const models = new ScriptedModels();
    const { run, bus } = openAttempt(journal, models);
    const heard: AnyFact[] = [];
    bus.subscribe({ fact: (fact) => heard.push(fact) });
    const second = await runProtocol(run);
    expect(second).toEqual(first);
    expect(journal.facts()).toEqual(log);
    expect(heard).toEqual([]);
    expect(models.asked).toEqual([]);
  });
});

const GO = {
  prompt: 'Go on?',
  options: [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ],
  default: 'no',
};

describe('A step with a key and inputs', () => {
  it('returns its recorded result, or runs if nothing is recorded', async () => {
    const journal = temporaryStore().create('test');
    let ran = 0;
    const doWork = (): number => ++ran;
    await openAttempt(journal).run.step('a', { of: 'a' }, doWork);
    const { run } = openAttempt(journal);
    expect(await run.step('a', { of: 'a' }, doWork)).toBe(1);
    expect(await run.step('b', { of: 'b' }, doWork)).toBe(2);
    expect(ran).toBe(2);
  });

  it('is repeated if its inputs changed', async () => {
    const journal = temporaryStore().create('test');
    await openAttempt(journal).run.step('a', { of: 1 }, () => 'old');
    expect(await openAttempt(journal).run.step('a', { of: 2 }, () => 'new')).toBe('new');
    expect(listFactsOfType(journal.facts(), 'step.started').map(({ stale }) => stale)).toEqual([
      undefined,
      true,
    ]);
    expect(await openAttempt(journal).run.step('a', { of: 2 }, () => 'newer')).toBe('new');
  });

  it.each([
    ['the model', { seat: makeSeat('critic', { model: 'test/model-2' }) }],
    ['the brief', { seat: makeSeat('critic', { brief: 'Be kind.' }) }],
    ['the temperature', { seat: makeSeat('critic', { temperature: 0.3 }) }],
    ['the prompt', { messages: [{ role: 'user' as const, parts: [{ text: 'Why not?' }] }] }],
    ['the schema', { schema: z.object({ stance: z.string() }) }],
    ['the limit of tokens', { maxTokens: 100 }],
    ['the seed', { seed: 7 }],
  ])('is repeated if its input changed: %s', async (_what, change) => {
    const journal = temporaryStore().create('test');
    await openAttempt(journal).run.ask('ask', makeModelRequest('critic'));
    const models = new ScriptedModels();
    await openAttempt(journal, models).run.ask('ask', { ...makeModelRequest('critic'), ...change });
    expect(models.asked).toEqual(['critic']);
    expect(listFactsOfType(journal.facts(), 'step.started')[1]?.stale).toBe(true);
  });

  it('is not repeated for another task name or description', async () => {
    const journal = temporaryStore().create('test');
    const { task: _task, ...unnamed } = makeModelRequest('critic');
    // Record a request to a model without the field `task`, as older versions of the program made it.
    await openAttempt(journal).run.ask('ask', unnamed as ModelRequest);
    const models = new ScriptedModels();
    const about = { question: 'Why?', heard: [{ from: 'a', text: 'b' }], items: ['C-1-1'] };
    const named = { ...makeModelRequest('critic'), task: 'board/answer', about };
    expect(computeDigest(callIdentity(named))).toBe(
      computeDigest(callIdentity(unnamed as ModelRequest)),
    );
    await openAttempt(journal, models).run.ask('ask', named);
    expect(models.asked).toEqual([]);
  });

  it('records the task of its call, such as `board/answer`, but nothing of `about`, the field that only tests and the stand-in read', async () => {
    const journal = temporaryStore().create('test');
    const named = {
      ...makeModelRequest('critic'),
      task: 'board/answer',
      about: { question: 'PLUGH' },
    };
    await openAttempt(journal).run.ask('ask', named);
    expect(listFactsOfType(journal.facts(), 'step.started')).toMatchObject([
      { task: 'board/answer' },
    ]);
    expect(JSON.stringify(journal.facts())).not.toContain('PLUGH');
  });

  it('is not repeated for a new colour or title of the seat', async () => {
    const journal = temporaryStore().create('test');
    await openAttempt(journal).run.ask('ask', makeModelRequest('critic'));
    const models = new ScriptedModels();
    const dressed = makeSeat('critic', { title: 'The Critic', colour: '#ff0000' });
    await openAttempt(journal, models).run.ask('ask', makeModelRequest(dressed));
    expect(models.asked).toEqual([]);
  });

  it('is found again if only the order of its inputs’ keys changed', async () => {
    const journal = temporaryStore().create('test');
    await openAttempt(journal).run.step('a', { x: 1, y: { p: [1, 2], q: 2 } }, () => 'once');
    const again = await openAttempt(journal).run.step(
      'a',
      { y: { q: 2, p: [1, 2] }, x: 1 },
      () => 'no',
    );
    expect(again).toBe('once');
    const other = await openAttempt(journal).run.step(
      'a',
      { y: { q: 2, p: [2, 1] }, x: 1 },
      () => 'yes',
    );
    expect(other).toBe('yes');
  });

  it('is a different step if its key has another prefix, such as `round-1/` instead of `round-2/`', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    const names = ['round-1', 'round-2'].map((name) => run.scope(name).scope('artifact'));
    for (const [index, scope] of names.entries()) await scope.step('critic', null, () => index);
    expect(listFactsOfType(journal.facts(), 'step.completed').map(({ step }) => step)).toEqual([
      'round-1/artifact/critic',
      'round-2/artifact/critic',
    ]);
    expect(await openAttempt(journal).run.step('round-2/artifact/critic', null, () => -1)).toBe(1);
  });

  it('is rejected while another step with the same key is running', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const { run } = openAttempt(journal, models);
    const first = run.ask('ask', makeModelRequest('critic'));
    const second = run
      .ask('ask', makeModelRequest('critic'))
      .catch((error: Error) => error.message);
    expect(await second).toBe('step ask is already running');
    await models.waitForCalls(1);
    models.endCall('critic');
    expect((await first).status).toBe('done');
    // When the first call has ended, asking for the same step again returns the recorded answer.
    expect((await run.ask('ask', makeModelRequest('critic'))).status).toBe('done');
    expect(models.asked).toEqual(['critic']);
  });
});

describe('A fork of a run', () => {
  async function deliberate(run: Run, criticModel: string): Promise<string> {
    const [critic, friend] = await Promise.all([
      run.ask('seat/critic', makeModelRequest(makeSeat('critic', { model: criticModel }))),
      run.ask('seat/friend', makeModelRequest('friend'), { conclude: () => [makeSynthesis(1)] }),
    ]);
    const note = await run.step('note', { critic: critic.text }, () => critic.text.length);
    const end = await run.ask(
      'end',
      makeModelRequest('chair', `${critic.text} ${friend.text} ${note}`),
    );
    return end.text;
  }

  const byModel = (): ScriptedModels =>
    new ScriptedModels((asked) => makeAnswer(`${asked.seat.id} as ${asked.seat.model}`));

  it('repeats only changed steps and their dependents', async () => {
    const store = temporaryStore();
    const parent = store.create('test');
    await deliberate(openAttempt(parent, byModel()).run, 'test/model-1');
    const models = byModel();
    const fork = store.create('test', parent.run);
    await deliberate(openAttempt(fork, models).run, 'test/model-22');
    expect(models.asked).toEqual(['critic', 'chair']);
    expect(
      listFactsOfType(fork.facts(), 'step.completed').filter((fact) => fact.inherited),
    ).toMatchObject([{ step: 'seat/friend', inherited: parent.run }]);
  });

  it('copies every fact if nothing changed', async () => {
    const store = temporaryStore();
    const parent = store.create('test');
    const original = await deliberate(openAttempt(parent, byModel()).run, 'test/model-1');
    const models = byModel();
    const fork = store.create('test', parent.run);
    expect(await deliberate(openAttempt(fork, models).run, 'test/model-1')).toBe(original);
    expect(models.asked).toEqual([]);
    const listSpoken = (facts: readonly AnyFact[]): unknown[] =>
      facts
        .filter(({ type }) => type.startsWith('call.') || type === 'synthesis.completed')
        .map(({ run: _run, seq: _seq, at: _at, ...body }) => body)
        .sort((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)));
    const isInherited = (body: unknown): boolean =>
      (body as { inherited?: true }).inherited === true;
    const copies = listSpoken(fork.facts());
    expect(copies.filter(isInherited)).toHaveLength(3);
    expect(copies.map((copy) => ({ ...(copy as object), inherited: undefined }))).toEqual(
      listSpoken(parent.facts()),
    );
    expect(viewOf(fork.facts()).calls.end?.text).toBe(original);
    expect(fork.facts().every((fact) => fact.run === fork.run)).toBe(true);
  });

  it('leaves copied calls out of the sums of its view and budget', async () => {
    const store = temporaryStore();
    const makeCostlyModels = (): ScriptedModels =>
      new ScriptedModels(
        (asked) =>
          makeAnswer(`${asked.seat.id} as ${asked.seat.model}`, {
            usage: { ...NO_USAGE, input: 100, output: 10 },
          }),
        () => 0.5,
      );
    const parent = store.create('test');
    parent.note([makeRunStarted('Why?')]);
    await deliberate(openAttempt(parent, makeCostlyModels()).run, 'test/model-1');
    const fork = store.create('test', parent.run);
    fork.note([makeRunStarted('Why?')]);
    await deliberate(openAttempt(fork, makeCostlyModels()).run, 'test/model-22');
    // The fork has copied the friend's answer, and asked the critic and the chair.
    expect(viewOf(parent.facts()).usage).toMatchObject({ input: 300, output: 30 });
    const view = viewOf(fork.facts());
    expect(view.usage).toMatchObject({ input: 200, output: 20 });
    expect(view.costUsd).toBe(1);
    expect(view.calls['seat/friend']).toMatchObject({ inherited: true, usage: { input: 100 } });
    expect(view.calls['seat/critic']?.inherited).toBeUndefined();
    expect(store.summary(parent.run)).toMatchObject({ tokensIn: 300, tokensOut: 30 });
    expect(store.summary(fork.run)).toMatchObject({
      tokensIn: 200,
      tokensOut: 20,
      costUsd: 1,
    });
    // In a later attempt, the budget counts only what the fork itself used: 220 tokens. With the call that was
    // copied from the parent, it would count 330.
    const session = new Session({
      journal: fork,
      models: makeCostlyModels(),
      protocol: protocolOf(async (run) => {
        await run.ask('more', makeModelRequest('more'));
        return { status: 'done' };
      }),
      limits: { tokens: 220 + 1_050 },
      answer: stopAtGate,
    });
    expect(await session.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(session.live).toBe(false);
  });

  it('stays complete when its parent is deleted', async () => {
    const store = temporaryStore();
    const parent = store.create('test');
    const original = await deliberate(openAttempt(parent, byModel()).run, 'test/model-1');
    const fork = store.create('test', parent.run);
    await deliberate(openAttempt(fork, byModel()).run, 'test/model-1');
    const log = fork.facts();
    parent.release();
    store.remove(parent.run);
    expect(fork.facts()).toEqual(log);
    const models = byModel();
    expect(await deliberate(openAttempt(fork, models).run, 'test/model-1')).toBe(original);
    expect(models.asked).toEqual([]);
    expect(fork.facts()).toEqual(log);
  });

  it('repeats a call on a person’s request, although the parent has the answer', async () => {
    const store = temporaryStore();
    const parent = store.create('test');
    await openAttempt(parent).run.ask('ask', makeModelRequest('critic'));
    const fork = store.create('test', parent.run);
    const models = new ScriptedModels(() => makeAnswer('on second thoughts'));
    const { run } = openAttempt(fork, models);
    const reply = await run.ask('ask', makeModelRequest('critic'), { again: true });
    expect(reply.text).toBe('on second thoughts');
    expect((await openAttempt(fork).run.ask('ask', makeModelRequest('critic'))).text).toBe(
      'on second thoughts',
    );
  });

  it('does not copy a step that the caller excluded', async () => {
    const store = temporaryStore();
    const parent = store.create('test');
    await openAttempt(parent).run.step('work', null, () => 'of the parent');
    const fork = store.create('test', parent.run);
    expect(await openAttempt(fork).run.step('work', null, () => 'no')).toBe('of the parent');
    fork.forget('work');
    expect(fork.recall('work', computeDigest(null))).toEqual({ kind: 'absent' });
    expect(await openAttempt(fork).run.step('work', null, () => 'of the fork')).toBe('of the fork');
    expect(parent.recall('work', computeDigest(null)).kind).toBe('recorded');
  });
});

describe("A provider's failure", () => {
  it('is returned to the protocol as a value, recorded and replayed', async () => {
    const journal = temporaryStore().create('test');
    const refusal = makeFailure('auth', 'the key is wrong', 'Set ANTHROPIC_API_KEY.');
    const reply = await openAttempt(journal, new ScriptedModels(() => refusal)).run.ask(
      'ask',
      makeModelRequest('critic'),
    );
    expect(reply).toEqual(refusal);
    expect(listFactsOfType(journal.facts(), 'call.failed')).toMatchObject([
      { code: 'auth', message: 'the key is wrong', next: 'Set ANTHROPIC_API_KEY.' },
    ]);
    const models = new ScriptedModels();
    expect(await openAttempt(journal, models).run.ask('ask', makeModelRequest('critic'))).toEqual(
      refusal,
    );
    expect(models.asked).toEqual([]);
  });

  it('has the code `internal` if a model throws an exception', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels((asked) => {
      if (asked.seat.id === 'broken') throw new TypeError('undefined is not a function');
      return makeAnswer('fine');
    });
    const { run } = openAttempt(journal, models);
    const replies = await Promise.all([
      run.ask('a', makeModelRequest('broken')),
      run.ask('b', makeModelRequest('critic')),
    ]);
    expect(replies).toMatchObject([
      {
        status: 'failed',
        code: 'internal',
        message: 'internal error: undefined is not a function',
      },
      { status: 'done', text: 'fine' },
    ]);
    expect(typesOf(journal.facts())).toContain('call.failed');
  });
});

describe('The start of a call', () => {
  it('is recorded before the model is asked', async () => {
    const journal = temporaryStore().create('test');
    const seen: string[][] = [];
    const models = new ScriptedModels(() => {
      seen.push(typesOf(journal.facts()));
      return makeAnswer('yes');
    });
    await openAttempt(journal, models).run.ask('ask', makeModelRequest('critic'));
    expect(seen).toEqual([['step.started']]);
    expect(listFactsOfType(journal.facts(), 'step.started')).toMatchObject([
      { step: 'ask', kind: 'call', seat: 'critic', model: 'test/model-1' },
    ]);
  });

  it('must be recorded: otherwise the model is not asked', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels();
    const { run } = openAttempt(
      {
        ...copyMethods(journal),
        note: () => {
          throw new Error('the disk is full');
        },
      },
      models,
    );
    await expect(run.ask('ask', makeModelRequest('critic'))).rejects.toThrow('the disk is full');
    expect(models.asked).toEqual([]);
  });

  it('is known after kill -9, so that the call counts as interrupted', async () => {
    const file = `${temporaryFolder()}/test.db`;
    const child = startScript(import.meta.url, './interrupted-session.ts', [file]);
    const { run } = await child.readLine<{ run: string }>();

    const store = Store.open(file, FACTS);
    onTestFinished(() => store.close());
    let chunks: Chunk[] = [];
    while (chunks.length === 0) {
      chunks = store.chunks(run);
      await sleep(20);
    }
    await child.kill();
    expect(chunks).toMatchObject([{ step: 'slow', text: 'half a thought' }]);

    const log = store.facts(run);
    const ended = new Set(
      log.flatMap((fact) => (fact.type.startsWith('call.') && 'step' in fact ? [fact.step] : [])),
    );
    const started = listFactsOfType(log, 'step.started').map(({ step }) => step);
    expect(started.filter((step) => !ended.has(step))).toEqual(['slow']);
    expect(viewOf(log).calls.slow?.state).toBe('running');

    const models = new ScriptedModels(() => makeAnswer('the whole thought'));
    let past: RunView | undefined;
    const session = new Session({
      journal: store.own(run),
      models,
      answer: stopAtGate,
      protocol: protocolOf(async (live, table) => {
        past = table.past;
        await live.ask('quick', makeModelRequest('quick'));
        await live.ask('slow', makeModelRequest('slow'));
        return { status: 'done' };
      }),
    });
    expect(await session.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(past?.calls.slow?.state).toBe('lost');
    expect(past?.calls.quick?.state).toBe('done');
    expect(models.asked).toEqual(['slow']);
    const view = viewOf(store.facts(run));
    expect(view.calls.slow).toMatchObject({ state: 'done', text: 'the whole thought' });
    expect(view.calls.quick?.text).toBe('recorded by the first process');
    expect(store.chunks(run)).toEqual([]);
  });
});

describe('Pieces of text of a running call', () => {
  function makeChatterbox(words: number): ScriptedModels {
    return new ScriptedModels((_asked, { onEvent }) => {
      onEvent({ type: 'sent', attempt: 1 });
      for (let index = 0; index < words; index++) {
        onEvent({ type: 'thinking', text: 'hm ' });
        onEvent({ type: 'text', text: `${index} ` });
      }
      return makeAnswer('all of it');
    });
  }

  it('are not recorded as facts, however many there are', async () => {
    const store = temporaryStore();
    const [quiet, loud] = [store.create('test'), store.create('test')];
    await openAttempt(quiet, makeChatterbox(0)).run.ask('ask', makeModelRequest('critic'));
    await openAttempt(loud, makeChatterbox(1000)).run.ask('ask', makeModelRequest('critic'));
    expect(typesOf(loud.facts())).toEqual(['step.started', 'call.completed', 'step.completed']);
    expect(typesOf(loud.facts())).toEqual(typesOf(quiet.facts()));
  });

  it('reach listeners merged into larger pieces, and before the fact that ends the call', async () => {
    const { run, bus } = openAttempt(temporaryStore().create('test'), makeChatterbox(1000));
    const heard: string[] = [];
    const text: string[] = [];
    bus.subscribe({
      fact: ({ type }) => heard.push(type),
      live: (news) => {
        heard.push(news.type);
        if (news.type === 'text') text.push(news.text);
      },
    });
    await run.ask('ask', makeModelRequest('critic'));
    expect(text.join('')).toBe(Array.from({ length: 1000 }, (_, index) => `${index} `).join(''));
    expect(text.length).toBeLessThan(10);
    const end = heard.indexOf('call.completed');
    expect(heard.slice(0, end)).toEqual(['step.started', 'sent', 'thinking', 'text']);
    expect(heard.slice(end)).toEqual(['call.completed', 'step.completed']);
  });

  it('are delivered while their call is still running', async () => {
    const models = new ScriptedModels((_asked, context) => streamUntilStopped(context, 'well'));
    const { live, run, bus } = openAttempt(temporaryStore().create('test'), models);
    const news = new Promise<LiveEvent>((resolve) => {
      bus.subscribe({ live: (event) => event.type === 'text' && resolve(event) });
    });
    const asking = run.ask('ask', makeModelRequest('critic'));
    expect(await news).toMatchObject({ type: 'text', text: 'well', step: 'ask', seat: 'critic' });
    live.stop();
    await asking;
  });

  it('are recorded as partial text if the call is stopped', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels((_asked, context) =>
      streamUntilStopped(context, 'half a sent'),
    );
    const { live, run } = openAttempt(journal, models);
    const asking = run.ask('ask', makeModelRequest('critic'), {
      conclude: () => [makeSynthesis(1)],
    });
    await sleep(1);
    live.stop();
    expect(await asking).toMatchObject({ status: 'stopped', text: 'half a sent' });
    expect(typesOf(journal.facts())).toEqual(['step.started', 'call.stopped']);
    expect(listFactsOfType(journal.facts(), 'call.stopped')[0]?.text).toBe('half a sent');
    const next = new ScriptedModels();
    expect(
      (await openAttempt(journal, next).run.ask('ask', makeModelRequest('critic'))).status,
    ).toBe('done');
    expect(next.asked).toEqual(['critic']);
  });

  it('are not delivered after the fact that ended their call', async () => {
    let speakLate: () => void = () => undefined;
    const models = new ScriptedModels((_asked, { onEvent }) => {
      speakLate = () => onEvent({ type: 'text', text: 'and another thing' });
      return makeAnswer('done');
    });
    const { run, bus } = openAttempt(temporaryStore().create('test'), models);
    const heard: LiveEvent[] = [];
    bus.subscribe({ live: (news) => heard.push(news) });
    await run.ask('ask', makeModelRequest('critic'));
    speakLate();
    bus.flush();
    expect(heard).toEqual([]);
  });

  it('are not delivered to a listener that has unsubscribed', async () => {
    const { run, bus } = openAttempt(temporaryStore().create('test'), makeChatterbox(3));
    const heard: unknown[] = [];
    const leave = bus.subscribe({
      fact: (fact) => heard.push(fact),
      live: (event) => heard.push(event),
    });
    leave();
    await run.ask('ask', makeModelRequest('critic'));
    expect(heard).toEqual([]);
  });
});

describe('Stopping a run', () => {
  it('stops every running call, and begins no further step', async () => {
    const journal = temporaryStore().create('test');
    const models = new HeldModels();
    const session = new Session({
      journal,
      models,
      answer: stopAtGate,
      protocol: protocolOf(async (run) => {
        await Promise.all(
          ['a', 'b', 'c'].map(async (seat) => {
            const reply = await run.ask(seat, makeModelRequest(seat));
            if (reply.status === 'stopped') await run.ask(`${seat}/more`, makeModelRequest(seat));
          }),
        );
        return { status: 'done' };
      }),
    });
    const attempt = beginSession(session);
    await models.waitForCalls(3);
    models.endCall('b');
    await sleep(1);
    session.stop();
    expect(await attempt).toEqual({ status: 'stopped' });
    const log = journal.facts();
    expect(typesOf(log).slice(-3)).toEqual(['call.stopped', 'call.stopped', 'run.ended']);
    expect(listFactsOfType(log, 'call.stopped')).toMatchObject([
      { step: 'a', text: 'half of a' },
      { step: 'c', text: 'half of c' },
    ]);
    expect(models.asked).toEqual(['a', 'b', 'c']);
    expect(log.at(-1)).toMatchObject({ type: 'run.ended', status: 'stopped' });
  });

  it('prevents a call that was requested just before the stop', async () => {
    const journal = temporaryStore().create('test');
    const models = new ScriptedModels();
    const { live, run } = openAttempt(journal, models);
    const asking = run.ask('ask', makeModelRequest('critic'));
    live.stop();
    await expect(asking).rejects.toBeInstanceOf(RunStopped);
    expect(models.asked).toEqual([]);
    expect(journal.facts()).toEqual([]);
  });

  it('still allows recorded steps to be replayed', async () => {
    const journal = temporaryStore().create('test');
    await openAttempt(journal).run.step('known', null, () => 1);
    const { live, run } = openAttempt(journal);
    live.stop();
    expect(await run.step('known', null, () => 2)).toBe(1);
    await expect(run.step('unknown', null, () => 2)).rejects.toBeInstanceOf(RunStopped);
    await expect(run.gate('gate', GO)).rejects.toBeInstanceOf(RunStopped);
  });

  it('ends an aborted step with the error `RunStopped`, not with the error of the step', async () => {
    const journal = temporaryStore().create('test');
    const { live, run } = openAttempt(journal);
    const working = run.step('work', null, ({ signal }) => sleep(60_000, undefined, { signal }));
    await sleep(1);
    live.stop();
    await expect(working).rejects.toBeInstanceOf(RunStopped);
    expect(typesOf(journal.facts())).toEqual(['step.started', 'step.failed']);
  });

  it('leaves other calls running if only one seat is stopped', async () => {
    const models = new HeldModels();
    const { live, run } = openAttempt(temporaryStore().create('test'), models);
    const asking = Promise.all(['a', 'b'].map((seat) => run.ask(seat, makeModelRequest(seat))));
    await models.waitForCalls(2);
    expect(live.stopSeat('a')).toBe(true);
    expect(live.stopSeat('nobody')).toBe(false);
    await sleep(1);
    models.endCall('b');
    expect((await asking).map(({ status }) => status)).toEqual(['stopped', 'done']);
    expect(live.stopSeat('b')).toBe(false);
    expect(live.stopped).toBeUndefined();
  });
});

describe('A retry that a person requests', () => {
  it('repeats the call, and the new answer replaces the old one', async () => {
    const journal = temporaryStore().create('test');
    let tries = 0;
    const models = new ScriptedModels(() =>
      tries++ === 0 ? makeFailure('timeout', 'silence') : makeAnswer('here I am'),
    );
    const { live, run } = openAttempt(journal, models);
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const first = await run.ask('ask', makeModelRequest('critic'));
    expect(first.status).toBe('failed');
    expect(live.retrySeat('critic')).toBe(false);
    const wanted = run.again('critic', closed);
    expect(live.retrySeat('critic')).toBe(true);
    expect(await wanted).toEqual({});
    expect(live.retrySeat('critic')).toBe(false);
    const second = await run.ask('ask', makeModelRequest('critic'), { again: true });
    expect(second).toMatchObject({ status: 'done', text: 'here I am' });
    expect(viewOf(journal.facts()).calls.ask).toMatchObject({ state: 'done' });
    const replayed = await openAttempt(journal).run.ask('ask', makeModelRequest('critic'));
    expect(replayed.text).toBe('here I am');
    close();
  });

  it('is refused once the protocol no longer waits for such requests', async () => {
    const { live, run } = openAttempt(temporaryStore().create('test'));
    expect(await run.again('critic', Promise.resolve())).toBe(false);
    expect(await run.again('critic', Promise.reject(new Error('storm')))).toBe(false);
    live.stop();
    expect(await run.again('critic', new Promise(() => undefined))).toBe(false);
  });
});

describe('A call with a time limit', () => {
  it('does not count the time that it waits in a queue', async () => {
    const journal = temporaryStore().create('test');
    let send: () => void = () => undefined;
    const models = new ScriptedModels(async (_asked, context) => {
      context.onEvent({ type: 'queued', behind: 'another one' });
      await new Promise<void>((resolve) => {
        send = resolve;
      });
      return streamUntilStopped(context, 'half');
    });
    const { run } = openAttempt(journal, models);
    const reply = run.ask('ask', makeModelRequest('critic'), { timeoutMs: 60 });
    // Wait for longer than the call's time limit, which does not run while the call is queued.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(typesOf(journal.facts())).toEqual(['step.started']);
    send();
    expect(await reply).toMatchObject({ status: 'failed', code: 'timeout', text: 'half' });
    const [started, moved] = filterKnownFacts(journal.facts());
    if (started?.type !== 'step.started' || moved?.type !== 'deadline.moved') expect.fail();
    expect(Date.parse(moved.deadline)).toBeGreaterThan(Date.parse(started.deadline ?? ''));
    const { calls } = viewOf(journal.facts().slice(0, 2));
    expect(calls.ask).toMatchObject({ state: 'running', deadline: moved.deadline });
  });

  it('is done or stopped, not timed out, if the reply or a stop comes before the limit', async () => {
    const journal = temporaryStore().create('test');
    const { run, live } = openAttempt(
      journal,
      new ScriptedModels(({ seat }, context) =>
        seat.id === 'critic' ? makeAnswer('in time') : streamUntilStopped(context, 'half'),
      ),
    );
    expect(await run.ask('a', makeModelRequest('critic'), { timeoutMs: 60_000 })).toMatchObject({
      status: 'done',
    });
    const reply = run.ask('b', makeModelRequest('analyst'), { timeoutMs: 60_000 });
    await turnEventLoop();
    live.stop();
    expect(await reply).toMatchObject({ status: 'stopped' });
  });

  it('can be stopped while the run continues', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(
      journal,
      new ScriptedModels((_asked, context) => streamUntilStopped(context, 'half')),
    );
    const stop = new AbortController();
    const limits = { signal: stop.signal, timeoutMs: 60_000 };
    const reply = run.ask('a', makeModelRequest('critic'), limits);
    stop.abort();
    expect(await reply).toMatchObject({ status: 'stopped', text: 'half' });
    expect(run.signal.aborted).toBe(false);
  });
});

describe('A recorded wait', () => {
  const makePatienceBegan = (until: string) =>
    fact('patience.began', { question: 1, answered: [], waitingFor: [], until });

  it('ends after its time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal);
    let isOver = false;
    const over = run
      .wait('wait', 60, makePatienceBegan, new Promise(() => undefined))
      .finally(() => {
        isOver = true;
      });
    await expect.poll(() => typesOf(journal.facts())).toContain('patience.began');
    const [began] = listFactsOfType(journal.facts(), 'patience.began');
    expect(Date.parse(began?.until ?? '')).toBe(1_000_060);
    await vi.advanceTimersByTimeAsync(59);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await over).toBe(true);
  });

  it('ends early if the awaited event comes or fails, or if the run is stopped', async () => {
    const { run, live } = openAttempt(temporaryStore().create('test'));
    expect(await run.wait('a', 600_000, makePatienceBegan, Promise.resolve())).toBe(false);
    expect(
      await run.wait('b', 600_000, makePatienceBegan, Promise.reject(new Error('storm'))),
    ).toBe(false);
    const waiting = run.wait('c', 600_000, makePatienceBegan, new Promise(() => undefined));
    await turnEventLoop();
    live.stop();
    expect(await waiting).toBe(false);
  });

  it('has the same result in a replay, where no new facts are recorded', async () => {
    const journal = temporaryStore().create('test');
    const never = new Promise(() => undefined);
    await openAttempt(journal).run.wait('wait', 30, makePatienceBegan, never);
    const recorded = journal.facts().length;
    expect(await openAttempt(journal).run.wait('wait', 30, makePatienceBegan, never)).toBe(true);
    expect(journal.facts()).toHaveLength(recorded);
  });
});

describe('A recorded question to a person', () => {
  it('is asked only once, even if its wording changes later', async () => {
    const journal = temporaryStore().create('test');
    let asked = 0;
    const answer = async () => {
      asked++;
      return { answer: 'yes', by: 'person' as const };
    };
    expect(await openAttempt(journal, undefined, { answer }).run.gate('go', GO)).toBe('yes');
    const { run } = openAttempt(journal, undefined, { answer });
    expect(await run.gate('go', { ...GO, prompt: 'Go on? It costs $2 by now.' })).toBe('yes');
    expect(asked).toBe(1);
    expect(typesOf(journal.facts())).toEqual([
      'step.started',
      'gate.opened',
      'gate.answered',
      'step.completed',
    ]);
    expect(listFactsOfType(journal.facts(), 'gate.answered')).toMatchObject([
      { step: 'go', answer: 'yes', by: 'person' },
    ]);
  });

  it('is asked again if its options change', async () => {
    const journal = temporaryStore().create('test');
    const answer = async () => ({ answer: 'yes', by: 'default' as const });
    await openAttempt(journal, undefined, { answer }).run.gate('go', GO);
    const { run } = openAttempt(journal, undefined, {
      answer: async () => ({ answer: 'later', by: 'person' as const }),
    });
    const options = [...GO.options, { value: 'later', label: 'Later' }];
    expect(await run.gate('go', { ...GO, options })).toBe('later');
  });

  it('is copied with its answer by a fork only if its wording is the same; otherwise the fork asks the person', async () => {
    const store = temporaryStore();
    const first = store.create('test');
    const answer = async () => ({ answer: 'yes', by: 'person' as const });
    const argv = { ...GO, prompt: 'Run ls?' };
    await openAttempt(first, undefined, { answer }).run.gate('go', argv);
    const fork = store.create('test', first.run);
    expect(await openAttempt(fork).run.decide('go', argv)).toEqual({
      answer: 'yes',
      by: 'person',
    });
    expect(listFactsOfType(fork.facts(), 'gate.opened')).toMatchObject([
      { step: 'go', prompt: 'Run ls?' },
    ]);
    const forkOfFork = store.create('test', fork.run);
    expect(await openAttempt(forkOfFork).run.gate('go', argv)).toBe('yes');
    const other = store.create('test', fork.run);
    const answerNo = async () => ({ answer: 'no', by: 'person' as const });
    const { run } = openAttempt(other, undefined, { answer: answerNo });
    expect(await run.gate('go', { ...GO, prompt: 'Run rm -rf /?' })).toBe('no');
    expect(await openAttempt(other).run.gate('go', { ...GO, prompt: 'Run it?' })).toBe('no');
  });

  it('is asked again in an imported run, although it was answered before the export', async () => {
    const there = temporaryStore();
    const journal = there.create('test');
    journal.note([makeRunStarted('Why?')]);
    const answerYes = async () => ({ answer: 'yes', by: 'person' as const });
    await openAttempt(journal, undefined, { answer: answerYes }).run.gate('go', GO);
    await openAttempt(journal).run.ask('ask', makeModelRequest('critic'));
    const archive = there.archive(journal.run, 'test');
    const here = temporaryStore();
    expect(here.restore(archive, { isForeign: true })).toBe(true);
    const fork = here.create('test', journal.run);
    await expect(openAttempt(fork).run.gate('go', GO)).rejects.toThrow('there is nobody to answer');
    const models = new ScriptedModels();
    const imported = here.own(journal.run);
    await expect(openAttempt(imported).run.gate('go', GO)).rejects.toThrow(
      'there is nobody to answer',
    );
    const answerNo = async () => ({ answer: 'no', by: 'person' as const });
    expect(await openAttempt(imported, models, { answer: answerNo }).run.gate('go', GO)).toBe('no');
    // Later attempts use the answer that was given after the import, and repeat no call that was paid for
    // before the export.
    expect(await openAttempt(imported).run.gate('go', GO)).toBe('no');
    await openAttempt(imported, models).run.ask('ask', makeModelRequest('critic'));
    expect(models.asked).toEqual([]);
    expect(there.restore(archive, { isForeign: true })).toBe(false);
  });

  it('is still open in a later attempt if the run was stopped before an answer', async () => {
    const journal = temporaryStore().create('test');
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const protocol = protocolOf(async (run) => {
      const answer = await run.gate('go', GO);
      return { status: answer === 'yes' ? 'done' : 'failed' };
    });
    const session = new Session({
      journal,
      models: new ScriptedModels(),
      protocol,
      answer: async (_step, _question, signal) => {
        open();
        await waitForAbort(signal);
        throw signal.reason;
      },
    });
    const attempt = beginSession(session);
    await opened;
    expect(viewOf(journal.facts()).gate?.prompt).toBe('Go on?');
    session.stop();
    expect(await attempt).toEqual({ status: 'stopped' });
    expect(typesOf(journal.facts())).not.toContain('gate.answered');
    expect(viewOf(journal.facts()).gate).toBeUndefined();

    const next = new Session({
      journal,
      models: new ScriptedModels(),
      protocol,
      answer: async () => ({ answer: 'yes', by: 'person' }),
    });
    expect(await next.resume({ kind: 'convene' })).toEqual({ status: 'done' });
  });

  it('stops the run with a reason if nobody can answer', async () => {
    const journal = temporaryStore().create('test');
    const session = new Session({
      journal,
      models: new ScriptedModels(),
      answer: stopAtGate,
      protocol: protocolOf(async (run) => {
        await run.gate('go', GO);
        return { status: 'done' };
      }),
    });
    const reason = 'there is nobody to answer';
    expect(await beginSession(session)).toEqual({ status: 'stopped', reason });
    expect(journal.facts().at(-1)).toMatchObject({ type: 'run.ended', status: 'stopped', reason });
  });
});

describe('A stopped call', () => {
  it('has another state in the view of the run than a failed call', async () => {
    const journal = temporaryStore().create('test');
    const replies: Record<string, Reply> = {
      a: makeAnswer('yes', { value: { stance: 'for' } }),
      b: makeFailure('empty', 'no text'),
      c: makeStopped('I th'),
    };
    const models = new ScriptedModels((asked) => replies[asked.seat.id] ?? makeAnswer('?'));
    const { run } = openAttempt(journal, models);
    for (const seat of ['a', 'b', 'c']) await run.ask(seat, makeModelRequest(seat));
    const { calls } = viewOf(journal.facts());
    expect(Object.values(calls).map(({ state }) => state)).toEqual(['done', 'failed', 'stopped']);
    expect(await openAttempt(journal).run.ask('a', makeModelRequest('a'))).toEqual(replies.a);
  });
});

it('failureLabel returns undefined for an unknown code such as "constructor"', () => {
  expect(failureLabel('timeout')).toBe('timed out');
  for (const code of ['constructor', 'toString', '__proto__', '', undefined, 'new-one'])
    expect(failureLabel(code), String(code)).toBeUndefined();
});
