/** The six signals on both sides of every threshold, what follows from them, and the look back. */
import { describe, expect, it } from 'vitest';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import type { Claim, Verification } from '../../src/protocols/rounds/records/types.ts';
import {
  makeChange,
  makeClaim,
  makeDecision,
  makeDrift,
  makeLead,
  makeRecordSet,
  makeRounds,
  makeVerification,
} from './make.ts';
import { readSignalSeries } from './series.ts';
import { simulateRecords } from './simulate.ts';

function getSignal(id: number, some: Partial<Records>) {
  const found = readSignals(makeRecordSet(some)).signals[id - 1];
  return found ?? expect.fail(`no signal ${id}`);
}

/** One claim a move, so many moves a round. */
function makeMovingRecords(...perRound: readonly number[]): Partial<Records> {
  const claims: Claim[] = [];
  const verifications: Verification[] = perRound.map((moves, index) => {
    const round = index + 1;
    const moved = Array.from({ length: moves }, (_, at) => {
      claims.push(makeClaim(`C-${round}-${at + 1}`, { status: 'tested_refuted' }));
      return makeChange(`C-${round}-${at + 1}`, 'pending', 'tested_refuted');
    });
    return makeVerification(round, 1, 'BROKEN', { claim_status_changes: moved });
  });
  return { claims, verifications };
}

describe('signal 1, refutation rate', () => {
  it('is uninformative before the sixth round', () => {
    expect(getSignal(1, makeMovingRecords(4, 4, 4, 1, 1))).toMatchObject({
      state: 'uninformative',
      value: null,
    });
    expect(getSignal(1, makeMovingRecords(4, 4, 4, 1, 1, 1)).state).toBe('unsatisfied');
  });

  it('is satisfied if status changes per three rounds are below half of their peak twice in a row', () => {
    expect(getSignal(1, makeMovingRecords(4, 4, 4, 1, 1, 1, 1))).toEqual({
      id: 1,
      name: 'refutation-rate',
      state: 'satisfied',
      value: 1,
      threshold: 2,
      why: '1 and 1 claims moved a round in the last two windows, both below half of the peak of 4',
    });
    expect(getSignal(1, makeMovingRecords(4, 4, 4, 1, 1, 1))).toMatchObject({
      state: 'unsatisfied',
      value: 1,
      why: '2 and 1 claims moved a round in the last two windows, not both below half of the peak of 4',
    });
    expect(getSignal(1, makeMovingRecords(4, 4, 4, 1, 1, 4))).toMatchObject({
      state: 'unsatisfied',
      value: 2,
    });
  });

  it('counts rounds without verdicts at the end as rounds without status changes', () => {
    const some = makeMovingRecords(4, 4, 4, 0, 0);
    expect(getSignal(1, { ...some, leads: [makeLead(7, 'action')] })).toMatchObject({
      state: 'satisfied',
      value: 0,
    });
  });

  it('is not satisfied if no claim ever changed its status', () => {
    expect(getSignal(1, makeMovingRecords(0, 0, 0, 0, 0, 0))).toMatchObject({
      state: 'unsatisfied',
      threshold: 0,
    });
    const unrecorded = makeRounds('B', 'B', 'B', 'B', 'B', 'B').map((verification) => ({
      ...verification,
      claim_status_changes: undefined,
    }));
    expect(getSignal(1, { verifications: unrecorded })).toMatchObject({ state: 'uninformative' });
  });

  it('ignores a recorded change from a status to the same status', () => {
    const same = [1, 2, 3, 4, 5, 6].map((round) =>
      makeVerification(round, 1, 'BROKEN', {
        claim_status_changes: [makeChange('C-1-1', 'tested_refuted', 'tested_refuted')],
      }),
    );
    expect(getSignal(1, { claims: [makeClaim('C-1-1')], verifications: same }).why).toBe(
      'no claim has ever moved',
    );
  });
});

