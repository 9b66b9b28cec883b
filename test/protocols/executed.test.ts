/** Tests that a person let run, as a deliberation that goes on takes note of them. */

import { describe, expect, it } from 'vitest';
import type { Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { getTestableClaim, makeTestFacts } from '../../src/protocols/rounds/desk/test.ts';
import { collectInheritedTests } from '../../src/protocols/rounds/executed-tests.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { prepareRoundsFork } from '../../src/protocols/rounds/past.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, temporaryStore } from '../kernel/desk.ts';
import { expectSameInSql } from './in-sql.ts';
import { makeRehearsalModels, type RehearsedRun, rehearseRun } from './rehearse.ts';

const execution = {
  exit: 1,
  signal: null,
  timedOut: false,
  durationMs: 12,
  sha256: 'ab',
  bytes: 3,
  output: 'no\n',
  concealed: 0,
  cutBytes: 0,
};

/** Stops the session when a call for this task is about to be made, in this round. */
function stopAtTask(
  models: Models,
  session: () => Session | undefined,
  task: string,
  round: number,
): Models {
  return {
    ...models,
    price: (model, usage) => models.price(model, usage),
    call: (request, options) => {
      if (request.task === task && request.about?.round === round) session()?.stop();
      return models.call(request, options);
    },
  };
}

let once: Promise<RehearsedRun> | undefined;

/** A run of three rounds in which nobody tests anything. */
function runUntested(): Promise<RehearsedRun> {
  once ??= rehearseRun(temporaryStore(), 'rehearsal/healthy', 3, 5);
  return once;
}

describe('a fork that rewords a claim', () => {
  it('inherits a test of the claim only if the test was run before the step from which the fork rewords the claim', async () => {
    const { facts: log } = await runUntested();
    const second = log.find((fact) => fact.type === 'round.started' && fact.round === 2);
    const claim = 'C-1-1';
    const shown = roundsOf(
      log.slice(
        0,
        log.findIndex((fact) => fact.seq === second?.seq),
      ),
    );
    const proposal = {
      claim: getTestableClaim(log, shown, claim),
      command: 'false',
      cwd: '/',
      timeoutMs: 1000,
      confirmsOn: 'success' as const,
      kept: 'false',
      pass: [],
      environment: [],
    };
    const at = log.findIndex((fact) => fact.seq === second?.seq);
    const tested = makeTestFacts(shown, proposal, execution, 'person');
    const facts = [...log.slice(0, at), ...tested, ...log.slice(at)].map((body, index) => ({
      run: 'r',
      at: '',
      ...body,
      seq: index + 1,
    })) as Fact[];
    const past = { facts, view: viewOf(facts) };
    const getInheritedTests = (from: string): unknown[] => {
      const wish = { kind: 'claim', claim, value: 'It holds at noon.' } as const;
      return (prepareRoundsFork(past, from, [wish]).config as { tests?: unknown[] }).tests ?? [];
    };
    expect(getInheritedTests('round-3')).toHaveLength(1);
    expect(getInheritedTests('round-1/G')).toEqual([]);
  });
});

