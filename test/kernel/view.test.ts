/** Tests the fold that every display shares, with plain values. */
import { describe, expect, it } from 'vitest';
import { EMPTY_VIEW, foldRun, viewOf } from '../../src/kernel/view.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from './scripted-models.ts';

const usage = { input: 10, output: 5, cached: 4, cacheWritten: 3, thinking: 2 };
const ended = {
  attempt: '1',
  seat: 'critic',
  role: 'critic',
  model: 'test/m',
  text: 'No.',
  thinking: 'hm',
  usage,
  latencyMs: 1500,
  firstTokenMs: 500,
  attempts: 2,
  notes: ['waited'],
  rehearsal: false,
};
const started = fact('run.started', {
  protocol: 'board',
  question: 'Why?',
  seats: [makeSeat('critic')],
  config: { open: true },
  request: { kind: 'convene' },
  parent: 'p',
});
const makeCallStarted = (step: string, attempt = '1'): FactBody =>
  fact('step.started', { step, attempt, kind: 'call', seat: 'critic', model: 'test/m' });
const makeSynthesis = (version: number, text: string): FactBody =>
  fact('synthesis.completed', {
    version,
    model: 'test/m',
    text,
    included: ['critic'],
    excluded: [],
    labels: {},
    missing: [],
    rehearsal: false,
  });

function toTime(seq: number): string {
  return `2026-01-01T00:00:0${seq}.000Z`;
}

function makeLog(...bodies: FactBody[]): Fact[] {
  return bodies.map((body, index) => ({
    run: 'r',
    seq: index + 1,
    at: toTime(index + 1),
    ...body,
  }));
}

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

