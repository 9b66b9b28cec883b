/**
 * A deliberation in rounds: what it asks, what code decides, what is on record. The long form holds more and
 * longer ones.
 */
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { deriveState } from '../../src/protocols/rounds/records/state-of.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { getRecordsPlan, rounds } from '../../src/protocols/rounds/rounds.ts';
import { chooseNextLead } from '../../src/protocols/rounds/schedule.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, textOf } from '../kernel/scripted-models.ts';
import { LONG } from '../long.ts';
import {
  CONFIG,
  getDefaultStress,
  kindOf,
  makeHealthyAnswer,
  makePanel,
  runRounds,
  SEATS,
} from './panel.ts';

describe('one round of a deliberation in rounds', () => {
  it('records each of its phases in order', async () => {
    const { view, store, run, status } = await runRounds(makePanel(), { rounds: 1, driftEvery: 1 });
    expect(status).toBe('done');
    expect(listFactsOfType(store.facts(run), 'phase.entered').map(({ phase }) => phase)).toEqual([
      ...'ABCDEFGH',
      'synthesis',
    ]);
    const [round] = view.rounds;
    expect(round?.artifacts.map(({ role }) => role).toSorted()).toEqual([
      'action',
      'critic',
      'guardian',
      'observer',
    ]);
    expect(round?.verifications.map(({ id }) => id)).toEqual(['V-1-1', 'V-1-2', 'V-1-3', 'V-1-4']);
    expect(round?.verifications[3]).toMatchObject({
      result: 'NOT_APPLICABLE',
      notes: 'there is no decision yet',
    });
    expect(round?.raised.length).toBeGreaterThan(3);
    expect(round?.decisions.length).toBeGreaterThan(0);
    expect(round?.closed).toBe(true);
    expect(round?.drift?.round).toBe(1);
  });

  it('has every check made by a seat of its own, the verifier, which is not told who plays the roles', async () => {
    const { models } = await runRounds(makePanel(), { rounds: 2 });
    const checks = models.requests.filter((request) => kindOf(request).startsWith('check'));
    expect(checks.map(kindOf)).toEqual([
      'check 1',
      'check 2',
      'check 3',
      'check 1',
      'check 2',
      'check 3',
      'check 4',
    ]);
    for (const check of checks) {
      expect(check.seat).toMatchObject({ id: 'verifier', model: 'test/verifier' });
      // A prompt for the verifier must not reveal who plays the roles, or with which models.
      expect(textOf(check)).not.toMatch(/engineer|red team|test\/[abcd]/);
    }
  });

  it('is led by the role that has led least often, unless this role is left out', () => {
    expect(chooseNextLead([], undefined)).toBe('action');
    expect(chooseNextLead(['action', 'guardian'], undefined)).toBe('observer');
    expect(chooseNextLead(['action', 'guardian', 'observer'], 'critic')).toBe('action');
    expect(chooseNextLead([], 'action')).toBe('guardian');
  });

  it('continues if one seat fails, and the run fails if no seat hands in an artifact', async () => {
    const held = await runRounds(
      makePanel((asked) =>
        asked.seat.id === 'critic' ? makeFailure('server', 'HTTP 500') : undefined,
      ),
      { rounds: 1 },
    );
    expect(held.status).toBe('done');
    expect(held.view.rounds[0]?.verifications[0]).toMatchObject({
      result: 'NOT_APPLICABLE',
      notes: 'the critic handed nothing in',
    });
    const all = await runRounds(
      makePanel((_asked, kind) =>
        kind === 'artifact' ? makeFailure('server', 'HTTP 500') : undefined,
      ),
    );
    expect(all.status).toBe('failed');
    expect(all.view.rounds).toHaveLength(1);
  });
});

describe('a round that one role sits out (a stress round)', () => {
  it('has no contribution of the absent role', async () => {
    const { view, models } = await runRounds(makePanel(), { rounds: 2, stress: { 2: 'critic' } });
    const [, stressed] = view.rounds;
    expect(stressed?.absent).toBe('critic');
    expect(stressed?.artifacts.map(({ role }) => role)).not.toContain('critic');
    expect(
      stressed?.verifications.map(({ result, notes }) => [result, notes.includes('stress')]),
    ).toMatchObject([
      ['NOT_APPLICABLE', true],
      [expect.not.stringMatching('NOT_APPLICABLE'), false],
      ['NOT_APPLICABLE', true],
      [expect.any(String), false],
    ]);
    expect(stressed?.predicted?.length).toBeGreaterThan(0);
    expect(stressed?.compared?.absent).toBe('critic');
    const asked = models.requests.filter((request) => request.seat.id === 'critic').map(kindOf);
    expect(asked.filter((kind) => kind === 'artifact')).toHaveLength(1);
  });

  it('is planned by default four times in 13 rounds, three times in 8 and never in 3', () => {
    expect(getDefaultStress(13)).toEqual({
      5: 'critic',
      10: 'guardian',
      12: 'action',
      13: 'observer',
    });
    expect(getDefaultStress(8)).toEqual({ 3: 'critic', 5: 'guardian', 7: 'action' });
    expect(getDefaultStress(3)).toEqual({});
  });
});

