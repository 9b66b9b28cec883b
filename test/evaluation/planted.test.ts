/** What an evaluation must find, and must not: evaluations of known truth, many of them. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import { type Analysis, analyseEvaluation } from '../../src/evaluation/statistics/analysis.ts';
import { LONG } from '../long.ts';
import {
  makeCorrelated,
  makeHeader,
  makePairs,
  makeRandom,
  makeSimulatedOutcome,
} from './simulated.ts';

const SETS = LONG ? 4_000 : 200;
const random = makeRandom(18);

/** Returns the primary contrast by dollars. */
function getPrimaryContrast({ primary }: Analysis) {
  if (primary.usd === undefined) throw new Error('there is no contrast by dollars');
  return primary.usd;
}

function kindOf(analysis: Analysis): string {
  return getPrimaryContrast(analysis).verdict.kind;
}

describe('two compared methods without a true difference', () => {
  test('are reported as different in at most 7 of 100 evaluations', () => {
    let [falseAlarms, covered, byAnswer] = [0, 0, 0];
    for (let set = 0; set < SETS; set += 1) {
      const outcomes = makeCorrelated(200, 3, random);
      const { verdict, difference } = getPrimaryContrast(analyseEvaluation(makeHeader(), outcomes));
      if (verdict.kind === 'gain' || verdict.kind === 'loss') falseAlarms += 1;
      if (difference.low <= 0 && difference.high >= 0) covered += 1;
      if (set >= 60) continue;
      // For comparison, treat each answer as an independent unit, which is wrong and must show more
      // differences than there are.
      const each = outcomes.map((outcome) => ({
        ...outcome,
        item: `${outcome.item}-${outcome.seed}`,
        unit: `${outcome.item}-${outcome.seed}`,
      }));
      if (
        getPrimaryContrast(analyseEvaluation(makeHeader({ units: 600 }), each)).difference.p < 0.05
      )
        byAnswer += 1;
    }
    expect(falseAlarms).toBeLessThanOrEqual(0.07 * SETS);
    // Statistics with 95 % confidence report some differences by chance.
    expect(falseAlarms).toBeGreaterThan(0.01 * SETS);
    expect(covered).toBeGreaterThanOrEqual(0.92 * SETS);
    expect(byAnswer).toBeGreaterThan(0.1 * 60);
  });
});

describe('the measured difference between two compared methods', () => {
  test('does not change if every task is asked three times with identical answers', () => {
    const once = makePairs(200, { panelAlone: 0.12, voteAlone: 0.08, both: 0.5 }, makeRandom(2));
    const thrice = [1, 2, 3].flatMap((seed) => once.map((outcome) => ({ ...outcome, seed })));
    const [one, three] = [
      analyseEvaluation(makeHeader(), once),
      analyseEvaluation(makeHeader(), thrice),
    ];
    expect(getPrimaryContrast(three).difference).toEqual(getPrimaryContrast(one).difference);
    expect(three.repeats).toEqual({ units: 200, asked: 400, alike: 400 });
    expect(one.repeats.units).toBe(0);
    const other = thrice.with(0, { ...thrice[0], answer: 'another' } as Outcome);
    expect(analyseEvaluation(makeHeader(), other).repeats).toEqual({
      units: 200,
      asked: 400,
      alike: 399,
    });
  });
});

describe('a panel that is worse than a vote of equal cost', () => {
  test('is never reported as better than that vote', () => {
    let [gains, lost] = [0, 0];
    for (let set = 0; set < SETS / 8; set += 1) {
      const outcomes = makePairs(800, { panelAlone: 0.07, voteAlone: 0.1, both: 0.6 }, random);
      const single = outcomes
        .filter(({ arm }) => arm === 'panel')
        .map((original) =>
          makeSimulatedOutcome({
            ...original,
            arm: 'single',
            isRight: original.isRight && random() < 0.7,
            costUsd: 0.002,
          }),
        );
      const analysis = analyseEvaluation(
        makeHeader({ units: 800, others: [{ arm: 'panel', against: { usd: 'single' } }] }),
        [...outcomes, ...single],
      );
      if (kindOf(analysis) === 'gain') gains += 1;
      if (kindOf(analysis) === 'loss') lost += 1;
      // The panel is better than one call but costs five times as much, and both are reported.
      expect(analysis.others[0]?.verdict).toMatchObject({ kind: 'gain', isDearer: true });
    }
    expect(gains).toBe(0);
    expect(lost).toBeGreaterThan(SETS / 32);
  });
});

