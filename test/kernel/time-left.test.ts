/** How much time a run still takes: from calls by hand, and against journals whose end is known. */
import { describe, expect, it } from 'vitest';
import { type CallsLeft, countLeft, estimateTimeLeft } from '../../src/kernel/attempt/time-left.ts';
import { isCall } from '../../src/kernel/call.ts';
import { fixedSpan, type Span, sumSpans } from '../../src/kernel/estimate.ts';
import { EMPTY_VIEW, foldRun, type RunView, viewOf } from '../../src/kernel/view.ts';
import { countCallsLeft as countOfBoard } from '../../src/protocols/board/estimate.ts';
import { countCallsLeft as countOfDebate } from '../../src/protocols/debate/estimate.ts';
import { countCallsLeft as countOfPlan } from '../../src/protocols/plan/estimate.ts';
import { countCallsLeft as countOfRounds } from '../../src/protocols/rounds/estimate.ts';
import { formatTimeLeft } from '../../src/text/numbers.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { type GoldenName, readGolden } from '../golden/journal.ts';
import { makeCompletedCall } from '../store/bodies.ts';
import { makeSeat } from './scripted-models.ts';

const EPOCH = Date.parse('2026-01-01T00:00:00.000Z');
const MINUTE = 60;
const SEATS = ['one', 'two', 'three'];

/** A run told by hand. Times are in seconds since its beginning. */
class Told {
  readonly facts: Fact[] = [];
  readonly #began = new Map<string, number>();

  constructor(config: Readonly<Record<string, unknown>> = {}) {
    const seats = SEATS.map((id) => makeSeat(id));
    this.add(
      0,
      fact('run.started', {
        protocol: 'any',
        question: 'Why?',
        seats,
        config,
        request: { kind: 'convene' },
      }),
    );
  }

  add(at: number, body: FactBody): this {
    const seq = this.facts.length + 1;
    this.facts.push({ ...body, run: 'r', seq, at: new Date(EPOCH + at * 1_000).toISOString() });
    return this;
  }

  ask(at: number, ...steps: string[]): this {
    for (const step of steps) {
      this.#began.set(step, at);
      this.add(
        at,
        fact('step.started', { step, attempt: step, kind: 'call', seat: 'one', model: 'test/m' }),
      );
    }
    return this;
  }

  /** Ends a call, whose first text came at the second `spoke`. */
  end(at: number, step: string, spoke: number): this {
    const began = this.#began.get(step) ?? 0;
    const [latencyMs, firstTokenMs] = [(at - began) * 1_000, (spoke - began) * 1_000];
    return this.add(
      at,
      makeCompletedCall({ step, attempt: step, seat: 'one', attempts: 1, latencyMs, firstTokenMs }),
    );
  }

  view(): RunView {
    return viewOf(this.facts);
  }
}

const makeCallsLeft = (calls: number, inTurn = 0): CallsLeft => ({
  kinds: [
    { kind: '', calls: fixedSpan(calls) },
    { kind: 'last', calls: fixedSpan(inTurn), inTurn: true },
  ],
});
/** Returns the middle of the estimate in seconds. */
const secondsLeft = (told: Told, calls: number, inTurn: number, at: number): number | undefined => {
  const span = estimateTimeLeft(told.view(), makeCallsLeft(calls, inTurn), EPOCH + at * 1_000);
  return span && Math.round((span.low + span.high) / 2_000);
};

