/** The figures one by one, against values that were worked out elsewhere or can be counted by hand. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import { analyseEvaluation } from '../../src/evaluation/statistics/analysis.ts';
import { gatherCells, READINGS, unitsOf, valuesOf } from '../../src/evaluation/statistics/cells.ts';
import {
  exactInterval,
  probabilityOfAtLeast,
  upperBound,
} from '../../src/evaluation/statistics/exact.ts';
import { calibrationOf, findSeatVote } from '../../src/evaluation/statistics/flips.ts';
import { adjustByHolm } from '../../src/evaluation/statistics/holm.ts';
import { matchVote } from '../../src/evaluation/statistics/matched.ts';
import { differenceOf, meanOf } from '../../src/evaluation/statistics/mean.ts';
import {
  countIndependentUnits,
  findSmallestVisibleDifference,
  powerOf,
} from '../../src/evaluation/statistics/power.ts';
import { decideVerdict } from '../../src/evaluation/statistics/verdict.ts';
import { makeHeader, makePairs, makeRandom, makeSimulatedOutcome } from './simulated.ts';

/** Returns each value as often as its count says. */
function repeatValues(counts: Readonly<Record<string, number>>): number[] {
  return Object.entries(counts).flatMap(([value, count]) => Array(count).fill(Number(value)));
}

describe('exact confidence intervals', () => {
  test.each([
    // The expected bounds are the beta quantiles of jStat 1.9.6.
    [1, 200, 0.000126581, 0.0275419],
    [5, 200, 0.00816617, 0.05737435],
    [100, 2_400, 0.034027897, 0.050447841],
    [2_399, 2_400, 0.997680692, 0.999989451],
    [1, 3, 0.00840376, 0.90570068],
    [2, 40, 0.006113647, 0.169196864],
  ])(
    'have the bounds that another program computes, for %i right answers of %i',
    (count, of, low, high) => {
      const [from, to] = exactInterval(count, of);
      expect(from).toBeCloseTo(low, 7);
      expect(to).toBeCloseTo(high, 6);
    },
  );

  test('do not end at 0 for 0 of 200, and reach from 0 to 1 for 0 of 0', () => {
    expect(exactInterval(0, 200)[0]).toBe(0);
    expect(exactInterval(0, 200)[1]).toBeCloseTo(1 - 0.025 ** (1 / 200), 12);
    expect(exactInterval(200, 200)[0]).toBeCloseTo(0.025 ** (1 / 200), 12);
    expect(exactInterval(0, 0)).toEqual([0, 1]);
  });

  test('have an upper limit just below 3/n for 0 of n', () => {
    for (const of of [40, 200, 2_400]) {
      expect(upperBound(0, of)).toBeCloseTo(1 - 0.05 ** (1 / of), 12);
      expect(upperBound(0, of) / (3 / of)).toBeGreaterThan(0.95);
      expect(upperBound(0, of)).toBeLessThan(3 / of);
    }
    expect(upperBound(3, 3)).toBe(1);
  });

  test('rest on binomial probabilities that are exact even for thousands of trials', () => {
    expect(probabilityOfAtLeast(3, 5, 0.5)).toBeCloseTo(0.5, 14);
    expect(probabilityOfAtLeast(2_000, 2_000, 0.99)).toBeCloseTo(0.99 ** 2_000, 14);
    expect(probabilityOfAtLeast(1, 10, 0)).toBe(0);
    expect(probabilityOfAtLeast(10, 10, 1)).toBe(1);
  });
});