describe('checking citations in a round', () => {
  const LIE = ['artifacts/round_1/critic.md#no-such-place', 'artifacts/round_9/critic.md#attack-1'];

  it('asks the verifier again if a cited place is missing', async () => {
    const { view, models } = await runRounds(
      makePanel((asked, kind) =>
        kind === 'check 1' && asked.messages.length === 1
          ? makeAnswer('{}', {
              value: { reasoning: 'r', result: 'BROKEN', evidence_refs: LIE, notes: 'It breaks.' },
            })
          : undefined,
      ),
      { rounds: 1 },
    );
    const asked = models.requests.filter((request) => kindOf(request) === 'check 1');
    expect(asked).toHaveLength(2);
    const again = asked[1]?.messages.at(-1)?.parts[0]?.text ?? '';
    expect(again).toContain('artifacts/round_1/critic.md#no-such-place does not exist');
    expect(again).toContain('- artifacts/round_1/critic.md#attack-1');
    expect(view.rounds[0]?.verifications[0]?.degraded).toBeUndefined();
  });

  it('turns the verdict into NOT_APPLICABLE if the second answer cites a missing place, too', async () => {
    const { view } = await runRounds(
      makePanel((_asked, kind) =>
        kind === 'check 1'
          ? makeAnswer('{}', {
              value: { reasoning: 'r', result: 'BROKEN', evidence_refs: LIE, notes: 'It breaks.' },
            })
          : undefined,
      ),
      { rounds: 1 },
    );
    expect(view.rounds[0]?.verifications[0]).toMatchObject({
      result: 'NOT_APPLICABLE',
      evidence_refs: [],
      degraded: expect.stringContaining('does not exist'),
    });
    expect(view.rounds[0]?.refusals).toMatchObject([{ kind: 'verdict', id: 'V-1-1' }]);
  });

  it('counts a place only once if it is cited twice', async () => {
    const place = 'artifacts/round_1/critic.md#attack-1';
    const { view } = await runRounds(
      makePanel((_asked, kind) =>
        kind === 'check 1'
          ? makeAnswer('{}', {
              value: {
                reasoning: 'r',
                result: 'BROKEN',
                evidence_refs: [place, place],
                notes: 'It breaks.',
              },
            })
          : undefined,
      ),
      { rounds: 1 },
    );
    expect(view.rounds[0]?.verifications[0]).toMatchObject({
      result: 'NOT_APPLICABLE',
      evidence_refs: [],
      degraded: 'fewer than two different places are cited; no place of the action is cited',
    });
  });

  it('refuses a decision that cites a missing record', async () => {
    const makeDecision = (id: string) => ({
      decisions: [{ text: 'Do it.', cites: [{ id, relation: 'based-on' }], made_by: 'consensus' }],
      tensions: ['t'],
      architecture_impact: 'i',
    });
    const { view, models } = await runRounds(
      makePanel((_asked, kind) =>
        kind === 'assessment' ? makeAnswer('{}', { value: makeDecision('C-9-9') }) : undefined,
      ),
      { rounds: 1 },
    );
    expect(models.requests.filter((request) => kindOf(request) === 'assessment')).toHaveLength(2);
    expect(view.rounds[0]?.decisions).toEqual([]);
    expect(view.rounds[0]?.refused).toMatchObject([{ why: expect.stringContaining('C-9-9') }]);
    expect(view.rounds[0]).toMatchObject({ closed: true, tensions: ['t'] });
  });
});

