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
import { change, claim, decision, drift, lead, records, verification } from './make.ts';
import { simulateSecond } from './second-rules.ts';
import { simulate } from './simulate.ts';

const second = (some: Partial<Records>): State => deriveState(records({ rules: 2, ...some }));

function claimOf(state: State, id: string) {
  return state.claims.find((one) => one.claim.id === id) ?? expect.fail(`no claim ${id}`);
}

function decisionOf(state: State, id: string) {
  return state.decisions.find((one) => one.decision.id === id) ?? expect.fail(`no decision ${id}`);
}

/** An entry of our own that moves claims. */
function entry(id: string, check: Verification['check'], changes: StatusChange[]): Verification {
  return {
    ...verification(Number(id.split('-')[1]), 1, 'ROBUST'),
    id,
    check,
    claim_status_changes: changes,
  };
}

const QUOTE = { text: 'The queue holds 5,000 messages.', ref: 'attachments/plan.md#L10' };
const read = (id: string, to: StatusChange['to']) =>
  change(id, 'pending', to, { basis: 'read', quotes: [QUOTE], why: 'its own figure' });

function finding(
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

function exam(model: string, passed: boolean): ReadingRecord {
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

function control(right: boolean): ReadingRecord {
  return { kind: 'control', round: 1, model: 'm', text: 't', key: 'absent', right };
}

function resting(id: string, cites: Partial<Decision['cites'][number]>[]): Decision {
  return {
    ...decision(id, []),
    cites: cites.map((cite) => ({ type: 'claim', id: '', relation: 'based-on', ...cite })),
  };
}

describe('the state of claims', () => {
  it('is derived from the status of each claim and the basis of its last change', () => {
    const state = second({
      claims: [
        claim('C-1-1', { status: 'tested_refuted' }),
        claim('C-1-2', { status: 'tested_unclear' }),
        claim('C-1-3'),
        claim('C-1-4', { status: 'tested_unclear' }),
      ],
      verifications: [
        verification(1, 1, 'ROBUST', {
          claim_status_changes: [
            change('C-1-1', 'pending', 'tested_confirmed', { basis: 'argued' }),
          ],
        }),
        entry('V-2-5', 'settled_by_reading', [
          { ...read('C-1-1', 'tested_refuted'), from: 'tested_confirmed' },
        ]),
        entry('V-2-6', 'conceded', [
          change('C-1-2', 'pending', 'tested_unclear', { basis: 'conceded' }),
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
    // No record says that the claim was withdrawn, so its state is unclear.
    expect(claimOf(state, 'C-1-4').standing).toBe('unclear');
  });

  it('names no basis in records that follow edition 1 of the rules', () => {
    const state = deriveState(
      records({
        claims: [
          claim('C-1-1', { status: 'partially_refuted' }),
          claim('C-1-2', { status: 'tested_unclear' }),
          claim('C-1-3', { status: 'tested_refuted' }),
        ],
        decisions: [decision('D-1-1', ['C-1-1', 'C-1-2']), decision('D-1-2', ['C-1-3'])],
      }),
    );
    expect(state.rules).toBe(1);
    expect(state.claims.map(({ standing }) => standing)).toEqual(['partly', 'unclear', 'refuted']);
    expect(state.decisions.map(({ standing }) => standing)).toEqual(['stands', 'fallen']);
    expect(state.reader).toBe('none');
    expect(state.conduct).toEqual([]);
  });

  it('lists for a claim the claims that contradict it, unless these are refuted or withdrawn', () => {
    const challengers = (status: Claim['status']) =>
      claimOf(
        second({
          claims: [
            claim('C-1-1', { status: 'tested_confirmed' }),
            claim('C-2-1', { status, challenges: 'C-1-1' }),
          ],
        }),
        'C-1-1',
      ).challengers;
    expect(challengers('pending')).toEqual(['C-2-1']);
    // The contradicting claim is confirmed on grounds that are not stronger, so both stay.
    expect(challengers('tested_confirmed')).toEqual(['C-2-1']);
    expect(challengers('tested_refuted')).toEqual([]);
    expect(challengers('tested_unclear')).toEqual([]);
  });

  it('names for a superseded claim the claim that superseded it', () => {
    const state = second({
      claims: [
        claim('C-1-1', { status: 'superseded', superseded_in: 3 }),
        claim('C-2-1', { supersedes: 'C-1-1', status: 'tested_confirmed' }),
      ],
    });
    expect(claimOf(state, 'C-1-1')).toMatchObject({
      standing: 'superseded',
      supersededBy: 'C-2-1',
    });
  });

  it('lists the open claims that need a test, beginning with the claims that decisions rest on', () => {
    const state = second({
      claims: [
        claim('C-1-1'),
        claim('C-1-2', { decided_by: 'asking' }),
        claim('C-1-3', { decided_by: 'reading' }),
        claim('C-1-4', { decided_by: 'running', status: 'tested_confirmed' }),
        claim('C-1-5', { decided_by: 'running' }),
      ],
      readings: [finding('C-1-1', { finding: 'needs_a_test' })],
      decisions: [
        { ...decision('D-1-1', ['C-1-3']), conditions: ['C-1-5'] },
        resting('D-1-2', [{ id: 'C-1-2' }]),
      ],
    });
    expect(state.claims.filter((one) => one.awaits).map((one) => one.claim.id)).toEqual([
      ...['C-1-1', 'C-1-2', 'C-1-5'],
    ]);
    // Claims that decisions rest on, or wait for a test of, come first.
    expect(state.awaiting.map((one) => one.claim.id)).toEqual(['C-1-2', 'C-1-5', 'C-1-1']);
  });

  describe('marks a claim as one that repeats a document', () => {
    const facts = (more: Partial<Records>, own: Partial<Claim> = {}) =>
      claimOf(
        second({
          claims: [claim('C-1-1', { status: 'tested_confirmed', ...own }), ...(more.claims ?? [])],
          verifications: more.verifications ?? [
            entry('V-1-5', 'settled_by_reading', [read('C-1-1', 'tested_confirmed')]),
          ],
          readings: more.readings ?? [finding('C-1-1')],
        }),
        'C-1-1',
      ).isFact;

    it('if its only reading confirmed it and no other claim denies it', () => {
      expect(facts({})).toBe(true);
      expect(facts({ claims: [claim('C-2-1', { challenges: 'C-1-1' })] })).toBe(false);
      expect(facts({ readings: [finding('C-1-1'), finding('C-1-1', { round: 2 })] })).toBe(false);
    });

    it('but not if it was confirmed by argument or in a later round, or refuted', () => {
      const argued = verification(1, 1, 'ROBUST', {
        claim_status_changes: [change('C-1-1', 'pending', 'tested_confirmed', { basis: 'argued' })],
      });
      expect(facts({ verifications: [argued] })).toBe(false);
      const later = entry('V-2-5', 'settled_by_reading', [read('C-1-1', 'tested_confirmed')]);
      expect(facts({ verifications: [later] })).toBe(false);
      const refuted = entry('V-1-5', 'settled_by_reading', [read('C-1-1', 'tested_refuted')]);
      expect(facts({ verifications: [refuted] }, { status: 'tested_refuted' })).toBe(false);
    });
  });
});

describe('a decision that rests on claims or on other decisions', () => {
  const withdrawn = entry('V-1-5', 'conceded', [
    change('C-1-4', 'pending', 'tested_unclear', { basis: 'conceded' }),
  ]);
  const bad = {
    ...verification(1, 3, 'NOT_APPLICABLE'),
    degraded: 'it cites what does not exist',
  };
  const grounds: Partial<Records> = {
    claims: [
      claim('C-1-1', { status: 'tested_confirmed' }),
      claim('C-1-2', { status: 'tested_refuted' }),
      claim('C-1-3', { status: 'superseded' }),
      claim('C-1-4', { status: 'tested_unclear' }),
      claim('C-1-5'),
    ],
    verifications: [bad, withdrawn],
  };
  const standing = (...cites: Partial<Decision['cites'][number]>[]) => {
    const state = second({ ...grounds, decisions: [resting('D-2-1', cites)] });
    return decisionOf(state, 'D-2-1');
  };

  it.each([
    [{ id: 'C-1-1' }, []],
    [{ id: 'C-1-5' }, []],
    [{ id: 'C-1-2' }, ['C-1-2 is refuted']],
    [{ id: 'C-1-3' }, ['C-1-3 is superseded']],
    [{ id: 'C-1-4' }, ['C-1-4 is withdrawn']],
    [{ id: 'C-1-2', takes_as: 'false' as const }, []],
    [{ id: 'C-1-1', takes_as: 'false' as const }, ['C-1-1 is confirmed, and taken as false']],
    [{ id: 'C-1-2', relation: 'supersedes' as const }, []],
    [{ id: 'V-1-3', type: 'verification' as const }, ['V-1-3 could not stand']],
    [{ id: 'C-9-9' }, []],
  ])('loses, if its citation is %j, these grounds: %j', (cite, why) => {
    const found = standing(cite);
    expect(found.fallen.map((one) => one.why)).toEqual(why);
    expect(found.standing).toBe(why.length === 0 ? 'stands' : 'fallen');
  });

  it('falls (loses its ground) if a decision that it cites has fallen', () => {
    const state = second({
      ...grounds,
      decisions: [
        resting('D-1-1', [{ id: 'C-1-2' }]),
        decision('D-2-1', ['D-1-1']),
        decision('D-3-1', ['D-2-1']),
        decision('D-3-2', ['D-3-3', 'C-1-1']),
        decision('D-3-3', ['D-3-2']),
        decision('D-3-4', ['D-3-4']),
      ],
    });
    expect(state.decisions.map((one) => one.standing)).toEqual([
      ...['fallen', 'fallen', 'fallen', 'stands', 'stands', 'stands'],
    ]);
    expect(decisionOf(state, 'D-3-1').fallen).toEqual([
      { id: 'D-2-1', why: 'D-2-1 has lost its ground' },
    ]);
  });

  it('falls (loses its ground) if a decision that it cites is overturned', () => {
    const over = (id: string, old: string) =>
      resting(id, [{ type: 'decision', id: old, relation: 'supersedes' }]);
    const state = second({
      decisions: [
        decision('D-1-1', ['C-1-1']),
        over('D-1-2', 'D-2-2'),
        decision('D-2-1', ['D-1-1']),
        over('D-2-2', 'D-1-1'),
      ],
    });
    expect(decisionOf(state, 'D-1-1').standing).toBe('overturned');
    expect(decisionOf(state, 'D-2-1')).toMatchObject({
      standing: 'fallen',
      fallen: [{ id: 'D-1-1', why: 'D-1-1 was overturned by D-2-2' }],
    });
    // A decision cannot be superseded by an earlier one.
    expect(decisionOf(state, 'D-2-2').standing).toBe('stands');
  });

  it('is not listed at the claims that it cites after it has fallen (lost its ground)', () => {
    const state = second({
      ...grounds,
      decisions: [
        resting('D-1-1', [{ id: 'C-1-1' }, { id: 'C-1-2' }]),
        resting('D-1-2', [{ id: 'C-1-1' }]),
      ],
    });
    expect(claimOf(state, 'C-1-1').reliedOn).toEqual(['D-1-2']);
    expect(claimOf(state, 'C-1-2').reliedOn).toEqual([]);
  });
});

describe('the list of unresolved conflicts', () => {
  it('includes conflicts named by the last round’s lead, differing readings, and claims that deny confirmed claims', () => {
    const { tensions } = second({
      closings: [
        { round: 2, tensions: ['Speed against safety.'] },
        { round: 1, tensions: ['Gone.'] },
      ],
      claims: [
        claim('C-1-1'),
        claim('C-1-2', { status: 'tested_confirmed' }),
        claim('C-2-1', { challenges: 'C-1-2', text: 'It has a way back.' }),
      ],
      verifications: [entry('V-1-5', 'settled_by_reading', [read('C-1-2', 'tested_confirmed')])],
      readings: [finding('C-1-1', { second: 'undecided', counts: false })],
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
    const { tensions } = second({
      claims: [
        claim('C-1-1', { status: 'tested_confirmed', text: 'One\n\n# Task\nline.' }),
        claim('C-2-1', { challenges: 'C-1-1', text: `Long ${'x'.repeat(500)}` }),
      ],
    });
    expect(tensions[0]).not.toMatch(/\n/);
    expect(tensions[0]?.length).toBeLessThan(300);
  });

  it('does not include differing readings of a claim that is decided', () => {
    const open = { claims: [claim('C-1-1')] };
    const same = { readings: [finding('C-1-1')] };
    const differ = { readings: [finding('C-1-1', { second: 'false', counts: false })] };
    expect(second({ ...open, ...same }).tensions).toEqual([]);
    expect(second({ ...open, ...differ }).tensions).toHaveLength(1);
    expect(
      second({ claims: [claim('C-1-1', { status: 'tested_refuted' })], ...differ }).tensions,
    ).toEqual([]);
  });
});

describe('the state of a deliberation', () => {
  it('includes the newest answer that a round’s lead gave, and the refused entries sorted by round', () => {
    const bad = { ...verification(1, 1, 'NOT_APPLICABLE'), degraded: 'no place' };
    const refusal = { kind: 'claim' as const, by: 'critic', text: 'x', why: 'n/a' };
    const state = second({
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
    expect(second({}).answer).toBeUndefined();
  });

  it('names the model that passed the reading test, and calls it unreliable after 5 wrong answers to 12 controls', () => {
    const reader = (...readings: ReadingRecord[]) => second({ readings }).reader;
    expect(reader()).toBe('none');
    expect(reader(exam('a/one', false))).toBe('failed');
    expect(reader(exam('a/one', false), exam('b/two', true))).toMatchObject({ model: 'b/two' });
    const controls = (wrong: number, all: number) =>
      second({
        readings: Array.from({ length: all }, (_, at) => control(at >= wrong)),
      }).unreliable;
    expect(controls(5, 12)).toBe(true);
    expect(controls(4, 12)).toBe(false);
    expect(controls(11, 11)).toBe(false);
  });

  it('lists roles that handed in nothing in a finished round, although they were not left out on purpose', () => {
    const path = (round: number, role: string) => `artifacts/round_${round}/${role}.md`;
    const artifacts = [
      ...['action', 'guardian', 'observer'].map((role) => path(1, role)),
      ...['action', 'observer'].map((role) => path(2, role)),
      path(4, 'action'),
    ];
    const leads = [lead(1, 'action', 'critic'), lead(2, 'guardian'), lead(3, 'observer')];
    const absent = (more: Partial<Records>) => second({ artifacts, leads, ...more }).absentRoles;
    expect(absent({})).toEqual([{ round: 2, roles: ['guardian', 'critic'] }]);
    // In an unfinished round, a role that has not handed in yet is not absent.
    expect(absent({ leads: [...leads, lead(4, 'critic')], completed: [1, 2, 3] })).toEqual([
      { round: 2, roles: ['guardian', 'critic'] },
    ]);
    expect(absent({ artifacts: undefined })).toEqual([]);
  });

  it('is the same when it is derived twice, and can be derived from empty records', () => {
    for (const seed of [1, 2, 3]) {
      const run = simulate('healthy', seed, 8).records;
      expect(deriveState(run)).toEqual(deriveState(run));
      expect(deriveState(run).claims).toHaveLength(run.claims.length);
      const other = deriveState(simulateSecond('healthy', seed, 8));
      expect(other.decisions.some(({ standing }) => standing === 'stands')).toBe(true);
    }
    expect(deriveState(records())).toMatchObject({
      rules: 1,
      claims: [],
      decisions: [],
      tensions: [],
    });
  });
});

describe('the list of what went wrong in a deliberation', () => {
  const cites = (...names: string[]) => names.map((name) => `artifacts/round_1/${name}.md#x`);
  const ids = (some: Partial<Records>) => second(some).conduct.map(({ id }) => id);

  it('includes proposals against earlier decisions, and names the decisions that were overturned afterwards', () => {
    const cited = { evidence_refs: ['state/decisions.jsonl#L2', 'artifacts/round_2/critic.md#x'] };
    const contradicts = { verifications: [verification(2, 4, 'BROKEN', cited)] };
    const before = [decision('D-1-1', ['C-1-1']), decision('D-1-2', ['C-1-1'])];
    const over = (id: string) => ({
      ...decision('D-2-1', [id, 'V-2-1']),
      cites: [{ type: 'decision', id, relation: 'supersedes' }] as const,
    });
    const why = (...decisions: Records['decisions']) =>
      second({ ...contradicts, decisions }).conduct[0]?.why;
    const silent =
      'what was proposed and handed in in round 2 contradicts an earlier decision without naming it (V-2-4)';
    expect(why(...before)).toBe(silent);
    expect(why(...before, over('D-1-2'))).toBe(`${silent}; D-2-1 then overturned D-1-2 by name`);
    expect(why(...before, over('D-1-1'))).toBe(silent);
    const both = ['state/decisions.jsonl#L1', ...cited.evidence_refs];
    const citesBoth = { verifications: [verification(2, 4, 'BROKEN', { evidence_refs: both })] };
    expect(second({ ...citesBoth, decisions: [...before, over('D-1-2')] }).conduct[0]?.why).toBe(
      `${silent}; D-2-1 then overturned D-1-2 by name; D-1-1, which it cites too, stands`,
    );
  });

  it('includes one-sided evidence, contradicted decisions and an attack that could not be checked', () => {
    expect(ids({ verifications: [verification(2, 4, 'BROKEN')] })).toEqual([
      'contradicted-decision',
    ]);
    expect(ids({ verifications: [verification(2, 4, 'ROBUST')] })).toEqual([]);
    const one = verification(1, 1, 'BROKEN', { evidence_refs: cites('critic', 'critic') });
    expect(second({ verifications: [one] }).conduct).toEqual([
      {
        id: 'one-sided-evidence',
        round: 1,
        why: 'V-1-1 cites nothing of the action, which it compares',
      },
    ]);
    expect(ids({ verifications: [{ ...one, evidence_refs: cites('critic', 'action') }] })).toEqual(
      [],
    );
    const artifacts = cites('critic', 'action').map((ref) => ref.split('#')[0] ?? '');
    const none = verification(1, 1, 'NOT_APPLICABLE');
    expect(ids({ verifications: [none], artifacts })).toEqual(['attack-without-reach']);
    expect(ids({ verifications: [none], artifacts: artifacts.slice(1) })).toEqual([]);
  });

  it('includes a check for drift from the question that passed despite a deviation of 3 of 5', () => {
    const said = (verdict: 'PASS' | 'PARTIAL', deviation_score: number) =>
      ids({ drifts: [{ ...drift(3, verdict), deviation_score }] });
    expect(said('PASS', 3)).toEqual(['drift-passed']);
    expect(said('PASS', 2)).toEqual([]);
    expect(said('PARTIAL', 4)).toEqual([]);
  });

  it('includes a role whose claims mostly repeat a document, and answers of the verifier that code rejected', () => {
    const padded = (facts: number, all: number) =>
      ids({
        claims: Array.from({ length: all }, (_, at) =>
          claim(`C-1-${at + 1}`, { status: at < facts ? 'tested_confirmed' : 'pending' }),
        ),
        verifications: [
          entry(
            'V-1-5',
            'settled_by_reading',
            Array.from({ length: facts }, (_, at) => read(`C-1-${at + 1}`, 'tested_confirmed')),
          ),
        ],
      });
    expect(padded(3, 5)).toEqual(['mostly-facts']);
    expect(padded(3, 6)).toEqual([]);
    expect(padded(3, 3)).toEqual([]);
    const bad = { ...verification(1, 1, 'NOT_APPLICABLE'), degraded: 'no place' };
    expect(
      second({
        verifications: [
          bad,
          verification(1, 2, 'ROBUST', { evidence_refs: cites('guardian', 'observer') }),
        ],
      }).conduct,
    ).toEqual([{ id: 'degraded-verdicts', why: '1 of 2 answers of the verifier could not stand' }]);
  });

  it('includes an attack of the Critic whose hypothesis is empty or repeats the target of the attack', () => {
    const attack = (round: number, hypothesis: string, target = 'the way back') => ({
      round,
      target,
      hypothesis,
    });
    const whys = (...attacks: Records['attacks'] & object) =>
      second({ attacks }).conduct.map(({ id, round, why }) => [id, round, why]);
    const sound = 'Two orders that carry one number stop the queue.';
    const of = 'attack-without-hypothesis';
    expect(whys(attack(1, sound), attack(2, 'The mirror lags for an hour.'))).toEqual([]);
    expect(whys(attack(1, '列が同じ番号で止まる。'))).toEqual([]);
    for (const none of ['', 'n/a', 'None.', '—'])
      expect(whys(attack(1, none))).toEqual([
        [of, 1, "the Critic's attack of round 1 names no hypothesis"],
      ]);
    expect(whys(attack(1, 'The way back!'))).toEqual([
      [of, 1, "the Critic's attack of round 1 has its target for a hypothesis"],
    ]);
  });

  it('includes a role that named no decision when asked for one that rests on an untested claim', () => {
    expect(second({ unobjecting: [{ round: 4, role: 'guardian' }] }).conduct).toEqual([
      {
        id: 'no-objection',
        round: 4,
        why: 'the guardian was asked in round 4 to name a decision that rests on an untested claim, and named none',
      },
    ]);
  });

  it('for records under edition 1 of the rules, contains the verifier’s rejected answers and nothing else', () => {
    const bad = { ...verification(1, 1, 'UNCLEAR'), degraded: 'no place' };
    const state = deriveState(records({ verifications: [bad, verification(2, 4, 'BROKEN')] }));
    expect(state.conduct.map(({ id }) => id)).toEqual(['degraded-verdicts']);
  });
});
