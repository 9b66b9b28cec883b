/** Tests the fold of agents over time with plain values, such as that no agent is charged for a pause. */
import { describe, expect, it } from 'vitest';
import { agentsOf, getDurationMs } from '../../src/protocols/agents/fold.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';

const USAGE = { input: 1, output: 1, cached: 0, cacheWritten: 0, thinking: 0 };
const SPENT = { usage: USAGE, costUsd: 0, unpriced: 0 };

const makeAgentStarted = (path: string, why: 'root' | 'advisor', parent?: string): FactBody =>
  fact('agent.started', {
    path,
    agent: path,
    pattern: 'session',
    why,
    advisors: [],
    ...withoutUndefined({ parent }),
  });
const makeAgentCompleted = (
  path: string,
  status: 'done' | 'failed' | 'timed-out' = 'done',
): FactBody =>
  fact('agent.completed', {
    path,
    agent: path,
    status,
    text: '',
    failedSteps: [],
    calls: 1,
    ...SPENT,
  });
const makeCallStarted = (path: string, attempt = '1'): FactBody =>
  fact('step.started', { step: `${path}/call`, attempt, kind: 'call', seat: path, model: 't/m' });
const resumes = fact('run.resumed', { request: { kind: 'convene' } });
const stops = fact('run.ended', { status: 'stopped' });

/** Returns facts, each with the second in which it was recorded. */
function makeLog(...told: (readonly [second: number, body: FactBody])[]): Fact[] {
  return told.map(([second, body], index) => ({
    run: 'r',
    seq: index + 1,
    at: new Date(second * 1000).toISOString(),
    ...body,
  }));
}

const listSeconds = (facts: readonly Fact[], now: number): Record<string, number> =>
  Object.fromEntries(
    Object.values(agentsOf(facts).agents).map((agent) => [
      agent.path,
      getDurationMs(agent, now * 1000) / 1000,
    ]),
  );

describe('The measured time of one agent in a run of agents', () => {
  const before = [
    [0, makeAgentStarted('a', 'root')],
    [0, makeAgentStarted('a/b', 'advisor', 'a')],
    [1, makeCallStarted('a/b')],
  ] as const;
  const after = [
    [60, resumes],
    [60, makeCallStarted('a/b', '2')],
    [62, makeAgentCompleted('a/b')],
    [65, makeAgentCompleted('a')],
  ] as const;

  it('excludes the time between a kill and the resumption', () => {
    expect(listSeconds(makeLog(...before, ...after), 99)).toEqual({ a: 6, 'a/b': 3 });
  });

  it('excludes the time between a stop and the resumption', () => {
    const facts = makeLog(...before, [4, stops], ...after);
    expect(listSeconds(facts, 99)).toEqual({ a: 9, 'a/b': 6 });
    expect(listSeconds(facts.slice(0, -2), 61)).toEqual({ a: 5, 'a/b': 5 });
  });

  it('excludes the time from a failure to the next attempt at the call', () => {
    const failed = [
      [3, makeAgentCompleted('a/b', 'failed')],
      [3, makeAgentCompleted('a', 'failed')],
      [3, fact('run.ended', { status: 'failed' })],
    ] as const;
    expect(listSeconds(makeLog(...before, ...failed, ...after), 99)).toEqual({ a: 8, 'a/b': 5 });
  });
});

it('after a run was resumed, agentsOf still shows an agent as timed out, and its unfinished advisor as stopped', () => {
  const facts = makeLog(
    [0, makeAgentStarted('a', 'root')],
    [0, makeAgentStarted('a/b', 'advisor', 'a')],
    [0, makeAgentStarted('a/b/c', 'advisor', 'a/b')],
    [5, makeAgentCompleted('a/b', 'timed-out')],
    [60, resumes],
  );
  const states = Object.values(agentsOf(facts).agents).map(({ state }) => state);
  expect(states).toEqual(['running', 'timed-out', 'stopped']);
});