describe('a test of a claim that a person runs between two attempts', () => {
  it('decides the claim when the run is resumed, and is shown in later prompts', async () => {
    const store = temporaryStore();
    const whole = await runUntested();
    const { config, seats, question } = listFactsOfType(whole.facts, 'run.started')[0] ?? {};
    if (config === undefined || seats === undefined || question === undefined) throw new Error();

    let session: Session | undefined;
    const journal = store.create('rounds');
    const seen: string[] = [];
    const models = makeRehearsalModels();
    const watching: Models = {
      price: (model, usage) => models.price(model, usage),
      call: (request, options) => {
        seen.push(JSON.stringify(request.messages));
        return models.call(request, options);
      },
    };
    const refuseAnswer = () => Promise.reject(new Error('nobody is asked'));
    const makeSession = (with_: Models) =>
      new Session({ journal, models: with_, protocol: rounds as Protocol, answer: refuseAnswer });
    session = makeSession(stopAtTask(models, () => session, 'rounds/proposal', 2));
    expect((await session.begin({ question, seats, config })).status).toBe('stopped');

    const before = roundsOf(journal.facts());
    expect(before.rounds.at(-1)?.round).toBe(2);
    const claim = Object.values(before.claims).find(({ status }) => status === 'pending');
    if (claim === undefined) throw new Error('no claim is pending');
    journal.note(
      makeTestFacts(
        before,
        {
          claim,
          command: 'npm test',
          kept: 'npm test',
          cwd: '/',
          timeoutMs: 1_000,
          confirmsOn: 'success',
          pass: [],
          environment: ['PATH'],
        },
        execution,
        '--yes',
      ),
    );

    const resumed = makeSession(watching);
    expect(await resumed.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    const after = journal.facts();
    const view = roundsOf(after);
    expect(view.claims[claim.id]?.moves[0]).toMatchObject({
      from: 'pending',
      to: 'tested_refuted',
      verification: 'V-2-5',
    });
    expect(seen.some((prompt) => prompt.includes('E-2-1, a test of'))).toBe(true);
    expectSameInSql(store, journal.run);
    const { ok, errors } = validateFolder(getRecordsFolder(after));
    expect(errors).toEqual([]);
    expect(ok).toBe(true);

    // Resuming the finished run asks no model and records nothing twice.
    seen.length = 0;
    expect((await makeSession(watching).resume({ kind: 'convene' })).status).toBe('done');
    expect(seen).toEqual([]);
    const added = journal.facts().slice(after.length);
    expect(added.map(({ type }) => type)).toEqual(['run.resumed', 'run.ended']);

    // A fork that changes nothing inherits the test with its verdict, and asks no model.
    const tests = collectInheritedTests(journal.facts());
    expect(tests).toMatchObject([{ from: expect.stringMatching(/^round-2\//) }]);
    const forked = store.create('rounds', journal.run);
    const fork = new Session({
      journal: forked,
      models: watching,
      protocol: rounds as Protocol,
      answer: refuseAnswer,
    });
    const opened = await fork.begin({
      question,
      seats,
      config: { ...config, tests },
      parent: journal.run,
    });
    expect(opened.status).toBe('done');
    expect(seen).toEqual([]);
    const copy = forked.facts();
    expect(readRecords(filterKnownFacts(copy))).toEqual(
      readRecords(filterKnownFacts(journal.facts())),
    );
    expect(collectInheritedTests(copy, tests)).toEqual(tests);
    expectSameInSql(store, forked.run);
    seen.length = 0;
    const again = new Session({
      journal: forked,
      models: watching,
      protocol: rounds as Protocol,
      answer: refuseAnswer,
    });
    expect((await again.resume({ kind: 'convene' })).status).toBe('done');
    expect(seen).toEqual([]);
  });
});

describe('a run that stopped while its claims were being decided', () => {
  it('refuses a test of a claim, which a finished run allows', async () => {
    const store = temporaryStore();
    const unstopped = await runUntested();
    const { config, seats, question } = listFactsOfType(unstopped.facts, 'run.started')[0] ?? {};
    if (config === undefined || seats === undefined || question === undefined) throw new Error();
    const journal = store.create('rounds');
    const refuseAnswer = () => Promise.reject(new Error('nobody is asked'));
    let session: Session | undefined;
    const models = stopAtTask(makeRehearsalModels(), () => session, 'rounds/bearings', 1);
    session = new Session({ journal, models, protocol: rounds as Protocol, answer: refuseAnswer });
    expect((await session.begin({ question, seats, config })).status).toBe('stopped');
    const facts = journal.facts();
    expect(roundsOf(facts).rounds.at(-1)).toMatchObject({ round: 1, phase: 'F' });
    expect(() => getTestableClaim(facts, roundsOf(facts), 'C-1-1')).toThrow(
      'stopped while settling its claims',
    );
    expect(getTestableClaim(unstopped.facts, unstopped.view, 'C-1-1').id).toBe('C-1-1');
  });
});

function readRecords(facts: readonly Fact[]): unknown {
  const folder = new Map(getRecordsFolder(facts));
  folder.delete('run.json');
  return [...folder];
}
