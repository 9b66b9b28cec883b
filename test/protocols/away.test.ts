/**
 * A deliberation whose server was away for a while: whoever comes back to it gets what it would have
 * been, and nothing that was answered is asked again.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { failuresToAskAgain } from '../../src/kernel/unsettled.ts';
import { viewOf } from '../../src/kernel/view.ts';
import type { RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import type { Store } from '../../src/store/store.ts';
import { type FactBody, fact } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, type ScriptedModels } from '../kernel/scripted-models.ts';
import { LONG } from '../long.ts';
import { expectSameInSql } from './in-sql.ts';
import { CONFIG, kindOf, makeHealthyAnswer, makePanel, runRounds, SEATS } from './panel.ts';

const PROTOCOL = rounds as Protocol;
const PLAN: Partial<RoundsConfig> = { rounds: 2, stress: { 2: 'guardian' }, driftEvery: 1 };
/** Calls between two moments at which the server goes away; in the long form it goes away before every call. */
const EVERY = LONG ? 1 : 11;
const GONE = makeFailure('unreachable', 'connect ECONNREFUSED');

interface Away {
  readonly store: Store;
  readonly run: string;
  readonly status: string;
  readonly models: ScriptedModels;
}

let undisturbed: Promise<{ readonly view: RoundsView; readonly calls: number }> | undefined;

/**
 * Returns the deliberation as it ends if the server never goes away, and how many calls it takes. It is run
 * once for all tests.
 */
function runUndisturbed(): NonNullable<typeof undisturbed> {
  undisturbed ??= runRounds(makePanel(), PLAN).then(({ view, models }) => ({
    view,
    calls: models.requests.length,
  }));
  return undisturbed;
}

/** Runs the deliberation with models that fail at the calls chosen by `gone`, counted from 0. */
async function runWithOutage(
  gone: (call: number, asked: ModelRequest) => boolean,
  store = temporaryStore(),
): Promise<Away> {
  let calls = 0;
  const models = makePanel((asked) => (gone(calls++, asked) ? GONE : undefined));
  const { run, status } = await runRounds(models, PLAN, store);
  expectSameInSql(store, run);
  return { store, run, status, models };
}

async function comeBack({ store, run }: Away, models = makePanel()): Promise<ScriptedModels> {
  const session = new Session({
    journal: store.own(run),
    models,
    protocol: PROTOCOL,
    answer: stopAtGate,
  });
  await session.resume({ kind: 'convene' });
  await session.close();
  return models;
}

function completedIn({ store, run }: Away): string[] {
  return listFactsOfType(store.facts(run), 'call.completed').map(({ step }) => step);
}

function viewIn({ store, run }: Away): RoundsView {
  return roundsOf(store.facts(run));
}

function expectSound(outcome: Away): void {
  const completed = completedIn(outcome);
  expect(new Set(completed).size, 'an answered call was asked again').toBe(completed.length);
  const facts = outcome.store.facts(outcome.run);
  expect(viewOf(facts)).toMatchObject({ status: 'done', reason: undefined });
  expect(validateFolder(getRecordsFolder(facts)).errors).toEqual([]);
  expectSameInSql(outcome.store, outcome.run);
}

