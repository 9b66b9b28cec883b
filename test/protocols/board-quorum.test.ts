/** Quorum, patience, time-outs and seats that get another model: when a hearing is over, and for whom. */
import { describe, expect, it } from 'vitest';
import type { Request } from '../../src/kernel/facts.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { listFactsOfType, typesOf } from '../kernel/desk.ts';
import {
  HeldModels,
  makeAnswer,
  makeFailure,
  ScriptedModels,
  streamUntilStopped,
} from '../kernel/scripted-models.ts';
import { BoardHarness, listAskedTasks, makePanel, SYNTHESIS } from './board-desk.ts';

/** The named seats stream half an answer until they are stopped; the others answer at once. */
function makeSlowModels(...seats: string[]): ScriptedModels {
  return new ScriptedModels((asked, context) => {
    if (seats.includes(asked.seat.id))
      return streamUntilStopped(context, `half of ${asked.seat.id}`);
    return makeAnswer(asked.seat.id === 'synthesizer' ? SYNTHESIS : `${asked.seat.id} says so`);
  });
}
const QUORUM = { quorum: 2, patienceMs: 50 };
/** A time longer than any test, after which nothing is expected to happen. */
const LONG = 600_000;

describe('the quorum of a board (how many answers suffice)', () => {
  it('once reached, gives the remaining seats a limited time, and then stops them', async () => {
    const bench = new BoardHarness();
    expect(await bench.begin(makeSlowModels('critic'), QUORUM)).toEqual({ status: 'done' });
    const [began] = listFactsOfType(bench.facts, 'patience.began');
    expect(began).toMatchObject({ answered: ['advocate', 'analyst'], waitingFor: ['critic'] });
    const until = Date.parse(began?.until ?? '');
    // The time for the remaining seats (the board's patience) begins when as many seats have answered as the
    // quorum requires. The fact `quorum.reached` is recorded when this time is over.
    const last = listFactsOfType(bench.facts, 'call.completed').filter((call) =>
      call.step.startsWith('seat/'),
    );
    const lastAt = Math.max(...last.map((call) => Date.parse(call.at)));
    expect(until - lastAt).toBeGreaterThanOrEqual(QUORUM.patienceMs);
    const reached = listFactsOfType(bench.facts, 'quorum.reached');
    expect(Date.parse(reached[0]?.at ?? '')).toBeGreaterThanOrEqual(until);
    expect(reached).toMatchObject([
      { answered: ['advocate', 'analyst'], stopped: ['critic'], quorum: 2, of: 3 },
    ]);
    expect(bench.view.calls['seat/critic']).toMatchObject({
      state: 'stopped',
      text: 'half of critic',
    });
    expect(bench.view.syntheses[0]?.excluded).toEqual([
      { seat: 'critic', reason: 'stopped at the quorum' },
    ]);
    const types = typesOf(bench.facts);
    expect(types.indexOf('quorum.reached')).toBeLessThan(types.indexOf('call.stopped'));
  });

  it('lets the board go on before the time limit is over if the last missing seat answers', async () => {
    const bench = new BoardHarness();
    const models = new HeldModels();
    const ending = bench.begin(models, { quorum: 2, patienceMs: LONG });
    await models.waitForCalls(3);
    models.endCall('advocate');
    models.endCall('analyst');
    await expect.poll(() => bench.board.questions[0]?.patience?.waitingFor).toEqual(['critic']);
    models.endCall('critic');
    await models.waitForCalls(4);
    models.endCall('synthesizer', makeAnswer(SYNTHESIS));
    expect(await ending).toEqual({ status: 'done' });
    expect(bench.view.syntheses[0]?.excluded).toEqual([]);
    expect(bench.board.questions[0]?.patience).toBeUndefined();
    expect(bench.board.questions[0]?.quorum?.stopped).toEqual([]);
  });

  it('does not apply if too many seats have failed', async () => {
    const bench = new BoardHarness();
    const models = makePanel((_asked, task) =>
      task === 'critic' || task === 'analyst' ? makeFailure('server', 'HTTP 500') : undefined,
    );
    expect(await bench.begin(models, QUORUM)).toEqual({ status: 'done' });
    expect(typesOf(bench.facts)).not.toContain('patience.began');
    expect(bench.view.syntheses[0]?.included).toEqual(['advocate']);
  });

  it('is not recorded as reached if a person stops the run during the waiting time', async () => {
    const bench = new BoardHarness();
    const ending = bench.begin(makeSlowModels('critic'), { quorum: 2, patienceMs: LONG });
    await expect.poll(() => typesOf(bench.facts)).toContain('patience.began');
    bench.session.stop();
    expect(await ending).toEqual({ status: 'stopped' });
    expect(typesOf(bench.facts)).not.toContain('quorum.reached');
    expect(bench.view.syntheses).toEqual([]);
  });

  it('is not undone by a crash during the synthesis: the seat that it stopped is not asked again', async () => {
    const bench = new BoardHarness();
    // The call to the synthesizer never returns, as if the process had died while the synthesizer was
    // writing.
    const lost = new ScriptedModels((asked, context) => {
      if (asked.seat.id === 'critic') return streamUntilStopped(context, 'half');
      if (asked.seat.id === 'synthesizer') return new Promise(() => undefined);
      return makeAnswer('so');
    });
    void bench.begin(lost, QUORUM);
    await expect.poll(() => bench.view.calls['synthesis/1']?.state).toBe('running');
    const models = makePanel();
    expect(await bench.open(models).resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(listAskedTasks(models)).toEqual(['synthesis']);
    expect(bench.view.syntheses[0]?.excluded).toEqual([
      { seat: 'critic', reason: 'stopped at the quorum' },
    ]);
  });

  it('lets a seat that was still answering answer again if the process died during the waiting time', async () => {
    const bench = new BoardHarness();
    const lost = new ScriptedModels((asked) =>
      asked.seat.id === 'critic' ? new Promise(() => undefined) : makeAnswer('so'),
    );
    void bench.begin(lost, { quorum: 2, patienceMs: LONG });
    await expect.poll(() => typesOf(bench.facts)).toContain('patience.began');
    const models = makePanel();
    expect(await bench.open(models).resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(listAskedTasks(models)).toEqual(['critic', 'synthesis']);
    expect(bench.view.syntheses[0]?.excluded).toEqual([]);
  });

  it('lets a person ask the stopped seats later', async () => {
    const bench = new BoardHarness();
    await bench.begin(makeSlowModels('critic'), QUORUM);
    const models = makePanel();
    await bench.open(models).resume({ kind: 'convene' });
    expect(listAskedTasks(models)).toEqual(['critic', 'synthesis']);
    expect(bench.view.syntheses.at(-1)).toMatchObject({ version: 2, excluded: [] });
  });
});

describe('the time limit of a seat', () => {
  it('makes the call fail as timed out, and keeps the text so far', async () => {
    const bench = new BoardHarness();
    expect(await bench.begin(makeSlowModels('critic'), { seatTimeoutMs: 50 })).toEqual({
      status: 'done',
    });
    expect(bench.view.calls['seat/critic']).toMatchObject({
      state: 'failed',
      code: 'timeout',
      text: 'half of critic',
      message: 'not finished after 0.05 s, given up',
    });
    const started = listFactsOfType(bench.facts, 'step.started');
    const own = started.find(({ step }) => step === 'seat/critic');
    const begun = Date.parse(bench.facts[0]?.at ?? '');
    expect(Date.parse(own?.deadline ?? '')).toBeGreaterThanOrEqual(begun + 50);
    expect(started.find(({ step }) => step === 'synthesis/1')?.deadline).toBeUndefined();
    expect(bench.view.syntheses[0]?.excluded).toEqual([{ seat: 'critic', reason: 'timed out' }]);
  });
});

describe('another model for a seat', () => {
  const makeModels = (): ScriptedModels =>
    makePanel((asked) =>
      asked.seat.model === 'test/broken' ? makeFailure('server', 'HTTP 500') : undefined,
    );
  const modelOf = ({ requests }: ScriptedModels): string[] =>
    requests.map(({ seat }: ModelRequest) => `${seat.id} ${seat.model}`);

  it('can be set while a different seat is still answering', async () => {
    const bench = new BoardHarness();
    const held = new HeldModels();
    const ending = bench.begin(held);
    await held.waitForCalls(3);
    held.endCall('critic', makeFailure('server', 'HTTP 500'));
    await expect.poll(() => bench.session.retrySeat('critic', 'test/other')).toBe(true);
    await held.waitForCalls(4);
    held.endCall('critic');
    held.endCall('advocate');
    held.endCall('analyst');
    await held.waitForCalls(5);
    held.endCall('synthesizer', makeAnswer(SYNTHESIS));
    expect(await ending).toEqual({ status: 'done' });
    expect(listFactsOfType(bench.facts, 'seat.changed')).toMatchObject([
      { seat: 'critic', model: 'test/other' },
    ]);
    expect(bench.view.calls['seat/critic']).toMatchObject({ state: 'done', model: 'test/other' });
    expect(bench.view.seats[1]?.model).toBe('test/other');
  });

  it('can be set in a later attempt', async () => {
    const bench = new BoardHarness();
    await bench.begin(makeSlowModels('critic'), QUORUM);
    const later = makeModels();
    const retry: Request = { kind: 'retry', seats: ['critic'], model: 'test/other' };
    expect(await bench.open(later).resume(retry)).toEqual({ status: 'done' });
    expect(modelOf(later)).toEqual(['critic test/other']);
    const last = makeModels();
    await bench.open(last).resume({ kind: 'follow-up', number: 2, question: 'And then?' });
    expect(modelOf(last)).toContain('critic test/other');
  });

  it('is recorded once for each seat, even if the attempt is resumed after a crash', async () => {
    const bench = new BoardHarness();
    await bench.begin(makePanel());
    const lost = new ScriptedModels((asked) =>
      asked.seat.id === 'critic' ? new Promise(() => undefined) : makeAnswer('again'),
    );
    const retry: Request = { kind: 'retry', seats: ['critic', 'analyst'], model: 'test/other' };
    void bench.open(lost).resume(retry);
    await expect.poll(() => bench.view.calls['seat/analyst']?.text).toBe('again');
    const later = makeModels();
    await bench.open(later).resume(retry);
    expect(modelOf(later)).toEqual(['critic test/other']);
    expect(listFactsOfType(bench.facts, 'seat.changed')).toHaveLength(2);
  });

  it('is optional when a seat is asked again: without it, the seat keeps its model', async () => {
    const bench = new BoardHarness();
    await bench.begin(makePanel());
    const later = makeModels();
    await bench.open(later).resume({ kind: 'retry', seats: ['critic'] });
    expect(modelOf(later)).toEqual(['critic test/model-1']);
  });
});
