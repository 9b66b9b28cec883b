/** Orchestrated agents over the real kernel and a real database: what cannot be seen from outside. */

import { describe, expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import type { Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import type { AgentConfig } from '../../src/protocols/agents/agent-run.ts';
import { agents } from '../../src/protocols/agents/agents.ts';
import { agentsOf } from '../../src/protocols/agents/fold.ts';
import type { Links, Team } from '../../src/protocols/agents/graph.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeFailure,
  makeSeat,
  ScriptedModels,
  streamUntilStopped,
  textOf,
} from '../kernel/scripted-models.ts';

const TEAM: Team = {
  members: ['a', 'b'],
  supervisor: 'lead',
  terminationMode: 'coordinatorDecides',
  maxRounds: 5,
  memberMaxTurns: 5,
  supervisorMaxTurns: 5,
};

class Bench {
  readonly store: Store = temporaryStore();
  readonly #journal = this.store.create('agent');
  session!: Session;

  open(models: Models): Session {
    const parts = { journal: this.#journal, models, answer: stopAtGate };
    this.session = new Session({ ...parts, protocol: agents as Protocol });
    return this.session;
  }

  /** The first agent is the root. */
  begin(
    models: Models,
    links: Readonly<Record<string, Links>>,
    more: Partial<AgentConfig> = {},
  ): Promise<Ending> {
    const names = Object.keys(links);
    const config: AgentConfig = {
      root: names[0] ?? '',
      agents: Object.fromEntries(
        names.map((name) => [name, { description: `does ${name}`, ...links[name] }]),
      ),
      seed: 7,
      contextTokens: 24_000,
      ...more,
    };
    return this.open(models).begin({
      question: 'Should we?',
      seats: names.map((name) => makeSeat(name)),
      config,
    });
  }

  get facts(): Fact[] {
    return filterKnownFacts(this.store.facts(this.#journal.run));
  }
}

const REPORT = { action: 'report', text: 'We found it.' };
const makeBroadcast = (text: string) => makeAnswer('{}', { value: { action: 'broadcast', text } });

describe('a run of linked agents', () => {
  it('calls no model when it is replayed', async () => {
    const bench = new Bench();
    await bench.begin(new ScriptedModels(), {
      lead: { advisors: { agents: ['law', 'risk'], required: 'all' }, handoff: 'editor' },
      law: {},
      risk: {},
      editor: {},
    });
    const models = new ScriptedModels();
    expect(await bench.open(models).resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(models.asked).toEqual([]);
  });

  it('passes the request and the last response on in handoffs, inside tags', async () => {
    const models = new ScriptedModels(({ seat: { id } }) =>
      makeAnswer(`${id} </answer-x> holds this`),
    );
    await new Bench().begin(models, { a: { handoff: 'b' }, b: { handoff: 'c' }, c: {} });
    const last = textOf(models.requests[2] ?? expect.fail('c was not asked'));
    expect(last.split('Should we?')).toHaveLength(2);
    expect(last).not.toContain('a </answer');
    expect(last).toMatch(/<answer-[0-9a-f]{8} from="b">\nb &lt;\/answer-x> holds this\n<\/answer-/);
  });

  it('asks only the unfinished agents again when it is resumed', async () => {
    const bench = new Bench();
    const links = {
      lead: { team: TEAM },
      a: { handoff: 'editor' },
      b: { advisors: { agents: ['law'], required: 0 } },
      editor: {},
      law: {},
    };
    const begun = bench.begin(
      new ScriptedModels((asked, context) =>
        asked.seat.id === 'a' ? makeAnswer('A draft.') : streamUntilStopped(context, 'half a thou'),
      ),
      links,
    );
    await expect
      .poll(() => bench.facts.flatMap((fact) => (fact.type === 'step.started' ? fact.step : [])))
      .toEqual(expect.arrayContaining([expect.stringMatching(/editor\/call$/)]));
    bench.session.stop();
    expect(await begun).toEqual({ status: 'stopped' });
    expect(
      listFactsOfType(bench.facts, 'call.stopped')
        .map((call) => call.seat)
        .sort(),
    ).toEqual(['editor', 'law']);
    expect(listFactsOfType(bench.facts, 'agent.completed')).toEqual([]);
    const states = Object.values(agentsOf(bench.facts).agents).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['stopped']));

    const models = new ScriptedModels((asked) =>
      asked.schema === undefined
        ? makeAnswer(`${asked.seat.id} says so`)
        : makeAnswer('{}', { value: REPORT }),
    );
    expect(await bench.open(models).resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect([...models.asked].sort()).toEqual(['b', 'editor', 'law', 'lead']);
    // The first agent's number of calls includes the calls of all agents that it has asked, and calls that were
    // stopped.
    const { agents: tree, root = '' } = agentsOf(bench.facts);
    expect(tree[root]?.all.calls).toBe(bench.facts.filter(isCall).length);
    expect(listFactsOfType(bench.facts, 'agent.completed').at(-1)?.calls).toBe(
      tree[root]?.all.calls,
    );
  });

  it('abandons a slow advisor and all agents that it calls', async () => {
    const bench = new Bench();
    const links = {
      lead: { advisors: { agents: ['slow', 'quick'], required: 'any' as const, timeoutMs: 300 } },
      slow: { advisors: { agents: ['slower'], required: 0 } },
      slower: {},
      quick: {},
    };
    const models = new ScriptedModels((asked, context) =>
      asked.seat.id === 'slower'
        ? streamUntilStopped(context, 'half')
        : makeAnswer(`${asked.seat.id} says so`),
    );
    expect(await bench.begin(models, links)).toEqual({ status: 'done' });
    expect([...models.asked].sort()).toEqual(['lead', 'quick', 'slower']);
    expect(textOf(models.requests.at(-1) ?? expect.fail('nobody'))).toContain(
      '[No analysis: no answer within 0.3 s.',
    );
    const { agents: tree } = agentsOf(bench.facts);
    expect(tree['lead/advisors/slow']).toMatchObject({ state: 'timed-out', all: { calls: 1 } });
    expect(tree['lead/advisors/slow/advisors/slower']?.state).toBe('stopped');
    expect(tree.lead?.all.calls).toBe(3);
    // The timeout is recorded, so a resumed run does not wait for the advisor again.
    const again = new ScriptedModels();
    await bench.open(again).resume({ kind: 'convene' });
    expect(again.asked).toEqual([]);
  });

  it('repeats only the failed calls that made the run fail', async () => {
    const bench = new Bench();
    const links = {
      lead: { advisors: { agents: ['law', 'risk'], required: 0 }, handoff: 'editor' },
      law: {},
      risk: {},
      editor: {},
    };
    const makeFailingModels = (...names: string[]) =>
      new ScriptedModels(({ seat: { id } }) =>
        names.includes(id) ? makeFailure('server', 'HTTP 500') : makeAnswer(`${id} says so`),
      );
    expect(await bench.begin(makeFailingModels('risk', 'editor'), links)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('lead has no answer: server error: HTTP 500'),
    });
    const models = makeFailingModels();
    expect(await bench.open(models).resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(models.asked).toEqual(['editor']);
    expect(agentsOf(bench.facts).agents.lead).toMatchObject({
      state: 'done',
      answeredBy: 'editor',
      text: 'editor says so',
    });
  });

  it('asks an advisor again in a later attempt if its time limit made the run fail', async () => {
    const bench = new Bench();
    const required = { agents: ['slow'], required: 'all' as const, timeoutMs: 200 };
    const models = new ScriptedModels((_asked, context) => streamUntilStopped(context, 'half'));
    const ending = await bench.begin(models, { lead: { advisors: required }, slow: {} });
    expect(ending).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('within 0.2 s'),
    });
    const awake = new ScriptedModels(() => makeAnswer('Yes.'));
    expect(await bench.open(awake).resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(awake.asked).toEqual(['slow', 'lead']);
    expect(agentsOf(bench.facts).agents['lead/advisors/slow']?.state).toBe('done');
  });

  it('fails if a chain of agents has no end', async () => {
    const bench = new Bench();
    const { status, reason } = await bench.begin(new ScriptedModels(() => makeAnswer('Yes.')), {
      a: { handoff: 'b' },
      b: { handoff: 'a' },
    });
    expect(status).toBe('failed');
    expect(reason).toMatch(/without end: .*a → b/);
    expect(listFactsOfType(bench.facts, 'call.completed').length).toBeLessThan(40);
  });
});

describe('a team of agents', () => {
  it('ends with a report if its supervisor repeats itself', async () => {
    const bench = new Bench();
    let turn = 0;
    const models = new ScriptedModels((asked) => {
      turn += 1;
      if (asked.seat.id !== 'lead') return makeAnswer(`${asked.seat.id} says ${turn} new things`);
      return asked.schema === undefined
        ? makeAnswer('This is our report.')
        : makeBroadcast('Please each of you look at the costs again and come back.');
    });
    await bench.begin(models, { lead: { team: TEAM }, a: {}, b: {} });
    const [end] = listFactsOfType(bench.facts, 'team.ended');
    expect(end).toMatchObject({
      how: 'loop',
      cycles: 3,
      why: 'lead repeats what it said in cycle 1',
    });
    expect(models.asked).toEqual(['a', 'b', 'lead', 'a', 'b', 'lead', 'lead']);
  });

  it('records that it shortened its discussion for a prompt', async () => {
    const bench = new Bench();
    const makeLongText = (what: string) =>
      `${what}: ${'words that fill a page and more '.repeat(40)}`;
    let turn = 0;
    const models = new ScriptedModels((asked) => {
      turn += 1;
      if (asked.seat.id !== 'lead')
        return makeAnswer(makeLongText(`${asked.seat.id} ${turn * 31}`) + turn);
      return asked.schema === undefined
        ? makeAnswer('Report.')
        : makeBroadcast(`Message ${turn * 17}`);
    });
    await bench.begin(
      models,
      { lead: { team: { ...TEAM, maxRounds: 3 } }, a: {}, b: {} },
      { contextTokens: 1_000 },
    );
    expect(listFactsOfType(bench.facts, 'team.compacted').length).toBeGreaterThan(0);
    const last = textOf(models.requests.at(-1) ?? expect.fail('nobody'));
    expect(last).toMatch(/\[The first \d messages are shortened here/);
  });

  it('asks its supervisor again with a shorter prompt if the first was too long', async () => {
    const bench = new Bench();
    const long = 'words that fill a page and more '.repeat(80);
    const models = new ScriptedModels((asked) => {
      if (asked.seat.id !== 'lead') return makeAnswer(`${asked.seat.id}: ${long}`);
      return textOf(asked).length > 4_000
        ? { ...makeFailure('too-long', 'the prompt does not fit'), window: 1_000 }
        : makeAnswer('{}', { value: REPORT });
    });
    const ending = await bench.begin(models, { lead: { team: TEAM }, a: {}, b: {} });
    expect(ending).toEqual({ status: 'done' });
    expect(models.asked).toEqual(['a', 'b', 'lead', 'lead']);
    expect(listFactsOfType(bench.facts, 'team.compacted')).toMatchObject([
      { cycle: 1, messages: 2 },
    ]);
  });

  it('fails if no member has sent a message', async () => {
    const bench = new Bench();
    const models = new ScriptedModels(() => makeFailure('server', 'HTTP 500'));
    const ending = await bench.begin(models, { lead: { team: TEAM }, a: {}, b: {} });
    expect(ending).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('a: server'),
    });
    expect(models.asked).toEqual(['a', 'b']);
    expect(listFactsOfType(bench.facts, 'team.ended')).toMatchObject([{ how: 'failure' }]);
  });
});
