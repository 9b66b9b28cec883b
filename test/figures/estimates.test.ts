/** Estimates of quantities and probabilities, and what moved them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareRounds,
  convertUnit,
  type Estimate,
  explainMoves,
  findStop,
  type Measure,
  poolEstimates,
  poolProbabilities,
  readTriple,
} from '../../src/figures/figures.ts';

const WEEKS: Measure = { kind: 'quantity', unit: 'weeks', scale: 'linear' };
const LOG: Measure = { ...WEEKS, scale: 'log' };
const makeTriple = (p5: number, p50: number, p95: number) => ({ p5, p50, p95 });
/** Returns estimates of seats whose intervals reach from 20 % below to 20 % above the middle. */
const makeSeats = (...middles: readonly number[]): Estimate[] =>
  middles.map((p50, index) => ({ seat: `s${index}`, p5: p50 * 0.8, p50, p95: p50 * 1.2 }));
const getReason = (read: { ok: boolean; why?: string }) => (read.ok ? 'taken' : read.why);

describe('a seat’s estimate', () => {
  it('is converted from months or days to weeks if the seats agreed on weeks', () => {
    const read = readTriple({ ...makeTriple(6, 7, 8), unit: 'months' }, WEEKS);
    expect(read.ok && read.value.p50).toBeCloseTo(30.44, 2);
    expect(readTriple({ ...makeTriple(14, 21, 28), unit: 'Days' }, WEEKS)).toEqual({
      ok: true,
      value: makeTriple(2, 3, 4),
    });
  });

  it.each([
    ['reversed quantiles', { ...makeTriple(9, 5, 1) }, WEEKS, /order/],
    ['a value that is not a number', { ...makeTriple(1, Number.NaN, 3) }, WEEKS, /finite/],
    ['an infinite value', { ...makeTriple(1, 2, Number.POSITIVE_INFINITY) }, WEEKS, /finite/],
    ['zero on a log scale', { ...makeTriple(0, 1, 2) }, LOG, /greater than 0/],
    ['a negative value on a log scale', { ...makeTriple(-1, 1, 2) }, LOG, /greater than 0/],
    [
      'an unknown unit',
      { ...makeTriple(1, 2, 3), unit: 'sprints' },
      WEEKS,
      /"sprints" is not known/,
    ],
    [
      'a unit named like a property of every object',
      { ...makeTriple(1, 2, 3), unit: 'constructor' },
      WEEKS,
      /not known/,
    ],
    [
      'a unit of another dimension',
      { ...makeTriple(1, 2, 3), unit: 'MB' },
      WEEKS,
      /cannot be converted/,
    ],
    ['the ambiguous unit "m"', { ...makeTriple(1, 2, 3), unit: 'm' }, WEEKS, /not known/],
    ['a negative count', makeTriple(-1, 2, 3), { ...WEEKS, kind: 'count' }, /negative/],
    [
      'a probability over 1',
      makeTriple(0.5, 0.9, 1.1),
      { kind: 'probability', unit: 'share', scale: 'linear' },
      /between 0 and 1/,
    ],
  ] as const)('is refused because of %s', (_what, answer, measure, reason) => {
    expect(getReason(readTriple(answer, measure))).toMatch(reason);
  });

  it('in an unknown unit such as "engineers" is accepted if the seats agreed on that unit', () => {
    const engineers: Measure = { kind: 'count', unit: 'engineers', scale: 'linear' };
    expect(readTriple({ ...makeTriple(1, 2, 3), unit: 'Engineers' }, engineers).ok).toBe(true);
    expect(
      readTriple(
        { ...makeTriple(10, 20, 30), unit: 'percent' },
        {
          kind: 'probability',
          unit: 'share',
          scale: 'linear',
        },
      ),
    ).toEqual({ ok: true, value: makeTriple(0.1, 0.2, 0.3) });
  });

  it('is converted from gigabytes (GB) to megabytes (MB), but not from megabits (Mb)', () => {
    expect(convertUnit(1, 'GB', 'MB')).toEqual({ ok: true, value: 1000 });
    expect(convertUnit(1, 'GiB', 'mib')).toEqual({ ok: true, value: 1024 });
    expect(convertUnit(1, 'Mb', 'MB').ok).toBe(false);
    expect(convertUnit(30, 'percent', 'count').ok).toBe(false);
  });
});