describe('a panel that is truly better than a vote by four percentage points', () => {
  const TRUTH = { panelAlone: 0.12, voteAlone: 0.08, both: 0.5 };
  // 60 of the 800 items are asked three times, and the others once.
  const getRepetitions = (at: number) => (at < 60 ? 3 : 1);

  test('is found to be better in at least 60 of 100 evaluations', () => {
    const kinds = Array.from({ length: SETS / 2 }, () =>
      kindOf(
        analyseEvaluation(
          makeHeader({ units: 800 }),
          makePairs(800, TRUTH, random, getRepetitions),
        ),
      ),
    );
    expect(kinds.filter((kind) => kind === 'gain').length).toBeGreaterThanOrEqual(
      0.6 * kinds.length,
    );
    expect(kinds).not.toContain('loss');
  });

  test('gets no verdict with 40 tasks, whatever the answers are', () => {
    const kinds = Array.from({ length: 100 }, () =>
      kindOf(analyseEvaluation(makeHeader({ units: 40 }), makePairs(40, TRUTH, random))),
    );
    expect(new Set(kinds)).toEqual(new Set(['small']));
    const overwhelming = makePairs(40, { panelAlone: 1, voteAlone: 0, both: 0 }, random);
    expect(kindOf(analyseEvaluation(makeHeader({ units: 40 }), overwhelming))).toBe('small');
  });
});

/**
 * Returns the outcome of a panel whose seats voted in this way and then gave this answer. `.` is the right answer,
 * and `?` an unreadable one.
 */
function makePanelOutcome(at: number, votes: string, answer: string): Outcome {
  return makeSimulatedOutcome({
    item: `i${at}`,
    arm: 'panel',
    answer,
    isRight: answer === '.',
    votes: [...votes].map((vote, seat) => ({
      seat: `seat-${seat}`,
      answer: vote === '?' ? null : vote,
      isRight: vote === '.',
    })),
  });
}

function getFlips(outcomes: readonly Outcome[]) {
  const found = analyseEvaluation(makeHeader(), outcomes).arms.find(
    ({ name }) => name === 'panel',
  )?.flips;
  if (found === undefined) throw new Error('nobody voted');
  return found;
}

describe('the check whether a panel only repeats the vote of its seats', () => {
  const makeNods = (count: number) =>
    Array.from({ length: count }, (_none, at) =>
      at % 3 === 0 ? makePanelOutcome(at, 'a.a', 'a') : makePanelOutcome(at, '..b', '.'),
    );

  test('says yes after 200 tasks in which the panel changed no vote: less than 1.5 % of votes are changed', () => {
    const found = getFlips(makeNods(200));
    expect(found.nods).toBe(true);
    expect(found.flipped.count).toBe(0);
    expect(found.atMost).toBeGreaterThan(0.0148);
    expect(found.atMost).toBeLessThan(0.015);
    expect(found.net.low).toBeLessThan(0);
    expect(found.net.high).toBeGreaterThan(0);
  });

  test('says no after 150 tasks without a changed vote, and after 200 tasks with one changed vote', () => {
    expect(getFlips(makeNods(150)).nods).toBe(false);
    expect(getFlips(makeNods(200).with(0, makePanelOutcome(0, 'aa.', '.'))).nods).toBe(false);
  });

  test('takes a right answer as equal to a right vote in another spelling', () => {
    const rewritten = makeNods(200).map((outcome) =>
      outcome.isRight ? { ...outcome, answer: '0.5' } : outcome,
    );
    expect(getFlips(rewritten).nods).toBe(true);
    const wrong = makeNods(200).map((outcome) =>
      outcome.isRight ? outcome : { ...outcome, answer: 'b' },
    );
    expect(getFlips(wrong).flipped.count).toBe(67);
  });
});

