/** Tests estimates of a team's calls and tokens, and what each tier adds. */
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/kernel/estimate.ts';
import { SEATS, type TeamConfig, TIER_LEVELS } from '../../src/protocols/team/config.ts';
import { estimateSeats, estimateTiers } from '../../src/protocols/team/estimate.ts';
import { forecastOf } from '../../src/protocols/team/forecast.ts';
import type { PlanningCost } from '../../src/protocols/team/measured.ts';
import { planLines } from '../../src/protocols/team/plan-lines.ts';
import { makeValidPlan, makeValidWorkstream, SURVEY } from './rules/values.ts';

const seats = SEATS.map((id) => ({ id, role: id, title: id, model: 'test/m', brief: '' }));
const config: TeamConfig = {
  look: [{ name: 'repo', path: '.' }],
  workshop: { root: 'repo' },
  levels: { 'fast-cheap': 'test/m', capable: 'test/m', 'reasoning-heavy': 'test/m' },
  tiers: Object.fromEntries(Object.entries(TIER_LEVELS).map(([id, level]) => [id, { level }])),
  specialists: [],
  runtime: { kind: 'standard' },
  turns: 24,
  parallel: 4,
  verifiers: 2,
  deliver: 'branch',
  provide: [],
  seed: 1,
};
const GOAL = 'Add --json to the list command, with tests';
const estimateBySeat = (
  change: Partial<TeamConfig> = {},
  of?: Parameters<typeof estimateSeats>[3],
) =>
  new Map(
    estimateSeats(GOAL, seats, { ...config, ...change }, of).map((plannedCalls) => [
      plannedCalls.seat,
      plannedCalls,
    ]),
  );
const sumCalls = (planned: ReturnType<typeof estimateBySeat>): Span => ({
  low: [...planned.values()].reduce((sum, plannedCalls) => sum + plannedCalls.calls.low, 0),
  high: [...planned.values()].reduce((sum, plannedCalls) => sum + plannedCalls.calls.high, 0),
});

describe('The estimate of a team', () => {
  it('is two calls if the run only makes a plan', () => {
    const planned = estimateBySeat({ planOnly: true });
    expect(planned.get('t1')?.calls).toEqual({ low: 2, high: 2 });
    expect(sumCalls(planned)).toEqual({ low: 2, high: 2 });
    expect(planned.size).toBe(SEATS.length);
  });

  it('is at least seven calls, or six with one verifier', () => {
    expect(sumCalls(estimateBySeat()).low).toBe(7);
    expect(sumCalls(estimateBySeat({ verifiers: 1 })).low).toBe(6);
    for (const plannedCalls of estimateBySeat().values()) {
      expect(plannedCalls.calls.high, plannedCalls.seat).toBeGreaterThan(0);
      expect(plannedCalls.calls.low).toBeLessThanOrEqual(plannedCalls.calls.high);
      expect(plannedCalls.input.low).toBeLessThanOrEqual(plannedCalls.input.high);
    }
    expect(estimateBySeat().get('t2')?.calls.low).toBe(0);
  });

  it('includes only the tiers that the plan uses', () => {
    const short = estimateBySeat({}, makeValidPlan());
    expect(sumCalls(short).low).toBe(7);
    for (const seat of ['t2-lead', 't2', 't3']) expect(short.get(seat)?.calls.high, seat).toBe(0);
    // The upper bound is 3 × 3 × 24: three attempts at the task, in each of which the work is done up to three
    // times (since it may be sent back twice), with 24 turns each time.
    expect(short.get('t4')?.calls).toEqual({ low: 2, high: 216 });
    const deep = estimateBySeat(
      {},
      makeValidPlan({
        workstreams: [makeValidWorkstream('a', { path: 'T2-T5' }), makeValidWorkstream('b')],
      }),
    );
    expect(deep.get('t2')?.calls.low).toBe(1);
    expect(deep.get('t3')?.calls.low).toBe(2);
    expect(deep.get('t4')?.calls.low).toBe(8);
  });

  it('includes no more attempts than the run may make', () => {
    const twice = makeValidPlan({
      workstreams: [makeValidWorkstream('a', { path: 'T4-T5', retry_multiplier: 2 })],
    });
    expect(estimateBySeat({}, twice).get('t4')?.calls.high).toBe(216);
  });
});

