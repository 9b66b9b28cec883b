/** Where a deliberation stands: standings and their grounds, decisions that fall, what is open. */
import { describe, expect, it } from 'vitest';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { deriveState, type State } from '../../src/protocols/rounds/records/state-of.ts';
import type {
  Claim,
  Decision,
  ReadingRecord,
  StatusChange,
  Verification,
} from '../../src/protocols/rounds/records/types.ts';
import {
  makeChange,
  makeClaim,
  makeDecision,
  makeDrift,
  makeLead,
  makeRecordSet,
  makeVerification,
} from './make.ts';
import { simulateSecondRecords } from './second-rules.ts';
import { simulateRecords } from './simulate.ts';

const deriveSecondState = (some: Partial<Records>): State =>
  deriveState(makeRecordSet({ rules: 2, ...some }));

function claimOf(state: State, id: string) {
  return (
    state.claims.find((claimState) => claimState.claim.id === id) ?? expect.fail(`no claim ${id}`)
  );
}

function decisionOf(state: State, id: string) {
  return (
    state.decisions.find((decisionState) => decisionState.decision.id === id) ??
    expect.fail(`no decision ${id}`)
  );
}

/** Returns a verification by a check of the program's own, which changes claims. */
function makeEntry(
  id: string,
  check: Verification['check'],
  changes: StatusChange[],
): Verification {
  return {
    ...makeVerification(Number(id.split('-')[1]), 1, 'ROBUST'),
    id,
    check,
    claim_status_changes: changes,
  };
}

const QUOTE = { text: 'The queue holds 5,000 messages.', ref: 'attachments/plan.md#L10' };
const makeReadChange = (id: string, to: StatusChange['to']) =>
  makeChange(id, 'pending', to, { basis: 'read', quotes: [QUOTE], why: 'its own figure' });

function makeFinding(
  id: string,
  more: Partial<Extract<ReadingRecord, { kind: 'finding' }>> = {},
): ReadingRecord {
  return {
    kind: 'finding',
    round: 1,
    claim: id,
    model: 'house/reader',
    quotes: [QUOTE],
    sought: [],
    finding: 'true_in_text',
    second: 'true',
    counts: true,
    why: '',
    ...more,
  };
}

function makeEntrance(model: string, passed: boolean): ReadingRecord {
  return {
    kind: 'entrance',
    model,
    passed,
    items: 24,
    errors: 1,
    called_true: 0,
    source: 'held',
  };
}

function makeControl(right: boolean): ReadingRecord {
  return { kind: 'control', round: 1, model: 'm', text: 't', key: 'absent', right };
}

function makeRestingDecision(id: string, cites: Partial<Decision['cites'][number]>[]): Decision {
  return {
    ...makeDecision(id, []),
    cites: cites.map((cite) => ({ type: 'claim', id: '', relation: 'based-on', ...cite })),
  };
}

