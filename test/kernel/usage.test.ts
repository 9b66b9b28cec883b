/**
 * Tests that numbers that are no counts end no run and no sum, whether they come from a server or from an
 * old log.
 */

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Models, NO_USAGE } from '../../src/kernel/model.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { COMMON_REPORT } from '../../src/plain/common-report.ts';
import { formatReport } from '../../src/plain/report.ts';
import { agentsOf } from '../../src/protocols/agents/fold.ts';
import { fact } from '../every-fact.ts';
import { makeCompletedCall, makeRunStarted } from '../store/bodies.ts';
import {
  beginSession,
  listFactsOfType,
  panelProtocol,
  stopAtGate,
  temporaryStore,
} from './desk.ts';

const HUGE = { input: 1.7e308, output: 1.7e308, cached: -1, cacheWritten: 0.5, thinking: 2 ** 60 };
const HUGE_FOR_HOUR = { ...NO_USAGE, cacheWrittenForHour: 1e300 };

describe('An implausible token count', () => {
  it.each([
    ['huge, negative and fractional numbers', HUGE],
    ['a huge number of tokens that are cached for an hour', HUGE_FOR_HOUR],
    ['infinity and NaN', { ...NO_USAGE, input: Number.POSITIVE_INFINITY, output: Number.NaN }],
  ])('in a reply is recorded as 0, and the run goes on: %s', async (_what, usage) => {
    const store = temporaryStore();
    const journal = store.create('test');
    let asked = 0;
    const models: Models = {
      call: async () => {
        asked += 1;
        const spoken = { text: 'Yes.', thinking: '', latencyMs: 1, attempts: 1, notes: [] };
        return { status: 'done', usage, ...spoken };
      },
      // The scripted model has a price by the token, so an implausible count of tokens would lead to an
      // implausible cost.
      price: (_model, { input, output }) => (input + output) * 0.001,
    };
    const session = new Session({ journal, models, protocol: panelProtocol, answer: stopAtGate });
    expect(await beginSession(session)).toEqual({ status: 'done' });
    const again = new Session({ journal, models, protocol: panelProtocol, answer: stopAtGate });
    expect(await again.resume({ kind: 'convene' })).toEqual({ status: 'done' });
    expect(asked, 'nobody is asked twice').toBe(3);
    for (const call of listFactsOfType(journal.facts(), 'call.completed')) {
      expect(call.usage).toEqual(NO_USAGE);
      expect(call.notes).toEqual([expect.stringMatching(/token.*ignored/)]);
    }
  });

  it('that an earlier version recorded is left out of all sums of the run', () => {
    const store = temporaryStore();
    const journal = store.create('test');
    const spent = { usage: HUGE, costUsd: 1.7e308, unpriced: 0, calls: 1 };
    journal.note([
      makeRunStarted('Why?'),
      makeCompletedCall({ step: 'a', usage: HUGE, costUsd: 1.7e308 }),
      makeCompletedCall({ step: 'b', usage: HUGE, costUsd: 1.7e308 }),
      makeCompletedCall({ step: 'c', costUsd: 0.5 }),
      fact('agent.started', {
        path: 'lead',
        agent: 'lead',
        pattern: 'session',
        why: 'root',
        advisors: [],
      }),
      fact('agent.completed', {
        path: 'lead',
        agent: 'lead',
        status: 'done',
        text: 'Yes.',
        failedSteps: [],
        ...spent,
      }),
    ]);
    const facts = store.facts(journal.run);
    const view = viewOf(facts);
    expect(view.usage).toMatchObject({ input: 100, output: 20, cached: 30 });
    expect([view.costUsd, view.unpriced]).toEqual([0.5, 2]);
    expect(agentsOf(facts).agents.lead).toMatchObject({ state: 'done' });
    expect(formatReport(facts, COMMON_REPORT)).not.toMatch(/Infinity|NaN|e\+/);
    expect(store.summary(journal.run)).toMatchObject({
      tokensIn: 100,
      tokensOut: 20,
      costUsd: 0.5,
    });
    const db = new Database(store.file, { readonly: true });
    onTestFinished(() => void db.close());
    expect(
      db.prepare('SELECT tokens_in, tokens_out, cached, cost_usd FROM calls').raw().all(),
    ).toEqual([
      [0, 0, 0, null],
      [0, 0, 0, null],
      [100, 20, 30, 0.5],
    ]);
  });
});
