/**
 * Deliberations on documents with three flaws planted in each, answered by hand: on one as good seats
 * would, and once more with a last round as a bad model answers, which copies, invents, concedes and agrees;
 * on another as good seats would, under the fourth rules and prompts.
 * What was found must stay found, and nothing that is false may end as confirmed.
 */

import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { deriveState, type State } from '../../src/protocols/rounds/records/state-of.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore, typesOf } from '../kernel/desk.ts';
import { makeFailure, ScriptedModels } from '../kernel/scripted-models.ts';
import { bodyOf, importGolden, type PlayedName, readGolden } from './journal.ts';

const PLAN = { budget: 3, driftEvery: 3, stressSchedule: [], question: '', rules: 2 } as const;

function stateAfter(name: PlayedName): State {
  return deriveState(
    convertToRecords(roundsOf(readGolden(name).facts), { ...PLAN, documents: true }),
  );
}

function findStanding(state: State, id: string): unknown {
  const found = state.claims.find(({ claim }) => claim.id === id);
  return found && [found.standing, found.basis];
}

/**
 * The claims that name the flaws planted in a document. The first document has five machines for the load of
 * six, no way back, and "always up to date" beside a shipment a minute. The document about meters has
 * gateways for 8,400 of 9,600 meters, a fallback whose contract has ended, and "within one hour" every six
 * hours.
 */
const FLAWS = {
  played: ['C-1-1', 'C-1-2', 'C-1-3'],
  'played-badly': ['C-1-1', 'C-1-2', 'C-1-3'],
  'played-meters': ['C-1-1', 'C-1-3', 'C-1-5'],
} as const;

describe.each(['played', 'played-badly', 'played-meters'] as const)(
  'the recorded deliberation in rounds %s',
  (name) => {
    it('has records without errors', () => {
      expect(validateFolder(getRecordsFolder(readGolden(name).facts))).toMatchObject({
        errors: [],
      });
    });

    it('confirms every claim about a planted flaw by reading the document', () => {
      const state = stateAfter(name);
      for (const id of FLAWS[name]) expect(findStanding(state, id)).toEqual(['confirmed', 'read']);
      expect(state.decisions.filter((decision) => decision.standing === 'fallen')).toEqual([]);
    });

    it('is unchanged after it was imported into a store', () => {
      const golden = readGolden(name);
      const journal = importGolden(temporaryStore(), golden);
      expect(filterKnownFacts(journal.facts()).map(bodyOf)).toEqual(golden.facts.map(bodyOf));
      for (const { step, hash, result } of golden.steps)
        expect(journal.recall(step, hash)).toMatchObject({ kind: 'recorded', result });
    });
  },
);

/** Replays a recorded run. Any call that is not on record fails. */
async function replayRun(
  name: PlayedName,
): Promise<{ ending: unknown; asked: number; more: string[] }> {
  const golden = readGolden(name);
  const models = new ScriptedModels(({ seat }) => makeFailure('internal', `${seat.id} was asked`));
  const journal = importGolden(temporaryStore(), golden);
  const protocol = rounds as Protocol;
  const session = new Session({ journal, models, protocol, answer: stopAtGate });
  const ending = await session.resume({ kind: 'convene' });
  const more = typesOf(filterKnownFacts(journal.facts(golden.facts.length)));
  return { ending, asked: models.asked.length, more };
}

const UNASKED = { ending: { status: 'done' }, asked: 0, more: ['run.resumed', 'run.ended'] };

describe('a recorded deliberation in rounds that has edition 1 of the prompts', () => {
  it('replays without asking a model', async () => {
    expect(
      listFactsOfType(readGolden('played').facts, 'run.started')[0]?.config,
    ).not.toHaveProperty('prompts');
    expect(await replayRun('played')).toEqual(UNASKED);
  });
});

