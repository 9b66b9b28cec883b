/** The eight failure modes: each on both sides of its threshold, and silent where it has seen too little. */
import { describe, expect, it } from 'vitest';
import type { FailureModeId } from '../../src/protocols/rounds/records/failure-modes.ts';
import { claimId } from '../../src/protocols/rounds/records/layout.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import type { Claim, Decision } from '../../src/protocols/rounds/records/types.ts';
import {
  MORE_REFS,
  makeChange,
  makeClaim,
  makeDecision,
  makeDrift,
  makeLead,
  makeRecordSet,
  makeRounds,
  makeVerification,
} from './make.ts';

function getMode(id: FailureModeId, some: Partial<Records>) {
  const found = readSignals(makeRecordSet(some)).failureModes.find((mode) => mode.id === id);
  return found ?? expect.fail(`no mode ${id}`);
}
const getState = (id: FailureModeId, some: Partial<Records>) => getMode(id, some).state;

/** `perRound` claims in each of so many rounds, the first `tested` of them all tested. */
function makeClaims(perRound: number, number: number, tested = 0): Claim[] {
  return Array.from({ length: perRound * number }, (_, at) =>
    makeClaim(claimId(Math.floor(at / perRound) + 1, (at % perRound) + 1), {
      status: at < tested ? 'tested_refuted' : 'pending',
    }),
  );
}

describe('detecting FM-1, sycophancy cascade', () => {
  const getModeFor = (...rows: readonly string[]) =>
    getMode('FM-1', { verifications: makeRounds(...rows) });

  it('suspects a panel after three rounds in a row in which all verdicts were ROBUST', () => {
    expect(getModeFor('BBRR', 'RRRR', 'RRRR').state).not.toBe('suspected');
    expect(getModeFor('BBRR', 'RRRR', 'RRRR', 'RR--')).toMatchObject({
      state: 'suspected',
      why: 'every verdict of the last 3 rounds is ROBUST',
    });
    expect(getModeFor('BBRR', 'RRRR', 'RRRR', 'RR--', 'BRRR').state).not.toBe('suspected');
    // The last round has only one verdict. The rule "all verdicts of a round are ROBUST" needs at least two.
    expect(getModeFor('BBRR', 'RRRR', 'RRRR', 'R---').state).not.toBe('suspected');
    expect(getModeFor('BBRR', 'RRRR', 'RRRR', '----').state).not.toBe('suspected');
  });

  it('suspects a panel after three rounds if it never disagreed', () => {
    expect(getModeFor('RRRR', 'RRRR').state).toBe('unknown');
    expect(getModeFor('R---', 'R---', 'R---').state).toBe('suspected');
    expect(getModeFor('----', '----', '----').state).toBe('unknown');
  });

  it('suspects a panel whose disagreement falls by at least 0.2 verdicts per round and more steeply than by chance', () => {
    expect(getModeFor(...'BBB BBB BBB BBR BBR BBR BRR BRR BRR'.split(' '))).toMatchObject({
      state: 'suspected',
    });
    // Five rounds are enough to suspect a panel whose BROKEN verdicts (B) fall by one a round, from 4 to 0.
    expect(getModeFor('BBBB', 'BBBR', 'BBRR', 'BRRR', 'RRRR').state).toBe('suspected');
    expect(getModeFor('BBBB', 'BBBR', 'BBRR', 'BRRR')).toMatchObject({
      state: 'unknown',
      why: expect.stringMatching(/it takes 8$/),
    });
    // The number of BROKEN verdicts (B) has a slope of -0.4 a round. Over only six rounds, such a slope may be
    // chance.
    expect(getModeFor('BBRR', 'BBBR', 'BRRR', 'BRRR', 'RRRR', 'BRRR')).toMatchObject({
      state: 'unknown',
    });
    expect(
      getModeFor('BBBB', 'BRRR', 'BBRR', 'BBBR', 'BRRR', 'RRRR', 'BBRR', 'BRRR'),
    ).toMatchObject({
      state: 'clear',
      why: expect.stringMatching(/may be chance$/),
    });
  });

  it('does not count checks that could not be made because a role was absent', () => {
    expect(getModeFor('BBRR', 'BBRR', 'BBRR', 'BBRR', 'BBRR', 'B-R-', 'B-R-', 'B-R-').state).toBe(
      'clear',
    );
  });
});