describe('estimateTimeLeft', () => {
  const oneAtATime = new Told().ask(0, 'a', 'b', 'c').end(60, 'a', 5).end(120, 'b', 65);

  it('adds up the durations of the calls that are left if the server answers one request at a time', () => {
    expect(secondsLeft(oneAtATime, 1, 1, 120)).toBe(120);
  });

  it('after two parallel calls of 58 and 60 s, expects 60 / 2 s for another parallel call and 59 s for a call made alone', () => {
    const together = new Told().ask(0, 'a', 'b', 'c').end(58, 'a', 5).end(60, 'b', 5);
    expect(secondsLeft(together, 1, 0, 60)).toBe(30);
    expect(secondsLeft(together, 1, 1, 60)).toBe(30 + 59);
  });

  it('goes down while a call runs, but no further once the call takes longer than the earlier calls', () => {
    expect(secondsLeft(oneAtATime, 1, 1, 150)).toBe(90);
    expect(secondsLeft(oneAtATime, 1, 1, 180)).toBe(60);
    expect(secondsLeft(oneAtATime, 1, 1, 900)).toBe(60);
  });

  it('is undefined until two calls have ended, and while no call is running', () => {
    expect(secondsLeft(new Told().ask(0, 'a', 'b').end(60, 'a', 5), 1, 1, 60)).toBeUndefined();
    const resting = new Told().ask(0, 'a', 'b').end(60, 'a', 5).end(120, 'b', 65);
    expect(secondsLeft(resting, 3, 1, 120)).toBeUndefined();
  });

  it('ignores the times of earlier attempts, and of calls that failed without any text', () => {
    const resumed = new Told()
      .ask(0, 'a', 'b')
      .end(60, 'a', 5)
      .end(120, 'b', 65)
      .add(500, fact('run.resumed', { request: { kind: 'convene' } }))
      .ask(500, 'c', 'd', 'e');
    expect(secondsLeft(resumed, 3, 0, 510)).toBeUndefined();
    const failed = fact('call.failed', {
      ...(makeCompletedCall({
        step: 'c',
        attempt: 'c',
        seat: 'one',
        text: '',
        latencyMs: 5,
      }) as object),
      v: undefined,
      type: undefined,
      code: 'too-long',
      message: 'too long',
    } as never);
    resumed.add(501, { ...failed, v: 1 } as FactBody).end(540, 'd', 505);
    expect(secondsLeft(resumed, 1, 0, 540)).toBeUndefined();
  });
});

describe('the estimated duration of a call', () => {
  const kindOf = (step: string): string => step.slice(0, 1);
  const weightOf = (kind: string) => (kind === 'c' ? { low: 2, high: 4 } : fixedSpan(1));
  const c = [{ kind: 'c', calls: fixedSpan(2) }];
  const told = new Told().ask(0, 'a', 'b', 'c').end(10, 'a', 5).end(20, 'b', 15);

  it('is the duration of other calls times the weight of its kind, while no call of its kind has ended', () => {
    expect(estimateTimeLeft(told.view(), { kinds: c, kindOf, weightOf }, EPOCH + 20_000)).toEqual({
      low: 40_000,
      high: 80_000,
    });
  });

  it('is the average of ended calls of its kind, and each further ended call narrows the range', () => {
    const estimateAfter = (...calls: string[]) => {
      let at = 20;
      told.end(at + 100, 'c', at + 5);
      for (const step of calls) {
        at += 100;
        told.ask(at, step).end(at + 100, step, at + 5);
      }
      told.ask(at + 100, 'e');
      return estimateTimeLeft(
        told.view(),
        { kinds: c, kindOf, weightOf },
        EPOCH + (at + 100) * 1_000,
      );
    };
    expect(estimateAfter()).toEqual({ low: 140_000, high: 260_000 });
    const more = estimateAfter('c2', 'c3', 'c4');
    expect(more?.low).toBeGreaterThan(165_000);
    expect(more?.high).toBeLessThan(235_000);
  });
});

describe('countLeft, the number of calls that are left', () => {
  const told = new Told().ask(0, 'a', 'b', 'c').end(10, 'a', 1);

  it('is the number of planned calls minus the number of ended calls', () => {
    expect(countLeft({ low: 4, high: 9 }, told.view())?.kinds[0]?.calls).toEqual({
      low: 3,
      high: 8,
    });
  });

  it('is at least the number of running calls, but undefined if all planned calls have ended', () => {
    expect(countLeft({ low: 1, high: 9 }, told.view())?.kinds[0]?.calls).toEqual({
      low: 2,
      high: 8,
    });
    expect(countLeft({ low: 1, high: 1 }, told.view())).toBeUndefined();
  });
});