describe('a recorded deliberation in rounds that has edition 4 of rules and prompts', () => {
  const { facts } = readGolden('played-meters');

  it('replays without asking a model', async () => {
    expect(listFactsOfType(facts, 'run.started')[0]?.config).toMatchObject({
      rules: 4,
      prompts: 4,
    });
    expect(await replayRun('played-meters')).toEqual(UNASKED);
  });

  it('confirms the claims that the document confirms, and refutes the one that it contradicts', () => {
    const { claims, decisions } = stateAfter('played-meters');
    const settled = claims.filter((claim) => claim.standing !== 'open');
    expect(
      Object.fromEntries(
        settled.map((claim) => [claim.claim.id, `${claim.standing}, ${claim.basis}`]),
      ),
    ).toEqual({
      'C-1-1': 'confirmed, read',
      'C-1-3': 'confirmed, read',
      'C-1-5': 'confirmed, read',
      // C-1-6 claims a flaw that the document does not have: single readings are deleted, but monthly totals
      // are kept.
      'C-1-6': 'refuted, read',
      'C-2-4': 'confirmed, read',
      // C-2-7 says that one night suffices to load all meter readings. According to the document, the 9,600
      // readings at 2,000 an hour fit into the six hours of a night.
      'C-2-7': 'confirmed, read',
      'C-3-4': 'confirmed, read',
    });
    for (const { claim, quotes } of settled) expect([claim.id, quotes]).not.toEqual([claim.id, []]);
    expect(
      decisions
        .filter((decision) => decision.standing === 'overturned')
        .map((decision) => decision.decision.id),
    ).toEqual(['D-1-3']);
    expect(listFactsOfType(facts, 'reader.controlled').every(({ right }) => right)).toBe(true);
    expect(listFactsOfType(facts, 'refusal.recorded')).toEqual([]);
  });
});

describe('a recorded last round with bad answers', () => {
  const { facts } = readGolden('played-badly');
  const last = listFactsOfType(facts, 'claim.raised').filter(({ round }) => round === 3);
  const refused = listFactsOfType(facts, 'refusal.recorded').filter(({ round }) => round === 3);

  it('confirms none of the claims that were raised in it', () => {
    const state = stateAfter('played-badly');
    expect(last.length).toBeGreaterThan(0);
    for (const { id } of last) expect(findStanding(state, id)).toEqual(['open', undefined]);
    expect(listFactsOfType(facts, 'reader.controlled').filter(({ right }) => !right)).toHaveLength(
      2,
    );
  });

  it('records why each empty, copied or repeated claim was refused', () => {
    const said = refused.map(({ kind, why }) => `${kind}: ${why}`);
    for (const expected of [
      'claim: its test only repeats it',
      'claim: it names no test',
      'claim: 100 % of it stands in the text: a quotation is no claim',
      'claim: C-1-6 says so already',
      'concession: it is decided: conceding withdraws what is open',
      'quotation: it happens at step 42, and the walk has 4',
      'quotation: these words stand nowhere in the material',
      'finding: these words stand nowhere in the text',
    ])
      expect(said).toContain(expected);
    const degraded = listFactsOfType(facts, 'verification.recorded').filter(
      (verification) => verification.degraded,
    );
    expect(degraded.map(({ id, result }) => [id, result])).toEqual([
      ['V-3-1', 'NOT_APPLICABLE'],
      ['V-3-2', 'NOT_APPLICABLE'],
      ['V-3-3', 'NOT_APPLICABLE'],
    ]);
  });

  it('keeps one decision and refuses two: one cites a missing claim, the other contradicts a confirmed claim', () => {
    const made = listFactsOfType(facts, 'decision.made').filter(({ round }) => round === 3);
    expect(made.map(({ cites }) => cites.map(({ id }) => id))).toEqual([['C-1-6']]);
    expect(
      listFactsOfType(facts, 'decision.refused').map(({ round, why }) => [round, why]),
    ).toEqual([
      [3, 'it cites C-9-9, which does not exist'],
      [3, 'it takes C-1-1 as false, which was confirmed'],
    ]);
  });

  it('records a drift check as failed if the model wrote PASS beside the largest deviation', () => {
    expect(listFactsOfType(facts, 'drift.checked').at(-1)).toMatchObject({
      verdict: 'FAIL',
      deviation_score: 5,
    });
  });
});

describe('a recorded stress round, which the Critic sits out', () => {
  it('has records without errors, and shows all three predicted effects of the absence', () => {
    const { facts } = readGolden('played-stress');
    const folder = getRecordsFolder(facts);
    expect(validateFolder(folder)).toMatchObject({ errors: [] });
    expect(listFactsOfType(facts, 'stress.compared')).toMatchObject([
      { absent: 'critic', decorative: false },
    ]);
    expect(folder.get('iteration_log.md')).toContain(
      'Round 2 without critic: 3 of 3 predicted effects seen; the role was missed.',
    );
    const state = stateAfter('played-stress');
    expect(findStanding(state, 'C-1-6')).toEqual(['confirmed', 'argued']);
    expect(state.claims.filter(({ claim }) => claim.round === 2)).toHaveLength(3);
  });
});