describe('poolEstimates, which combines the estimates of seats,', () => {
  it('divides the estimates 10, 10, 100 and 100 into two groups (camps)', () => {
    const pooled = poolEstimates(makeSeats(10, 10, 100, 100), 'linear');
    expect(pooled?.camps).toEqual({ low: ['s0', 's1'], high: ['s2', 's3'], between: [] });
    expect(pooled?.outlier).toBeUndefined();
    expect(poolEstimates(makeSeats(10, 10, 100, 100), 'log')?.camps).toBeDefined();
  });

  it('finds two groups (camps) of two seats even if the range of a fifth seat overlaps both groups', () => {
    const vague = { seat: 'vague', p5: 9, p50: 40, p95: 110 };
    expect(poolEstimates([...makeSeats(10, 10, 100, 100), vague], 'linear')?.camps).toEqual({
      low: ['s0', 's1'],
      high: ['s2', 's3'],
      between: ['vague'],
    });
    expect(
      poolEstimates([...makeSeats(10, 10, 100, 100), vague, { ...vague, seat: 'too' }], 'linear')
        ?.camps,
    ).toBeUndefined();
  });

  it('reports the 100 among 10, 11, 12 and 100 as an outlier, and no groups (camps)', () => {
    const pooled = poolEstimates(makeSeats(10, 11, 12, 100), 'linear');
    expect(pooled).toMatchObject({ camps: undefined, outlier: 's3' });
    expect(poolEstimates(makeSeats(10, 11, 12, 13), 'linear')?.outlier).toBeUndefined();
    expect(poolEstimates(makeSeats(10, 100), 'linear')).toMatchObject({
      camps: undefined,
      outlier: undefined,
    });
  });

  it('returns the quartiles of six estimates, but the lowest and the highest of four', () => {
    expect(poolEstimates(makeSeats(1, 2, 3, 4), 'linear')).toMatchObject({
      median: 2.5,
      range: { low: 1, high: 4, quartiles: false },
      spread: 3,
    });
    // In R, quantile(c(1, 2, 4, 8, 16, 32), c(.25, .75)) gives 2.5 and 14.
    expect(poolEstimates(makeSeats(1, 2, 4, 8, 16, 32), 'linear')).toMatchObject({
      median: 6,
      range: { low: 2.5, high: 14, quartiles: true },
    });
    expect(poolEstimates(makeSeats(10, 1000), 'log')?.median).toBe(100);
  });

  it('returns a mixture that equals the estimates if they are all equal', () => {
    const estimate = makeTriple(8, 10, 12);
    const same = poolEstimates(
      ['a', 'b', 'c'].map((seat) => ({ seat, ...estimate })),
      'linear',
    );
    expect(same?.mixture.p5).toBeCloseTo(8, 9);
    expect(same?.mixture.p50).toBeCloseTo(10, 9);
    expect(same?.mixture.p95).toBeCloseTo(12, 9);
    const apart = poolEstimates(makeSeats(10, 10, 100, 100), 'linear');
    expect(apart?.mixture.p5).toBeLessThan(10);
    expect(apart?.mixture.p95).toBeGreaterThan(100);
    const sure = poolEstimates([{ seat: 'a', ...makeTriple(5, 5, 5) }], 'linear');
    expect(sure).toMatchObject({
      mixture: makeTriple(5, 5, 5),
      spread: 0,
      range: { low: 5, high: 5 },
    });
  });

  it('returns undefined without estimates', () => {
    expect(poolEstimates([], 'linear')).toBeUndefined();
    expect(poolEstimates([{ seat: 'a', ...makeTriple(Number.NaN, 1, 2) }], 'log')).toBeUndefined();
    expect(compareRounds(makeSeats(1), [], 'linear')).toBeUndefined();
  });

  const value = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
  const panel = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 7 }).map((all) =>
    all.map((three, index): Estimate => {
      const [p5 = 0, p50 = 0, p95 = 0] = three.toSorted((a, b) => a - b);
      return { seat: `s${index}`, p5, p50, p95 };
    }),
  );

  it('returns finite, ordered values within the estimates, whatever the order of seats', () => {
    fc.assert(
      fc.property(panel, fc.constantFrom('linear' as const, 'log' as const), (all, scale) => {
        const pooled = poolEstimates(all, scale);
        expect(poolEstimates(all.toReversed(), scale)).toEqual(pooled);
        if (pooled === undefined) throw new Error('nobody was heard');
        const { median, range, mixture, spread } = pooled;
        const figures = [
          median,
          range.low,
          range.high,
          spread,
          mixture.p5,
          mixture.p50,
          mixture.p95,
        ];
        expect(figures.every(Number.isFinite)).toBe(true);
        expect(range.low <= median * (1 + 1e-9) && median <= range.high * (1 + 1e-9)).toBe(true);
        expect(mixture.p5 <= mixture.p50 && mixture.p50 <= mixture.p95).toBe(true);
        const [low, high] = [
          Math.min(...all.map((estimate) => estimate.p5)),
          Math.max(...all.map((estimate) => estimate.p95)),
        ];
        expect(mixture.p5 >= low * (1 - 1e-6) && mixture.p95 <= high * (1 + 1e-6)).toBe(true);
      }),
      { seed: 17 },
    );
  });

  it('returns a median and a mixture eight times as high if all estimates are eight times as high', () => {
    fc.assert(
      fc.property(panel, fc.constantFrom('linear' as const, 'log' as const), (all, scale) => {
        const scaled = all.map((estimate) => ({
          ...estimate,
          p5: estimate.p5 * 8,
          p50: estimate.p50 * 8,
          p95: estimate.p95 * 8,
        }));
        const [plain, other] = [poolEstimates(all, scale), poolEstimates(scaled, scale)];
        const ratio = (other?.median ?? 0) / (plain?.median ?? 1);
        expect(ratio).toBeCloseTo(8, 6);
        expect((other?.mixture.p95 ?? 0) / (plain?.mixture.p95 ?? 1)).toBeCloseTo(8, 4);
      }),
      { seed: 17 },
    );
  });
});

