/**
 * Tests estimates of the calls and tokens of a run: with plain values, and against runs that are really
 * made. The long form of the tests makes one more run.
 */
import { describe, expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { estimateRun } from '../../src/kernel/estimate.ts';
import type { Seat } from '../../src/kernel/model.ts';
import { planBoard } from '../../src/protocols/board/estimate.ts';
import { planRounds } from '../../src/protocols/rounds/estimate.ts';
import { getDefaultStress } from '../../src/protocols/rounds/schedule.ts';
import type { Fact } from '../every-fact.ts';
import { LONG } from '../long.ts';
import { QUESTION, rehearseRun } from '../protocols/rehearse.ts';
import { temporaryStore } from './desk.ts';

const makeSeat = (id: string, model: string): Seat => ({
  id,
  role: id,
  title: id,
  model,
  brief: 'b'.repeat(400),
});
/** A dollar for a thousand tokens of `paid/…`; `free/…` is free; of others nothing is known. */
const rates = {
  price: (model: string, { input, output }: { input: number; output: number }) =>
    model.startsWith('paid/')
      ? (input + output) / 1_000
      : model.startsWith('free/')
        ? 0
        : undefined,
  window: (model: string) => (model === 'free/small' ? 2_048 : undefined),
};

describe('The estimate of a board', () => {
  const board = {
    question: 'q'.repeat(40),
    attachments: ['a'.repeat(4_000)],
    synthesizer: 'free/small',
    seats: [makeSeat('critic', 'paid/x'), makeSeat('analyst', 'odd/y')],
  };

  it('has one call for each seat and one for the synthesizer', () => {
    const [critic, , synthesizer] = planBoard(board);
    // Of the critic's estimated input, 10 tokens are the question, 1,000 the attachment with line numbers, 100
    // the brief, and the rest the task.
    expect(critic).toMatchObject({
      calls: { low: 1, high: 1 },
      input: { low: 1_470, high: 1_470 },
      largest: 1_470,
    });
    expect(synthesizer?.input).toEqual({ low: 980, high: 2_880 });
    expect(synthesizer?.largest).toBe(2_880);
  });

  it('adds up the known prices and lists the models without a price', () => {
    const estimate = estimateRun(planBoard(board), rates);
    expect(estimate.calls).toEqual({ low: 3, high: 3 });
    expect(estimate.usd).toEqual({ low: 1.72, high: 2.67 });
    expect(estimate.unpriced).toEqual(['odd/y']);
    expect(estimate.paid).toBe(true);
    expect(estimate.seats.map(({ window }) => window)).toEqual([undefined, undefined, 2_048]);
  });

  it('has costs of zero for free models', () => {
    const free = { ...board, seats: [makeSeat('critic', 'free/x')] };
    const { paid, usd, unpriced } = estimateRun(planBoard(free), rates);
    expect({ paid, usd, unpriced }).toEqual({
      paid: false,
      usd: { low: 0, high: 0 },
      unpriced: [],
    });
  });

  it('decides for each call separately whether the price of long prompts applies', () => {
    const tiered = {
      ...rates,
      price: (_model: string, { input }: { input: number }) => (input > 5_000 ? 100 : 1),
    };
    const rounds = planRounds({ ...ROUNDS, rounds: 3, stress: {} });
    expect(estimateRun(rounds, tiered).seats[0]?.usd).toEqual({ low: 6, high: 15 });
  });
});

const ROUNDS = {
  question: QUESTION,
  attachments: [],
  seats: ['action', 'guardian', 'observer', 'critic'].map((role) => makeSeat(role, 'free/x')),
  verifier: 'free/x',
  rounds: 8,
  stress: {},
  mayEndEarly: false,
};

describe('The estimate of rounds', () => {
  it('has fewer calls for a role that is absent once, and a lower minimum of calls if the run may end early', () => {
    const whole = estimateRun(planRounds(ROUNDS), rates);
    const stressed = estimateRun(planRounds({ ...ROUNDS, stress: { 3: 'critic' } }), rates);
    expect(whole.seats[3]?.calls).toEqual({ low: 16, high: 40 });
    expect(stressed.seats[3]?.calls).toEqual({ low: 14, high: 35 });
    const early = estimateRun(planRounds({ ...ROUNDS, mayEndEarly: true }), rates);
    expect(early.calls.low).toBeLessThan(whole.calls.low);
    expect(early.calls.high).toBe(whole.calls.high);
  });

  it.each(LONG ? [3, 8, 13] : [3, 13])(
    'for %d rounds is a range that contains the calls and tokens of a rehearsed run',
    async (count) => {
      const stress = { ...getDefaultStress(count) };
      const { facts } = await rehearseRun(temporaryStore(), 'rehearsal/panel', count, 5);
      const estimate = estimateRun(planRounds({ ...ROUNDS, rounds: count, stress }), rates);
      const took = sumUsage(facts);
      for (const figure of ['calls', 'input', 'output'] as const) {
        expect(took[figure]).toBeGreaterThanOrEqual(estimate[figure].low);
        expect(took[figure]).toBeLessThanOrEqual(estimate[figure].high);
      }
    },
  );
});

function sumUsage(facts: readonly Fact[]): Record<'calls' | 'input' | 'output', number> {
  const calls = facts.filter(isCall);
  return {
    calls: calls.length,
    input: calls.reduce((sum, { usage }) => sum + usage.input, 0),
    output: calls.reduce((sum, { usage }) => sum + usage.output, 0),
  };
}