describe('detecting FM-2, performative attack', () => {
  const getStateFor = (...rows: readonly string[]) =>
    getState('FM-2', { verifications: makeRounds(...rows) });

  it('suspects a panel with at least 80 % BROKEN verdicts', () => {
    expect(getStateFor('BBBB', 'BBBB', 'RR--')).toBe('suspected');
    expect(getStateFor('BBBB', 'BBBB', 'RRB-')).toBe('suspected');
    expect(getStateFor('BBBB', 'BBBB', 'RRR-')).toBe('clear');
  });

  it('returns unknown for fewer than three rounds or nine verdicts', () => {
    expect(getStateFor('BBBB', 'BBBB')).toBe('unknown');
    expect(getStateFor('BBB-', 'BBB-', 'BB--')).toBe('unknown');
    expect(getStateFor('BBB-', 'BBB-', 'BBB-')).toBe('suspected');
  });

  it('suspects a panel in which nearly all verdicts of the last four rounds are BROKEN', () => {
    const before = ['RRRR', 'RRRR', 'BRRR', 'RRRR'];
    expect(getStateFor(...before, 'BBBB', 'BBBB', 'BBBB')).toBe('clear');
    expect(getStateFor(...before, 'BBBB', 'BBBB', 'BBBB', 'BBRB')).toBe('suspected');
  });
});

describe('detecting FM-3, drift', () => {
  /**
   * Returns two decisions for each round up to `last`. Each decision cites a decision of the newest earlier
   * round that `cites` allows, or claim C-1-1 if `cites` allows no round.
   */
  function makeDecisions(last: number, cites: (from: number, to: number) => boolean): Decision[] {
    return Array.from({ length: last * 2 }, (_, at) => {
      const round = Math.floor(at / 2) + 1;
      const id = `D-${round}-${(at % 2) + 1}`;
      for (let to = round - 1; to > 0; to--)
        if (cites(round, to)) return makeDecision(id, [`D-${to}-1`]);
      return makeDecision(id, ['C-1-1']);
    });
  }
  const chain = makeDecisions(12, (from, to) => to === from - 1);
  const broken = makeDecisions(12, (from, to) => to === from - 1 && from !== 7);

  it('suspects a panel if its latest drift check has the verdict FAIL', () => {
    expect(getState('FM-3', { drifts: [makeDrift(5, 'PASS'), makeDrift(10, 'FAIL')] })).toBe(
      'suspected',
    );
    expect(getState('FM-3', { drifts: [makeDrift(5, 'FAIL'), makeDrift(10, 'PASS')] })).toBe(
      'clear',
    );
    expect(getState('FM-3', { drifts: [makeDrift(5, 'PARTIAL')] })).toBe('clear');
    expect(getState('FM-3', {})).toBe('unknown');
  });

  it('suspects a panel if no late decision leads back to an early one by its citations', () => {
    expect(getMode('FM-3', { decisions: broken, drifts: [makeDrift(5, 'PASS')] })).toMatchObject({
      state: 'suspected',
      why: 'no decision since round 9 builds on one of the first 4 rounds',
    });
    expect(getState('FM-3', { decisions: chain })).toBe('clear');
    // If one late decision leads back to an early one through other decisions, that is enough for the state of
    // failure mode FM-3 to be `clear`.
    const linked = [...broken.slice(0, -1), makeDecision('D-12-2', ['D-6-1'])];
    expect(getState('FM-3', { decisions: linked })).toBe('clear');
  });

  it('suspects a panel that always cited earlier decisions, and then stops doing so', () => {
    const makeStoppedChain = (last: number) =>
      makeDecisions(last, (from, to) => to === from - 1 && from < 9);
    expect(getState('FM-3', { decisions: makeStoppedChain(12) })).toBe('suspected');
    const halfCiting = makeStoppedChain(12).map((entry, at) =>
      at % 2 === 0 ? makeDecision(entry.id, ['C-1-1']) : entry,
    );
    expect(getMode('FM-3', { decisions: halfCiting })).toMatchObject({ state: 'unknown' });
    expect(getState('FM-3', { decisions: halfCiting, drifts: [makeDrift(5, 'PASS')] })).toBe(
      'clear',
    );
  });

  it('does not compare late decisions with early ones before round 8', () => {
    const short = makeDecisions(7, () => false);
    expect(getMode('FM-3', { decisions: short })).toMatchObject({
      state: 'unknown',
      why: 'no drift check yet, and decisions can be compared from round 8',
    });
  });

  it('returns a result even if decisions cite each other in circles', () => {
    const circle = [
      makeDecision('D-1-1', ['D-12-1']),
      ...broken.slice(1),
      makeDecision('D-12-3', ['D-12-3']),
    ];
    expect(getState('FM-3', { decisions: circle })).toBe('suspected');
  });
});

