/** Signals and failure modes where the second rules read them otherwise, and what simulated panels come to. */
import { describe, expect, it } from 'vitest';
import type { FailureModeId } from '../../src/protocols/rounds/records/failure-modes.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import { explainDifference } from '../../src/protocols/rounds/records/six-signals/differs.ts';
import { countRounds } from '../../src/protocols/rounds/records/timeline.ts';
import type {
  Claim,
  Decision,
  LeadEntry,
  ReadingRecord,
  StatusChange,
  Verification,
} from '../../src/protocols/rounds/records/types.ts';
import { ROLES } from '../../src/protocols/rounds/records/types.ts';
import { chooseNextLead, getDefaultStress } from '../../src/protocols/rounds/schedule.ts';
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
import { measureStops, PANELS } from './second-rules.ts';

const readSecondSignals = (some: Partial<Records>) =>
  readSignals(makeRecordSet({ rules: 2, ...some }));
const getSignal = (id: number, some: Partial<Records>) =>
  readSecondSignals(some).signals[id - 1] ?? expect.fail(`no signal ${id}`);
const getMode = (id: FailureModeId, some: Partial<Records>) =>
  readSecondSignals(some).failureModes.find((mode) => mode.id === id) ??
  expect.fail(`no mode ${id}`);

const PASSED: ReadingRecord = {
  kind: 'entrance',
  model: 'house/reader',
  passed: true,
  items: 24,
  errors: 0,
  called_true: 0,
  source: 'held',
};
const makeFinding = (id: string): ReadingRecord => ({
  kind: 'finding',
  round: 1,
  claim: id,
  model: 'house/reader',
  quotes: [],
  sought: [],
  finding: 'needs_a_test',
  counts: false,
  why: '',
});

function makeEntry(
  round: number,
  check: Verification['check'],
  changes: readonly StatusChange[],
): Verification {
  return {
    ...makeVerification(round, 1, 'ROBUST'),
    id: `V-${round}-5`,
    check,
    claim_status_changes: [...changes],
  };
}

describe('signal 1 (refutation rate), which counts changes of the status of claims,', () => {
  /** Returns records in which each round raises as many claims as `perRound` says, all refuted by reading at once. */
  function makeTurningRecords(...perRound: readonly number[]): Partial<Records> {
    const claims: Claim[] = [];
    const verifications = perRound.map((number, index) =>
      makeEntry(
        index + 1,
        'settled_by_reading',
        Array.from({ length: number }, (_, at) => {
          const id = `C-${index + 1}-${at + 1}`;
          claims.push(makeClaim(id, { status: 'tested_refuted' }));
          return makeChange(id, 'pending', 'tested_refuted', { basis: 'read' });
        }),
      ),
    );
    return { claims, verifications, completed: perRound.map((_, index) => index + 1) };
  }

  it('is satisfied in editions 2 to 4 of the rules once status changes per round are down to half of their peak', () => {
    expect(getSignal(1, makeTurningRecords(4, 4, 4, 2, 2, 2))).toMatchObject({
      state: 'satisfied',
      why: '2 claims turned a round in the last 3; half of the peak is 2',
    });
    expect(getSignal(1, makeTurningRecords(4, 4, 4, 2, 2, 3))).toMatchObject({
      state: 'unsatisfied',
    });
    expect(getSignal(1, makeTurningRecords(4, 4, 4, 2, 2))).toMatchObject({
      state: 'uninformative',
    });
    expect(getSignal(1, makeTurningRecords(0, 0, 0, 0, 0, 0))).toMatchObject({
      state: 'unsatisfied',
      why: 'no claim has ever turned',
    });
  });

  it('is satisfied since edition 5 of the rules once status changes per round are below half of their peak, not at half', () => {
    const half = { ...makeTurningRecords(4, 4, 4, 2, 2, 2), signals: 2 as const };
    expect(getSignal(1, half)).toMatchObject({ state: 'unsatisfied' });
    const less = { ...makeTurningRecords(4, 4, 4, 2, 2, 1), signals: 2 as const };
    expect(getSignal(1, less)).toMatchObject({ state: 'satisfied' });
  });

  it('counts since edition 2 of the rules each status change except a confirmation of a pending claim in its own round', () => {
    const getValue = (changes: readonly [number, Verification['check'], StatusChange][]) =>
      getSignal(1, {
        claims: [makeClaim('C-6-1', { status: changes.at(-1)?.[2].to ?? 'pending' })],
        verifications: changes.map(([round, check, statusChange]) =>
          makeEntry(round, check, [statusChange]),
        ),
        completed: [1, 2, 3, 4, 5, 6, 7, 8],
      }).value;
    const changeTo = (status: StatusChange['to'], more: Partial<StatusChange> = {}) =>
      makeChange('C-6-1', 'pending', status, more);
    expect(
      getValue([[6, 'settled_by_reading', changeTo('tested_confirmed', { basis: 'read' })]]),
    ).toBe(0);
    expect(
      getValue([[6, 'settled_by_reading', changeTo('tested_refuted', { basis: 'read' })]]),
    ).toBe(1 / 3);
    expect(getValue([[7, 'executed_test', changeTo('tested_confirmed')]])).toBe(1 / 3);
    expect(getValue([[6, 'conceded', changeTo('tested_unclear', { basis: 'conceded' })]])).toBe(
      1 / 3,
    );
    expect(
      getValue([
        [6, 'settled_by_reading', changeTo('tested_confirmed', { basis: 'read' })],
        [7, 'executed_test', makeChange('C-6-1', 'tested_confirmed', 'tested_refuted')],
      ]),
    ).toBe(1 / 3);
  });
});

