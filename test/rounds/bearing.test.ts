/** Double entry: a verdict moves a claim where the verifier and code say the same, and only then. */
import { describe, expect, it } from 'vitest';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import {
  type ClaimDraft,
  getClaim,
  listPrompts,
  listRefusals,
  runScriptedRounds,
  type Script,
} from './acting.ts';

const HOLDS = 'The ledger keeps up with three hundred orders a minute.';
const FAILS = 'The queue fails as soon as two orders carry one number.';

function weighBearings(
  bearings: readonly object[],
  {
    claims = [{ text: HOLDS }, { text: FAILS, says: 'fails' }],
    results = (check) => (check === 1 ? 'ROBUST' : 'BROKEN'),
    ...more
  }: { claims?: readonly ClaimDraft[] } & Partial<Script> = {},
  config: Partial<RoundsConfig> = {},
) {
  return runScriptedRounds(
    {
      hands: (role) => (role === 'critic' ? { claims } : undefined),
      results,
      weighs: () => bearings,
      ...more,
    },
    config,
  );
}

const makeBearing = (more: object) => ({
  verification: 'V-1-1',
  claim: 'C-1-1',
  makes: 'makes_true',
  covered: HOLDS,
  speaks_of: 'plan',
  why: 'the trace keeps up',
  ...more,
});