describe('the state of claims', () => {
  it('is derived from the status of each claim and the basis of its last change', () => {
    const state = deriveSecondState({
      claims: [
        makeClaim('C-1-1', { status: 'tested_refuted' }),
        makeClaim('C-1-2', { status: 'tested_unclear' }),
        makeClaim('C-1-3'),
        makeClaim('C-1-4', { status: 'tested_unclear' }),
      ],
      verifications: [
        makeVerification(1, 1, 'ROBUST', {
          claim_status_changes: [
            makeChange('C-1-1', 'pending', 'tested_confirmed', { basis: 'argued' }),
          ],
        }),
        makeEntry('V-2-5', 'settled_by_reading', [
          { ...makeReadChange('C-1-1', 'tested_refuted'), from: 'tested_confirmed' },
        ]),
        makeEntry('V-2-6', 'conceded', [
          makeChange('C-1-2', 'pending', 'tested_unclear', { basis: 'conceded' }),
        ]),
      ],
    });
    expect(claimOf(state, 'C-1-1')).toMatchObject({
      standing: 'refuted',
      basis: 'read',
      by: 'V-2-5',
      decidedIn: 2,
      quotes: [QUOTE],
      why: 'its own figure',
    });
    expect(claimOf(state, 'C-1-2')).toMatchObject({ standing: 'withdrawn', basis: 'conceded' });
    expect(claimOf(state, 'C-1-3')).toMatchObject({ standing: 'open', basis: undefined });
    expect(claimOf(state, 'C-1-4').standing).toBe('unclear');
  });

  it('is derived from the statuses alone in records that follow edition 1 of the rules', () => {
    const state = deriveState(
      makeRecordSet({
        claims: [
          makeClaim('C-1-1', { status: 'partially_refuted' }),
          makeClaim('C-1-2', { status: 'tested_unclear' }),
          makeClaim('C-1-3', { status: 'tested_refuted' }),
        ],
        decisions: [makeDecision('D-1-1', ['C-1-1', 'C-1-2']), makeDecision('D-1-2', ['C-1-3'])],
      }),
    );
    expect(state.rules).toBe(1);
    expect(state.claims.map(({ standing }) => standing)).toEqual(['partly', 'unclear', 'refuted']);
    expect(state.decisions.map(({ standing }) => standing)).toEqual(['stands', 'fallen']);
    expect(state.reader).toBe('none');
    expect(state.conduct).toEqual([]);
  });

  it('lists for a claim the open and confirmed claims that contradict it', () => {
    const listChallengers = (status: Claim['status']) =>
      claimOf(
        deriveSecondState({
          claims: [
            makeClaim('C-1-1', { status: 'tested_confirmed' }),
            makeClaim('C-2-1', { status, challenges: 'C-1-1' }),
          ],
        }),
        'C-1-1',
      ).challengers;
    expect(listChallengers('pending')).toEqual(['C-2-1']);
    expect(listChallengers('tested_confirmed')).toEqual(['C-2-1']);
    expect(listChallengers('tested_refuted')).toEqual([]);
    expect(listChallengers('tested_unclear')).toEqual([]);
  });

  it('names for a superseded claim the claim that superseded it', () => {
    const state = deriveSecondState({
      claims: [
        makeClaim('C-1-1', { status: 'superseded', superseded_in: 3 }),
        makeClaim('C-2-1', { supersedes: 'C-1-1', status: 'tested_confirmed' }),
      ],
    });
    expect(claimOf(state, 'C-1-1')).toMatchObject({
      standing: 'superseded',
      supersededBy: 'C-2-1',
    });
  });

  it('lists the open claims that need a test, beginning with the claims that decisions rest on', () => {
    const state = deriveSecondState({
      claims: [
        makeClaim('C-1-1'),
        makeClaim('C-1-2', { decided_by: 'asking' }),
        makeClaim('C-1-3', { decided_by: 'reading' }),
        makeClaim('C-1-4', { decided_by: 'running', status: 'tested_confirmed' }),
        makeClaim('C-1-5', { decided_by: 'running' }),
      ],
      readings: [makeFinding('C-1-1', { finding: 'needs_a_test' })],
      decisions: [
        { ...makeDecision('D-1-1', ['C-1-3']), conditions: ['C-1-5'] },
        makeRestingDecision('D-1-2', [{ id: 'C-1-2' }]),
      ],
    });
    expect(
      state.claims
        .filter((claimState) => claimState.awaits)
        .map((claimState) => claimState.claim.id),
    ).toEqual([...['C-1-1', 'C-1-2', 'C-1-5']]);
    // First come the claims that a decision rests on, or whose test a decision waits for.
    expect(state.awaiting.map((claimState) => claimState.claim.id)).toEqual([
      'C-1-2',
      'C-1-5',
      'C-1-1',
    ]);
  });

  describe('the mark that a claim only repeats a document', () => {
    const isFact = (more: Partial<Records>, own: Partial<Claim> = {}) =>
      claimOf(
        deriveSecondState({
          claims: [
            makeClaim('C-1-1', { status: 'tested_confirmed', ...own }),
            ...(more.claims ?? []),
          ],
          verifications: more.verifications ?? [
            makeEntry('V-1-5', 'settled_by_reading', [makeReadChange('C-1-1', 'tested_confirmed')]),
          ],
          readings: more.readings ?? [makeFinding('C-1-1')],
        }),
        'C-1-1',
      ).isFact;

    it('is set on a claim that its first and only reading confirmed, unless another claim denies it', () => {
      expect(isFact({})).toBe(true);
      expect(isFact({ claims: [makeClaim('C-2-1', { challenges: 'C-1-1' })] })).toBe(false);
      expect(isFact({ readings: [makeFinding('C-1-1'), makeFinding('C-1-1', { round: 2 })] })).toBe(
        false,
      );
    });

    it('is not set on a claim that was refuted, confirmed by argument, or confirmed only in a later round', () => {
      const argued = makeVerification(1, 1, 'ROBUST', {
        claim_status_changes: [
          makeChange('C-1-1', 'pending', 'tested_confirmed', { basis: 'argued' }),
        ],
      });
      expect(isFact({ verifications: [argued] })).toBe(false);
      const later = makeEntry('V-2-5', 'settled_by_reading', [
        makeReadChange('C-1-1', 'tested_confirmed'),
      ]);
      expect(isFact({ verifications: [later] })).toBe(false);
      const refuted = makeEntry('V-1-5', 'settled_by_reading', [
        makeReadChange('C-1-1', 'tested_refuted'),
      ]);
      expect(isFact({ verifications: [refuted] }, { status: 'tested_refuted' })).toBe(false);
    });
  });
});