describe('signal 2 (disagreement slope)', () => {
  const steady = ['BBRR', 'BBRR', 'BBRR', 'BBRR', 'BBRR', 'BBRR'];

  it('measures since edition 2 of the rules all rounds together, and not the last three separately', () => {
    const late = { verifications: makeRounds('BRRR', 'BRRR', 'BBRR', 'BBBR', 'BBBR', 'BRRR') };
    expect(getSignal(2, late)).toMatchObject({ state: 'satisfied' });
    expect(readSignals(makeRecordSet(late)).signals[1]).toMatchObject({ state: 'unsatisfied' });
    const falling = makeRounds('BBRR', 'BBRR', 'BBBB', 'BBBB', 'BBRR', 'RRRR');
    expect(readSecondSignals({ verifications: falling }).alarm).toBe(
      'disagreement has been falling for 2 rounds: -1, then -2 a round over the last 3 rounds',
    );
    const fallingSlowly = makeRounds('BBRR', 'BBRR', 'BBBR', 'BBRR', 'BBRR', 'BRRR');
    expect(readSecondSignals({ verifications: fallingSlowly }).alarm).toBeNull();
  });

  it('ignores readings, tests by a command and rejected verdicts', () => {
    const more = [
      ...[1, 2, 3].map((round) => makeEntry(round, 'settled_by_reading', [])),
      ...[4, 5, 6].map((round) => ({
        ...makeEntry(round, 'executed_test', []),
        result: 'BROKEN' as const,
      })),
      { ...makeVerification(6, 4, 'UNCLEAR', { id: 'V-6-9' }), degraded: 'no such place' },
    ];
    const bare = countRounds(makeRecordSet({ verifications: makeRounds(...steady) }));
    const read = countRounds(makeRecordSet({ verifications: [...makeRounds(...steady), ...more] }));
    expect(read.map(({ degraded: _, ...tally }) => tally)).toEqual(
      bare.map(({ degraded: _, ...tally }) => tally),
    );
    expect(read.map(({ degraded }) => degraded)).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it.each([
    ['1', undefined],
    ['2', 2],
  ] as const)(
    'is satisfied by steady disagreement if some rounds, without one role, have fewer checks (edition %s of the rules)',
    (_edition, rules) => {
      const rows = Array.from({ length: 13 }, (_, index) => {
        const absent = getDefaultStress(13)[index + 1];
        const not = { critic: [0, 2], guardian: [1], observer: [1, 2], action: [0] };
        const none: readonly number[] = absent === undefined ? [] : not[absent];
        return [0, 1, 2, 3].map((at) => (none.includes(at) ? '-' : 'U')).join('');
      });
      expect(rows[12]).toBe('U--U');
      const { signals } = readSignals(
        makeRecordSet({ rules, verifications: makeRounds(...rows), budget: 13 }),
      );
      expect(signals[1]).toMatchObject({ state: 'satisfied', value: 0 });
    },
  );

  it.each([
    ['1', undefined],
    ['2', 2],
  ] as const)(
    'is uninformative if code has rejected every answer of the verifier (edition %s of the rules)',
    (_edition, rules) => {
      const result = rules === 2 ? 'NOT_APPLICABLE' : 'UNCLEAR';
      const verifications = makeRounds(...Array.from({ length: 7 }, () => 'UUUU'))
        .slice(0, 27)
        .map(
          (verification) =>
            ({ ...verification, result, degraded: 'it cites what does not exist' }) as const,
        );
      const { signals, failureModes, recommendation } = readSignals(
        makeRecordSet({ rules, verifications }),
      );
      expect(signals[1]).toMatchObject({
        state: 'uninformative',
        why: 'no verdict could stand: the verifier has shown nothing',
      });
      expect(failureModes[5]).toMatchObject({
        id: 'FM-6',
        state: 'suspected',
        why: '27 of 27 answers of the verifier in 7 rounds could not stand',
      });
      expect(recommendation).toBe('continue');
    },
  );
});

describe('signal 3 (lead coverage) with the leads that the program chooses', () => {
  it.each([7, 8, 9, 10, 13, 16, 20])('is satisfied after %s rounds', (budget) => {
    const stress = getDefaultStress(budget);
    const leads: LeadEntry[] = [];
    const listLeaders = (some: readonly LeadEntry[]) =>
      some.flatMap((entry) => ROLES.filter((role) => role === entry.lead));
    for (let round = 1; round <= budget; round++) {
      const absent = stress[round];
      const plain = leads.filter((entry) => !entry.is_stress);
      leads.push(
        makeLead(
          round,
          chooseNextLead(listLeaders(leads), absent, listLeaders(plain)),
          absent ?? null,
        ),
      );
    }
    expect(getSignal(3, { leads }).state).toBe('satisfied');
    expect(getMode('FM-4', { leads }).state).toBe('clear');
    const times = ROLES.map(
      (role) => listLeaders(leads).filter((leader) => leader === role).length,
    );
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1);
  });
});

describe('signal 5 (drift checks) since edition 2 of the rules', () => {
  it('counts a check with the verdict PASS and a large deviation as failed', () => {
    const off = { drifts: [{ ...makeDrift(3, 'PASS'), deviation_score: 4 }] };
    expect(getSignal(5, off)).toMatchObject({ state: 'unsatisfied' });
    expect(getMode('FM-3', off)).toMatchObject({
      state: 'suspected',
      why: 'the drift check of round 3 is FAIL, with a deviation of 4 of 5',
    });
    expect(readSignals(makeRecordSet(off)).signals[4]?.state).toBe('satisfied');
  });
});

describe('signal 6 (pending claims) since edition 2 of the rules', () => {
  /**
   * Returns records of ten claims. A reader found of each claim that it needs a test, but four are recorded as refuted
   * by reading. A decision takes these four as false.
   */
  function makeRecords(more: Partial<Records> = {}): Partial<Records> {
    const ids = Array.from({ length: 10 }, (_, at) => `C-1-${at + 1}`);
    return {
      claims: ids.map((id, at) => makeClaim(id, { status: at < 4 ? 'tested_refuted' : 'pending' })),
      verifications: [
        makeEntry(
          2,
          'settled_by_reading',
          ids
            .slice(0, 4)
            .map((id) => makeChange(id, 'pending', 'tested_refuted', { basis: 'read' })),
        ),
      ],
      decisions: [makeDecisionAgainst('D-2-1', ...ids.slice(0, 4))],
      readings: [PASSED, ...ids.map(makeFinding)],
      documents: true,
      ...more,
    };
  }
  const makeDecisionAgainst = (id: string, ...cited: readonly string[]): Decision => ({
    ...makeDecision(id, cited),
    cites: makeDecision(id, cited).cites.map((cite) => ({ ...cite, takes_as: 'false' as const })),
  });

  it('is satisfied if both shares are under 30 %: claims never checked, and undecided claims among those cited by decisions', () => {
    expect(getSignal(6, makeRecords())).toMatchObject({
      state: 'satisfied',
      why: '0 of 10 claims never looked at (0 %), and 0 of 4 that standing decisions rest on undecided (0 %); below 30 % wanted of both',
    });
    const unread = [PASSED, ...['C-1-8', 'C-1-9', 'C-1-10'].map(makeFinding)];
    expect(getSignal(6, makeRecords({ readings: unread }))).toMatchObject({
      state: 'unsatisfied',
      value: 0.3,
    });
    const open = makeRecords().decisions ?? [];
    expect(
      getSignal(
        6,
        makeRecords({ decisions: [...open, makeDecision('D-2-2', ['C-1-5', 'C-1-6'])] }),
      ),
    ).toMatchObject({ state: 'unsatisfied', value: 1 / 3 });
  });

  it('counts an open claim as decided if every decision that cites this claim is conditional on testing the claim', () => {
    const waits = { ...makeDecision('D-2-2', ['C-1-5', 'C-1-6']), conditions: ['C-1-5', 'C-1-6'] };
    const before = makeRecords().decisions ?? [];
    expect(getSignal(6, makeRecords({ decisions: [...before, waits] })).state).toBe('satisfied');
    const careless = makeDecision('D-2-3', ['C-1-5', 'C-1-6']);
    expect(getSignal(6, makeRecords({ decisions: [...before, waits, careless] })).state).toBe(
      'unsatisfied',
    );
  });

  it('is uninformative if decisions rest on fewer than four claims', () => {
    const fallen = makeDecision('D-2-2', ['C-1-1', 'C-1-5', 'C-1-6', 'C-1-7']);
    const before = makeRecords().decisions ?? [];
    expect(getSignal(6, makeRecords({ decisions: [...before, fallen] })).state).toBe('satisfied');
    expect(
      getSignal(6, makeRecords({ decisions: [makeDecisionAgainst('D-2-1', 'C-1-1', 'C-1-2')] })),
    ).toMatchObject({
      state: 'uninformative',
      why: 'standing decisions rest on 2 claims that the text does not say outright: it takes 4',
    });
  });

  it('does not count claims that only repeat a document', () => {
    const padding = Array.from({ length: 20 }, (_, at) => `C-2-${at + 1}`);
    const base = makeRecords({ readings: [PASSED] });
    const padded = {
      ...base,
      claims: [
        ...(base.claims ?? []),
        ...padding.map((id) => makeClaim(id, { status: 'tested_confirmed' })),
      ],
      verifications: [
        ...(base.verifications ?? []),
        {
          ...makeEntry(
            2,
            'settled_by_reading',
            padding.map((id) => makeChange(id, 'pending', 'tested_confirmed', { basis: 'read' })),
          ),
          id: 'V-2-6',
        },
      ],
    };
    // The value of signal 6 is here the share of claims that were never checked: 6 of 10. Claims that only
    // repeat a document, such as the 20 that `padded` adds, are not counted.
    expect(getSignal(6, base).value).toBe(0.6);
    expect(getSignal(6, padded).value).toBe(0.6);
    expect(countRounds(makeRecordSet({ rules: 2, ...padded })).map(({ raised }) => raised)).toEqual(
      [10, 0],
    );
  });

  it('is uninformative if there are documents but no model has passed the reading test', () => {
    const nobody = { readings: [{ ...PASSED, passed: false }] };
    for (const readings of [[], nobody.readings])
      for (const documents of [true, undefined])
        expect(getSignal(6, makeRecords({ readings, documents })).state).toBe('uninformative');
    expect(getSignal(6, makeRecords({ readings: [], documents: false }))).toMatchObject({
      state: 'unsatisfied',
      value: 0.6,
    });
  });

  it('in a run without documents, counts claims as checked once the verifier said what a BROKEN or ROBUST verdict of check 1 means for them', () => {
    const getValueWithoutDocuments = (verdict: Verification, more: Partial<Records> = {}) =>
      getSignal(
        6,
        makeRecords({
          documents: false,
          readings: [PASSED],
          verifications: [...(makeRecords().verifications ?? []), verdict],
          ...more,
        }),
      ).value;
    expect(getValueWithoutDocuments(makeVerification(2, 1, 'ROBUST'))).toBe(0);
    expect(getValueWithoutDocuments(makeVerification(2, 1, 'UNCLEAR'))).toBe(0.6);
    expect(getValueWithoutDocuments(makeVerification(2, 3, 'BROKEN'))).toBe(0.6);
    const failed = { round: 2, kind: 'call', by: 'verifier', why: 'timed out' } as const;
    expect(
      getValueWithoutDocuments(makeVerification(2, 1, 'ROBUST'), {
        refusals: [{ ...failed, text: 'round-2/F/bearings' }],
      }),
    ).toBe(0.6);
    expect(getValueWithoutDocuments(makeVerification(2, 1, 'ROBUST'), { readings: [] })).toBe(0.6);
  });
});

describe('FM-6 (verification bypass) since edition 2 of the rules', () => {
  const oneSided = (count: number) =>
    makeRounds(...Array.from({ length: count }, () => 'BR')).map((verification) => ({
      ...verification,
      evidence_refs: ['a', 'b'].map((anchor) => `artifacts/round_1/critic.md#${anchor}`),
    }));

  it('suspects a panel if all verdicts of the last three rounds cite only one of the two artifacts that they compare', () => {
    expect(getMode('FM-6', { verifications: oneSided(3) })).toMatchObject({
      state: 'suspected',
      why: 'no verdict of the last 3 rounds cites both sides of what it compares',
    });
    const crossing = makeVerification(3, 1, 'BROKEN', {
      evidence_refs: ['artifacts/round_1/critic.md#a', 'artifacts/round_1/action.md#b'],
    });
    const others = oneSided(3).filter(({ id }) => id !== crossing.id);
    expect(getMode('FM-6', { verifications: [crossing, ...others] }).state).toBe('clear');
    expect(readSignals(makeRecordSet({ verifications: oneSided(3) })).failureModes[5]?.state).toBe(
      'clear',
    );
  });

  it('suspects a panel if code has rejected most answers of its verifier', () => {
    const makeDegraded = (row: string, bad: number) =>
      makeRounds(...row.split(' ')).map((verification, at) =>
        at < bad
          ? { ...verification, result: 'NOT_APPLICABLE' as const, degraded: 'no place' }
          : verification,
      );
    expect(getMode('FM-6', { verifications: makeDegraded('BR BR BR', 4) }).why).toBe(
      '4 of 6 answers of the verifier in 3 rounds could not stand',
    );
    expect(getMode('FM-6', { verifications: makeDegraded('BR BR BR', 3) }).state).not.toBe(
      'suspected',
    );
    const lately = makeDegraded('BR BR BR', 6).toReversed();
    const verifications = [
      ...makeRounds('BBRR', 'BBRR'),
      ...lately.map((verification) => ({ ...verification, round: verification.round + 2 })),
    ];
    expect(getMode('FM-6', { verifications }).why).toBe(
      '6 of 6 answers of the verifier in 3 rounds could not stand',
    );
  });
});

describe('the recommendation to stop since edition 2 of the rules', () => {
  /** Returns records in which all six signals are satisfied, unless `more` replaces fields of the records. */
  function makeRunRecords(more: Partial<Records> = {}): Partial<Records> {
    const ids = Array.from({ length: 6 }, (_, at) => `C-1-${at + 1}`);
    return {
      claims: ids.map((id) => makeClaim(id, { status: 'tested_confirmed' })),
      verifications: [
        ...makeRounds(...Array.from({ length: 7 }, () => 'BBRR')).map((verification) => ({
          ...verification,
          evidence_refs: ['critic', 'action', 'guardian', 'observer'].map(
            (role) => `artifacts/round_1/${role}.md#x`,
          ),
        })),
        makeEntry(
          2,
          'executed_test',
          ids.map((id) => makeChange(id, 'pending', 'tested_confirmed', { basis: 'executed' })),
        ),
      ],
      decisions: [makeDecision('D-3-1', ids)],
      leads: [
        ...[
          makeLead(1, 'action'),
          makeLead(2, 'guardian'),
          makeLead(3, 'observer'),
          makeLead(4, 'critic'),
        ],
        ...[makeLead(5, 'action', 'critic'), makeLead(6, 'observer', 'guardian')],
        makeLead(7, 'critic', 'action'),
      ],
      drifts: [makeDrift(5, 'PASS')],
      readings: [PASSED],
      documents: true,
      ...more,
    };
  }

  it('with signals 2 and 6 satisfied, is “stop” at six signals, “wrap-up” at five, “consider” at four', () => {
    expect(readSecondSignals(makeRunRecords())).toMatchObject({
      satisfied: 6,
      recommendation: 'stop',
    });
    expect(readSecondSignals(makeRunRecords({ drifts: [] }))).toMatchObject({
      satisfied: 5,
      recommendation: 'wrap-up',
    });
    const leads = makeRunRecords().leads?.slice(1) ?? [];
    expect(readSecondSignals(makeRunRecords({ drifts: [], leads }))).toMatchObject({
      satisfied: 4,
      recommendation: 'consider',
    });
  });

  it('is to continue if signal 2 or 6 is not satisfied, even if five other signals are', () => {
    const unread = readSecondSignals(makeRunRecords({ readings: [] }));
    expect(unread).toMatchObject({
      satisfied: 5,
      recommendation: 'continue',
      why: '5 of 6 signals are satisfied, but stopping also takes 6 pending-claims (nobody here has shown that they can read: no claim is settled by the text)',
    });
    const rows = ['BBBB', 'BBBR', 'BBBB', 'BBBR', 'BBRR', 'BBBR', 'BBRR'];
    const falling = makeRunRecords({
      verifications: [
        ...makeRounds(...rows),
        ...(makeRunRecords().verifications ?? []).filter(({ check }) => check === 'executed_test'),
      ],
    });
    expect(readSecondSignals(falling)).toMatchObject({
      satisfied: 5,
      recommendation: 'continue',
      why: expect.stringMatching(/but stopping also takes 2 disagreement-slope \(/),
    });
    // Under edition 1 of the rules, any five satisfied signals lead to `wrap-up`. In these records, all
    // signals except signal 1 are satisfied under edition 1.
    expect(
      readSignals(makeRecordSet({ ...makeRunRecords({ readings: [] }), rules: undefined }))
        .recommendation,
    ).toBe('wrap-up');
  });
});

describe('explainDifference, which compares a signal with the published method,', () => {
  it('has a text for each signal, which for signal 6 differs between editions 1 and 2 of the rules', () => {
    for (const { name } of readSecondSignals({}).signals) {
      expect(explainDifference(name, { rules: 2 })).toMatch(/\.$/);
      expect(explainDifference(name, {})).toMatch(/\.$/);
    }
    expect(explainDifference('pending-claims', { rules: 2 })).not.toBe(
      explainDifference('pending-claims', {}),
    );
  });
});

describe('a recommendation to stop, wrap up or consider stopping in 200 simulated deliberations of 8 rounds', () => {
  it.each([
    ['healthy', 148, 200],
    ['flatterers', 0, 1],
    ['untrusted reader', 0, 0],
  ] as const)('is given to %s panels between %s and %s times', (kind, least, most) => {
    expect(PANELS).toContain(kind);
    const { stopped } = measureStops(kind, 8, 200);
    expect(stopped).toBeGreaterThanOrEqual(least);
    expect(stopped).toBeLessThanOrEqual(most);
  });
});
