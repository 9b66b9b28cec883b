/** What becomes of claims without the verifier: registered, refused, adopted, denied, taken back. */
import { describe, expect, it } from 'vitest';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import {
  type ClaimDraft,
  getClaim,
  listRefusals,
  type RoleSubmission,
  runScriptedRounds,
  type Script,
} from './acting.ts';

const LEDGER = 'The ledger keeps up with three hundred orders a minute.';
const QUEUE = 'A queue of one day is emptied within the next hour.';
const LOGIN = 'Nobody has to log in again while the login is moved.';
const MIRROR = 'The mirror shows each order within a second.';

/** Returns a script of what roles hand in, from submissions by round and role. */
const makeHands =
  (script: Record<string, RoleSubmission>): NonNullable<Script['hands']> =>
  (role, round) =>
    script[`${round} ${role}`];

const makeClaims = (...texts: readonly (string | ClaimDraft)[]): RoleSubmission => ({
  claims: texts.map((claim) => (typeof claim === 'string' ? { text: claim } : claim)),
});

describe('registering the claims that seats hand in', () => {
  it('numbers the claims of a round role by role: the Action’s first, the Critic’s last', async () => {
    const { view } = await runScriptedRounds({
      hands: makeHands({
        '1 critic': makeClaims(MIRROR),
        '1 action': makeClaims(LEDGER, QUEUE),
        '1 observer': makeClaims(LOGIN),
      }),
    });
    expect(Object.values(view.claims).map(({ id, raised_by }) => [id, raised_by])).toEqual([
      ['C-1-1', 'action'],
      ['C-1-2', 'action'],
      ['C-1-3', 'observer'],
      ['C-1-4', 'critic'],
    ]);
    expect(getClaim(view, MIRROR)).toMatchObject({
      raised_at_artifact: 'artifacts/round_1/critic.md',
      step: 'round-1/D/critic',
      if_false: 'The answer would be no.',
    });
  });

  it('refuses invalid claims, which leave no gaps in the numbers', async () => {
    const { view } = await runScriptedRounds({
      hands: makeHands({
        '1 action': makeClaims({ text: LEDGER, testable_as: 'n/a' }, QUEUE),
        '1 guardian': makeClaims({ text: `${QUEUE} ` }, { text: LOGIN, if_false: 'nothing' }),
        '1 critic': makeClaims(MIRROR, LEDGER, LOGIN),
      }),
    });
    expect(Object.values(view.claims).map(({ id, text }) => [id, text])).toEqual([
      ['C-1-1', QUEUE],
      ['C-1-2', MIRROR],
      ['C-1-3', LEDGER],
    ]);
    expect(listRefusals(view).toSorted()).toEqual([
      'claim of action: it names no test',
      'claim of critic: a seat raises 2 at most in this round',
      'claim of guardian: its test is copied from C-1-1',
      'claim of guardian: nothing would change if it were false',
    ]);
  });

  it('refuses a claim with an invalid field and accepts the seat’s other claims', async () => {
    const odd = { claims: [{ text: LEDGER, says: 'perhaps' }, { text: QUEUE }] } as object;
    const { view } = await runScriptedRounds({
      hands: makeHands({ '1 action': odd as RoleSubmission }),
    });
    expect(Object.values(view.claims).map(({ text }) => text)).toEqual([QUEUE]);
    expect(listRefusals(view)).toEqual(['claim of action: it lacks what a claim needs']);
  });

  it('refuses a repeated claim, until the earlier one is withdrawn', async () => {
    const { view } = await runScriptedRounds(
      {
        hands: makeHands({
          '1 critic': makeClaims(MIRROR),
          '2 guardian': makeClaims(MIRROR),
          '2 critic': { concedes: ['C-1-1'] },
          '3 guardian': makeClaims(MIRROR),
        }),
        assesses: () => ({ decisions: [] }),
      },
      { rounds: 3 },
    );
    expect(listRefusals(view, 2)).toEqual(['claim of guardian: its test is copied from C-1-1']);
    expect(Object.keys(view.claims)).toEqual(['C-1-1', 'C-3-1']);
  });
});