describe("a person's messages to running rounds", () => {
  it('take effect in the next round', async () => {
    const store = temporaryStore();
    const journal = store.create('rounds');
    const session: Session = new Session({
      journal,
      models: makePanel((_asked, kind) => {
        if (kind !== 'signature' && kind !== 'check 2') return undefined;
        if (store.facts(journal.run).some((fact) => fact.type === 'control.given'))
          return undefined;
        session.tell({ kind: 'note', text: 'Think of the night shift.' });
        session.tell({ kind: 'stress', absent: 'observer' });
        session.tell({ kind: 'respond', modes: ['FM-5', 'no such mode'] });
        return undefined;
      }),
      protocol: rounds as Protocol,
      answer: stopAtGate,
    });
    await session.begin({ question: 'Should we?', seats: SEATS, config: CONFIG });
    const view = roundsOf(store.facts(journal.run));
    expect(view.rounds.map(({ absent }) => absent)).toEqual([undefined, 'observer', undefined]);
    expect(view.rounds[1]?.responses).toMatchObject([{ id: 'FM-5' }]);
    const asked = listFactsOfType(store.facts(journal.run), 'control.heeded');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.ids).toHaveLength(3);
  });

  /**
   * Runs rounds. As the run begins, a person sends a note and asks for the response to the failure mode FM-1.
   */
  const runWithNote = async () => {
    const store = temporaryStore();
    const journal = store.create('rounds');
    const models = makePanel((asked, kind) => {
      if (kind !== 'supplement' || asked.seat.id !== 'observer') return undefined;
      return makeAnswer('D-1-1 rests on C-1-1, which nobody has tested.');
    });
    const session = new Session({
      journal,
      models,
      protocol: rounds as Protocol,
      answer: stopAtGate,
    });
    const ending = session.begin({ question: 'Should we?', seats: SEATS, config: CONFIG });
    session.tell({ kind: 'note', text: 'Think of the night shift.' });
    session.tell({ kind: 'respond', modes: ['FM-1'] });
    await ending;
    return { models, view: roundsOf(store.facts(journal.run)) };
  };
  let heard: ReturnType<typeof runWithNote> | undefined;

  it('can ask every role for an objection; roles that raise none are listed', async () => {
    heard ??= runWithNote();
    const { view } = await heard;
    const [first, second, third] = view.rounds;
    expect(second?.responses).toMatchObject([{ id: 'FM-1' }]);
    const lead = second?.lead ?? expect.fail('nobody leads');
    const silent = ['action', 'critic', 'guardian'].filter((role) => role !== lead);
    expect(second?.unobjecting).toEqual(silent);
    expect([first?.unobjecting, third?.unobjecting]).toEqual([undefined, undefined]);
    const { conduct } = deriveState(convertToRecords(view, getRecordsPlan(CONFIG, 'Should we?')));
    expect(conduct.filter(({ id }) => id === 'no-objection').map(({ round }) => round)).toEqual(
      silent.map(() => 2),
    );
  });

  it('are shown to every seat of the next round only', async () => {
    heard ??= runWithNote();
    const { models } = await heard;
    const noted = models.requests.filter((request) => textOf(request).includes('night shift'));
    expect(noted.length).toBeGreaterThan(3);
    for (const request of noted) expect(textOf(request)).toMatch(/round-2|round_2|Round 2|C-1-/);
    expect(noted.map(kindOf)).toContain('proposal');
    expect(new Set(noted.map(({ about, seat }) => `${about?.round} ${seat.id}`))).toEqual(
      new Set(['action', 'critic', 'guardian', 'observer', 'verifier'].map((id) => `2 ${id}`)),
    );
  });
});

it('an attack in which the Critic does not say what may fail (hypothesis "N/A") gets a remark', async () => {
  const { view, store, run } = await runRounds(
    makePanel((asked, kind) => {
      if (kind !== 'artifact' || asked.seat.id !== 'critic') return undefined;
      const answer = makeHealthyAnswer(asked);
      if (answer.status !== 'done') return undefined;
      const value = { ...Object(answer.value), hypothesis: 'N/A' };
      return makeAnswer(JSON.stringify(value), { value });
    }),
    { rounds: 1 },
  );
  const why = "the Critic's attack of round 1 names no hypothesis";
  const findRemarks = (records: Records) =>
    deriveState(records).conduct.filter(({ id }) => id === 'attack-without-hypothesis');
  expect(
    findRemarks(convertToRecords(view, { ...getRecordsPlan(CONFIG, ''), rules: 2 })),
  ).toMatchObject([{ why }]);
  expect(findRemarks(readFolder(getRecordsFolder(store.facts(run))).records)).toMatchObject([
    { why },
  ]);
});