describe('signal 2, disagreement slope', () => {
  it('is uninformative before the third round, and as long as there is no verdict', () => {
    expect(getSignal(2, { verifications: makeRounds('BB', 'BB') })).toMatchObject({
      state: 'uninformative',
    });
    expect(getSignal(2, { verifications: makeRounds('--', '--', '--') })).toMatchObject({
      state: 'uninformative',
      why: 'no verdict yet',
    });
  });

  it('counts BROKEN and UNCLEAR verdicts as disagreement', () => {
    expect(getSignal(2, { verifications: makeRounds('BU', 'UB', 'BB') })).toMatchObject({
      state: 'satisfied',
      value: 0,
    });
    expect(getSignal(2, { verifications: makeRounds('BBB', 'BBB', 'RRR') })).toMatchObject({
      state: 'unsatisfied',
      value: (0 - 4) / 2,
    });
  });

  it('measures disagreement as a share of a round’s verdicts: 1 of 1 counts like 4 of 4', () => {
    expect(getSignal(2, { verifications: makeRounds('BBBB', 'BBB', 'BB', '-B') })).toMatchObject({
      state: 'satisfied',
      value: 0,
    });
    expect(
      getSignal(2, {
        verifications: makeRounds('BBB', 'BBB', 'BBB'),
        leads: [makeLead(4, 'action')],
      }),
    ).toMatchObject({ state: 'satisfied', value: 0 });
    expect(
      getSignal(2, { verifications: makeRounds('BBB', 'BBB'), leads: [makeLead(3, 'action')] }),
    ).toMatchObject({ state: 'uninformative', why: 'it takes 3 rounds with a verdict' });
  });

  it('is satisfied at a slope of -0.2 or above', () => {
    expect(
      getSignal(2, { verifications: makeRounds('BBBR', 'BBRR', 'BBRR', 'BBRR', 'BBRR') }),
    ).toMatchObject({
      state: 'satisfied',
      value: -0.2,
    });
    expect(
      getSignal(2, { verifications: makeRounds('BBBR', 'BBBR', 'BBRR', 'BBRR', 'BBRR') }),
    ).toMatchObject({
      state: 'unsatisfied',
      value: -0.3,
      threshold: -0.2,
      why: 'disagreement changes by -0.3 a round over the run and by 0 over the last 3; flat is -0.2 or more',
    });
  });

  it('is not satisfied if disagreement falls only in the last three rounds', () => {
    expect(
      getSignal(2, {
        verifications: makeRounds(...'BRRR BRRR BBRR BBRR BBBR BBBR BBBR BBRR'.split(' ')),
      }),
    ).toMatchObject({
      state: 'unsatisfied',
      value: -0.5,
    });
  });

  it('is not satisfied if all verdicts are ROBUST, although the slope is level', () => {
    expect(getSignal(2, { verifications: makeRounds('RR', 'RR', 'RR') })).toMatchObject({
      state: 'unsatisfied',
      value: 0,
      why: 'no verdict in 3 rounds was BROKEN or UNCLEAR: nobody disagrees',
    });
  });
});

describe('signal 3, lead coverage', () => {
  const all = [
    makeLead(1, 'action'),
    makeLead(2, 'guardian'),
    makeLead(3, 'observer'),
    makeLead(4, 'critic'),
  ];

  it('requires that every role has led a round that was no stress round', () => {
    expect(getSignal(3, { leads: [] })).toMatchObject({ state: 'uninformative' });
    expect(getSignal(3, { leads: all })).toMatchObject({
      state: 'satisfied',
      value: 2,
      threshold: 1.4,
    });
    expect(getSignal(3, { leads: all.slice(1) })).toMatchObject({
      state: 'unsatisfied',
      why: 'action has not led a round without a stress test',
    });
    const stressed = [
      ...all.slice(1),
      makeLead(5, 'action', 'critic'),
      makeLead(6, 'system'),
      makeLead(7, 'none'),
    ];
    expect(getSignal(3, { leads: stressed }).state).toBe('unsatisfied');
  });

  it('is unsatisfied if one role leads too large a share: six of nine rounds are allowed, seven of ten are not', () => {
    const makeLeads = (leadsOfAction: number) => [
      ...all,
      ...Array.from({ length: leadsOfAction - 1 }, (_, at) => makeLead(5 + at, 'action')),
    ];
    expect(getSignal(3, { leads: makeLeads(6) })).toMatchObject({
      state: 'satisfied',
      value: expect.closeTo(1.447, 3),
      threshold: 1.4,
    });
    expect(getSignal(3, { leads: makeLeads(7) })).toMatchObject({
      state: 'unsatisfied',
      value: expect.closeTo(1.357, 3),
      threshold: 1.4,
    });
  });

  it('has a lower threshold for a panel with fewer roles', () => {
    expect(
      getSignal(3, {
        roles: ['action', 'critic'],
        leads: [all[0] ?? makeLead(1, 'action'), makeLead(2, 'critic')],
      }),
    ).toMatchObject({
      state: 'satisfied',
      threshold: 0.7,
    });
  });
});