describe('two rounds of estimates', () => {
  it('are compared only for seats that answered in both', () => {
    const before = makeSeats(10, 20, 30, 1000);
    const after = [...makeSeats(10, 20, 30), { seat: 'late', ...makeTriple(5000, 6000, 7000) }];
    const compared = compareRounds(before, after, 'linear');
    expect(compared).toMatchObject({ absent: ['s3'], ignored: ['late'], change: 0 });
    expect(compared?.before).toEqual(compared?.after);
  });

  it('end the estimating if their range changed by 5 %, and lead to another round if it changed by 10 %, but never after round 3', () => {
    const getChange = (was: readonly number[], is: readonly number[]) =>
      compareRounds(makeSeats(...was), makeSeats(...is), 'linear')?.change;
    expect(getChange([10, 20, 30], [5, 20, 40])).toBeCloseTo(0.75);
    expect(findStop(2, 35, 0.75)).toBeUndefined();
    expect(findStop(2, 10, -0.5)).toBeUndefined();
    expect(findStop(2, 19, -0.05)).toBe('settled');
    expect(findStop(2, 21, 0.05)).toBe('settled');
    expect(findStop(2, 22, 0.1)).toBeUndefined();
    expect(findStop(1, 20, undefined)).toBeUndefined();
    expect(findStop(2, 0, -1)).toBe('agreed');
    expect(findStop(3, 35, 0.75)).toBe('last round');
    expect(getChange([10, 10, 10], [10, 10, 20])).toBeUndefined();
    expect(findStop(2, 10, undefined)).toBeUndefined();
    expect(getChange([10, 10, 10], [10, 10, 10])).toBe(0);
  });
});