describe('a run of rounds whose server becomes unreachable', () => {
  it('fails if the server stays away, and ends as without the outage when the server is back', async () => {
    const { view, calls } = await runUndisturbed();
    const store = temporaryStore();
    for (let from = 0; from < calls; from += EVERY) {
      const outcome = await runWithOutage((call) => call >= from, store);
      expect(outcome.status, `gone from call ${from} on`).toBe('failed');
      const answered = completedIn(outcome).length;
      const models = await comeBack(outcome);
      expect(viewIn(outcome), `gone from call ${from} on`).toEqual(view);
      expect(models.requests).toHaveLength(calls - answered);
      expectSound(outcome);
    }
  });

  it('ends as without the outage, even if two later attempts find the server away, too', async () => {
    const outcome = await runWithOutage((call) => call >= 12);
    await comeBack(
      outcome,
      makePanel(() => GONE),
    );
    await comeBack(
      outcome,
      makePanel(() => GONE),
    );
    await comeBack(outcome);
    expect(viewIn(outcome)).toEqual((await runUndisturbed()).view);
    expectSound(outcome);
  });

  it('repeats no answered call', async () => {
    const store = temporaryStore();
    const few = [
      [2, 5],
      [10, 15],
      [17, 22],
      [24, 40],
    ] as const;
    const more = [
      [9, 12],
      [13, 14],
      [20, 31],
    ] as const;
    for (const [from, to] of LONG ? [...few, ...more] : few) {
      const outcome = await runWithOutage((call) => call >= from && call < to, store);
      for (
        let times = 0;
        times < 3 && viewOf(outcome.store.facts(outcome.run)).status !== 'done';
        times++
      )
        await comeBack(outcome);
      expectSound(outcome);
    }
  });

  it('ends at once if no seat hands in an artifact in a round', async () => {
    const outcome = await runWithOutage((_call, asked) => kindOf(asked) === 'artifact');
    expect(viewOf(outcome.store.facts(outcome.run)).reason).toBe(
      'in round 1 no seat handed in an artifact',
    );
    expect(outcome.models.requests.map(kindOf).at(-1)).toBe('artifact');
    await comeBack(outcome);
    expect(viewIn(outcome)).toEqual((await runUndisturbed()).view);
    expectSound(outcome);
  });

  it('continues if only one seat gets no answer', async () => {
    const outcome = await runWithOutage(
      (_call, asked) => kindOf(asked) === 'artifact' && asked.seat.id === 'critic',
    );
    expect(outcome.status).toBe('done');
    expect((await comeBack(outcome)).requests).toEqual([]);
  });
});

describe('a recorded run that continued after a round without any answers', () => {
  it('requests the missing answers when it is resumed', async () => {
    const outcome = await runWithOutage((_call, asked) => kindOf(asked) === 'artifact');
    // Add facts as an older version recorded them. After a round without artifacts, older versions continued
    // with the later phases of the round, here with a call of phase F.
    const journal = outcome.store.own(outcome.run);
    const said = listFactsOfType(journal.facts(), 'call.completed').at(-1);
    if (said === undefined) throw new Error('nobody spoke');
    const { run: _run, seq: _seq, at: _at, ...spoken } = said;
    const step = 'round-1/F/action';
    journal.note([
      fact('step.started', { step, attempt: 'f', kind: 'call' }),
      { ...spoken, step, attempt: 'f' } as FactBody,
      fact('step.completed', { step, attempt: 'f' }),
      fact('run.ended', { status: 'failed' }),
    ]);
    journal.release();
    const models = await comeBack(outcome);
    expect(models.requests.map(kindOf)).toContain('artifact');
    expect(viewOf(outcome.store.facts(outcome.run)).status).toBe('done');
  });
});

describe('a fork of a run whose server was unreachable', () => {
  const forkOf = async (parent: Away, config: Partial<RoundsConfig>) => {
    const facts = parent.store.facts(parent.run);
    const changed = { ...CONFIG, ...PLAN, ...config };
    const models = makePanel();
    const journal = parent.store.create('rounds', parent.run);
    const session = new Session({ journal, models, protocol: PROTOCOL, answer: stopAtGate });
    const { status } = await session.begin({
      question: 'Should we split the monolith?',
      seats: SEATS,
      config: changed,
      parent: parent.run,
      again: failuresToAskAgain(PROTOCOL, facts, changed),
    });
    return { store: parent.store, run: journal.run, status, models };
  };

  it('copies the answers and repeats the failed calls', async () => {
    const { view, calls } = await runUndisturbed();
    const parent = await runWithOutage((call) => call >= 20);
    const answered = completedIn(parent).length;
    const fork = await forkOf(parent, {});
    expect(fork.status).toBe('done');
    expect(fork.models.requests).toHaveLength(calls - answered);
    expect(viewIn(fork)).toEqual(view);
  });

  it('can reword a claim, which keeps its id', async () => {
    // To leave the Critic's claim as the only claim, the other seats' calls for artifacts fail. All calls after
    // the Critic's artifact fail, too.
    let raised = false;
    const parent = await runWithOutage((_call, asked) => {
      if (raised) return true;
      if (kindOf(asked) !== 'artifact') return false;
      raised = asked.seat.id === 'critic';
      return !raised;
    });
    const [first] = Object.values(viewIn(parent).claims);
    expect(first).toMatchObject({ id: 'C-1-1', raised_by: 'critic' });
    const text = 'It holds under load.';
    const fork = await forkOf(parent, {
      changes: [{ kind: 'claim', from: 'round-1/G', claim: 'C-1-1', text }],
    });
    expect(viewIn(fork).claims['C-1-1']).toMatchObject({ raised_by: 'critic', text });
    expect(fork.status).toBe('done');
    expectSameInSql(fork.store, fork.run);
  });
});