describe('signal 4, stress tests', () => {
  const leads = [
    makeLead(1, 'action', 'critic'),
    makeLead(2, 'action', 'guardian'),
    makeLead(3, 'critic', 'action'),
  ];

  it('is satisfied once three roles of a panel of four, or one role of a panel of two, have been left out of a round', () => {
    expect(getSignal(4, { leads })).toMatchObject({ state: 'satisfied', value: 3, threshold: 3 });
    expect(getSignal(4, { leads: leads.slice(1) })).toMatchObject({
      state: 'unsatisfied',
      value: 2,
    });
    expect(
      getSignal(4, { leads: [...leads.slice(1), makeLead(4, 'action', 'guardian')] }),
    ).toMatchObject({
      value: 2,
    });
    expect(getSignal(4, { roles: ['action', 'critic'], leads: leads.slice(2) })).toMatchObject({
      state: 'satisfied',
      threshold: 1,
    });
  });
});

describe('signal 5, checks for drift from the question', () => {
  const addressed = {
    ...makeDecision('D-6-1', ['C-1-1']),
    text: 'Answer the drift of round 5: back to the question.',
  };

  it('requires that all checks pass', () => {
    expect(getSignal(5, { drifts: [] })).toMatchObject({ state: 'uninformative' });
    expect(getSignal(5, { drifts: [makeDrift(5, 'PASS'), makeDrift(10, 'PASS')] })).toMatchObject({
      state: 'satisfied',
      value: 1,
      threshold: 1,
    });
    expect(getSignal(5, { drifts: [makeDrift(5, 'PASS'), makeDrift(10, 'FAIL')] })).toMatchObject({
      state: 'unsatisfied',
      value: 0.5,
    });
    expect(getSignal(5, { drifts: [makeDrift(5, 'PASS'), makeDrift(10, 'PARTIAL')] }).state).toBe(
      'unsatisfied',
    );
  });

  it('is satisfied if a check failed, then a decision answered the failure, and then a later check passed', () => {
    const drifts = [makeDrift(5, 'FAIL'), makeDrift(10, 'PASS')];
    expect(getSignal(5, { drifts })).toMatchObject({
      state: 'unsatisfied',
      why: 'PASS in round 10, but no decision addresses the FAIL of round 5',
    });
    expect(getSignal(5, { drifts, decisions: [addressed] }).state).toBe('satisfied');
    const page = {
      ...makeDecision('D-6-1', []),
      round_artifact_refs: ['rounds/round_05.md#h-drift-check'],
    };
    expect(getSignal(5, { drifts, decisions: [page] }).state).toBe('satisfied');
    for (const round of [4, 11])
      expect(getSignal(5, { drifts, decisions: [{ ...addressed, round }] }).state).toBe(
        'unsatisfied',
      );
  });
});

describe('signal 6, pending claims', () => {
  const makeRecords = (pending: number, tested: number) => ({
    claims: Array.from({ length: pending + tested }, (_, at) =>
      makeClaim(`C-1-${at + 1}`, { status: at < pending ? 'pending' : 'superseded' }),
    ),
  });

  it('requires, under edition 1 of the rules, that less than 30 % of the claims are pending', () => {
    expect(getSignal(6, makeRecords(0, 0))).toMatchObject({ state: 'uninformative' });
    expect(getSignal(6, makeRecords(3, 7))).toMatchObject({
      state: 'unsatisfied',
      value: 0.3,
      threshold: 0.3,
    });
    expect(getSignal(6, makeRecords(299, 701))).toMatchObject({ state: 'satisfied', value: 0.299 });
    expect(getSignal(6, makeRecords(2, 8)).why).toBe(
      '2 of 10 claims pending (20 %), below 30 % wanted',
    );
  });

  it('uses the latest status of a claim', () => {
    const verifications = [
      makeVerification(1, 1, 'BROKEN', {
        claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_refuted')],
      }),
    ];
    expect(getSignal(6, { claims: [makeClaim('C-1-1')], verifications })).toMatchObject({
      value: 0,
    });
  });
});

