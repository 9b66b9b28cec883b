/**
 * Whole deliberations with the rehearsal, by the real protocol, gateway and store: a healthy panel is not
 * accused, and what a model acts out is suspected. What no model can bring about, because code decides
 * there, is shown to come to nothing; test/records measures those detectors. A run is as long as what is
 * looked for takes to show; in the long form there are more seeds, and runs of 8 and of 13 rounds of each.
 */
import { describe, expect, it } from 'vitest';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { listFactsOfType, temporaryStore } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { type RehearsedRun, rehearseRun } from './rehearse.ts';

const SEEDS = LONG ? [1, 2, 3] : [1];

async function runRehearsals(
  model: string,
  rounds: number,
  seeds: readonly number[] = SEEDS,
  more: Partial<RoundsConfig> = {},
): Promise<RehearsedRun[]> {
  const store = temporaryStore();
  const held: RehearsedRun[] = [];
  for (const seed of seeds) {
    const rehearsal = await rehearseRun(store, `rehearsal/${model}`, rounds, seed, more);
    expect(rehearsal.status).toBe('done');
    const { errors, warnings } = validateFolder(getRecordsFolder(rehearsal.facts));
    // A decision may rest on a claim that is refuted later. The rule `fallen-ground` reports that as a
    // warning, which is no error.
    const others = warnings.filter(({ rule }) => rule !== 'fallen-ground');
    expect([...errors, ...others]).toEqual([]);
    held.push(rehearsal);
  }
  return held;
}

function resultsOf({ view }: RehearsedRun): string[] {
  return view.rounds
    .flatMap(({ verifications }) => verifications.map(({ result }) => result))
    .filter((result) => result !== 'NOT_APPLICABLE');
}

/** By seed: of eight rounds, for whoever looks at a panel that is well. */
const well = new Map<number, Promise<RehearsedRun[]>>();

async function runHealthy(seeds: readonly number[]): Promise<RehearsedRun[]> {
  const held: RehearsedRun[] = [];
  for (const seed of seeds) {
    const known = well.get(seed) ?? runRehearsals('healthy', 8, [seed]);
    well.set(seed, known);
    held.push(...(await known));
  }
  return held;
}

describe('a rehearsal whose panel plays no failure mode', () => {
  it('is suspected of no failure mode in 8 rounds', async () => {
    for (const rehearsal of await runHealthy(LONG ? [1, 2, 3, 4, 5] : [1]))
      expect([...rehearsal.suspected]).toEqual([]);
  });

  it('is suspected of no failure mode in 13 rounds', async () => {
    for (const rehearsal of await runRehearsals('healthy', 13, LONG ? [6, 7] : [6]))
      expect([...rehearsal.suspected]).toEqual([]);
  });

  it('has all kinds of verdicts and states of claims, in usual numbers and without a failed call', async () => {
    for (const rehearsal of await runHealthy(SEEDS)) {
      const { view, facts } = rehearsal;
      const results = resultsOf(rehearsal);
      const disagreement = results.filter((result) => result !== 'ROBUST').length / results.length;
      expect(disagreement).toBeGreaterThan(0.3);
      expect(disagreement).toBeLessThan(0.6);
      expect(new Set(results)).toEqual(new Set(['BROKEN', 'ROBUST', 'UNCLEAR']));
      const claims = Object.values(view.claims);
      const pending = claims.filter(({ status }) => status === 'pending').length;
      expect(pending / claims.length).toBeLessThan(0.3);
      expect(new Set(claims.map(({ status }) => status))).toEqual(
        new Set(['pending', 'tested_confirmed', 'tested_refuted']),
      );
      for (const round of view.rounds) {
        expect(round.raised.length).toBeGreaterThanOrEqual(5);
        expect(round.raised.length).toBeLessThanOrEqual(7);
        expect(round.decisions.length).toBeGreaterThanOrEqual(1);
        expect(round.refused).toEqual([]);
        expect(round.drift?.verdict ?? 'PASS').toBe('PASS');
        for (const check of round.verifications) expect(check.degraded).toBeUndefined();
        if (round.absent === undefined) continue;
        expect(round.predicted?.length).toBeGreaterThan(1);
        expect(round.compared).toMatchObject({ decorative: false });
        expect(round.compared?.observed.map(({ prediction }) => prediction)).toEqual(
          round.predicted,
        );
      }
      // Every call succeeds at the first attempt, and every text is marked as a rehearsal.
      expect(listFactsOfType(facts, 'call.failed')).toEqual([]);
      for (const call of listFactsOfType(facts, 'call.completed')) {
        expect(call.attempts).toBe(1);
        // Answers to a reading test, and answers that are an empty list, have no text that could say that it is
        // a rehearsal.
        if (/\/exam-\d$/.test(call.step)) continue;
        expect(/^\{\s*"(bearings|same)": \[\]\s*\}$|rehearsal/i.test(call.text)).toBe(true);
      }
    }
  });

  it('is the same for the same seed', async () => {
    const [once, again, other] = await runRehearsals('panel', 2, [4, 4, 5]);
    expect(again?.view.claims).toEqual(once?.view.claims);
    expect(again?.view.rounds.map(({ decisions }) => decisions)).toEqual(
      once?.view.rounds.map(({ decisions }) => decisions),
    );
    expect(other?.view.claims).not.toEqual(once?.view.claims);
  });
});