describe('a decision that rests on claims or on other decisions', () => {
  const withdrawn = makeEntry('V-1-5', 'conceded', [
    makeChange('C-1-4', 'pending', 'tested_unclear', { basis: 'conceded' }),
  ]);
  const bad = {
    ...makeVerification(1, 3, 'NOT_APPLICABLE'),
    degraded: 'it cites what does not exist',
  };
  const grounds: Partial<Records> = {
    claims: [
      makeClaim('C-1-1', { status: 'tested_confirmed' }),
      makeClaim('C-1-2', { status: 'tested_refuted' }),
      makeClaim('C-1-3', { status: 'superseded' }),
      makeClaim('C-1-4', { status: 'tested_unclear' }),
      makeClaim('C-1-5'),
    ],
    verifications: [bad, withdrawn],
  };
  const deriveDecision = (...cites: Partial<Decision['cites'][number]>[]) => {
    const state = deriveSecondState({
      ...grounds,
      decisions: [makeRestingDecision('D-2-1', cites)],
    });
    return decisionOf(state, 'D-2-1');
  };

  it.each([
    ['stands', 'a confirmed claim', { id: 'C-1-1' }, []],
    ['stands', 'an open claim', { id: 'C-1-5' }, []],
    ['falls (loses its ground)', 'a refuted claim', { id: 'C-1-2' }, ['C-1-2 is refuted']],
    ['falls (loses its ground)', 'a superseded claim', { id: 'C-1-3' }, ['C-1-3 is superseded']],
    ['falls (loses its ground)', 'a withdrawn claim', { id: 'C-1-4' }, ['C-1-4 is withdrawn']],
    ['stands', 'a refuted claim as false', { id: 'C-1-2', takes_as: 'false' as const }, []],
    [
      'falls (loses its ground)',
      'a confirmed claim as false',
      { id: 'C-1-1', takes_as: 'false' as const },
      ['C-1-1 is confirmed, and taken as false'],
    ],
    [
      'stands',
      'a refuted claim in order to supersede the claim',
      { id: 'C-1-2', relation: 'supersedes' as const },
      [],
    ],
    [
      'falls (loses its ground)',
      'a verdict that code rejected',
      { id: 'V-1-3', type: 'verification' as const },
      ['V-1-3 could not stand'],
    ],
    ['stands', 'a claim that does not exist', { id: 'C-9-9' }, []],
  ])('stands or falls with what it cites: it %s if it cites %s', (_standing, _what, cite, why) => {
    const found = deriveDecision(cite);
    expect(found.fallen.map((reason) => reason.why)).toEqual(why);
    expect(found.standing).toBe(why.length === 0 ? 'stands' : 'fallen');
  });

  it('falls (loses its ground) if a decision that it cites has fallen', () => {
    const state = deriveSecondState({
      ...grounds,
      decisions: [
        makeRestingDecision('D-1-1', [{ id: 'C-1-2' }]),
        makeDecision('D-2-1', ['D-1-1']),
        makeDecision('D-3-1', ['D-2-1']),
        makeDecision('D-3-2', ['D-3-3', 'C-1-1']),
        makeDecision('D-3-3', ['D-3-2']),
        makeDecision('D-3-4', ['D-3-4']),
      ],
    });
    expect(state.decisions.map((decision) => decision.standing)).toEqual([
      ...['fallen', 'fallen', 'fallen', 'stands', 'stands', 'stands'],
    ]);
    expect(decisionOf(state, 'D-3-1').fallen).toEqual([
      { id: 'D-2-1', why: 'D-2-1 has lost its ground' },
    ]);
  });

  it('falls (loses its ground) if a decision that it cites is overturned', () => {
    const makeOverturning = (id: string, old: string) =>
      makeRestingDecision(id, [{ type: 'decision', id: old, relation: 'supersedes' }]);
    const state = deriveSecondState({
      decisions: [
        makeDecision('D-1-1', ['C-1-1']),
        makeOverturning('D-1-2', 'D-2-2'),
        makeDecision('D-2-1', ['D-1-1']),
        makeOverturning('D-2-2', 'D-1-1'),
      ],
    });
    expect(decisionOf(state, 'D-1-1').standing).toBe('overturned');
    expect(decisionOf(state, 'D-2-1')).toMatchObject({
      standing: 'fallen',
      fallen: [{ id: 'D-1-1', why: 'D-1-1 was overturned by D-2-2' }],
    });
    // D-1-2 is older than D-2-2 and therefore cannot supersede it.
    expect(decisionOf(state, 'D-2-2').standing).toBe('stands');
  });

  it('is not listed at the claims that it cites after it has fallen (lost its ground)', () => {
    const state = deriveSecondState({
      ...grounds,
      decisions: [
        makeRestingDecision('D-1-1', [{ id: 'C-1-1' }, { id: 'C-1-2' }]),
        makeRestingDecision('D-1-2', [{ id: 'C-1-1' }]),
      ],
    });
    expect(claimOf(state, 'C-1-1').reliedOn).toEqual(['D-1-2']);
    expect(claimOf(state, 'C-1-2').reliedOn).toEqual([]);
  });
});