describe('countCallsLeft', () => {
  /**
   * Returns the estimate after each call of a recorded run, beside the number of calls that really followed (`made`).
   * Calls after which there is no estimate are left out.
   */
  function compareCounts(
    name: GoldenName,
    count: typeof countOfBoard,
  ): { low: number; high: number; made: number }[] {
    const { facts } = readGolden(name);
    let view: RunView = EMPTY_VIEW;
    return facts.flatMap((fact, index) => {
      view = foldRun(view, fact);
      const planned = isCall(fact) && view.status === 'running' ? count(view) : undefined;
      if (planned === undefined) return [];
      const over = facts.findIndex(({ type }, later) => later > index && type === 'run.ended');
      const made = facts.slice(index + 1, over).filter(isCall).length;
      return [{ ...sumSpans(planned.kinds.map(({ calls }) => calls)), made }];
    });
  }

  it.each<[GoldenName, typeof countOfBoard]>([
    ['board', countOfBoard],
    ['attempts', countOfBoard],
    ['rounds', countOfRounds],
    ['rounds-5', countOfRounds],
    ['plan-7', countOfPlan],
  ])(
    'returns at each moment of a recorded run a range that contains the calls made afterwards: %s',
    (name, count) => {
      const compared = compareCounts(name, count);
      expect(compared.length).toBeGreaterThan(3);
      const wrong = compared.filter(({ low, high, made }) => made < low || made > high);
      expect(wrong).toEqual([]);
    },
  );

  it('returns the exact number for a board whose seats and helpers are each called once', () => {
    const told = new Told({ vote: true, synthesizer: 'test/m' });
    const countCalls = () =>
      countOfBoard(told.view())?.kinds.map(({ calls }) => [calls.low, calls.high]);
    const toExactRanges = (...counts: number[]) => counts.map((count) => [count, count]);
    told.ask(0, 'seat/one', 'seat/two', 'seat/three');
    expect(countCalls()).toEqual(toExactRanges(3, 1, 1));
    told.end(5, 'seat/two', 1);
    expect(countCalls()).toEqual(toExactRanges(2, 1, 1));
    told.end(5, 'seat/one', 1).end(6, 'seat/three', 1).ask(6, 'synthesis/1');
    expect(countCalls()).toEqual(toExactRanges(0, 1, 1));
    told.end(9, 'synthesis/1', 7).ask(9, 'agreement/1');
    expect(countCalls()).toEqual(toExactRanges(0, 0, 1));
  });

  it('counts the baselines of a board for its first question only', () => {
    const countAnswers = (kind: 'convene' | 'follow-up'): Span | undefined =>
      countOfBoard({
        ...new Told({ baselines: [{ kind: 'single' }] }).ask(0, 'seat/one').view(),
        request: kind === 'convene' ? { kind } : { kind, question: 'Why?' },
      })?.kinds[0]?.calls;
    expect(countAnswers('convene')?.high).toBe(Number.POSITIVE_INFINITY);
    expect(countAnswers('follow-up')?.high).toBeLessThan(10);
  });

  it('uses the number of calls that a debate planned and recorded; undefined if it recorded none', () => {
    const told = new Told({ plannedCalls: { low: 6, high: 12 } });
    told.ask(0, 'answer/one').end(1, 'answer/one', 1);
    expect(countOfDebate(told.view())?.kinds[0]?.calls).toEqual({ low: 5, high: 11 });
    expect(countOfDebate(new Told().view())).toBeUndefined();
    expect(countOfDebate(new Told({ plannedCalls: 'many' }).view())).toBeUndefined();
  });
});

describe('formatTimeLeft', () => {
  it.each([
    [240, 552, 'About 4 to 9 min left'],
    [240, 240, 'About 4 min left'],
    [12 * MINUTE, 13 * MINUTE, 'About 10 to 15 min left'],
    [47 * MINUTE, 52 * MINUTE, 'About 45 to 50 min left'],
    [80 * MINUTE, 200 * MINUTE, 'About 80 min to 3 h left'],
    [20, 2 * MINUTE, 'About 1 to 2 min left'],
    [4 * MINUTE, 90 * MINUTE, 'At least 4 min left'],
    [4 * MINUTE, Number.POSITIVE_INFINITY, 'At least 4 min left'],
    [20, 59, undefined],
    [20, 30 * MINUTE, undefined],
    [Number.NaN, Number.NaN, undefined],
  ])('formats a time between %d and %d seconds as "%s"', (low, high, words) => {
    expect(formatTimeLeft(low * 1_000, high * 1_000)).toBe(words);
  });
});
