/** What a report says of orchestrated agents, by plain values. */
import { expect, it } from 'vitest';
import { formatReport } from '../../src/plain/report.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { agents } from './reports.ts';

const makeLog = (...bodies: FactBody[]): Fact[] =>
  bodies.map((body, at) => ({ run: 'r', seq: at + 1, at: '2026-01-01T00:00:00.000Z', ...body }));

it('the report of a run of agents says how its team ended and that a stopped answer is partial', () => {
  const facts = makeLog(
    fact('run.started', {
      protocol: 'agent',
      question: 'Why?',
      seats: [makeSeat('lead')],
      config: {},
      request: { kind: 'convene' },
    }),
    fact('agent.started', {
      path: 'lead',
      agent: 'lead',
      pattern: 'team',
      why: 'root',
      advisors: [],
    }),
    fact('team.ended', { path: 'lead', cycles: 1, how: 'report', why: 'it gave its report' }),
    fact('call.stopped', {
      step: 'lead/call',
      attempt: '1',
      seat: 'lead',
      role: 'lead',
      model: 'test/m',
      text: 'Half a',
      thinking: '',
      latencyMs: 5,
      attempts: 1,
      notes: [],
      rehearsal: false,
      usage: { input: 1, output: 1, cached: 0, cacheWritten: 0, thinking: 0 },
    }),
  );
  const report = formatReport(facts, agents);
  expect(report).toContain('team ended after 1 cycle (report)');
  expect(report).toContain('_Stopped: the answer is partial._');
});