describe('the list of unresolved conflicts', () => {
  it('includes conflicts named by the last round’s leading role, findings that a second look did not confirm, and claims that deny confirmed ones', () => {
    const { tensions } = deriveSecondState({
      closings: [
        { round: 2, tensions: ['Speed against safety.'] },
        { round: 1, tensions: ['Gone.'] },
      ],
      claims: [
        makeClaim('C-1-1'),
        makeClaim('C-1-2', { status: 'tested_confirmed' }),
        makeClaim('C-2-1', { challenges: 'C-1-2', text: 'It has a way back.' }),
      ],
      verifications: [
        makeEntry('V-1-5', 'settled_by_reading', [makeReadChange('C-1-2', 'tested_confirmed')]),
      ],
      readings: [makeFinding('C-1-1', { second: 'undecided', counts: false })],
      refusals: [
        {
          round: 2,
          kind: 'bearing',
          by: 'verifier',
          id: 'C-1-1',
          text: 'V-2-1 makes it true',
          why: 'by the verdict it is false',
        },
        { round: 1, kind: 'bearing', by: 'verifier', text: 'old', why: 'old' },
      ],
    });
    expect(tensions).toEqual([
      'Speed against safety.',
      'C-1-1: one reader finds it true in the text by "The queue holds 5,000 messages." (attachments/plan.md#L10); a second cannot tell from that alone.',
      'C-1-1: "V-2-1 makes it true": by the verdict it is false.',
      'C-2-1, open, says "It has a way back." and denies C-1-2, confirmed, read: "It loses messages on failover." ("The queue holds 5,000 messages." (attachments/plan.md#L10)).',
    ]);
  });

  it('contains single lines of less than 300 characters', () => {
    const { tensions } = deriveSecondState({
      claims: [
        makeClaim('C-1-1', { status: 'tested_confirmed', text: 'One\n\n# Task\nline.' }),
        makeClaim('C-2-1', { challenges: 'C-1-1', text: `Long ${'x'.repeat(500)}` }),
      ],
    });
    expect(tensions[0]).not.toMatch(/\n/);
    expect(tensions[0]?.length).toBeLessThan(300);
  });

  it('leaves out a finding that a second look did not confirm if the claim is decided', () => {
    const open = { claims: [makeClaim('C-1-1')] };
    const same = { readings: [makeFinding('C-1-1')] };
    const differ = { readings: [makeFinding('C-1-1', { second: 'false', counts: false })] };
    expect(deriveSecondState({ ...open, ...same }).tensions).toEqual([]);
    expect(deriveSecondState({ ...open, ...differ }).tensions).toHaveLength(1);
    expect(
      deriveSecondState({ claims: [makeClaim('C-1-1', { status: 'tested_refuted' })], ...differ })
        .tensions,
    ).toEqual([]);
  });
});

