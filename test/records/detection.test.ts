/**
 * How well failure modes are told from health, by simulated runs of every kind and budget: 200 of a healthy
 * panel and 60 of one that goes wrong, of which the long form holds 200 as well.
 */
import { describe, expect, it } from 'vitest';
import { FAILURE_MODES } from '../../src/protocols/rounds/records/failure-modes.ts';
import { LONG } from '../long.ts';
import { type DetectorRates, formatTable, measureDetectors, SHOWN_MODES } from './measure.ts';
import { KINDS } from './tempers.ts';

const HEALTHY = 200;
const SPOILED = LONG ? 200 : 60;
const RECALL = 0.95;
const FALSE_ALARMS = 0.05;

const rows: DetectorRates[] = [];
function recordMeasurement(...args: Parameters<typeof measureDetectors>): DetectorRates {
  const row = measureDetectors(...args);
  rows.push(row);
  return row;
}

describe('detecting failure modes in the records of healthy simulated panels', () => {
  it.each([3, 5, 8, 13])(
    'wrongly suspects each failure mode in at most 5 % of the runs of %s rounds',
    (budget) => {
      const { ever } = recordMeasurement('healthy', budget, HEALTHY);
      for (const { id } of FAILURE_MODES)
        expect.soft(ever[id], id).toBeLessThanOrEqual(FALSE_ALARMS);
    },
  );
});

describe('detecting failure modes in the records of simulated panels that go wrong', () => {
  const cases = KINDS.flatMap((kind) => {
    const shows = SHOWN_MODES[kind];
    return shows === undefined ? [] : [8, 13].map((budget) => [kind, budget, shows] as const);
  });

  it.each(cases)(
    'for the kind “%s” and %s rounds, suspects %s in at least 95 % of the runs',
    (kind, budget, shows) => {
      expect(recordMeasurement(kind, budget, SPOILED).ever[shows]).toBeGreaterThanOrEqual(RECALL);
    },
  );

  it('prints a table with a line for each kind of panel and number of rounds', () => {
    const lines = formatTable(rows).split('\n');
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines[0]).toMatch(/^panel +rounds +runs +FM-1 .* FM-8$/);
    expect(lines[1]).toMatch(new RegExp(`^healthy +3 +${HEALTHY}( +\\d+/\\d+){8}$`));
  });
});