describe('detecting FM-4, domination', () => {
  const getStateFor = (...led: readonly Parameters<typeof makeLead>[1][]) =>
    getState('FM-4', { leads: led.map((role, at) => makeLead(at + 1, role)) });

  it('suspects a panel in which one role led more than half of the rounds', () => {
    expect(getStateFor('critic', 'critic', 'critic', 'action', 'guardian')).toBe('suspected');
    expect(getStateFor('critic', 'critic', 'critic', 'action', 'guardian', 'observer')).toBe(
      'clear',
    );
  });

  it('suspects a panel in which only two of the four roles lead', () => {
    expect(getStateFor('critic', 'critic', 'critic', 'action', 'action', 'action')).toBe(
      'suspected',
    );
    expect(getStateFor('critic', 'critic', 'action', 'action', 'guardian')).toBe('clear');
  });

  it('returns unknown until there were more rounds than roles', () => {
    expect(getStateFor('critic', 'critic', 'critic', 'critic')).toBe('unknown');
    expect(getStateFor('critic', 'critic', 'critic', 'critic', 'critic')).toBe('suspected');
    expect(getStateFor('system', 'none', 'critic', 'critic', 'critic', 'critic')).toBe('unknown');
  });
});

describe('detecting FM-5, claim inflation or starvation', () => {
  it('suspects a panel that raises more than 10 claims per round, if more than 60 % stay undecided', () => {
    expect(getState('FM-5', { claims: makeClaims(10, 3) })).toBe('clear');
    expect(getState('FM-5', { claims: makeClaims(11, 3) })).toBe('suspected');
    expect(getState('FM-5', { claims: makeClaims(20, 3, 24) })).toBe('clear');
    expect(getState('FM-5', { claims: makeClaims(20, 3, 23) })).toBe('suspected');
  });

  it('suspects a panel that raises fewer than 2 claims per round', () => {
    expect(getState('FM-5', { claims: makeClaims(2, 3) })).toBe('clear');
    expect(getState('FM-5', { claims: makeClaims(1, 3) })).toBe('suspected');
    expect(getState('FM-5', { claims: makeClaims(1, 2) })).toBe('unknown');
  });

  it('does not suspect a panel after one or two rounds without new claims, but does after three', () => {
    const rich = makeClaims(6, 5);
    const makeQuietRecords = (last: number) => ({
      claims: rich,
      leads: [makeLead(last, 'action')],
    });
    expect(getState('FM-5', makeQuietRecords(6))).toBe('clear');
    expect(getState('FM-5', makeQuietRecords(7))).toBe('clear');
    expect(getState('FM-5', makeQuietRecords(8))).toBe('suspected');
  });
});