describe('The price of the design tier (T2) or of the task-planning tier (T3)', () => {
  const estimatePrices = (...paths: ('T2-T5' | 'T3-T5' | 'T4-T5')[]) =>
    estimateTiers(
      makeValidPlan({
        workstreams: paths.map((path, at) => makeValidWorkstream(`w${at}`, { path })),
      }),
      GOAL,
      seats,
      config,
    );

  it('is shown only if a workstream of the plan goes through that tier', () => {
    expect(estimatePrices('T4-T5')).toEqual([]);
    expect(estimatePrices('T3-T5').map(({ tier }) => tier)).toEqual(['T3']);
    expect(estimatePrices('T2-T5', 'T4-T5').map(({ tier }) => tier)).toEqual(['T2', 'T3']);
  });

  it('names the cost of the run with the tier and without it', () => {
    const [t2, t3] = estimatePrices('T2-T5', 'T3-T5');
    const [only] = estimatePrices('T3-T5', 'T3-T5');
    expect(t2?.with).toEqual(t3?.with);
    expect(t2?.without).toEqual(only?.with);
    expect(t3?.without.calls.low).toBe(7 + 2 + 2);
    for (const price of [t2, t3])
      for (const what of ['calls', 'tokens'] as const)
        for (const end of ['low', 'high'] as const)
          expect(price?.without[what][end]).toBeLessThan(price?.with[what][end] ?? 0);
  });
});

describe('The forecast of a plan’s cost', () => {
  const v3 = { ...config, version: 3 as const };
  const short = makeValidPlan({ workstreams: [makeValidWorkstream('a', { path: 'T4-T5' })] });
  const makeForecast = (plan: typeof short, more: Partial<TeamConfig> = {}, survey = SURVEY) =>
    forecastOf(plan, GOAL, seats, { ...v3, ...more }, survey);

  it('is shown when the person approves a plan, even a plan without design and task planning', () => {
    const forecast = makeForecast(short);
    // The calls are one each for the plan, its critique and the acceptance of the result; two for the task; two for
    // writing acceptance tests; and two by each of two verifiers.
    expect(forecast.straight.calls).toBe(3 + 2 + 2 + 4);
    expect(forecast.likely.calls).toBeGreaterThan(forecast.straight.calls);
    const row = planLines(short, { edition: 3, forecast }).find((line) =>
      line.includes('In all about'),
    );
    expect(row).toContain(`${forecast.likely.calls} calls`);
    expect(planLines(short, { edition: 2, forecast }).join()).not.toContain('In all');
  });

  it('uses the calls and tokens that planning took in this run', () => {
    const estimated = makeForecast(short).straight;
    const planning = { calls: 2, tokens: 4_000 };
    const forecastMeasured = (more: Partial<PlanningCost>) =>
      forecastOf(short, GOAL, seats, { ...config, version: 5 }, SURVEY, {
        questions: 2,
        ...planning,
        held: 0,
        ...more,
      });
    // Each of the two questions of planning took three calls instead of one. So the forecast expects three
    // times as many calls for the later work.
    const slow = forecastMeasured({ calls: 6, tokens: 12_000 });
    expect(slow.straight.calls).toBe(6 + 3 * (estimated.calls - 2));
    expect(slow.straight.tokens).toBeGreaterThan(2 * forecastMeasured({}).straight.tokens);
    const [less, least] = [
      forecastMeasured({ tokens: 2_000 }),
      forecastMeasured({ tokens: 1_000 }),
    ];
    expect(less.straight.tokens - least.straight.tokens).toBe(2_000 - 1_000);
    // The work takes two turns, each with the task's files of 5,000 tokens in its prompt, which adds about
    // 10,000 tokens.
    const held =
      forecastMeasured({ held: 5_000 }).straight.tokens - forecastMeasured({}).straight.tokens;
    expect(held).toBeGreaterThan(2 * 4_000);
    // Planning took 40 calls for two questions, which is 20 times as many as estimated. The forecast
    // multiplies the estimate of the later calls by 3 at most.
    expect(forecastMeasured({ calls: 40 }).straight.calls).toBe(40 + 3 * (estimated.calls - 2));
  });

  it('includes acceptance tests only for workstreams that need a test', () => {
    const read = short.requirements.map((requirement) => ({
      ...requirement,
      proof: 'read' as const,
    }));
    expect(makeForecast({ ...short, requirements: read }).straight.calls).toBe(3 + 2 + 2);
  });

  it('grows with the list of the repository’s files, the descriptions of specialists and the length of the plan', () => {
    const { tokens } = makeForecast(short).straight;
    const paths = Array.from({ length: 300 }, (_, at) => `src/folder/file-${at}.js`);
    expect(makeForecast(short, {}, { ...SURVEY, paths }).straight.tokens).toBeGreaterThan(
      tokens + 2 * 1_000,
    );
    const pool = [{ slug: 'a', name: 'a', about: 'About it. '.repeat(400), brief: '' }];
    expect(makeForecast(short, { specialists: pool }).straight.tokens).toBeGreaterThan(
      tokens + 2 * 900,
    );
    const long = short.workstreams.map((workstream) => ({
      ...workstream,
      goal: 'A long goal. '.repeat(200),
    }));
    expect(makeForecast({ ...short, workstreams: long }).straight.tokens).toBeGreaterThan(
      tokens + 8 * 600,
    );
  });
});