describe('the records of a run of rounds', () => {
  it.each(LONG ? [3, 8, 13] : [8])('are valid after %s rounds', async (count) => {
    const { store, run } = await runRounds(makePanel(), {
      rounds: count,
      stress: getDefaultStress(count) as Record<string, never>,
    });
    const { errors } = validateFolder(getRecordsFolder(store.facts(run)));
    expect(errors).toEqual([]);
  });

  it('are valid after every seventh fact of the run, except that they may still be empty', async () => {
    const { store, run } = await runRounds(makePanel(), { rounds: 2, stress: { 2: 'critic' } });
    const facts = store.facts(run);
    for (let seen = 1; seen <= facts.length; seen += 7) {
      const partial = facts.slice(0, seen);
      if (roundsOf(partial).rounds.length === 0) continue;
      const errors = validateFolder(getRecordsFolder(partial)).errors.filter(
        ({ rule }) => rule !== 'empty-state',
      );
      expect(errors).toEqual([]);
    }
  });
});

describe('a run of rounds that is resumed after a crash', () => {
  it('has the same result as an uninterrupted run, whether it was killed early, midway or late', async () => {
    const whole = await runRounds(makePanel(), {
      rounds: 2,
      stress: { 2: 'guardian' },
      control: true,
    });
    const calls = whole.models.requests.length;
    const few = [1, 5, 12, 19, calls - 8, calls - 1];
    for (const cut of LONG ? [...few, 3, 8, 15, 24, calls - 11, calls - 4] : few) {
      const store = temporaryStore();
      let asked = 0;
      // The process dies at the call after call number `cut`, and nothing is recorded afterwards.
      const dying = makePanel(() => {
        asked += 1;
        if (asked > cut) throw new Error('killed');
        return undefined;
      });
      const journal = store.create('rounds');
      const session = new Session({
        journal: {
          run: journal.run,
          recall: (step, hash) => journal.recall(step, hash),
          commit: (record, facts) => {
            if (asked > cut) throw new Error('killed');
            return journal.commit(record, facts);
          },
          note: (facts) => (asked > cut ? [] : journal.note(facts)),
          forget: (step) => journal.forget(step),
          keep: () => undefined,
          facts: (after) => journal.facts(after),
          release: () => journal.release(),
        },
        models: dying,
        protocol: rounds as Protocol,
        answer: stopAtGate,
      });
      await session
        .begin({
          question: 'Should we split the monolith?',
          seats: filterKnownFacts(whole.store.facts(whole.run)).flatMap((fact) =>
            fact.type === 'run.started' ? fact.seats : [],
          ),
          config: viewConfig(whole),
        })
        .catch(() => undefined);
      const recorded = listFactsOfType(store.facts(journal.run), 'call.completed').length;
      const models = makePanel();
      const again = new Session({
        journal,
        models,
        protocol: rounds as Protocol,
        answer: stopAtGate,
      });
      expect(await again.resume({ kind: 'convene' })).toMatchObject({ status: 'done' });
      expect(models.requests).toHaveLength(calls - recorded);
      expect(roundsOf(store.facts(journal.run))).toEqual(whole.view);
    }
  });
});

function viewConfig({
  store,
  run,
}: Awaited<ReturnType<typeof runRounds>>): Record<string, unknown> {
  const [first] = filterKnownFacts(store.facts(run));
  return first?.type === 'run.started' ? first.config : {};
}

describe('ending rounds by the stop signals', () => {
  it('ends at the required number of satisfied signals', async () => {
    const { view, status } = await runRounds(makePanel(), {
      rounds: 20,
      stress: { 2: 'critic', 3: 'guardian', 4: 'action' },
      stopAt: 4,
    });
    expect(status).toBe('done');
    const last = view.rounds.at(-1)?.signals;
    expect(view.rounds.length).toBeLessThan(20);
    expect(last?.satisfied).toBeGreaterThanOrEqual(4);
    expect(last?.recommendation).not.toBe('continue');
    for (const { signals } of view.rounds.slice(0, -1))
      expect(signals && signals.satisfied >= 4 && signals.recommendation !== 'continue').toBe(
        false,
      );
  });

  it('waits for the last planned round if the person wants that', async () => {
    const { view } = await runRounds(makePanel(), { rounds: 5, stopAt: 'never' });
    expect(view.rounds).toHaveLength(5);
  });
});

describe('the synthesis of rounds', () => {
  it('is recorded with a list of the required headings that the text lacks', async () => {
    const words = 'The Answer is no. What to do, what carries it: nothing.';
    const models = makePanel((_asked, kind) =>
      kind === 'synthesis' ? makeAnswer(words) : undefined,
    );
    const { store, run } = await runRounds(models, { rounds: 1, stress: { 1: 'critic' } });
    const [made] = listFactsOfType(filterKnownFacts(store.facts(run)), 'synthesis.completed');
    expect(made?.excluded).toEqual([{ seat: 'critic', reason: 'it was left out of every round' }]);
    expect(made?.missing).toContain('Answer');
    expect(made?.missing).toHaveLength(6);
  });
});