describe('detecting FM-6, verification bypass', () => {
  const makeRecordsWithRefs = (refs: number, more: Partial<Records> = {}): Partial<Records> => ({
    verifications: makeRounds('BR', 'BR', 'BR', 'BR').map((verification) => ({
      ...verification,
      evidence_refs: MORE_REFS.slice(0, refs),
    })),
    ...more,
  });

  it('suspects a panel whose verdicts have fewer than two different citations on average', () => {
    expect(getState('FM-6', makeRecordsWithRefs(2))).toBe('clear');
    expect(getState('FM-6', makeRecordsWithRefs(1))).toBe('suspected');
    const { verifications = [] } = makeRecordsWithRefs(2);
    const [first, ...others] = verifications.toReversed();
    const repeated = {
      ...first,
      evidence_refs: ['a.md#x', './a.md#x'],
    } as (typeof verifications)[number];
    expect(getMode('FM-6', { verifications: [repeated, ...others] })).toMatchObject({
      state: 'suspected',
      why: 'only 1.83 different refs a verdict in the last 3 rounds',
    });
  });

  it('suspects a panel that decided no claim in three rounds, although claims waited to be tested', () => {
    expect(getMode('FM-6', makeRecordsWithRefs(2, { claims: [makeClaim('C-1-1')] }))).toMatchObject(
      {
        state: 'suspected',
        why: 'no claim has moved in the last 3 rounds while 1 claim waited to be tested',
      },
    );
    expect(getState('FM-6', makeRecordsWithRefs(2, { claims: [makeClaim('C-2-1')] }))).toBe(
      'clear',
    );
    expect(
      getState(
        'FM-6',
        makeRecordsWithRefs(2, { claims: [makeClaim('C-1-1', { status: 'tested_unclear' })] }),
      ),
    ).toBe('clear');
    const moved = makeVerification(2, 4, 'BROKEN', {
      claim_status_changes: [makeChange('C-1-2', 'pending', 'tested_refuted')],
    });
    const { verifications = [] } = makeRecordsWithRefs(2);
    const some = {
      claims: [makeClaim('C-1-1'), makeClaim('C-1-2')],
      verifications: [...verifications, moved],
    };
    expect(getState('FM-6', some)).toBe('clear');
  });

  it('does not suspect a panel before there are three rounds, four verdicts and recorded status changes', () => {
    expect(getState('FM-6', { verifications: makeRounds('BR', 'BR') })).toBe('unknown');
    expect(getState('FM-6', { verifications: makeRounds('B-', 'B-', 'B-') })).toBe('unknown');
    expect(
      getState('FM-6', {
        verifications: makeRounds('BR', 'BR', 'BR'),
        claims: [makeClaim('C-1-1')],
      }),
    ).toBe('clear');
    const { verifications = [] } = makeRecordsWithRefs(2);
    const silent = verifications.map((verification) => ({
      ...verification,
      claim_status_changes: undefined,
    }));
    expect(getState('FM-6', { verifications: silent, claims: [makeClaim('C-1-1')] })).toBe('clear');
  });
});

describe('detecting FM-7, stress avoidance', () => {
  const plan = [{ round: 2, role: 'critic' as const }];
  const held = [makeLead(1, 'action'), makeLead(2, 'guardian', 'critic')];

  it('suspects a panel if a role handed in an artifact in a round from which it was left out', () => {
    const artifacts = ['action', 'guardian', 'observer'].map(
      (role) => `artifacts/round_2/${role}.md`,
    );
    expect(getState('FM-7', { leads: held, artifacts })).toBe('clear');
    for (const name of ['round_2/critic', 'round_02/critic', 'round_2/critic-2'])
      expect(
        getState('FM-7', { leads: held, artifacts: [...artifacts, `artifacts/${name}.md`] }),
      ).toBe('suspected');
    expect(
      getState('FM-7', { leads: held, artifacts: [...artifacts, 'artifacts/round_1/critic.md'] }),
    ).toBe('clear');
    const nobody = [{ ...makeLead(2, 'guardian'), is_stress: true }];
    expect(getState('FM-7', { leads: nobody, artifacts })).toBe('clear');
    expect(
      getState('FM-7', { leads: nobody, artifacts: [...artifacts, 'artifacts/round_2/critic.md'] }),
    ).toBe('suspected');
  });

  it('suspects a panel if a stress round was planned but did not take place', () => {
    expect(getState('FM-7', { leads: held, stressSchedule: plan, budget: 8 })).toBe('clear');
    expect(getState('FM-7', { leads: held.slice(0, 1), stressSchedule: plan, budget: 8 })).toBe(
      'clear',
    );
    expect(
      getState('FM-7', {
        leads: [makeLead(1, 'action'), makeLead(2, 'critic')],
        stressSchedule: plan,
        budget: 8,
      }),
    ).toBe('suspected');
    expect(
      getState('FM-7', {
        leads: [makeLead(2, 'action', 'observer')],
        stressSchedule: plan,
        budget: 8,
      }),
    ).toBe('suspected');
  });

  it('suspects a plan of seven or more rounds without any stress round', () => {
    expect(getState('FM-7', { budget: 8, stressSchedule: [] })).toBe('suspected');
    expect(getState('FM-7', { budget: 7, stressSchedule: [] })).toBe('suspected');
    expect(getMode('FM-7', { budget: 6, stressSchedule: [] })).toMatchObject({
      state: 'unknown',
      why: '6 rounds have no room for stress tests: it takes 7',
    });
  });

  it('suspects a panel after eight rounds without a stress round, if its plan is unknown', () => {
    expect(getState('FM-7', { leads: [makeLead(1, 'action'), makeLead(7, 'action')] })).toBe(
      'unknown',
    );
    expect(getState('FM-7', { leads: [makeLead(1, 'action'), makeLead(8, 'action')] })).toBe(
      'suspected',
    );
  });
});