describe('the comparison of a panel’s answers with the votes of its seats', () => {
  const minorityRight = 'a.a';
  const majorityRight = '.b.';
  const rescued = 30;
  const makePanel = (spoiled: number) => [
    ...Array.from({ length: 100 }, (_none, at) =>
      makePanelOutcome(at, minorityRight, at < rescued ? '.' : 'a'),
    ),
    ...Array.from({ length: 200 }, (_none, at) =>
      makePanelOutcome(100 + at, majorityRight, at < spoiled ? 'b' : '.'),
    ),
  ];

  test('subtracts the right votes that the panel turned wrong from the wrong votes that it corrected', () => {
    const [careful, careless] = [getFlips(makePanel(5)), getFlips(makePanel(40))];
    expect(careful.rescued).toEqual(careless.rescued);
    expect(careful.rescued).toMatchObject({ count: 30, of: 100 });
    expect(careful.spoiled).toMatchObject({ count: 5, of: 200 });
    expect(careless.spoiled).toMatchObject({ count: 40, of: 200 });
    expect(careful.net.mean).toBeCloseTo(25 / 300);
    expect(careless.net.mean).toBeCloseTo(-10 / 300);
    expect(careful.net.low).toBeGreaterThan(0);
    expect(careless.net.low).toBeLessThan(0);
  });

  test('leaves out tasks in which no seat’s vote can be read', () => {
    const read = [makePanelOutcome(1, 'a.a', '.'), makePanelOutcome(2, '?.?', 'b')];
    const unread = Array.from({ length: 20 }, (_none, at) => makePanelOutcome(10 + at, '???', '.'));
    expect(getFlips([...read, ...unread])).toEqual(getFlips(read));
    expect(analyseEvaluation(makeHeader(), unread).arms[0]?.flips).toBeUndefined();
  });

  test('counts the tasks in which all seats gave the same wrong answer', () => {
    const found = getFlips([
      makePanelOutcome(1, 'aaa', 'a'),
      makePanelOutcome(2, 'aaa', '.'),
      makePanelOutcome(3, '...', '.'),
      makePanelOutcome(4, 'ab.', '.'),
    ]);
    expect(found.unanimousWrong).toMatchObject({ count: 2, of: 3 });
    expect(found.found).toMatchObject({ count: 1, of: 2 });
    // The seats' votes on the fourth task are tied, so the first seat's wrong vote counts. The panel then
    // gave the right answer.
    expect(found.rescued).toMatchObject({ count: 1, of: 1 });
  });
});

describe('two equally good methods, one with unreadable or missing answers,', () => {
  test('are reported as different in at most 7 of 100 evaluations', () => {
    const kinds = Array.from({ length: SETS / 8 }, () => {
      const outcomes = makePairs(
        800,
        { panelAlone: 0.02, voteAlone: 0.02, both: 0.66 },
        random,
      ).map((original) =>
        original.arm === 'panel' && random() < 0.06
          ? makeSimulatedOutcome({ ...original, state: 'unreadable' })
          : original,
      );
      const { verdict, difference } = getPrimaryContrast(
        analyseEvaluation(makeHeader({ units: 800 }), outcomes),
      );
      return { ...verdict, isBelow: difference.high < 0 };
    });
    // In most of these evaluations the panel scores lower than the vote, because the panel's unreadable answers
    // count as wrong in the scores.
    expect(kinds.filter(({ isBelow }) => isBelow).length).toBeGreaterThan(kinds.length / 2);
    expect(
      kinds.filter(({ kind }) => kind === 'loss' || kind === 'gain').length,
    ).toBeLessThanOrEqual(0.07 * kinds.length);
    expect(kinds.some(({ changesIn }) => changesIn === 'without unreadable answers')).toBe(true);
  });

  test('get no verdict in favor of a method of which only wrong answers are missing', () => {
    const outcomes = makePairs(
      800,
      { panelAlone: 0.06, voteAlone: 0.06, both: 0.5 },
      makeRandom(7),
    );
    const failing = outcomes.map((original, at) =>
      original.arm === 'panel' && !original.isRight && at % 4 === 0
        ? makeSimulatedOutcome({ ...original, state: 'missing' })
        : original,
    );
    const { verdict, readings } = getPrimaryContrast(
      analyseEvaluation(makeHeader({ units: 800 }), failing),
    );
    // If the panel's missing answers were only left out, the evaluation would report that the panel is better than
    // the vote.
    expect(readings[0]?.difference.low).toBeGreaterThan(0);
    expect(readings[0]?.difference.p).toBeLessThan(0.05);
    expect(verdict.kind).not.toBe('gain');
  });
});

test('the confidence interval of a score contains the true value in at least 93 of 100 evaluations', () => {
  let within = 0;
  for (let set = 0; set < SETS; set += 1) {
    const outcomes = Array.from({ length: 200 }, (_none, at) =>
      makeSimulatedOutcome({ item: `i${at}`, arm: 'single', isRight: random() < 0.7 }),
    );
    const { score } = analyseEvaluation(makeHeader(), outcomes).arms[2] ?? {};
    if (score !== undefined && score.low <= 0.7 && score.high >= 0.7) within += 1;
  }
  expect(within).toBeGreaterThanOrEqual(0.93 * SETS);
});