describe('a rehearsal whose panel plays a failure mode', () => {
  it.each([
    ['sycophantic', 'FM-1', 8],
    ['performative', 'FM-2', LONG ? 8 : 4],
    ['drifting', 'FM-3', 8],
    ['starving', 'FM-5', LONG ? 8 : 4],
    ['bypassing', 'FM-6', LONG ? 8 : 4],
    ...(LONG
      ? ([
          ['sycophantic', 'FM-1', 13],
          ['drifting', 'FM-3', 13],
        ] as const)
      : []),
  ] as const)(
    'is suspected of that mode (%s: %s within %s rounds)',
    async (model, mode, rounds) => {
      const seeds = rounds === 13 ? [1] : SEEDS;
      for (const { suspected } of await runRehearsals(model, rounds, seeds))
        expect(suspected).toContain(mode);
    },
  );
});

describe('a rehearsal whose panel plays a failure mode that the program prevents', () => {
  it('is not suspected of domination (FM-4, one role leads too often), because the program chooses who leads', async () => {
    const [rehearsal] = await runRehearsals('dominated', 5, [1]);
    expect(rehearsal?.suspected).not.toContain('FM-4');
    expect(new Set(rehearsal?.view.rounds.map(({ lead }) => lead)).size).toBe(4);
  });

  it('is not suspected of claim inflation (FM-5, too many claims), because the program drops claims beyond a limit', async () => {
    const [rehearsal] = await runRehearsals('inflating', 4, [1]);
    expect(rehearsal?.suspected).not.toContain('FM-5');
    for (const { raised } of rehearsal?.view.rounds ?? [])
      expect(raised.length).toBeLessThanOrEqual(8);
  });

  it('is not suspected of stress avoidance (FM-7), because the role left out of a round is asked for no artifact', async () => {
    const [rehearsal] = await runRehearsals('stress-avoiding', 2, [1], { stress: { 2: 'critic' } });
    expect(rehearsal?.suspected).not.toContain('FM-7');
    expect(rehearsal?.view.rounds[1]?.artifacts.map(({ role }) => role)).not.toContain('critic');
  });

  it('is not suspected of budget overrun (FM-8), because the program ends the run after the planned rounds', async () => {
    const [rehearsal] = await runRehearsals('overrunning', 3, [1]);
    expect(rehearsal?.suspected).not.toContain('FM-8');
    expect(rehearsal?.view.rounds).toHaveLength(3);
    const claims = Object.values(rehearsal?.view.claims ?? {});
    const pending = claims.filter(({ status }) => status === 'pending').length;
    expect(pending / claims.length).toBeGreaterThan(0.5);
  });
});

describe('a rehearsal with unusual settings', () => {
  it('is suspected of stress avoidance if no role ever sits out a round', async () => {
    const [rehearsal] = await runRehearsals('panel', 8, [1], { stress: {} });
    expect(rehearsal?.suspected).toContain('FM-7');
  });

  it('is not suspected of domination, even if one role is absent from every round', async () => {
    const stress = Object.fromEntries([1, 2, 3, 4, 5].map((round) => [round, 'observer']));
    const [rehearsal] = await runRehearsals('panel', 5, [1], {
      stress: stress as RoundsConfig['stress'],
    });
    expect(rehearsal?.suspected).not.toContain('FM-4');
    const leads = Map.groupBy(rehearsal?.view.rounds ?? [], ({ lead }) => lead);
    expect([...leads.values()].map(({ length }) => length).toSorted()).toEqual([1, 2, 2]);
  });
});