describe('deciding claims by the verdicts of checks', () => {
  it.each([
    ['ROBUST', 'makes_true', 'tested_confirmed', HOLDS, 'upholds'],
    ['ROBUST', 'makes_false', 'tested_refuted', FAILS, 'attacks'],
    ['BROKEN', 'makes_false', 'tested_refuted', HOLDS, 'upholds'],
    ['BROKEN', 'makes_true', 'tested_confirmed', FAILS, 'attacks'],
  ])(
    'after the verdict %s, if the verifier and code agree on its effect “%s” on a claim, gives the claim the status %s',
    async (result, makes, to, text, stance) => {
      const claim = text === HOLDS ? 'C-1-1' : 'C-1-2';
      const { view, store, run } = await weighBearings(
        [makeBearing({ claim, makes, covered: text })],
        {
          results: () => result,
        },
      );
      expect(getClaim(view, text)).toMatchObject({
        status: to,
        moves: [
          {
            basis: 'argued',
            stance,
            bearing: 'whole',
            verification: 'V-1-1',
            why: 'the trace keeps up',
          },
        ],
      });
      const refs = view.rounds[0]?.verifications[0]?.evidence_refs;
      expect(getClaim(view, text).moves[0]?.refs).toEqual(refs);
      expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
    },
  );

  it('leaves a claim open if the verifier’s answer contradicts what code derives from the verdict', async () => {
    const { view } = await weighBearings([makeBearing({ makes: 'makes_false' })]);
    expect(getClaim(view, HOLDS).status).toBe('pending');
    expect(view.rounds[0]?.refusals).toMatchObject([
      {
        kind: 'bearing',
        by: 'verifier',
        id: 'C-1-1',
        text: 'V-1-1 makes it false: the trace keeps up',
        why: 'by its result (ROBUST) and what C-1-1 says of itself it would be true',
      },
    ]);
  });

  it.each([
    ['says nothing', { makes: 'says_nothing' }],
    ['covers less than half of the claim’s words', { covered: 'the ledger keeps' }],
    [
      'covers words that the claim does not contain',
      { covered: 'all of it is robust, whatever one may say against it' },
    ],
    ['says that the verdict is about a document, not about the plan', { speaks_of: 'document' }],
    ['names a verdict that does not exist', { verification: 'V-9-9' }],
    ['names the verdict of a check that decides no claims', { verification: 'V-1-3' }],
    ['names a claim that does not exist', { claim: 'C-9-9' }],
    ['names properties that every object has', { claim: 'constructor', verification: '__proto__' }],
    ['is malformed', { makes: 'maybe' }],
  ])(
    'ignores an entry of the verifier’s answer that %s, and uses the other entry',
    async (_what, more) => {
      const other = makeBearing({
        claim: 'C-1-2',
        verification: 'V-1-2',
        covered: FAILS,
        makes: 'makes_true',
      });
      const { view } = await weighBearings([makeBearing(more), other]);
      expect(getClaim(view, HOLDS)).toMatchObject({ status: 'pending', moves: [] });
      expect(getClaim(view, FAILS).status).toBe('tested_confirmed');
      expect(listRefusals(view)).toEqual([]);
    },
  );

  describe('by an answer of the verifier that repeats mainly words such as “the” and “of” from the claim', () => {
    const LONG =
      'The way that the queue is to be drained in the first of the two nights is the one that loses no order at the till.';
    // The text `covered` repeats more than half of the claim's words, but only 3 of the 8 meaningful ones.
    // Since edition 3 of the rules, a verdict on less than half of the meaningful words decides no claim.
    const covered = 'the way that the queue is drained in the first';
    const entry = makeBearing({ covered, makes: 'makes_true' });
    const claims: ClaimDraft[] = [{ text: LONG }];

    it('leaves the claim open, because most meaningful words are missing', async () => {
      expect(getClaim((await weighBearings([entry], { claims })).view, LONG).status).toBe(
        'pending',
      );
      const more = makeBearing({ covered: `${covered} of two nights and loses no order` });
      expect(getClaim((await weighBearings([more], { claims })).view, LONG).status).toBe(
        'tested_confirmed',
      );
    });

    it('decides the claim under edition 2 of the rules, which counts all words alike', async () => {
      const { view } = await weighBearings([entry], { claims }, { rules: 2 });
      expect(getClaim(view, LONG).status).toBe('tested_confirmed');
    });
  });

  it('leaves a claim about a document open if the verdict is about the proposed plan and no document', async () => {
    const claims: ClaimDraft[] = [{ text: HOLDS, about: 'document' }];
    const both = [makeBearing({ speaks_of: 'both' })];
    expect(getClaim((await weighBearings(both, { claims })).view, HOLDS).status).toBe(
      'tested_confirmed',
    );
    const plan = [makeBearing({ speaks_of: 'plan' })];
    expect(getClaim((await weighBearings(plan, { claims })).view, HOLDS).status).toBe('pending');
  });

  it('leaves a claim open if one verdict makes it true and another makes it false', async () => {
    const { view } = await weighBearings([
      makeBearing({}),
      makeBearing({ verification: 'V-1-2', makes: 'makes_false', why: 'the walk stops' }),
    ]);
    expect(getClaim(view, HOLDS)).toMatchObject({ status: 'pending', moves: [] });
    expect(listRefusals(view)).toEqual([
      'bearing of verifier: one makes it true and the other false',
    ]);
    expect(view.rounds[0]?.refusals[0]).toMatchObject({ text: 'V-1-1 and V-1-2 on C-1-1' });
  });

  it('records one status change instead of two, with the citations of both verdicts, if each of two verdicts makes a claim true', async () => {
    const { view } = await weighBearings(
      [makeBearing({}), makeBearing({ verification: 'V-1-2' })],
      {
        results: () => 'ROBUST',
      },
    );
    const [first, second] = view.rounds[0]?.verifications ?? [];
    expect(getClaim(view, HOLDS).moves).toMatchObject([
      {
        verification: 'V-1-1',
        refs: [...(first?.evidence_refs ?? []), ...(second?.evidence_refs ?? [])],
      },
    ]);
  });
});

describe('the prompt that asks the verifier how verdicts affect claims', () => {
  it('contains the verdicts and the text of each claim, but not how the claim could be tested', async () => {
    const held = await weighBearings([]);
    const [prompt = ''] = listPrompts(held, 'bearings');
    const [verdict] = held.view.rounds[0]?.verifications ?? [];
    const { reasoning = '', evidence_refs = [], notes = '' } = verdict ?? {};
    for (const shown of [reasoning, notes, ...evidence_refs, HOLDS, FAILS, 'of its subject: fails'])
      expect(prompt).toContain(shown);
    expect(prompt).not.toContain('Look whether this can be seen');
  });

  it('is not sent if every verdict is UNCLEAR, because none can decide a claim', async () => {
    const held = await weighBearings([makeBearing({})], { results: () => 'UNCLEAR' });
    expect(listPrompts(held, 'bearings')).toEqual([]);
    expect(getClaim(held.view, HOLDS).status).toBe('pending');
  });
});