describe('differences between two compared methods', () => {
  test("get the p-value of McNemar's exact test if each task is asked once", () => {
    const found = differenceOf(repeatValues({ '1': 15, '-1': 5, '0': 80 }));
    expect(found).toMatchObject({ units: 100, better: 15, worse: 5 });
    expect(found.mean).toBeCloseTo(0.1);
    expect(found.spread).toBeCloseTo(0.2);
    // The expected p-value is 2 P(X ≥ 15) for 20 tosses of a coin.
    expect(found.p).toBeCloseTo(2 * probabilityOfAtLeast(15, 20, 0.5), 14);
    expect(found.p).toBeCloseTo(0.041389465, 8);
  });

  test('get the p-value of counting all 16 flips of the signs of four tasks, whose differences may be fractions', () => {
    const units = [1, 1 / 3, -1 / 3, 2 / 3];
    let far = 0;
    for (let way = 0; way < 16; way += 1) {
      const sum = units.reduce((all, unit, at) => all + ((way >> at) & 1 ? unit : -unit), 0);
      if (Math.abs(sum) >= 5 / 3 - 1e-9) far += 1;
    }
    expect(differenceOf(units).p).toBeCloseTo(far / 16, 14);
  });

  test('have a confidence interval within 0.004 of that from 20,000 random resamples of the tasks', () => {
    const units = [...repeatValues({ '1': 40, '-1': 25, '0': 120 }), ...Array(15).fill(1 / 3)];
    const random = makeRandom(5);
    const means = Array.from({ length: 20_000 }, () => {
      let sum = 0;
      for (let at = 0; at < units.length; at += 1)
        sum += units[Math.floor(random() * units.length)] ?? 0;
      return sum / units.length;
    }).sort((value, other) => value - other);
    const { low, high } = differenceOf(units);
    expect(Math.abs(low - (means[500] ?? 0))).toBeLessThan(0.004);
    expect(Math.abs(high - (means[19_500] ?? 0))).toBeLessThan(0.004);
  });

  test('have a confidence interval of ±1.5 percentage points after 200 tasks in which the methods never differed', () => {
    const none = differenceOf(repeatValues({ '0': 200 }));
    expect(none.p).toBe(1);
    expect(none.high).toBeCloseTo(0.01487, 5);
    expect(none.low).toBe(-none.high);
    expect(meanOf(repeatValues({ '1': 200 }))).toMatchObject({ mean: 1, high: 1 });
    expect(meanOf(repeatValues({ '1': 200 })).low).toBeLessThan(0.99);
  });

  test('have an infinite confidence interval if there are no tasks', () => {
    expect(differenceOf([])).toMatchObject({ units: 0, p: 1, low: -Infinity, high: Infinity });
    const sevenths = differenceOf([1 / 7, 3 / 7, -2 / 7, 5 / 7, 1 / 7, 1, 6 / 7]);
    expect(sevenths.mean).toBeCloseTo(3 / 7, 12);
    expect(sevenths.low).toBeLessThan(sevenths.mean);
    expect(sevenths.p).toBeGreaterThan(0);
  });
});