describe('combined probabilities', () => {
  it.each([0, 1, 0.9999])(
    'of the answers 0.3, 0.4, 0.5 and %s have a median between 0.3 and 0.5',
    (sure) => {
      const pooled = poolProbabilities([0.3, 0.4, 0.5, sure]);
      expect(pooled?.median).toBeGreaterThanOrEqual(0.3);
      expect(pooled?.median).toBeLessThanOrEqual(0.5);
      // For `logOdds`, a probability above 0.99 counts as 0.99 and one below 0.01 counts as 0.01.
      expect(pooled?.logOdds).toBe(
        poolProbabilities([0.3, 0.4, 0.5, sure === 0 ? 0.01 : 0.99])?.logOdds,
      );
    },
  );

  it('use 0.01 and 0.99 for values beyond these limits', () => {
    const toOdds = (probability: number): number => probability / (1 - probability);
    const geometricMean = Math.sqrt(toOdds(0.5) * toOdds(0.99));
    expect(poolProbabilities([0.5, 1])?.logOdds).toBeCloseTo(
      geometricMean / (1 + geometricMean),
      12,
    );
    expect(poolProbabilities([0, 1])?.logOdds).toBeCloseTo(0.5, 12);
  });

  it('ignore values outside 0 to 1, and are undefined without values', () => {
    expect(poolProbabilities([])).toBeUndefined();
    expect(poolProbabilities([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY])).toBeUndefined();
    expect(poolProbabilities([0.5, Number.NaN])).toEqual({ heard: 1, median: 0.5, logOdds: 0.5 });
  });

  it('of an event and of its opposite add up to 1', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (all) => {
        const plain = poolProbabilities(all);
        const mirrored = poolProbabilities(all.map((probability) => 1 - probability));
        expect((plain?.logOdds ?? 9) + (mirrored?.logOdds ?? 9)).toBeCloseTo(1, 9);
        expect(plain?.logOdds).toBeGreaterThanOrEqual(0.01 - 1e-12);
        expect(plain?.logOdds).toBeLessThanOrEqual(0.99 + 1e-12);
        expect(poolProbabilities(all.toReversed())).toEqual(plain);
      }),
      { seed: 17 },
    );
  });
});

describe('changes of estimates between rounds', () => {
  const before = [
    { seat: 'low', p50: 10 },
    { seat: 'mid', p50: 20 },
    { seat: 'top', p50: 40 },
  ];
  const reasons = [
    { id: 'R-1', seats: ['low'] },
    { id: 'R-2', seats: ['top'] },
  ];
  const explainMove = (seat: string, p50: number, because: readonly string[] = [], own?: string) =>
    explainMoves(before, [{ seat, p50, because, own }], reasons, 20).moves[0];

  it('are held, explained by a reason of others that the seat names, explained by a reason of its own, or unexplained', () => {
    expect(explainMove('low', 10, ['R-2'])?.kind).toBe('held');
    // Prompts show estimates with three digits. A seat that repeats the shown number has not moved, although
    // the number was rounded.
    expect(explainMove('low', 10.04)?.kind).toBe('held');
    expect(explainMove('low', 10.1)?.kind).toBe('unexplained');
    expect(explainMove('low', 18, ['R-2'])).toMatchObject({
      kind: 'names a reason',
      reasons: ['R-2'],
    });
    expect(explainMove('low', 5, [], 'half of it is done already')?.kind).toBe('own');
    expect(explainMove('low', 18)?.kind).toBe('unexplained');
    expect(explainMove('low', 5)?.kind).toBe('unexplained');
  });

  it('are unexplained if a seat moves towards the others and names none of their reasons', () => {
    expect(explainMove('low', 20, [], 'my own fresh thought')?.kind).toBe('unexplained');
    expect(explainMove('low', 35, [], 'my own fresh thought')?.kind).toBe('unexplained');
    expect(explainMove('top', 20, [], 'my own fresh thought')?.kind).toBe('unexplained');
  });

  it('are not explained by a reason that points the other way', () => {
    expect(explainMove('mid', 30, ['R-1'])?.kind).toBe('unexplained');
    expect(explainMove('mid', 30, ['R-2'])?.kind).toBe('names a reason');
    expect(explainMove('low', 18, ['R-1'])?.kind).toBe('unexplained');
    expect(explainMove('low', 18, ['R-9', 'constructor'])?.kind).toBe('unexplained');
  });

  it('do not count if more than half of them are unexplained; the first estimates count instead', () => {
    const copiers = explainMoves(
      before,
      [
        { seat: 'low', p50: 20, because: [] },
        { seat: 'top', p50: 20, because: ['R-1'] },
        { seat: 'mid', p50: 20, because: [] },
        { seat: 'late', p50: 20, because: [] },
      ],
      reasons,
      20,
    );
    expect(copiers).toMatchObject({ unexplained: 0.5, leads: 'last' });
    expect(copiers.moves.map(({ seat }) => seat)).toEqual(['low', 'mid', 'top']);
    const lost = explainMoves(before, [{ seat: 'low', p50: 20, because: [] }], reasons, 20);
    expect(lost).toMatchObject({ unexplained: 1, leads: 'first' });
    expect(explainMoves(before, [], reasons, 20)).toEqual({
      moves: [],
      unexplained: 0,
      leads: 'last',
    });
  });
});
