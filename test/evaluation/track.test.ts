/** Track records compared with an independent script, and on generated data with known probabilities. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compareForecasters,
  type ResolvedForecast,
  type TrackRecord,
  trackRecords,
} from '../../src/evaluation/track/forecasts.ts';
import { MIN_DECISIONS, pairedDifference } from '../../src/evaluation/track/paired.ts';

/** Student's two-sided 5 % points by degrees of freedom, from a printed table. */
const STUDENT = new Map([
  [5, 2.5706],
  [11, 2.201],
  [39, 2.0227],
  [59, 2.001],
]);

interface Generated {
  readonly decisions: number;
  readonly seed?: number;
}

/**
 * Generates three predictions per decision with correlated outcomes (0.3). The forecaster "calibrated" says
 * the true probability in whole per cent, "overconfident" doubles its log odds, "half" always says 50 %, and
 * "noisy" adds a normal error with a standard deviation of 1.5 to the log odds. The panel's error has 0.5.
 */
function generateForecasts({ decisions, seed = 1 }: Generated): ResolvedForecast[] {
  const random = randomFrom(seed);
  const drawNormal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const toPercent = (odds: number): number =>
    Math.min(99, Math.max(1, Math.round(100 / (1 + Math.exp(-odds))))) / 100;
  return Array.from({ length: decisions }).flatMap((_, decision) => {
    const shared = drawNormal();
    return [0, 1, 2].flatMap((number) => {
      const odds = 1.5 * drawNormal();
      const luck = Math.sqrt(0.3) * shared + Math.sqrt(0.7) * drawNormal();
      const happened = 1 / (1 + Math.exp(-1.702 * luck)) < 1 / (1 + Math.exp(-odds));
      const panel = toPercent(odds + 0.5 * drawNormal());
      const said = {
        calibrated: toPercent(odds),
        overconfident: toPercent(2 * odds),
        half: 0.5,
        noisy: toPercent(odds + 1.5 * drawNormal()),
      };
      return Object.entries(said).map(([forecaster, probability]) => ({
        decision: `D-${decision}`,
        prediction: `D-${decision}/P-${number}`,
        forecaster,
        probability,
        panel,
        happened,
      }));
    });
  });
}

/** A generator of numbers from 0 to below 1 (xorshift32), which shares nothing with the product's. */
function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const drawNext = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  // Skip the first numbers, because the first numbers of neighboring seeds depend on each other.
  for (let at = 0; at < 20; at += 1) drawNext();
  return drawNext;
}

function recordOf(records: readonly TrackRecord[], name: string): TrackRecord {
  const record = records.find(({ forecaster }) => forecaster === name);
  if (record === undefined) throw new Error(`no record of ${name}`);
  return record;
}

describe('trackRecords', () => {
  it.each([6, 12, 40, 60])(
    'calculates the same as a separate script for %i decisions',
    (decisions) => {
      const forecasts = generateForecasts({ decisions });
      const pythonResult = JSON.parse(
        execFileSync('python3', [join(import.meta.dirname, 'track.py')], {
          input: JSON.stringify(forecasts),
          encoding: 'utf8',
        }),
      );
      const records = trackRecords(forecasts);
      expect(records).toHaveLength(4);
      const wider =
        ((STUDENT.get(decisions - 1) ?? Number.NaN) / 1.96) *
        Math.sqrt(decisions / (decisions - 1));
      for (const { forecaster, brier, parts, difference } of records) {
        const their = pythonResult[forecaster];
        expect(brier).toBeCloseTo(their.brier, 12);
        expect(parts.reliability).toBeCloseTo(their.reliability, 12);
        expect(parts.resolution).toBeCloseTo(their.resolution, 12);
        expect(parts.uncertainty).toBeCloseTo(their.uncertainty, 12);
        expect(brier).toBeCloseTo(parts.reliability - parts.resolution + parts.uncertainty, 12);
        expect(difference.decisions).toBe(their.decisions);
        expect(difference.mean).toBeCloseTo(their.mean, 12);
        // For more than 12 decisions, this program and the Python script each estimate p from random draws of
        // their own. So allow a difference of three standard errors.
        expect(Math.abs(difference.p - their.p)).toBeLessThan(decisions <= 12 ? 1e-12 : 0.03);
        const tolerance = 0.1 * (their.percentiles[1] - their.percentiles[0]) + 1e-9;
        const expected = their.percentiles.map(
          (percentile: number) => their.mean + (percentile - their.mean) * wider,
        );
        expect(Math.abs(difference.low - expected[0])).toBeLessThan(tolerance);
        expect(Math.abs(difference.high - expected[1])).toBeLessThan(tolerance);
      }
    },
  );
});