test('Holm’s correction raises p-values and keeps their order', () => {
  expect(adjustByHolm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(adjustByHolm([0.6, 0.7])).toEqual([1, 1]);
  expect(adjustByHolm([])).toEqual([]);
});

describe('the score for design memos with and without a planted flaw', () => {
  /**
   * Scores a panel on ten memos, each in three variants: with a flaw, with a decoy, and without either. The
   * arguments say which variants the panel judges rightly.
   */
  const scoreMemos = (flaw: boolean, decoy: boolean, clean: boolean) => {
    const right = { flaw, decoy, clean };
    const outcomes = Array.from({ length: 10 }, (_none, at) =>
      (['flaw', 'decoy', 'clean'] as const).map((variant) =>
        makeSimulatedOutcome({
          item: `m${at}-${variant}`,
          unit: `m${at}`,
          variant,
          arm: 'panel',
          isRight: right[variant],
        }),
      ),
    ).flat();
    const [found] = valuesOf(
      unitsOf(gatherCells(outcomes), 'panel'),
      READINGS[0] ?? throwNoReading(),
    );
    return found;
  };

  test('is zero for a method that always answers that there is no flaw', () => {
    expect(scoreMemos(false, true, true)).toBe(0);
    expect(scoreMemos(false, false, true)).toBe(-0.5);
    expect(scoreMemos(false, false, false)).toBe(-1);
    // A method that finds a flaw in all three variants of each memo (with a flaw, with a decoy and clean) gains a
    // point for the first variant and loses half a point for each of the others.
    expect(scoreMemos(true, false, false)).toBe(0);
    expect(scoreMemos(true, true, true)).toBe(1);
  });

  test('counts a memo once, however many variants and repetitions were asked', () => {
    const outcomes = Array.from({ length: 40 }, (_none, at) =>
      ['panel', 'vote'].flatMap((arm) =>
        ['flaw', 'decoy', 'clean'].flatMap((variant) =>
          [1, 2].map((seed) =>
            makeSimulatedOutcome({ item: `m${at}-${variant}`, unit: `m${at}`, variant, arm, seed }),
          ),
        ),
      ),
    ).flat();
    const analysis = analyseEvaluation(makeHeader({ units: 40 }), outcomes);
    expect(analysis).toMatchObject({ units: 40, items: 120, seeds: 2, hasVariants: true });
    expect(analysis.primary.usd?.difference.units).toBe(40);
    expect(analysis.arms[0]?.score.units).toBe(40);
  });

  test('leaves out a memo if only its clean variant was answered', () => {
    const rest = makeSimulatedOutcome({
      item: 'm-clean',
      unit: 'm',
      variant: 'clean',
      arm: 'panel',
    });
    expect(
      valuesOf(unitsOf(gatherCells([rest]), 'panel'), READINGS[0] ?? throwNoReading()),
    ).toEqual([]);
  });
});

test('calibrationOf compares stated confidences by Brier score with one constant confidence: the share of right answers', () => {
  const makeOutcome = (confidence: number, isRight: boolean, at: number): Outcome =>
    makeSimulatedOutcome({ item: `i${at}`, arm: 'panel', confidence, isRight });
  const found = calibrationOf(
    unitsOf(
      gatherCells([
        makeOutcome(0.9, true, 1),
        makeOutcome(0.8, true, 2),
        makeOutcome(0.6, false, 3),
        makeOutcome(0.7, true, 4),
      ]),
      'panel',
    ),
  );
  expect(found?.units).toBe(4);
  expect(found?.brier).toBeCloseTo((0.01 + 0.04 + 0.36 + 0.09) / 4, 12);
  expect(found?.base).toBeCloseTo(0.1875, 12);
  expect(found?.skill).toBeCloseTo(1 - 0.125 / 0.1875, 12);
  const sure = calibrationOf(
    unitsOf(gatherCells([makeOutcome(1, true, 1), makeOutcome(1, true, 2)]), 'panel'),
  );
  expect(sure?.skill).toBeUndefined();
  expect(
    calibrationOf(unitsOf(gatherCells([makeSimulatedOutcome({ item: 'i', arm: 'a' })]), 'a')),
  ).toBeUndefined();
});

test('findSeatVote ignores missing answers, and takes the first seat’s answer in a tie, even if it is wrong', () => {
  const findVote = (answers: readonly (string | null)[]) =>
    findSeatVote(
      answers.map((answer, at) => ({ seat: `s${at}`, answer, isRight: answer === '.' })),
    );
  expect(findVote(['a', '.', '.'])).toMatchObject({
    answer: '.',
    isRight: true,
    isUnanimous: false,
  });
  expect(findVote(['a', '.'])).toMatchObject({ answer: 'a', isRight: false, anyRight: true });
  expect(findVote(['.', 'a'])).toMatchObject({ answer: '.', isRight: true });
  expect(findVote([null, null, '.'])).toMatchObject({ answer: '.', isUnanimous: false });
  expect(findVote([null, null])).toMatchObject({
    answer: null,
    isRight: false,
    isUnanimous: false,
  });
  expect(findVote([])).toBeUndefined();
});

describe('the search for a vote that costs as much as a panel (matchVote)', () => {
  const makePool = (items: number, samples: number, price = 1) =>
    Array.from({ length: items }, () => Array<number>(samples).fill(price));

  test('returns the smallest odd number of samples that is not cheaper than the panel', () => {
    expect(matchVote(50, makePool(10, 15))).toEqual({ samples: 5, total: 50 });
    expect(matchVote(51, makePool(10, 15))).toEqual({ samples: 7, total: 70 });
    expect(matchVote(0, makePool(10, 15))).toEqual({ samples: 1, total: 10 });
    expect(
      matchVote(3, [
        [1, 5, 1],
        [1, 1, 1],
      ]),
    ).toEqual({ samples: 3, total: 10 });
  });

  test('returns undefined if the available samples cost less than the panel', () => {
    expect(matchVote(151, makePool(10, 15))).toBeUndefined();
    expect(matchVote(100, [...makePool(9, 15), [1]])).toBeUndefined();
    expect(matchVote(1, [])).toBeUndefined();
  });
});

describe('the chance to detect a difference', () => {
  test('is as documented for the recommended number of tasks and for 40 tasks', () => {
    expect(powerOf(0.04, { units: 800, discordance: 0.163 })).toBeCloseTo(0.8, 1);
    expect(powerOf(0.04, { units: 800, discordance: 0.245 })).toBeCloseTo(0.63, 1);
    expect(findSmallestVisibleDifference({ units: 40, discordance: 0.06 })).toBeGreaterThan(0.1);
    expect(findSmallestVisibleDifference({ units: 40, discordance: 0.13 })).toBeCloseTo(0.16, 1);
  });

  test('agrees with simulated evaluations', () => {
    const random = makeRandom(9);
    const size = { units: 300, discordance: 0.2 };
    const seen = Array.from({ length: 300 }, () =>
      makePairs(300, { panelAlone: 0.14, voteAlone: 0.06, both: 0.5 }, random),
    ).filter(
      (set) => (analyseEvaluation(makeHeader(), set).primary.usd?.difference.p ?? 1) < 0.05,
    ).length;
    expect(Math.abs(seen / 300 - powerOf(0.08, size))).toBeLessThan(0.07);
  });

  test('does not grow with repetitions that always agree', () => {
    const size = { units: 100, seeds: 3, discordance: 0.2 };
    expect(countIndependentUnits(size)).toBe(100);
    expect(countIndependentUnits({ ...size, correlation: 0 })).toBe(300);
    expect(countIndependentUnits({ ...size, correlation: 0.5 })).toBe(150);
    expect(findSmallestVisibleDifference({ units: 300, discordance: 0.2 })).toBeLessThan(
      findSmallestVisibleDifference(size),
    );
  });
});

describe('verdicts on a comparison', () => {
  const makeEvidence = (mean: number, low: number, high: number, p: number, units = 800) => ({
    name: 'as scored',
    difference: { units, mean, low, high, p, better: 0, worse: 0, spread: 0.2 },
  });
  const all = { planned: 800, asked: 800, left: 0, ratio: 0.98 };

  test.each([
    ['gain', makeEvidence(0.04, 0.01, 0.07, 0.01)],
    ['loss', makeEvidence(-0.04, -0.07, -0.01, 0.01)],
    ['within', makeEvidence(0.001, -0.015, 0.018, 0.9)],
    ['unknown', makeEvidence(0.001, -0.015, 0.021, 0.9)],
    // A gain needs both a bootstrap interval above zero and a p-value below 0.05. Each of these two cases has only
    // one of them.
    ['unknown', makeEvidence(0.04, 0.001, 0.08, 0.051)],
    ['unknown', makeEvidence(0.04, -0.001, 0.08, 0.049)],
    ['small', makeEvidence(0.4, 0.3, 0.5, 0.0001, 199)],
  ])(
    'follow from the difference of the scores, its interval, its p-value and the number of tasks: %s',
    (kind, reading) => {
      expect(decideVerdict({ ...all, readings: [reading, reading, reading] })).toEqual({
        kind,
        isDearer: false,
      });
    },
  );

  test('need all planned answers, and the same result however unreadable and missing answers are counted', () => {
    const [gain, none] = [
      makeEvidence(0.04, 0.01, 0.07, 0.01),
      makeEvidence(0.02, -0.01, 0.05, 0.2),
    ];
    const other = { ...none, name: 'without unreadable answers' };
    expect(decideVerdict({ ...all, readings: [gain, other, gain] })).toEqual({
      kind: 'unknown',
      isDearer: false,
      changesIn: 'without unreadable answers',
    });
    expect(decideVerdict({ ...all, asked: 799, readings: [gain, gain, gain] }).kind).toBe(
      'unfinished',
    );
    expect(decideVerdict({ ...all, left: 1, readings: [gain, gain, gain] }).kind).toBe(
      'unfinished',
    );
    expect(decideVerdict({ ...all, planned: 40, asked: 40, readings: [gain] }).kind).toBe('small');
    expect(decideVerdict({ ...all, readings: [] }).kind).toBe('small');
  });

  test('need all repetitions that were planned at the start', () => {
    const makeRepetitions = (last: number) => (unit: number) => (unit < last ? 3 : 1);
    const gain = { panelAlone: 0.3, voteAlone: 0.05, both: 0.5 };
    const kindOf = (last: number) =>
      analyseEvaluation(
        makeHeader({ turns: 200 + 2 * 20 }),
        makePairs(200, gain, makeRandom(3), makeRepetitions(last)),
      ).primary.usd;
    expect(kindOf(20)?.verdict.kind).toBe('gain');
    expect(kindOf(19)).toMatchObject({ asked: 200, left: 2, verdict: { kind: 'unfinished' } });
    expect(kindOf(0)?.verdict.kind).toBe('unfinished');
  });

  test('say that a gain is dearer by tokens, but not by dollars, if the better method uses more tokens for the same dollars', () => {
    const set = makePairs(200, { panelAlone: 0.3, voteAlone: 0.05, both: 0.5 }, makeRandom(3));
    const dear = set.map((outcome) =>
      outcome.arm === 'panel' ? { ...outcome, tokens: 1_800 } : outcome,
    );
    const analysis = analyseEvaluation(makeHeader(), dear);
    expect(analysis.primary.usd?.verdict).toEqual({ kind: 'gain', isDearer: false });
    expect(analysis.primary.tokens?.verdict).toEqual({ kind: 'gain', isDearer: true });
    expect(analysis.primary.tokens?.ratios.tokens).toBeCloseTo(1.8);
    expect(analysis.changesWithCurrency).toBe(true);
    expect(analyseEvaluation(makeHeader(), set).changesWithCurrency).toBe(false);
  });

  test('are based on tokens and not on dollars if the models have no price', () => {
    const set = makePairs(200, { panelAlone: 0.3, voteAlone: 0.05, both: 0.5 }, makeRandom(3));
    const local = analyseEvaluation(
      makeHeader(),
      set.map((outcome) => ({ ...outcome, costUsd: null })),
    );
    expect(Object.keys(local.primary)).toEqual(['tokens']);
    expect(local.changesWithCurrency).toBe(false);
    expect(local.arms[0]?.usd).toBeNull();
  });
});

describe('the analysis of an evaluation’s answers', () => {
  const makeAnswers = (served: (at: number) => readonly string[]) =>
    Array.from({ length: 20 }, (_none, at) =>
      ['panel', 'vote'].map((arm) =>
        makeSimulatedOutcome({ item: `i${at}`, arm, models: served(at) }),
      ),
    ).flat();

  test('rejects answers by two versions of the one model that was named', () => {
    expect(() =>
      analyseEvaluation(
        makeHeader(),
        makeAnswers((at) => [at < 10 ? 'm@1' : 'm@2']),
      ),
    ).toThrow('panel: 1 model named, 2 served (m@1 in 10 answers, m@2 in 10 answers)');
    const oneVersionInEachArm = makeAnswers(() => ['m@1']).map((answer) =>
      answer.arm === 'vote' ? { ...answer, models: ['m@2'] } : answer,
    );
    expect(() => analyseEvaluation(makeHeader(), oneVersionInEachArm)).toThrow('all arms together');
    const twoVersionsInOneAnswer = makeAnswers((at) => (at === 9 ? ['m@1', 'm@2'] : ['m@1']));
    expect(() => analyseEvaluation(makeHeader(), twoVersionsInOneAnswer)).toThrow('model');
  });

  test('accepts answers to which two models contributed if the evaluation’s header lists both for each arm', () => {
    const arms = ['panel', 'vote'].map((name) => ({ name, models: ['a/m', 'b/n'] }));
    const two = makeHeader({ arms });
    expect(
      analyseEvaluation(
        two,
        makeAnswers((at) => (at === 3 ? [] : ['m@1', 'n@7'])),
      ).units,
    ).toBe(20);
  });

  test('rejects two answers of one arm to the same task in the same repetition', () => {
    const twice = [
      makeSimulatedOutcome({ item: 'i', arm: 'vote' }),
      makeSimulatedOutcome({ item: 'i', arm: 'vote' }),
    ];
    expect(() => analyseEvaluation(makeHeader(), twice)).toThrow(
      'vote has two answers to item i in repetition 1',
    );
  });
});

test('a panel is not compared with a vote that has not been taken yet', () => {
  const set = makePairs(200, { panelAlone: 0.3, voteAlone: 0.05, both: 0.5 }, makeRandom(3));
  const half = makeHeader({
    primary: { arm: 'panel', against: { usd: 'vote', tokens: 'vote-7' } },
  });
  const analysis = analyseEvaluation(half, set);
  expect(Object.keys(analysis.primary)).toEqual(['usd']);
  expect(analysis.changesWithCurrency).toBe(false);
});

test('the analysis counts an unreadable answer as wrong even if its outcome is marked as right', () => {
  const unread = {
    ...makeSimulatedOutcome({ item: 'i', arm: 'panel' }),
    state: 'unreadable' as const,
  };
  expect(unread.isRight).toBe(true);
  expect(analyseEvaluation(makeHeader(), [unread]).arms[0]?.score).toMatchObject({
    units: 1,
    mean: 0,
  });
});

test('an evaluation without any answers gets the verdict that it has too few tasks', () => {
  const empty = analyseEvaluation(makeHeader(), []);
  expect(empty).toMatchObject({ units: 0, smallestVisible: 1 });
  expect(empty.primary.tokens?.verdict.kind).toBe('small');
});

function throwNoReading(): never {
  throw new Error('there is no reading');
}