describe('The view of a run', () => {
  it("contains the run's question, seats and settings after its first fact", () => {
    expect(viewOf(makeLog(started))).toEqual({
      ...EMPTY_VIEW,
      id: 'r',
      protocol: 'board',
      question: 'Why?',
      seats: [makeSeat('critic')],
      config: { open: true },
      parent: 'p',
      status: 'running',
      startedAt: toTime(1),
      attemptAt: toTime(1),
      request: { kind: 'convene' },
      seq: 1,
    });
  });

  it('shows a call as running after its start, then as done, failed or stopped', () => {
    const running = viewOf(makeLog(started, makeCallStarted('a')));
    expect(running.calls.a).toMatchObject({ state: 'running', startedAt: toTime(2), text: '' });
    const done = viewOf(
      makeLog(started, makeCallStarted('a'), fact('call.completed', { step: 'a', ...ended })),
    );
    expect(done.calls.a).toMatchObject({
      state: 'done',
      startedAt: toTime(2),
      endedAt: toTime(3),
      text: 'No.',
      thinking: 'hm',
      usage,
      attempts: 2,
      notes: ['waited'],
    });
    const failure = { code: 'auth', message: 'wrong key', next: 'Set it.' };
    const lost = viewOf(
      makeLog(
        started,
        makeCallStarted('a'),
        fact('call.failed', { step: 'a', ...ended, ...failure }),
      ),
    );
    expect(lost.calls.a).toMatchObject({ state: 'failed', ...failure });
    const half = viewOf(
      makeLog(started, makeCallStarted('a'), fact('call.stopped', { step: 'a', ...ended })),
    );
    expect(half.calls.a).toMatchObject({ state: 'stopped', text: 'No.' });
  });

  it('shows the latest attempt at a call and the usage of all attempts', () => {
    const view = viewOf(
      makeLog(
        started,
        makeCallStarted('a', '1'),
        fact('call.failed', { step: 'a', ...ended, costUsd: 0.5, code: 'server', message: 'no' }),
        makeCallStarted('a', '2'),
        fact('call.completed', { step: 'a', ...ended, attempt: '2', text: 'Yes.' }),
        makeCallStarted('b'),
        fact('call.stopped', { step: 'b', ...ended, costUsd: 0.25, rehearsal: true }),
      ),
    );
    expect(Object.keys(view.calls)).toEqual(['a', 'b']);
    expect(view.calls.a).toMatchObject({ attempt: '2', state: 'done', text: 'Yes.' });
    expect(view.calls.a?.code).toBeUndefined();
    expect(view.usage).toEqual({
      input: 30,
      output: 15,
      cached: 12,
      cacheWritten: 9,
      thinking: 6,
    });
    expect(view.costUsd).toBe(0.75);
    expect(view.unpriced).toBe(1);
    expect(view.rehearsal).toBe(true);
  });

  it('shows no earlier result while a call is made again', () => {
    const view = viewOf(
      makeLog(
        started,
        makeCallStarted('a'),
        fact('call.stopped', { step: 'a', ...ended }),
        makeCallStarted('a', '2'),
      ),
    );
    expect(view.calls.a).toMatchObject({
      state: 'running',
      attempt: '2',
      text: '',
      startedAt: toTime(4),
    });
    expect(view.calls.a).not.toHaveProperty('endedAt');
  });

  it('marks the calls as lost that were running at a crash', () => {
    const view = viewOf(
      makeLog(
        started,
        makeCallStarted('a'),
        makeCallStarted('b'),
        fact('call.completed', { step: 'a', ...ended }),
        fact('run.resumed', { request: { kind: 'retry', seats: ['b'] } }),
      ),
    );
    expect(view.calls).toMatchObject({
      a: { state: 'done' },
      b: { state: 'lost', endedAt: toTime(5) },
    });
    expect(view).toMatchObject({
      status: 'running',
      startedAt: toTime(1),
      attemptAt: toTime(5),
      request: { kind: 'retry', seats: ['b'] },
    });
  });

  it('is ended after `run.ended`, and running again after `run.resumed`', () => {
    const over = makeLog(started, fact('run.ended', { status: 'stopped', reason: 'the budget' }));
    expect(viewOf(over)).toMatchObject({
      status: 'stopped',
      reason: 'the budget',
      endedAt: toTime(2),
    });
    const open = viewOf([
      ...over,
      ...makeLog(started, started, fact('run.resumed', { request: { kind: 'convene' } })).slice(2),
    ]);
    expect(open.status).toBe('running');
    expect(open.reason).toBeUndefined();
    expect(open).not.toHaveProperty('endedAt');
  });

  it('shows a question to the person only while the question is open', () => {
    const opened = fact('gate.opened', {
      step: 'g',
      prompt: 'Go on?',
      options: [{ value: 'y', label: 'Yes' }],
      default: 'y',
    });
    const gateAfter = (...more: FactBody[]): unknown =>
      viewOf(makeLog(started, opened, ...more)).gate;
    expect(gateAfter()).toEqual({
      step: 'g',
      prompt: 'Go on?',
      options: [{ value: 'y', label: 'Yes' }],
      default: 'y',
    });
    expect(gateAfter(fact('gate.answered', { step: 'g', answer: 'y', by: 'person' }))).toBe(
      undefined,
    );
    expect(gateAfter(fact('run.ended', { status: 'stopped' }))).toBe(undefined);
    expect(gateAfter(fact('run.resumed', { request: { kind: 'convene' } }))).toBe(undefined);
  });

  it('keeps the latest of several syntheses that have the same version number', () => {
    const view = viewOf(
      makeLog(started, makeSynthesis(1, 'a'), makeSynthesis(2, 'b'), makeSynthesis(2, 'c')),
    );
    expect(view.syntheses.map(({ version, text }) => [version, text])).toEqual([
      [1, 'a'],
      [2, 'c'],
    ]);
    expect(view.syntheses[0]).not.toHaveProperty('seq');
  });

  it('is a new object for each fact', () => {
    const facts = makeLog(
      started,
      makeCallStarted('a'),
      fact('call.failed', { step: 'a', ...ended, code: 'server', message: 'no' }),
      makeCallStarted('a', '2'),
      fact('call.completed', { step: 'a', ...ended, value: { x: [1] } }),
      fact('step.completed', { step: 'a', attempt: '2' }),
      makeSynthesis(1, 'text'),
      fact('gate.opened', { step: 'g', prompt: '?', options: [], default: '' }),
      fact('gate.answered', { step: 'g', answer: '', by: 'default' }),
    );
    const tail = [
      fact('run.ended', { status: 'done' }),
      fact('run.resumed', { request: { kind: 'convene' } }),
      fact('step.failed', { step: 'w', attempt: '1', message: 'no' }),
      makeCallStarted('b'),
      fact('run.ended', { status: 'failed' }),
    ].map((body, index): Fact => ({ run: 'r', seq: 10 + index, at: toTime(9), ...body }));
    let view = freezeDeep(EMPTY_VIEW);
    for (const fact of freezeDeep([...facts, ...tail])) {
      const before = JSON.stringify(view);
      const next = foldRun(view, fact);
      expect(JSON.stringify(view)).toBe(before);
      expect(next).not.toBe(view);
      expect(next.seq).toBe(fact.seq);
      view = freezeDeep(next);
    }
    expect(view).toEqual(viewOf([...facts, ...tail]));
    expect(view.calls.b?.state).toBe('lost');
  });

  it('accepts steps and claims with names such as `constructor`', () => {
    const names = ['constructor', '__proto__', 'toString'];
    const facts = names.flatMap((name) =>
      makeLog(
        fact('deadline.moved', { step: name, attempt: '1', deadline: toTime(1) }),
        fact('claim.edited', {
          round: 1,
          claim: name,
          from: 'round-1/A',
          was: 'a',
          text: 'b',
        } as never),
      ),
    );
    expect(viewOf(facts).calls).toEqual({});
    expect(roundsOf(facts).claims).toEqual({});
    const calls = viewOf(makeLog(...names.map((name) => makeCallStarted(name)))).calls;
    expect(Object.keys(calls)).toEqual(names);
  });
});