describe('trackRecords with forecasters of known quality', () => {
  const records = trackRecords(generateForecasts({ decisions: 1_000 }));

  it('gives a score of 0.25 to a forecaster who always says 50 %', () => {
    const { brier, parts, calibration } = recordOf(records, 'half');
    expect(brier).toBe(0.25);
    expect(parts.resolution).toBe(0);
    expect(calibration).toHaveLength(1);
  });

  it('shows that predictions come true as often as a calibrated forecaster says', () => {
    const { calibration, parts } = recordOf(records, 'calibrated');
    expect(calibration).toHaveLength(5);
    for (const { said, cameTrue } of calibration)
      expect(Math.abs(said - cameTrue.count / cameTrue.of)).toBeLessThan(0.04);
    expect(parts.reliability).toBeLessThan(0.02);
  });

  it('shows that an overconfident forecaster’s probabilities are too low at the bottom and too high at the top', () => {
    const { calibration } = recordOf(records, 'overconfident');
    const [lowest, highest] = [calibration[0], calibration.at(-1)];
    expect(lowest && lowest.cameTrue.low > lowest.said).toBe(true);
    expect(highest && highest.cameTrue.high < highest.said).toBe(true);
    expect(recordOf(records, 'overconfident').brier).toBeGreaterThan(
      recordOf(records, 'calibrated').brier,
    );
  });
});

describe('verdicts on which forecaster is better', () => {
  it('need at least ten decisions, however large the difference between the forecasters’ scores', () => {
    const differences = Array.from({ length: MIN_DECISIONS - 1 }, (_, at) => ({
      decision: String(at),
      difference: 0.5,
    }));
    expect(pairedDifference(differences)).toMatchObject({ verdict: 'few', decisions: 9 });
    expect(pairedDifference([...differences, { decision: 'ten', difference: 0.5 }]).verdict).toBe(
      'worse',
    );
  });

  it('count a hundred predictions about one decision as one decision', () => {
    const differences = Array.from({ length: 100 }, () => ({ decision: 'one', difference: -0.4 }));
    expect(pairedDifference(differences)).toMatchObject({
      decisions: 1,
      predictions: 100,
      p: 1,
      low: -1,
      high: 1,
      verdict: 'few',
    });
  });

  it('are unclear, with a mean difference of 0, if two forecasters have equal scores for all of 20 decisions', () => {
    expect(pairedDifference([])).toMatchObject({ mean: 0, low: -1, high: 1, p: 1 });
    const same = Array.from({ length: 20 }, (_, at) => ({ decision: String(at), difference: 0 }));
    expect(pairedDifference(same)).toMatchObject({ mean: 0, p: 1, verdict: 'unclear' });
  });

  it('compare two forecasters only on predictions that both forecast', () => {
    const forecasts = generateForecasts({ decisions: 30 });
    const without = forecasts.filter(
      ({ forecaster, decision }) => forecaster !== 'noisy' || Number(decision.slice(2)) < 12,
    );
    const compared = compareForecasters(without, ['noisy', 'calibrated']);
    expect(compared).toMatchObject({ decisions: 12, predictions: 36 });
    expect(compareForecasters(without, ['noisy', 'nobody'])).toBeUndefined();
    const mirrored = compareForecasters(without, ['calibrated', 'noisy']);
    expect(mirrored?.mean).toBeCloseTo(-(compared?.mean ?? Number.NaN), 12);
    expect(mirrored?.p).toBe(compared?.p);
  });

  it('average a forecaster’s several forecasts for one prediction', () => {
    const row = {
      decision: 'D',
      prediction: 'P',
      forecaster: 'critic',
      panel: 0.5,
      happened: true,
    };
    const [record] = trackRecords([
      { ...row, probability: 1 },
      { ...row, probability: 0 },
    ]);
    expect(record).toMatchObject({ predictions: 1, brier: 0.5 });
    expect(record?.difference).toMatchObject({ predictions: 1, mean: 0.25 });
  });
});

describe('the chance that a difference between forecasters is found', () => {
  /**
   * Compares two forecasters in many generated records. Returns the share of records in which a better
   * forecaster is found (`found`), and the share whose interval contains the mean difference of all records
   * (`covered`).
   */
  function findDifferences(pair: readonly [string, string], decisions: number, records = 60) {
    const compared = Array.from({ length: records }, (_, seed) =>
      compareForecasters(generateForecasts({ decisions, seed: seed + 10 }), pair),
    ).filter((difference) => difference !== undefined);
    const trueDifference = compared.reduce((sum, { mean }) => sum + mean, 0) / compared.length;
    const computeShare = (isSo: (difference: (typeof compared)[number]) => boolean): number =>
      compared.filter(isSo).length / compared.length;
    return {
      found: computeShare(({ verdict }) => verdict === 'better' || verdict === 'worse'),
      covered: computeShare(({ low, high }) => low <= trueDifference && trueDifference <= high),
    };
  }

  it('is low after ten decisions and high after eighty', () => {
    const few = findDifferences(['noisy', 'calibrated'], 10);
    const many = findDifferences(['noisy', 'calibrated'], 80);
    expect(few.found).toBeLessThan(0.4);
    expect(many.found).toBeGreaterThan(0.75);
    for (const { covered } of [few, many]) expect(covered).toBeGreaterThan(0.88);
  });

  it('is at most one in ten for forecasters of equal quality', () => {
    // The differences are noise around 0, so neither forecaster is better.
    const found = Array.from({ length: 120 }, (_, seed) => {
      const random = randomFrom(seed + 1);
      return pairedDifference(
        Array.from({ length: 60 }, (__, at) => ({
          decision: String(Math.floor(at / 3)),
          difference: random() - 0.5,
        })),
      );
    }).filter(({ verdict }) => verdict === 'better' || verdict === 'worse').length;
    expect(found / 120).toBeLessThan(0.1);
  });
});