describe('the note that a signal is out of reach in the planned rounds', () => {
  it.each([
    [1, { budget: 5 }, 'out of reach in 5 rounds: a peak takes 6'],
    [2, { budget: 2 }, 'out of reach in 2 rounds: a slope takes 3'],
    [
      3,
      { budget: 3 },
      'out of reach in 3 rounds: 4 roles cannot all lead 3 rounds without a stress test',
    ],
    [
      3,
      { budget: 4, stressSchedule: [{ round: 2, role: 'critic' as const }] },
      'out of reach in 4 rounds: 4 roles cannot all lead 3 rounds without a stress test',
    ],
    [4, { budget: 2 }, 'out of reach in 2 rounds: 2 stress tests planned, 3 wanted'],
    [
      4,
      { budget: 13, stressSchedule: [] },
      'out of reach in 13 rounds: 0 stress tests planned, 3 wanted',
    ],
    [
      5,
      { budget: 3, driftEvery: 5 },
      'out of reach in 3 rounds: a drift check comes every 5 rounds',
    ],
  ])('is given to signal %s with the plan %j', (id, some, why) => {
    expect(getSignal(id, some)).toMatchObject({ state: 'uninformative', why });
  });

  it('is not given if enough rounds are planned, or if the signal is satisfied already', () => {
    for (const id of [1, 2, 3, 4, 5]) {
      expect(getSignal(id, { budget: 8, driftEvery: 3 }).why).not.toMatch(/out of reach/);
      expect(getSignal(id, {}).why).not.toMatch(/out of reach/);
    }
    expect(getSignal(5, { budget: 3, driftEvery: 5, drifts: [makeDrift(2, 'PASS')] }).state).toBe(
      'satisfied',
    );
    expect(getSignal(2, { budget: 2, verifications: makeRounds('B', 'B', 'B') }).state).toBe(
      'satisfied',
    );
  });
});

describe('the recommendation to stop or continue', () => {
  /**
   * Returns records in which signals 2 to 6 are satisfied. Signal 1 depends on `moves`, the number of status
   * changes in each round; with the default it is satisfied, too.
   */
  function makeRunRecords(more: Partial<Records> = {}, moves = [4, 4, 4, 1, 1, 1, 1]): Records {
    const base = makeMovingRecords(...moves);
    const steady = makeRounds(...moves.map(() => '-BRR')).filter(
      ({ result }) => result !== 'NOT_APPLICABLE',
    );
    return makeRecordSet({
      ...base,
      verifications: [...(base.verifications ?? []), ...steady],
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
      ...more,
    });
  }

  it('is to stop at six satisfied signals, wrap up at five, consider stopping at four, and else go on', () => {
    expect(readSignals(makeRunRecords())).toMatchObject({
      rounds: 7,
      satisfied: 6,
      recommendation: 'stop',
      alarm: null,
    });
    expect(readSignals(makeRunRecords({ drifts: [] }))).toMatchObject({
      satisfied: 5,
      recommendation: 'wrap-up',
    });
    const four = readSignals(makeRunRecords({ drifts: [] }, [4, 4, 4, 4, 4, 4, 4]));
    expect(four).toMatchObject({
      satisfied: 4,
      recommendation: 'consider',
      why: '4 of 6 signals are satisfied',
    });
    const three = makeRunRecords(
      { drifts: [], leads: makeRunRecords().leads.slice(1) },
      [4, 4, 4, 4, 4, 4, 4],
    );
    expect(readSignals(three)).toMatchObject({ satisfied: 3, recommendation: 'continue' });
  });

  it('is to continue if FM-1, FM-3 or FM-6 is suspected, because the signals are doubtful then', () => {
    const drifting = readSignals(makeRunRecords({ drifts: [makeDrift(5, 'FAIL')] }));
    expect(drifting).toMatchObject({
      satisfied: 5,
      recommendation: 'continue',
      why: '5 of 6 signals are satisfied, but first clear FM-3 drift (the drift check of round 5 is FAIL)',
    });
    const shallow = makeRunRecords();
    const bare = shallow.verifications.map((verification) => ({
      ...verification,
      evidence_refs: verification.evidence_refs.slice(1),
    }));
    expect(readSignals({ ...shallow, verifications: bare })).toMatchObject({
      recommendation: 'continue',
      why: expect.stringMatching(/FM-6 verification-bypass/),
    });
    const agreeing = shallow.verifications.map((verification) =>
      verification.round > 4 ? { ...verification, result: 'ROBUST' as const } : verification,
    );
    expect(readSignals({ ...shallow, verifications: agreeing })).toMatchObject({
      satisfied: 5,
      recommendation: 'continue',
      why: expect.stringMatching(/FM-1 sycophancy-cascade/),
    });
  });

  it('is to stop at six satisfied signals even if FM-7 (stress avoidance) is suspected', () => {
    const dominated = makeRunRecords({
      budget: 13,
      stressSchedule: [{ round: 2, role: 'observer' }],
    });
    const read = readSignals(dominated);
    expect(read.failureModes[6]?.state).toBe('suspected');
    expect(read.recommendation).toBe('stop');
  });
});