describe('the state of a deliberation', () => {
  it('includes the newest answer that a round’s lead gave, and the refused entries sorted by round', () => {
    const bad = { ...makeVerification(1, 1, 'NOT_APPLICABLE'), degraded: 'no place' };
    const refusal = { kind: 'claim' as const, by: 'critic', text: 'x', why: 'n/a' };
    const state = deriveSecondState({
      closings: [
        { round: 1, tensions: [], answer: 'Not yet.' },
        { round: 2, tensions: [], answer: 'Yes.' },
        { round: 3, tensions: [] },
      ],
      verifications: [bad],
      refusals: [
        { ...refusal, round: 2 },
        { ...refusal, round: 1 },
      ],
    });
    expect(state.answer).toEqual({ round: 2, text: 'Yes.' });
    expect(state.refusals.map(({ round }) => round)).toEqual([1, 2]);
    expect(state.degraded).toEqual([bad]);
    expect(deriveSecondState({}).answer).toBeUndefined();
  });

  it('names the model that passed the reading test, and calls it unreliable after 5 wrong answers to 12 controls', () => {
    const deriveReader = (...readings: ReadingRecord[]) => deriveSecondState({ readings }).reader;
    expect(deriveReader()).toBe('none');
    expect(deriveReader(makeEntrance('a/one', false))).toBe('failed');
    expect(deriveReader(makeEntrance('a/one', false), makeEntrance('b/two', true))).toMatchObject({
      model: 'b/two',
    });
    const isUnreliable = (wrong: number, all: number) =>
      deriveSecondState({
        readings: Array.from({ length: all }, (_, at) => makeControl(at >= wrong)),
      }).unreliable;
    expect(isUnreliable(5, 12)).toBe(true);
    expect(isUnreliable(4, 12)).toBe(false);
    expect(isUnreliable(11, 11)).toBe(false);
  });

  it('lists roles that handed in nothing in a finished round, although they were not left out on purpose', () => {
    const formatPath = (round: number, role: string) => `artifacts/round_${round}/${role}.md`;
    const artifacts = [
      ...['action', 'guardian', 'observer'].map((role) => formatPath(1, role)),
      ...['action', 'observer'].map((role) => formatPath(2, role)),
      formatPath(4, 'action'),
    ];
    const leads = [
      makeLead(1, 'action', 'critic'),
      makeLead(2, 'guardian'),
      makeLead(3, 'observer'),
    ];
    const listAbsentRoles = (more: Partial<Records>) =>
      deriveSecondState({ artifacts, leads, ...more }).absentRoles;
    expect(listAbsentRoles({})).toEqual([{ round: 2, roles: ['guardian', 'critic'] }]);
    // In an unfinished round, a role that has not handed in yet is not absent.
    expect(
      listAbsentRoles({ leads: [...leads, makeLead(4, 'critic')], completed: [1, 2, 3] }),
    ).toEqual([{ round: 2, roles: ['guardian', 'critic'] }]);
    expect(listAbsentRoles({ artifacts: undefined })).toEqual([]);
  });

  it('is the same when it is derived twice, and can be derived from empty records', () => {
    for (const seed of [1, 2, 3]) {
      const run = simulateRecords('healthy', seed, 8).records;
      expect(deriveState(run)).toEqual(deriveState(run));
      expect(deriveState(run).claims).toHaveLength(run.claims.length);
      const other = deriveState(simulateSecondRecords('healthy', seed, 8));
      expect(other.decisions.some(({ standing }) => standing === 'stands')).toBe(true);
    }
    expect(deriveState(makeRecordSet())).toMatchObject({
      rules: 1,
      claims: [],
      decisions: [],
      tensions: [],
    });
  });
});

