/** An independent script gets the same figures from the log: `recompute.py`, which shares nothing with us. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import { analyseEvaluation } from '../../src/evaluation/statistics/analysis.ts';
import type { Share } from '../../src/evaluation/statistics/exact.ts';
import type { Difference } from '../../src/evaluation/statistics/mean.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { makeHeader, makeRandom, makeSimulatedOutcome } from './simulated.ts';

interface Theirs {
  readonly units: number;
  readonly mean: number;
  readonly better: number;
  readonly worse: number;
  readonly p: number;
  readonly interval: [number, number];
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recompute-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function recomputeFigures(outcomes: readonly Outcome[]) {
  const log = join(folder, `${outcomes.length}.jsonl`);
  writeFileSync(log, outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''));
  const script = join(import.meta.dirname, 'recompute.py');
  return JSON.parse(execFileSync('python3', [script, log, 'panel', 'vote'], { encoding: 'utf8' }));
}

/** Returns how far an interval from random resamples may lie from the exact one of the program. */
const getTolerance = (units: number): number => 2.5 / units;

function expectSame(ours: Difference, expected: Theirs): void {
  expect(ours).toMatchObject({
    units: expected.units,
    better: expected.better,
    worse: expected.worse,
  });
  expect(ours.mean).toBeCloseTo(expected.mean, 12);
  expect(ours.p).toBeCloseTo(expected.p, 10);
  expect(Math.abs(ours.low - expected.interval[0])).toBeLessThan(getTolerance(expected.units));
  expect(Math.abs(ours.high - expected.interval[1])).toBeLessThan(getTolerance(expected.units));
}

function expectShare(
  ours: Share,
  expected: { count: number; of: number; interval: number[] },
): void {
  expect(ours).toMatchObject({ count: expected.count, of: expected.of });
  expect(ours.low).toBeCloseTo(expected.interval[0] ?? NaN, 9);
  expect(ours.high).toBeCloseTo(expected.interval[1] ?? NaN, 9);
}

function expectAll(outcomes: readonly Outcome[]): void {
  const expected = recomputeFigures(outcomes);
  const ours = analyseEvaluation(makeHeader(), outcomes);
  for (const [at, { difference }] of (ours.primary.usd?.readings ?? []).entries())
    expectSame(difference, expected.readings[at]);
  expect(ours.primary.usd?.ratios.usd).toBeCloseTo(expected.ratios.usd, 12);
  expect(ours.primary.usd?.ratios.tokens).toBeCloseTo(expected.ratios.tokens, 12);
  for (const arm of ours.arms) {
    const figures = expected.arms[arm.name];
    expect(arm).toMatchObject({
      unreadable: figures.unreadable,
      missing: figures.missing,
      repaired: figures.repaired,
      tokens: figures.tokens,
      isExact: figures.isExact,
    });
    expect(arm.usd).toBeCloseTo(figures.usd, 9);
    expect(arm.score.units).toBe(figures.units);
    expect(arm.score.mean).toBeCloseTo(figures.score, 12);
    const near = arm.isExact ? 1e-9 : getTolerance(figures.units);
    expect(Math.abs(arm.score.low - figures.interval[0])).toBeLessThan(near);
    expect(Math.abs(arm.score.high - figures.interval[1])).toBeLessThan(near);
    expect(arm.calibration === undefined).toBe(figures.calibration === null);
    expect(arm.flips === undefined).toBe(figures.flips === null);
    if (arm.calibration !== undefined) {
      expect(arm.calibration.units).toBe(figures.calibration.units);
      expect(arm.calibration.brier).toBeCloseTo(figures.calibration.brier, 12);
      expect(arm.calibration.skill).toBeCloseTo(figures.calibration.skill, 12);
    }
    if (arm.flips === undefined) continue;
    for (const share of ['flipped', 'rescued', 'spoiled', 'found', 'unanimousWrong'] as const)
      expectShare(arm.flips[share], figures.flips[share]);
    expect(arm.flips.atMost).toBeCloseTo(figures.flips.atMost, 9);
    expectSame(arm.flips.net, figures.flips.net);
  }
}

/**
 * Returns everything that a log may contain: repetitions, unreadable and missing answers, repaired
 * ones, votes, confidence.
 */
function makeMixedOutcomes(
  count: number,
  random: () => number,
  variants?: readonly string[],
): Outcome[] {
  return Array.from({ length: count }, (_none, at) =>
    Array.from({ length: at < count / 3 ? 3 : 1 }, (_each, seed) =>
      (variants ?? [undefined]).flatMap((variant) => {
        const hard = random();
        return ['panel', 'vote', 'single'].flatMap((arm) => {
          const drawAnswer = () => (random() > hard * 0.7 ? '.' : random() < 0.5 ? 'a' : 'b');
          const said = drawAnswer();
          const drawn = random();
          // Leave out a few answers, so that some items were answered by only one of two compared methods.
          if (drawn > 0.985) return [];
          return makeSimulatedOutcome({
            item: variant === undefined ? `i${at}` : `m${at}-${variant}`,
            unit: `u${at}`,
            ...withoutUndefined({ variant }),
            arm,
            seed: seed + 1,
            state: drawn < 0.03 ? 'unreadable' : drawn < 0.05 ? 'missing' : 'answered',
            answer: said,
            isRight: said === '.',
            isRepaired: random() < 0.04,
            costUsd: Math.round(random() * 1e6) / 1e8,
            tokens: 100 + Math.floor(random() * 900),
            ...(random() < 0.8 && { confidence: Math.round(random() * 100) / 100 }),
            ...(arm === 'panel' && {
              votes: ['s1', 's2', 's3'].map((seat) => {
                const vote = random() < (at % 9 === 0 ? 0.9 : 0.05) ? null : drawAnswer();
                return { seat, answer: vote, isRight: vote === '.' };
              }),
            }),
          });
        });
      }),
    ).flat(),
  ).flat();
}

test('the statistics of an evaluation equal an independent calculation if some tasks are repeated', () => {
  expectAll(makeMixedOutcomes(240, makeRandom(31)));
});

test('the statistics of an evaluation equal an independent calculation if each task is asked once', () => {
  const outcomes = makeMixedOutcomes(210, makeRandom(32)).filter(({ seed }) => seed === 1);
  expect(analyseEvaluation(makeHeader(), outcomes).arms[0]?.isExact).toBe(true);
  expectAll(outcomes);
});

test('the statistics of an evaluation equal an independent calculation if each task is asked in three variants', () => {
  expectAll(makeMixedOutcomes(90, makeRandom(33), ['flaw', 'decoy', 'clean']));
});