describe('detecting FM-8, budget overrun (more rounds than planned)', () => {
  const past = { budget: 3, leads: [makeLead(1, 'action'), makeLead(4, 'critic')] };

  it('suspects a run with more rounds than planned in which at most three of the six signals are satisfied', () => {
    expect(getState('FM-8', { ...past, budget: 4 })).toBe('clear');
    expect(getState('FM-8', past)).toBe('suspected');
    expect(getState('FM-8', { leads: past.leads })).toBe('unknown');
  });

  /**
   * Returns records of a run with one round more than planned, and with no claim decided after round 2. In the last
   * round, `late` pending claims are added.
   */
  function makeConverging(late: number): Partial<Records> {
    return {
      budget: 7,
      claims: [
        ...makeClaims(8, 1, 5),
        ...Array.from({ length: late }, (_, at) => makeClaim(claimId(8, at + 1))),
      ],
      verifications: [
        ...makeRounds(...Array.from({ length: 8 }, () => 'BRRR')),
        {
          ...makeVerification(2, 1, 'BROKEN'),
          id: 'V-2-9',
          claim_status_changes: [1, 2, 3, 4, 5].map((at) =>
            makeChange(`C-1-${at}`, 'pending', 'tested_refuted'),
          ),
        },
      ],
      leads: [
        makeLead(1, 'action'),
        makeLead(2, 'guardian'),
        makeLead(3, 'observer'),
        makeLead(4, 'critic'),
        makeLead(5, 'action', 'critic'),
        makeLead(6, 'observer', 'guardian'),
        makeLead(7, 'critic', 'action'),
      ],
      drifts: [makeDrift(5, 'PASS')],
    };
  }

  it('suspects a run with more rounds than planned whose share of pending claims is no smaller than three rounds before', () => {
    // FM-8 is suspected because the share of pending claims has not fallen: it was 3 of 8 three rounds ago, too.
    expect(readSignals(makeRecordSet(makeConverging(0))).satisfied).toBeGreaterThan(3);
    expect(getMode('FM-8', makeConverging(0))).toMatchObject({
      state: 'suspected',
      why: 'round 8 of 7, and 37.5 % of the claims are pending, no less than 3 rounds ago',
    });
    expect(getState('FM-8', makeConverging(2))).toBe('suspected');
    const settled = makeConverging(0);
    const moved = makeVerification(8, 2, 'BROKEN', {
      id: 'V-8-9',
      claim_status_changes: [makeChange('C-1-6', 'pending', 'tested_refuted')],
    });
    const verifications = [...(settled.verifications ?? []), moved];
    expect(getState('FM-8', { ...settled, verifications })).toBe('clear');
  });
});

describe('detectFailureModes', () => {
  it('names for a suspected mode the other suspected mode that usually occurs together with it', () => {
    const hollow = readSignals(
      makeRecordSet({
        verifications: makeRounds('RR', 'RR', 'RR').map((verification) => ({
          ...verification,
          evidence_refs: [],
        })),
        drifts: [makeDrift(3, 'FAIL')],
      }),
    ).failureModes;
    expect(hollow.map(({ id, alongside }) => [id, alongside])).toEqual([
      ['FM-1', 'FM-6'],
      ['FM-2', null],
      ['FM-3', null],
      ['FM-4', null],
      ['FM-5', null],
      ['FM-6', 'FM-1'],
      ['FM-7', null],
      ['FM-8', null],
    ]);
  });

  it('returns unknown for all eight modes if there are no records yet', () => {
    for (const { state: said, why } of readSignals(makeRecordSet()).failureModes) {
      expect(said).toBe('unknown');
      expect(why).not.toBe('');
    }
  });
});