describe('withdrawing a claim', () => {
  it('gives an open claim of the withdrawing role the status tested_unclear on the basis “conceded”', async () => {
    const { view, store, run } = await runScriptedRounds(
      {
        hands: makeHands({
          '1 critic': makeClaims(MIRROR, LEDGER),
          '1 action': makeClaims(QUEUE),
          '2 critic': { concedes: ['C-1-2', 'C-1-3', 'C-1-2'] },
        }),
        assesses: () => ({ decisions: [] }),
      },
      { rounds: 2 },
    );
    for (const text of [MIRROR, LEDGER])
      expect(getClaim(view, text)).toMatchObject({
        status: 'tested_unclear',
        moves: [{ from: 'pending', basis: 'conceded', verification: 'V-2-5' }],
      });
    expect(getClaim(view, QUEUE).status).toBe('pending');
    const entry = view.rounds[1]?.verifications.find(({ id }) => id === 'V-2-5');
    expect(entry).toMatchObject({ check: 'conceded', result: 'ROBUST' });
    expect(entry?.evidence_refs).toEqual([
      'state/claims.jsonl#L2',
      expect.stringMatching(/^artifacts\/round_2\/critic\.md#/),
      'state/claims.jsonl#L3',
    ]);
    expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
  });

  it.each([
    ['that of another seat’s claim', 'guardian', 'C-1-1', 'it is a claim of the critic'],
    ['that of no claim', 'critic', 'C-9-9', 'there is no such claim'],
    [
      'the name of a property that every object has',
      'critic',
      'constructor',
      'there is no such claim',
    ],
  ])('is refused if the given id is %s', async (_what, role, id, why) => {
    const { view } = await runScriptedRounds(
      {
        hands: makeHands({ '1 critic': makeClaims(MIRROR), [`2 ${role}`]: { concedes: [id] } }),
        assesses: () => ({ decisions: [] }),
      },
      { rounds: 2 },
    );
    expect(getClaim(view, MIRROR).status).toBe('pending');
    expect(listRefusals(view, 2)).toEqual([`concession of ${role}: ${why}`]);
  });

  it('is refused if the claim is decided, or if a decision rests on it', async () => {
    const { view } = await runScriptedRounds(
      {
        hands: makeHands({
          '1 critic': makeClaims(MIRROR, LEDGER),
          '2 critic': { concedes: ['C-1-1', 'C-1-2'] },
        }),
        results: (check) => (check === 1 ? 'ROBUST' : 'UNCLEAR'),
        weighs: (round) => (round === 1 ? [makeBearing('C-1-2', LEDGER)] : []),
        assesses: (round) => ({ decisions: round === 1 ? [makeDecision('C-1-1')] : [] }),
      },
      { rounds: 2 },
    );
    expect(listRefusals(view, 2).toSorted()).toEqual([
      'concession of critic: D-1-1 rests on it',
      'concession of critic: it is decided: conceding withdraws what is open',
    ]);
    expect(getClaim(view, LEDGER).status).toBe('tested_confirmed');
  });
});

const makeBearing = (claim: string, covered: string) => ({
  verification: 'V-1-1',
  claim,
  makes: 'makes_true',
  covered,
  speaks_of: 'plan',
  why: 'so',
});
const makeDecision = (id: string) => ({
  text: 'Do it.',
  conditions: [],
  made_by: 'consensus',
  cites: [{ id, relation: 'based-on', takes_as: 'true' }],
});

describe('a withdrawn claim', () => {
  const runAdoption = (third: Record<string, RoleSubmission>) =>
    runScriptedRounds(
      {
        hands: makeHands({
          '1 critic': makeClaims(MIRROR),
          '2 critic': { concedes: ['C-1-1'] },
          ...third,
        }),
        assesses: () => ({ decisions: [] }),
      },
      { rounds: 3 },
    );

  it('is superseded if another role raises a claim with the same text', async () => {
    const { view, store, run } = await runAdoption({
      '3 observer': makeClaims(MIRROR.toUpperCase()),
    });
    expect(view.claims['C-1-1']).toMatchObject({ status: 'superseded' });
    expect(view.claims['C-1-1']?.moves.at(-1)).toMatchObject({ superseded_by: 'C-3-1' });
    expect(view.claims['C-3-1']).toMatchObject({ supersedes: 'C-1-1', status: 'pending' });
    expect(convertToRecords(view).claims[0]).toMatchObject({ superseded_in: 3 });
    expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
  });

  it('is superseded if another role raises a claim that names it as the one to replace', async () => {
    const { view } = await runAdoption({
      '3 observer': makeClaims({ text: QUEUE, replaces: 'C-1-1' }),
    });
    expect(view.claims['C-3-1']).toMatchObject({ supersedes: 'C-1-1', text: QUEUE });
    expect(view.claims['C-1-1']?.status).toBe('superseded');
  });

  it('cannot be raised again by the role that withdrew it', async () => {
    const { view } = await runAdoption({ '3 critic': makeClaims(MIRROR) });
    expect(Object.keys(view.claims)).toEqual(['C-1-1']);
    expect(listRefusals(view, 3)).toEqual([
      'claim of critic: the same seat has withdrawn it as C-1-1',
    ]);
  });

  it('is registered once if two roles raise it again in the same round', async () => {
    const { view } = await runAdoption({
      '3 observer': makeClaims(MIRROR),
      '3 guardian': makeClaims(MIRROR),
    });
    expect(Object.keys(view.claims)).toEqual(['C-1-1', 'C-3-1']);
    expect(listRefusals(view, 3)).toEqual(['claim of observer: its test is copied from C-3-1']);
  });
});

describe('a claim that is raised to replace another claim', () => {
  const PLAN = {
    name: 'plan.md',
    text: 'The mirror lags about 40 minutes behind the leader.\nIt is read by the shop at all times.',
  };
  const LAGS = 'No order can be seen in the mirror for more than half an hour.';
  const runDenial = (script: Partial<Script> = {}, replaces = 'C-1-1') =>
    runScriptedRounds(
      {
        hands: makeHands({
          '1 critic': makeClaims({ text: MIRROR, decided_by: 'asking' }),
          '2 observer': makeClaims({ text: LAGS, replaces }),
        }),
        results: (check) => (check === 1 ? 'ROBUST' : 'UNCLEAR'),
        weighs: (round) => (round === 1 ? [makeBearing('C-1-1', MIRROR)] : []),
        reads: (statement) =>
          statement === LAGS
            ? { finding: 'true_in_text', quotes: ['lags about 40 minutes'] }
            : undefined,
        looks: () => 'true',
        assesses: () => ({ decisions: [] }),
        ...script,
      },
      { rounds: 2, attachments: [PLAN] },
    );

  it('replaces a decided claim when confirmed on a stronger basis: read instead of argued', async () => {
    const { view, store, run } = await runDenial();
    expect(view.claims['C-1-1']).toMatchObject({
      status: 'superseded',
      moves: [{ basis: 'argued' }, { to: 'superseded', superseded_by: 'C-2-1' }],
    });
    expect(view.claims['C-2-1']).toMatchObject({ status: 'tested_confirmed' });
    const [old, challenger] = convertToRecords(view).claims;
    expect(old).toMatchObject({ superseded_in: 2 });
    expect(challenger).toMatchObject({ supersedes: 'C-1-1' });
    expect(challenger).not.toHaveProperty('challenges');
    expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
  });

  it('leaves a confirmed claim confirmed as long as the new claim is open', async () => {
    const { view } = await runDenial({ looks: () => 'undecided' });
    expect(view.claims['C-1-1']?.status).toBe('tested_confirmed');
    expect(convertToRecords(view).claims[1]).toMatchObject({
      challenges: 'C-1-1',
      status: 'pending',
    });
  });

  it('leaves a confirmed claim confirmed if the new claim has no stronger basis', async () => {
    const { view } = await runDenial({
      weighs: (round) =>
        round === 1
          ? [makeBearing('C-1-1', MIRROR)]
          : [{ ...makeBearing('C-2-1', LAGS), verification: 'V-2-1' }],
      reads: () => undefined,
    });
    expect(view.claims['C-2-1']).toMatchObject({ status: 'tested_confirmed' });
    expect(view.claims['C-1-1']?.status).toBe('tested_confirmed');
  });

  it.each([
    ['does not exist', 'C-9-9', 'there is no claim C-9-9 that it could replace'],
    [
      'has the name of a property of every object',
      '__proto__',
      'there is no claim __proto__ that it could replace',
    ],
  ])(
    'is registered as an ordinary claim if the claim to replace %s',
    async (_what, replaces, why) => {
      const { view } = await runDenial({}, replaces);
      expect(listRefusals(view, 2)).toEqual([`supersession of observer: ${why}`]);
      expect(view.claims['C-2-1']).toMatchObject({ text: LAGS });
      expect(view.claims['C-2-1']).not.toHaveProperty('challenges');
    },
  );

  it('cannot replace a claim that is still open', async () => {
    const { view } = await runDenial({ weighs: () => [] });
    expect(listRefusals(view, 2)).toEqual([
      'supersession of observer: C-1-1 is still open: it has to be decided before it can be replaced',
    ]);
    expect(view.claims['C-1-1']?.status).toBe('pending');
  });
});