describe('the list of what went wrong in a deliberation', () => {
  const makeRefs = (...names: string[]) => names.map((name) => `artifacts/round_1/${name}.md#x`);
  const listConductIds = (some: Partial<Records>) =>
    deriveSecondState(some).conduct.map(({ id }) => id);

  it('includes proposals against earlier decisions, and names the decisions that were overturned afterwards', () => {
    const cited = { evidence_refs: ['state/decisions.jsonl#L2', 'artifacts/round_2/critic.md#x'] };
    const contradicts = { verifications: [makeVerification(2, 4, 'BROKEN', cited)] };
    const before = [makeDecision('D-1-1', ['C-1-1']), makeDecision('D-1-2', ['C-1-1'])];
    const makeOverturning = (id: string) => ({
      ...makeDecision('D-2-1', [id, 'V-2-1']),
      cites: [{ type: 'decision', id, relation: 'supersedes' }] as const,
    });
    const explainConduct = (...decisions: Records['decisions']) =>
      deriveSecondState({ ...contradicts, decisions }).conduct[0]?.why;
    const silent =
      'what was proposed and handed in in round 2 contradicts an earlier decision without naming it (V-2-4)';
    expect(explainConduct(...before)).toBe(silent);
    expect(explainConduct(...before, makeOverturning('D-1-2'))).toBe(
      `${silent}; D-2-1 then overturned D-1-2 by name`,
    );
    expect(explainConduct(...before, makeOverturning('D-1-1'))).toBe(silent);
    const both = ['state/decisions.jsonl#L1', ...cited.evidence_refs];
    const citesBoth = {
      verifications: [makeVerification(2, 4, 'BROKEN', { evidence_refs: both })],
    };
    expect(
      deriveSecondState({ ...citesBoth, decisions: [...before, makeOverturning('D-1-2')] })
        .conduct[0]?.why,
    ).toBe(`${silent}; D-2-1 then overturned D-1-2 by name; D-1-1, which it cites too, stands`);
  });

  it('includes one-sided evidence, contradicted decisions and an attack that could not be checked', () => {
    expect(listConductIds({ verifications: [makeVerification(2, 4, 'BROKEN')] })).toEqual([
      'contradicted-decision',
    ]);
    expect(listConductIds({ verifications: [makeVerification(2, 4, 'ROBUST')] })).toEqual([]);
    const verdict = makeVerification(1, 1, 'BROKEN', {
      evidence_refs: makeRefs('critic', 'critic'),
    });
    expect(deriveSecondState({ verifications: [verdict] }).conduct).toEqual([
      {
        id: 'one-sided-evidence',
        round: 1,
        why: 'V-1-1 cites nothing of the action, which it compares',
      },
    ]);
    expect(
      listConductIds({
        verifications: [{ ...verdict, evidence_refs: makeRefs('critic', 'action') }],
      }),
    ).toEqual([]);
    const artifacts = makeRefs('critic', 'action').map((ref) => ref.split('#')[0] ?? '');
    const none = makeVerification(1, 1, 'NOT_APPLICABLE');
    expect(listConductIds({ verifications: [none], artifacts })).toEqual(['attack-without-reach']);
    expect(listConductIds({ verifications: [none], artifacts: artifacts.slice(1) })).toEqual([]);
  });

  it('includes a check for drift from the question that passed despite a deviation of 3 of 5', () => {
    const listIdsOfDrift = (verdict: 'PASS' | 'PARTIAL', deviation_score: number) =>
      listConductIds({ drifts: [{ ...makeDrift(3, verdict), deviation_score }] });
    expect(listIdsOfDrift('PASS', 3)).toEqual(['drift-passed']);
    expect(listIdsOfDrift('PASS', 2)).toEqual([]);
    expect(listIdsOfDrift('PARTIAL', 4)).toEqual([]);
  });

  it('includes a role whose claims mostly repeat a document, and answers of the verifier that code rejected', () => {
    const listIdsOfPadded = (facts: number, all: number) =>
      listConductIds({
        claims: Array.from({ length: all }, (_, at) =>
          makeClaim(`C-1-${at + 1}`, { status: at < facts ? 'tested_confirmed' : 'pending' }),
        ),
        verifications: [
          makeEntry(
            'V-1-5',
            'settled_by_reading',
            Array.from({ length: facts }, (_, at) =>
              makeReadChange(`C-1-${at + 1}`, 'tested_confirmed'),
            ),
          ),
        ],
      });
    expect(listIdsOfPadded(3, 5)).toEqual(['mostly-facts']);
    expect(listIdsOfPadded(3, 6)).toEqual([]);
    expect(listIdsOfPadded(3, 3)).toEqual([]);
    const bad = { ...makeVerification(1, 1, 'NOT_APPLICABLE'), degraded: 'no place' };
    expect(
      deriveSecondState({
        verifications: [
          bad,
          makeVerification(1, 2, 'ROBUST', { evidence_refs: makeRefs('guardian', 'observer') }),
        ],
      }).conduct,
    ).toEqual([{ id: 'degraded-verdicts', why: '1 of 2 answers of the verifier could not stand' }]);
  });

  it('includes an attack of the Critic whose hypothesis is empty or repeats the target of the attack', () => {
    const makeAttack = (round: number, hypothesis: string, target = 'the way back') => ({
      round,
      target,
      hypothesis,
    });
    const listReasons = (...attacks: Records['attacks'] & object) =>
      deriveSecondState({ attacks }).conduct.map(({ id, round, why }) => [id, round, why]);
    const sound = 'Two orders that carry one number stop the queue.';
    const of = 'attack-without-hypothesis';
    expect(
      listReasons(makeAttack(1, sound), makeAttack(2, 'The mirror lags for an hour.')),
    ).toEqual([]);
    expect(listReasons(makeAttack(1, '列が同じ番号で止まる。'))).toEqual([]);
    for (const none of ['', 'n/a', 'None.', '—'])
      expect(listReasons(makeAttack(1, none))).toEqual([
        [of, 1, "the Critic's attack of round 1 names no hypothesis"],
      ]);
    expect(listReasons(makeAttack(1, 'The way back!'))).toEqual([
      [of, 1, "the Critic's attack of round 1 has its target for a hypothesis"],
    ]);
  });

  it('includes a role that was asked to name a decision which rests on an untested claim, and named none', () => {
    expect(deriveSecondState({ unobjecting: [{ round: 4, role: 'guardian' }] }).conduct).toEqual([
      {
        id: 'no-objection',
        round: 4,
        why: 'the guardian was asked in round 4 to name a decision that rests on an untested claim, and named none',
      },
    ]);
  });

  it('for records under edition 1 of the rules, contains the verifier’s rejected answers and nothing else', () => {
    const bad = { ...makeVerification(1, 1, 'UNCLEAR'), degraded: 'no place' };
    const state = deriveState(
      makeRecordSet({ verifications: [bad, makeVerification(2, 4, 'BROKEN')] }),
    );
    expect(state.conduct.map(({ id }) => id)).toEqual(['degraded-verdicts']);
  });
});