describe('a claim that was tested while the server was unreachable', () => {
  it('keeps its id when the missing claims of other seats arrive', async () => {
    let raised = false;
    const outcome = await runWithOutage((_call, asked) => {
      if (raised) return true;
      if (kindOf(asked) !== 'artifact') return false;
      raised = asked.seat.id === 'critic';
      return !raised;
    });
    const before = viewIn(outcome).claims['C-1-1'];
    const journal = outcome.store.own(outcome.run);
    journal.note([
      fact('evidence.recorded', {
        id: 'E-1-1',
        round: 1,
        claim: 'C-1-1',
        verification: 'V-1-5',
        command: 'true',
        cwd: '/',
        timeoutMs: 1000,
        confirmsOn: 'success',
        exit: 0,
        signal: null,
        timedOut: false,
        durationMs: 1,
        sha256: '',
        bytes: 0,
        output: '',
        cutBytes: 0,
        approvedBy: '--yes',
        path: 'evidence/E-1-1.md',
      }),
    ]);
    journal.release();
    await comeBack(outcome);
    const after = viewIn(outcome).claims['C-1-1'];
    expect([after?.raised_by, after?.text]).toEqual([before?.raised_by, before?.text]);
    expect(viewOf(outcome.store.facts(outcome.run)).status).toBe('done');
  });
});

describe('a claim that replaces a withdrawn one', () => {
  const THREE: Partial<RoundsConfig> = { rounds: 3, driftEvery: 2 };

  /**
   * Returns answers in which the critic withdraws a claim in round 2 and the observer adopts it in round 3.
   * No verdict decides a claim.
   */
  const makeAdoption =
    ({ id, text }: { id: string; text: string }) =>
    (asked: ModelRequest): ModelResult | undefined => {
      const kind = kindOf(asked);
      if (kind === 'bearings') return makeAnswer('{}', { value: { bearings: [] } });
      const { round } = asked.about ?? {};
      const answer = makeHealthyAnswer(asked);
      if (kind !== 'artifact' || answer.status !== 'done') return undefined;
      const value = answer.value as { claims: object[] };
      if (round === 2 && asked.seat.id === 'critic')
        return { ...answer, value: { ...value, concedes: [id] } };
      if (round === 3 && asked.seat.id === 'observer')
        return { ...answer, value: { ...value, claims: [{ ...value.claims[0], text }] } };
      return undefined;
    };

  it('is recorded as the replacement under its new id after a resumed run has renumbered the claims', async () => {
    const { view } = await runRounds(makePanel(), { rounds: 1 });
    const claim = Object.values(view.claims).findLast(({ raised_by }) => raised_by === 'critic');
    if (claim === undefined) throw new Error('the critic claims nothing');
    const answer = makeAdoption(claim);
    const whole = await runRounds(makePanel(answer), THREE);
    expect(whole.view.claims[claim.id]?.moves.map(({ to }) => to)).toEqual([
      'tested_unclear',
      'superseded',
    ]);
    // The run breaks off once the Observer has adopted the claim: in round 3, the other seats' calls for
    // artifacts fail, and so do all calls after the Observer's artifact.
    let gone = false;
    const models = makePanel((asked) => {
      if (gone) return GONE;
      if (kindOf(asked) === 'artifact' && asked.about?.round === 3) {
        gone = asked.seat.id === 'observer';
        if (!gone) return GONE;
      }
      return answer(asked);
    });
    const { store, run, status } = await runRounds(models, THREE);
    const outcome: Away = { store, run, status, models };
    expect(status).toBe('failed');
    const by = viewIn(outcome).claims[claim.id]?.moves.map(({ superseded_by }) => superseded_by);
    expect(by).toContain('C-3-1');
    expectSameInSql(store, run);
    await comeBack(outcome, makePanel(answer));
    expect(viewIn(outcome)).toEqual(whole.view);
    expect(by).not.toEqual(whole.view.claims[claim.id]?.moves.map((move) => move.superseded_by));
    expectSound(outcome);
  });
});
