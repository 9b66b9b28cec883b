/** Progress as lines, by plain values. */
import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../../src/kernel/model.ts';
import { findAhead } from '../../src/kernel/providers/waiting.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { COMMON_TEXT, type ProtocolText } from '../../src/plain/protocol-text.ts';
import { type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makeCompletedCall, makeSynthesisFact } from '../store/bodies.ts';
import { agents, board, rounds } from './texts.ts';

class Written {
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

/** Returns what is printed about a run of that protocol. */
function printRun(text: ProtocolText, ...bodies: FactBody[]): { out: string; err: string } {
  const [out, err] = [new Written(), new Written()];
  const lines = new PlainLines(out, err, text);
  const opening = fact('run.started', {
    protocol: 'any',
    question: 'Why?',
    seats: [makeSeat('critic')],
    config: {},
    request: { kind: 'convene' },
  });
  for (const [index, body] of [opening, ...bodies].entries())
    lines.fact({ ...body, run: 'r', seq: index + 1, at: '2026-01-01T00:00:00.000Z' });
  return { out: out.text, err: err.text };
}

const makeStart = (step: string, seatId: string): FactBody =>
  fact('step.started', { step, attempt: '1', kind: 'call', seat: seatId, model: 'test/m' });

it('results that were recorded before the display began are printed, but no progress messages for them', () => {
  const [out, err] = [new Written(), new Written()];
  const lines = new PlainLines(out, err, board);
  const opening = fact('run.started', {
    protocol: 'board',
    question: 'Why?',
    seats: [makeSeat('critic')],
    config: {},
    request: { kind: 'convene' },
  });
  const facts = [
    opening,
    makeStart('ask/1/critic', 'critic'),
    makeCompletedCall({ step: 'ask/1/critic', seat: 'critic', text: 'Because.' }),
  ];
  lines.known(
    facts.map((body, index) => ({
      ...body,
      run: 'r',
      seq: index + 1,
      at: '2026-01-01T00:00:00.000Z',
    })),
  );
  expect(out.text).toContain('Because.');
  expect(err.text).toBe('1 answer on record already\n');
  lines.fact({
    ...makeStart('synthesis/2', 'critic'),
    run: 'r',
    seq: 9,
    at: '2026-01-01T00:00:00.000Z',
  });
  expect(err.text).toContain('critic is asked');
});

it.each([
  [0, 'critic: no JSON; trying again\n'],
  [2000, 'critic: no JSON; trying again in 2.0s\n'],
])('the message about a retry after %i ms names the wait, if there is one', (delayMs, said) => {
  const err = new Written();
  const listener = new PlainLines(new Written(), err, COMMON_TEXT);
  listener.live({
    type: 'retrying',
    step: 'agreement/1',
    call: 'c',
    seat: 'critic',
    attempt: 1,
    reason: 'no JSON',
    delayMs,
  });
  expect(err.text).toBe(said);
});

describe('the message about a call that waits at its server', () => {
  /**
   * Begins a call of the critic and one of the analyst, and returns the printed lines about waiting. After
   * `seconds`, the critic and the seats in `others` begin to answer; the analyst begins two seconds later.
   */
  const printWaiting = (analystModel: string, seconds: number, ...others: string[]): string => {
    const err = new Written();
    let now = 0;
    const lines = new PlainLines(
      new Written(),
      err,
      COMMON_TEXT,
      () => undefined,
      () => now,
    );
    const seats = ['critic', 'analyst', 'third'];
    const bodies = seats.map((seatId) =>
      fact('step.started', {
        step: `seat/${seatId}`,
        attempt: '1',
        kind: 'call',
        seat: seatId,
        model: seatId === 'critic' ? 'openai/m' : seatId === 'third' ? 'openai/m' : analystModel,
      }),
    );
    const sendNews = (seatId: string, event: CallEvent) =>
      lines.live({ ...event, step: `seat/${seatId}`, call: '1', seat: seatId });
    for (const [index, body] of bodies.entries())
      lines.fact({ ...body, run: 'r', seq: index + 1, at: '2026-01-01T00:00:00.000Z' });
    for (const seatId of ['critic', 'analyst']) sendNews(seatId, { type: 'sent', attempt: 1 });
    now = seconds * 1000;
    for (const seatId of ['critic', ...others, 'critic'])
      sendNews(seatId, { type: 'text', text: 'a' });
    now += 2_000;
    sendNews('analyst', { type: 'text', text: 'b' });
    const end = makeCompletedCall({ step: 'seat/analyst', seat: 'analyst', latencyMs: 9_000 });
    lines.fact({ ...end, run: 'r', seq: 9, at: '2026-01-01T00:00:09.000Z' });
    return err.text
      .split('\n')
      .filter((row) => row.includes('waiting'))
      .join('\n');
  };

  it('names the seat whose call the model is answering', () => {
    expect(printWaiting('openai/m', 5)).toBe(
      'analyst is waiting: the same model is answering critic\n' +
        'analyst has answered (2.0s after waiting 7.0s, price unknown)',
    );
  });

  it('says of a seat with two calls that its second one is waiting while the model answers the first', () => {
    const err = new Written();
    let now = 0;
    const out = new Written();
    const lines = new PlainLines(
      out,
      err,
      COMMON_TEXT,
      () => undefined,
      () => now,
    );
    for (const [index, step] of ['first', 'second'].entries()) {
      const body = fact('step.started', {
        step,
        attempt: '1',
        kind: 'call',
        seat: 'chair',
        model: 'openai/m',
      });
      lines.fact({ ...body, run: 'r', seq: index + 1, at: '2026-01-01T00:00:00.000Z' });
      lines.live({ type: 'sent', attempt: 1, step, call: '1', seat: 'chair' });
    }
    now = 5_000;
    lines.live({ type: 'text', text: 'a', step: 'first', call: '1', seat: 'chair' });
    expect(err.text).toContain(
      'chair has another question waiting: the model is answering the one before\n',
    );
  });

  it.each([
    ['before the call has waited for some seconds', 'openai/m', 1, []],
    ['if the call is to another model', 'openai/other', 5, []],
    ['if the call is to the same model at another server', 'ollama/m', 5, []],
    ['if the call’s own answer has begun', 'openai/m', 1, ['analyst']],
  ] as const)('is not printed %s', (_when, model, seconds, others) => {
    expect(printWaiting(model, seconds, ...others)).toBe('');
  });
});

describe('findAhead', () => {
  const makeCall = (isWaiting: boolean, isAnswered: boolean) => ({
    model: 'openai/m',
    isWaiting,
    isAnswered,
  });

  it('returns the call that a waiting call waits for, or undefined if the model answers several at once', () => {
    const waiting = makeCall(true, false);
    const answered = makeCall(false, true);
    expect(findAhead(waiting, [waiting, answered])).toBe(answered);
    expect(findAhead(waiting, [waiting, answered, makeCall(false, true)])).toBeUndefined();
    expect(findAhead(makeCall(false, false), [answered])).toBeUndefined();
  });
});

describe('a run’s question to the person in plain output', () => {
  const opened = fact('gate.opened', {
    step: 'round-3/stop',
    prompt: 'Stop with a synthesis?',
    default: 'stop',
    options: [
      { value: 'stop', label: 'Stop and synthesize' },
      { value: 'continue', label: 'Hold another round' },
    ],
  });
  const makeAnswer = (by: 'person' | 'default', answer = 'stop') =>
    fact('gate.answered', { step: 'round-3/stop', answer, by });

  it('is followed by a line with the answer if nobody answered and the default was used', () => {
    expect(printRun(rounds, opened, makeAnswer('default')).err).toBe(
      'Stop with a synthesis?\nAnswered by default: Stop with a synthesis? Stop and synthesize.\n',
    );
  });

  it('is not followed by a line with the answer if a person answered', () => {
    expect(printRun(rounds, opened, makeAnswer('person')).err).toBe('Stop with a synthesis?\n');
  });
});

describe('a protocol’s own wording for its steps', () => {
  it('is used only for runs of that protocol', () => {
    const step = makeStart('agreement/1', 'critic');
    expect(printRun(board, step).err).toBe('critic is asked who holds what (test/m)\n');
    expect(printRun(agents, step).err).toBe('critic is asked (test/m)\n');

    const stance = makeCompletedCall({
      step: 'round-1/C/stance/critic',
      seat: 'critic',
      text: 'I say wait.',
    });
    expect(printRun(rounds, stance).out).toBe('');
    expect(printRun(agents, stance).out).toContain('I say wait.');
  });

  it('includes titles for seats outside the panel, such as the synthesizer', () => {
    const names = ['synthesizer', 'baseline', 'constructor', '__proto__'];
    const all = names.map((name) => makeStart(`x/${name}`, name));
    expect(printRun(board, ...all).err).toBe(
      ['Synthesizer', 'Baseline', 'constructor', '__proto__']
        .map((name) => `${name} is asked (test/m)\n`)
        .join(''),
    );
  });

  it('does not change how a synthesis is printed', () => {
    const cast = fact('ballot.cast', {
      question: 1,
      seat: 'critic',
      model: 'test/m',
      position: 'Wait for it.',
      option: 'Wait',
      confidence: 0.5,
      step: 'seat/critic',
    });
    const made = { ...makeSynthesisFact(1, 'So be it.'), included: ['critic'] } as FactBody;
    const heading = '# Synthesis v1 · 1 of 1 advisors\n\n';
    const ended = fact('run.ended', { status: 'done' });
    expect(printRun(board, cast, made).out).toBe(`${heading}So be it.\n\n`);
    // No model has grouped options of the same meaning. Only the end of the run shows that none will, so
    // the votes are printed then.
    expect(printRun(board, cast, made, ended).out).toBe(
      `${heading}So be it.\n\nVote before debate: 1 "Wait" (critic)\n\n`,
    );
    expect(printRun(COMMON_TEXT, cast, made)).toEqual({ out: `${heading}So be it.\n\n`, err: '' });
  });
});

it('the message that a server is loading its model is printed once for each call', () => {
  let err = '';
  const listener = new PlainLines(
    { write: () => true },
    {
      write: (text: string) => {
        err += text;
        return true;
      },
    },
    COMMON_TEXT,
  );
  const wait = { type: 'retrying', step: 'seat/critic', seat: 'critic', delayMs: 5000 } as const;
  const reason = 'openai: Loading model (HTTP 503)';
  for (const call of ['c', 'c', 'd', 'c'])
    listener.live({ ...wait, call, attempt: 1, reason, loading: true });
  expect(err).toBe(`critic: ${reason}; asking again until the model is loaded\n`.repeat(2));
});

describe('the time that is left', () => {
  const EPOCH = Date.parse('2026-01-01T00:00:00.000Z');

  /**
   * Returns the lines about the time left of a board with three seats. The seats end one after the other, one
   * every `seconds` seconds.
   */
  function timesToldAt(seconds: number, text: ProtocolText): string[] {
    const err = new Written();
    let time = 0;
    let seq = 0;
    const lines = new PlainLines(new Written(), err, text, undefined, () => EPOCH + time * 1_000);
    const tellFact = (body: FactBody): void => {
      seq += 1;
      lines.fact({ ...body, run: 'r', seq, at: new Date(EPOCH + time * 1_000).toISOString() });
    };
    const seats = ['one', 'two', 'three'].map((id) => makeSeat(id));
    const config = { synthesizer: 'test/m', vote: true };
    tellFact(
      fact('run.started', {
        protocol: 'board',
        question: 'Why?',
        seats,
        config,
        request: { kind: 'convene' },
      }),
    );
    for (const { id } of seats) tellFact(makeStart(`seat/${id}`, id));
    for (const [index, { id }] of seats.entries()) {
      time += seconds;
      const latencyMs = (index + 1) * seconds * 1_000;
      tellFact(
        makeCompletedCall({ step: `seat/${id}`, seat: id, attempt: '1', attempts: 1, latencyMs }),
      );
    }
    return err.text.split('\n').filter((line) => line.endsWith(' left'));
  }

  it('is printed after an answer if at least two calls have ended and others still run', () => {
    expect(timesToldAt(120, board)).toEqual(['About 5 to 15 min left']);
  });

  it('is not printed for a run of a few seconds, nor if the number of calls is unknown', () => {
    expect(timesToldAt(4, board)).toEqual([]);
    expect(timesToldAt(120, COMMON_TEXT)).toEqual([]);
    expect(timesToldAt(120, agents)).toEqual([]);
  });
});