describe('the alarm about falling disagreement', () => {
  const readAlarm = (...rows: readonly string[]) =>
    readSignals(makeRecordSet({ verifications: makeRounds(...rows) })).alarm;

  it('is raised if the slope of disagreement over all rounds is below level after the last round and after the round before it', () => {
    expect(readAlarm('BBBR', 'BBRR', 'BRRR')).toBeNull();
    expect(readAlarm('BBBR', 'BBRR', 'BRRR', 'RRRR')).toBe(
      'disagreement has been falling for 2 rounds: -1, then -1 a round over 4 rounds',
    );
    expect(readAlarm('BBBR', 'BBRR', 'BRRR', 'BBBB')).toBeNull();
  });

  it('is not raised if disagreement falls so slowly that it counts as level', () => {
    expect(readAlarm(...'BBBR BBBR BBBR BBBR BBRR BBBR BBRR'.split(' '))).toBeNull();
  });
});

describe('readSignalSeries, which computes the signals after each round,', () => {
  it('ends with the signals that readSignals returns for the whole run', () => {
    for (const seed of [1, 2, 3]) {
      const { records: run } = simulateRecords('healthy', seed, 8);
      const { round, ...last } = readSignalSeries(run).at(-1) ?? expect.fail('no series');
      expect(round).toBe(8);
      expect(last).toEqual(readSignals(run));
    }
  });

  it('uses for each round the statuses that claims had at the end of that round', () => {
    const run = makeRecordSet({
      claims: [
        makeClaim('C-1-1', { status: 'superseded' }),
        makeClaim('C-1-2', { status: 'tested_confirmed' }),
        makeClaim('C-3-1', { supersedes: 'C-1-1' }),
      ],
      verifications: [
        makeVerification(2, 1, 'UNCLEAR', {
          claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_unclear')],
        }),
        makeVerification(3, 1, 'BROKEN', {
          claim_status_changes: [makeChange('C-1-2', 'pending', 'tested_confirmed')],
        }),
      ],
    });
    expect(readSignalSeries(run).map(({ signals }) => signals[5]?.value)).toEqual([1, 0.5, 1 / 3]);
  });

  it('assumes that a claim got its status at its first verdict other than NOT_APPLICABLE, if status changes are not recorded', () => {
    const verifications = [
      { ...makeVerification(2, 1, 'NOT_APPLICABLE'), claims_affected: ['C-1-1'] },
      { ...makeVerification(3, 1, 'BROKEN'), claims_affected: ['C-1-1'] },
      { ...makeVerification(4, 1, 'ROBUST'), claims_affected: ['C-1-1'] },
    ].map((verification) => ({ ...verification, claim_status_changes: undefined }));
    const run = makeRecordSet({
      claims: [makeClaim('C-1-1', { status: 'tested_refuted' })],
      verifications,
    });
    expect(readSignalSeries(run).map(({ signals }) => signals[5]?.value)).toEqual([1, 1, 0, 0]);
  });

  it('does not count the synthesis as a round', () => {
    const run = makeRecordSet({
      synthesisRound: 3,
      claims: [makeClaim('C-1-1', { status: 'tested_refuted' })],
      leads: [makeLead(1, 'action'), makeLead(2, 'critic')],
      verifications: [
        makeVerification(3, 1, 'BROKEN', {
          claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_refuted')],
        }),
      ],
    });
    expect(readSignals(run)).toMatchObject({ rounds: 2 });
    expect(readSignals(run).signals[5]?.value).toBe(1);
    expect(readSignalSeries(run).map(({ signals }) => signals[5]?.value)).toEqual([1, 1]);
  });

  it('is empty if there are no records', () => {
    expect(readSignalSeries(makeRecordSet())).toEqual([]);
    expect(readSignals(makeRecordSet())).toMatchObject({
      rounds: 0,
      satisfied: 0,
      recommendation: 'continue',
    });
  });
});
