/** Tests the estimate of a plan's calls. */
import { expect, test } from 'vitest';
import { CHAIR, type PlanConfig } from '../../src/protocols/plan/config.ts';
import { planPlan } from '../../src/protocols/plan/estimate.ts';
import { makeSeat } from '../kernel/scripted-models.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five'];

/** Estimates a plan with five specialists, of whom the person called in those with the given names. */
function estimateSpecialists(...called: readonly string[]): number[] {
  const roles: PlanConfig['roles'] = Object.fromEntries(
    NAMES.map((name) => [
      name,
      { clusters: [name], ...(called.includes(name) ? { called: true as const } : {}) },
    ]),
  );
  // Only the settings that the estimate reads.
  const config = {
    roles,
    cards: [],
    rounds: 3,
    gateTokens: 4_000,
    researchers: 3,
    seed: 1,
    person: false,
  } as unknown as PlanConfig;
  return planPlan('Grow heaps', [makeSeat(CHAIR), ...NAMES.map((name) => makeSeat(name))], config)
    .filter(({ seat }) => seat !== CHAIR)
    .map(({ calls }) => calls.low);
}

test('the lower bound of a plan’s calls counts two specialists, or all that the person called in if they are more', () => {
  expect(estimateSpecialists()).toEqual([2, 2, 0, 0, 0]);
  expect(estimateSpecialists('five')).toEqual([2, 0, 0, 0, 2]);
  expect(estimateSpecialists('one', 'three', 'five')).toEqual([2, 0, 2, 0, 2]);
});
