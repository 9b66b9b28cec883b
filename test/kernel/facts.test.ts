/** Rule 9: one union with versions. */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KERNEL_FACTS } from '../../src/kernel/facts.ts';
import { defineVocabulary, readFacts } from '../../src/kernel/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { anyCharacter } from '../any-character.ts';
import { ALL_FACTS, type FactOf, type FactType, fact, parseFact } from '../every-fact.ts';
import { temporaryFolder } from '../store/folder.ts';
import { DECISION_EXAMPLES } from './decision-examples.ts';
import { temporaryStore } from './desk.ts';
import { PLAN_EXAMPLES } from './plan-examples.ts';
import { SDK_EXAMPLES } from './sdk-examples.ts';
import { TEAM_EXAMPLES } from './team-examples.ts';

const usage = { input: 1, output: 2, cached: 3, cacheWritten: 4, thinking: 5 };
const call = {
  step: 'round-1/ask',
  attempt: 'x',
  seat: 'critic',
  role: 'critic',
  model: 'ollama/org/qwen3:8b',
  text: 'No \u{1f600} \0 \ud800 "quoted" \u001b[31m',
  thinking: 'hm',
  usage,
  costUsd: 0.25,
  price: { source: 'built in: https://prices.example', asOf: '2026-11-27' },
  latencyMs: 12.5,
  firstTokenMs: 3,
  attempts: 2,
  notes: ['repaired JSON'],
  rehearsal: false,
  inherited: true,
};

/** One of each type, most with optional fields. A type without an entry does not compile. */
const EXAMPLES: { [T in FactType]: FactOf<T> } = {
  ...PLAN_EXAMPLES,
  ...TEAM_EXAMPLES,
  ...SDK_EXAMPLES,
  ...DECISION_EXAMPLES,
  'run.started': {
    v: 1,
    type: 'run.started',
    protocol: 'board',
    question: 'Why?',
    seats: [
      {
        id: 'critic',
        role: 'critic',
        title: 'Critic',
        model: 'test/m',
        brief: 'Be strict.',
        colour: '#ff0000',
        temperature: 0.5,
      },
    ],
    config: { open: true, nested: { list: [1, null, 'x'] } },
    request: { kind: 'convene' },
    parent: 'p',
    caller: { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' },
  },
  'run.resumed': {
    v: 1,
    type: 'run.resumed',
    request: { kind: 'resynthesize', version: 2, model: 'test/m', note: 'short', without: ['a'] },
    caller: { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' },
  },
  'run.ended': { v: 1, type: 'run.ended', status: 'stopped', reason: 'the budget' },
  'tool.called': {
    v: 1,
    type: 'tool.called',
    step: 'seat/critic/turn-1/tool-1',
    attempt: 'x',
    seat: 'critic',
    tool: 'read',
    arguments: { path: 'src/a.ts' },
    id: 'S-1',
    about: 'src/a.ts, lines 1-2 of 9',
    text: 'one\ntwo',
    from: 1,
    more: '7 more lines',
    refused: true,
    bytes: 7,
    ms: 3,
  },
  'step.started': {
    v: 1,
    type: 'step.started',
    step: 's',
    attempt: 'x',
    kind: 'call',
    seat: 'critic',
    model: 'test/m',
    stale: true,
  },
  'deadline.moved': {
    v: 1,
    type: 'deadline.moved',
    step: 'seat/critic',
    attempt: 'a1',
    deadline: '2026-01-02T03:05:05.000Z',
  },
  'step.completed': { v: 1, type: 'step.completed', step: 's', attempt: 'x', inherited: 'p' },
  'step.failed': { v: 1, type: 'step.failed', step: 's', attempt: 'x', message: 'no' },
  'call.completed': {
    v: 1,
    type: 'call.completed',
    ...call,
    value: { stance: ['for', null] },
    calls: [{ id: 'call-1', name: 'read', arguments: { path: 'a' } }],
    turn: [{ type: 'thinking', signature: 'x' }],
  },
  'call.failed': {
    v: 1,
    type: 'call.failed',
    ...call,
    code: 'auth',
    message: 'wrong key',
    next: 'Set the key.',
  },
  'call.stopped': { v: 1, type: 'call.stopped', ...call },
  'synthesis.completed': {
    v: 1,
    type: 'synthesis.completed',
    version: 1,
    model: 'test/m',
    text: 'Do it.',
    included: ['a'],
    excluded: [{ seat: 'b', reason: 'stopped' }],
    labels: { A: 'a' },
    note: 'short',
    missing: ['Risks'],
    rehearsal: true,
    compacted: [{ seat: 'a', words: 120 }],
    question: 2,
  },
  'gate.opened': {
    v: 1,
    type: 'gate.opened',
    step: 'g',
    prompt: 'Go on?',
    options: [{ value: 'y', label: 'Yes' }],
    default: 'y',
  },
  'gate.answered': { v: 1, type: 'gate.answered', step: 'g', answer: 'y', by: 'default' },
  'control.given': {
    v: 1,
    type: 'control.given',
    id: 'c',
    control: { kind: 'note', text: 'Think of the budget.' },
  },
  'control.heeded': { v: 1, type: 'control.heeded', step: 's', ids: ['c'] },
  'round.started': { v: 1, type: 'round.started', round: 3, lead: 'action', absent: 'critic' },
  'phase.entered': { v: 1, type: 'phase.entered', round: 3, phase: 'E' },
  'stress.predicted': {
    v: 1,
    type: 'stress.predicted',
    round: 3,
    absent: 'critic',
    signature: ['weaker'],
  },
  'stress.compared': {
    v: 1,
    type: 'stress.compared',
    round: 3,
    absent: 'critic',
    observed: [{ prediction: 'weaker', happened: 'partly', where: 'D-3-1' }],
    decorative: false,
    notes: 'n',
  },
  'artifact.produced': {
    v: 1,
    type: 'artifact.produced',
    round: 3,
    role: 'observer',
    path: 'artifacts/round_3/observer.md',
    markdown: '# Walk',
    step: 's',
  },
  'verification.recorded': {
    v: 1,
    type: 'verification.recorded',
    id: 'V-3-1',
    round: 3,
    check: 'critic_attack_on_action_trace',
    result: 'BROKEN',
    evidence_refs: ['a#b', 'a#c'],
    notes: 'n',
    degraded: 'cited nothing',
    step: 's',
  },
  'evidence.recorded': {
    v: 1,
    type: 'evidence.recorded',
    id: 'E-3-1',
    round: 3,
    claim: 'C-2-1',
    verification: 'V-3-5',
    command: 'npm test -- queue',
    cwd: '/home/somebody/project',
    timeoutMs: 60_000,
    confirmsOn: 'success',
    exit: null,
    signal: 'SIGKILL',
    timedOut: true,
    durationMs: 60_012.5,
    sha256: 'ab',
    bytes: 300_000,
    output: '\u001b[31mno\0',
    cutBytes: 37_856,
    approvedBy: '--yes',
    path: 'evidence/E-3-1.md',
  },
  'claim.raised': {
    v: 1,
    type: 'claim.raised',
    id: 'C-3-1',
    round: 3,
    raised_by: 'critic',
    text: 't',
    testable_as: 'o',
    supersedes: 'C-1-1',
    raised_at_artifact: 'artifacts/round_3/critic.md',
    decided_by: 'reading',
    says: 'fails',
    about: 'document',
    if_false: 'f',
    challenges: 'C-1-2',
    step: 's',
  },
  'refusal.recorded': {
    v: 1,
    type: 'refusal.recorded',
    round: 3,
    kind: 'claim',
    by: 'critic',
    id: 'C-1-1',
    text: 't',
    why: 'w',
  },
  'reader.examined': {
    v: 1,
    type: 'reader.examined',
    model: 'test/m',
    passed: true,
    items: 24,
    errors: 1,
    called_true: 0,
    source: 'held',
    why: 'w',
  },
  'claim.read': {
    v: 1,
    type: 'claim.read',
    round: 3,
    claim: 'C-3-1',
    model: 'test/m',
    finding: 'true_in_text',
    quotes: [{ text: 'ship in May', ref: 'attachments/plan.md#L3' }],
    sought: [],
    second: 'true',
    counts: true,
    why: 'w',
    step: 's',
  },
  'reader.controlled': {
    v: 1,
    type: 'reader.controlled',
    round: 3,
    model: 'test/m',
    text: 't',
    key: 'false_in_text',
    said: 'partly',
    right: false,
  },
  'records.checked': { v: 1, type: 'records.checked', round: 3, errors: ['e'], warnings: 2 },
  'claim.edited': {
    v: 1,
    type: 'claim.edited',
    claim: 'C-1-1',
    round: 2,
    text: 'It reads otherwise.',
    was: 'It read so.',
  },
  'claim.moved': {
    v: 1,
    type: 'claim.moved',
    claim: 'C-1-1',
    round: 3,
    from: 'pending',
    to: 'tested_refuted',
    verification: 'V-3-1',
    superseded_by: 'C-3-1',
    stance: 'upholds',
    bearing: 'whole',
    basis: 'read',
    refs: ['attachments/plan.md#L3'],
    quotes: [{ text: 'ship in May', ref: 'attachments/plan.md#L3' }],
    why: 'w',
  },
  'decision.made': {
    v: 1,
    type: 'decision.made',
    id: 'D-3-1',
    round: 3,
    text: 't',
    cites: [{ type: 'claim', id: 'C-1-1', relation: 'based-on', takes_as: 'false' }],
    conditions: ['C-1-2'],
    made_by: 'round_lead',
    round_artifact_refs: ['artifacts/round_3/critic.md'],
    step: 's',
  },
  'decision.refused': { v: 1, type: 'decision.refused', round: 3, text: 't', why: 'w' },
  'round.closed': {
    v: 1,
    type: 'round.closed',
    round: 3,
    tensions: ['x'],
    impact: 'i',
    answer: 'a',
  },
  'drift.checked': {
    v: 1,
    type: 'drift.checked',
    round: 3,
    verdict: 'PARTIAL',
    deviation_score: 2,
    notes: 'n',
  },
  'stance.taken': {
    v: 1,
    type: 'stance.taken',
    round: 3,
    seat: 'critic',
    model: 'test/m',
    position: 'Wait for the count.',
    option: 'wait',
    confidence: 0.5,
    cites: ['C-1-1', 'artifacts/round_3/critic.md#attack-1'],
    peers: true,
    again: false,
    step: 'round-3/H/stance/critic',
  },
  'vote.counted': {
    v: 1,
    type: 'vote.counted',
    round: 3,
    peers: true,
    by: 'verifier',
    ballots: [{ seat: 'critic', model: 'test/m', option: 'wait' }],
  },
  'agent.started': {
    v: 1,
    type: 'agent.started',
    path: 'lead/handoff/editor',
    agent: 'editor',
    pattern: 'session',
    why: 'handed-off',
    parent: 'lead',
    advisors: ['risk'],
    handoff: 'printer',
    cycle: 1,
  },
  'agent.completed': {
    v: 1,
    type: 'agent.completed',
    path: 'lead',
    agent: 'lead',
    status: 'failed',
    text: '',
    answeredBy: 'editor',
    reason: 'timed out',
    failedSteps: ['lead/call'],
    calls: 2,
    usage: { input: 1, output: 2, cached: 0, cacheWritten: 0, thinking: 0 },
    costUsd: 0.1,
    unpriced: 1,
  },
  'advice.given': {
    v: 1,
    type: 'advice.given',
    path: 'lead',
    advisor: 'risk',
    from: 'lead/advisors/risk',
    status: 'timed-out',
    reason: 'no answer within 5 s',
  },
  'route.chosen': {
    v: 1,
    type: 'route.chosen',
    path: 'triage',
    agent: 'triage',
    choice: 'billing',
    reason: 'it is about money',
    message: 'be quick',
  },
  'handoff.made': { v: 1, type: 'handoff.made', path: 'lead', from: 'lead', to: 'editor' },
  'team.broadcast': {
    v: 1,
    type: 'team.broadcast',
    path: 'team',
    cycle: 1,
    from: 'analyst',
    by: 'member',
    status: 'done',
    text: 'I propose.',
    concludes: true,
  },
  'team.compacted': {
    v: 1,
    type: 'team.compacted',
    path: 'team',
    cycle: 3,
    messages: 4,
    tokensBefore: 9000,
    tokensAfter: 5000,
  },
  'team.ended': {
    v: 1,
    type: 'team.ended',
    path: 'team',
    how: 'loop',
    cycles: 3,
    why: 'analyst repeats what it said in cycle 2',
  },
  'stance.compared': {
    v: 1,
    type: 'stance.compared',
    round: 3,
    seat: 'critic',
    label: 'conformed',
    why: 'w',
    first: 'split',
    alone: 'split',
    peers: 'wait',
  },
  'question.asked': { v: 1, type: 'question.asked', number: 2, text: 'And if we wait?' },
  'seat.changed': { v: 1, type: 'seat.changed', seat: 'critic', model: 'test/n' },
  'iteration.noted': { v: 1, type: 'iteration.noted', text: 'Ask for the rollback first.' },
  'patience.began': {
    v: 1,
    type: 'patience.began',
    question: 1,
    answered: ['critic'],
    waitingFor: ['analyst'],
    until: '2026-01-01T00:00:00.000Z',
  },
  'quorum.reached': {
    v: 1,
    type: 'quorum.reached',
    question: 1,
    answered: ['critic'],
    stopped: ['analyst'],
    quorum: 1,
    of: 2,
  },
  'ballot.cast': {
    v: 1,
    type: 'ballot.cast',
    question: 1,
    seat: 'critic',
    model: 'test/m',
    position: 'p',
    option: 'wait',
    confidence: 0.5,
    step: 'seat/critic',
  },
  'agreement.mapped': {
    v: 1,
    type: 'agreement.mapped',
    question: 1,
    version: 1,
    model: 'test/m',
    options: [{ option: 'wait', seats: ['critic'] }],
    points: [{ text: 'p', cells: [{ seat: 'critic', side: 'for', quote: 'q' }] }],
    dropped: [{ point: 'p', seat: 'analyst', side: 'against', quote: 'made up' }],
    step: 'agreement/1',
    rehearsal: true,
  },
  'influence.weighed': {
    v: 1,
    type: 'influence.weighed',
    question: 1,
    base: 1,
    without: null,
    version: 2,
    change: 'detail',
    how: 'h',
    step: 'influence/1/nobody',
    rehearsal: false,
  },
  'baseline.completed': {
    v: 1,
    type: 'baseline.completed',
    question: 1,
    kind: 'vote',
    model: 'test/m',
    samples: 5,
    text: 't',
    groups: [{ option: 'wait', samples: 3 }],
    tokens: 10,
    costUsd: 0.1,
    panelTokens: 20,
    panelCostUsd: 0.2,
    rehearsal: false,
  },
  'signals.read': {
    v: 1,
    type: 'signals.read',
    round: 3,
    satisfied: 2,
    recommendation: 'continue',
    why: 'w',
    alarm: 'falling',
    signals: [
      {
        id: 1,
        name: 'refutation-rate',
        state: 'uninformative',
        value: null,
        threshold: 2,
        why: 'w',
      },
    ],
  },
  'failure-mode.answered': {
    v: 1,
    type: 'failure-mode.answered',
    round: 3,
    id: 'FM-1',
    response: 'r',
  },
  'failure-mode.suspected': {
    v: 1,
    type: 'failure-mode.suspected',
    round: 3,
    id: 'FM-1',
    name: 'sycophancy-cascade',
    why: 'w',
    response: 'r',
  },
};

const envelope = { run: 'r', seq: 1, at: '2026-01-01T00:00:00.000Z' };
describe('facts in a journal', () => {
  it('have types of which each has one owner and an example in the test data', () => {
    const types = ALL_FACTS.schemas.map(({ shape }) => shape.type.value);
    expect(new Set(types).size, 'no two owners share a kind').toBe(types.length);
    expect(types.sort()).toEqual(Object.keys(EXAMPLES).sort());
  });

  it.each(Object.values(EXAMPLES))(
    'of type $type are the same after storing and reading',
    (body) => {
      const journal = temporaryStore().create('test');
      const [written] = journal.note([body]);
      const { run, seq, at, ...read } = journal.facts()[0] ?? envelope;
      expect(read).toStrictEqual(body);
      expect(written).toStrictEqual({ run, seq, at, ...read });
      expect(parseFact(JSON.parse(JSON.stringify(written)))).toStrictEqual(written);
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
  );

  it('are the same after storing and reading, even without optional fields', () => {
    const { costUsd: _cost, firstTokenMs: _first, ...bare } = call;
    const journal = temporaryStore().create('test');
    journal.note([
      fact('call.completed', { ...bare }),
      fact('call.completed', { ...bare, value: undefined }),
      fact('run.ended', { status: 'done' }),
    ]);
    expect(journal.facts()).toMatchObject([bare, bare, { status: 'done' }]);
  });

  it('with any text are the same after storing and reading', () => {
    const journal = temporaryStore().create('test');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.jsonValue(), (text, value) => {
        const [written] = journal.note([fact('call.completed', { ...call, text, value })]);
        const [read] = journal.facts((written?.seq ?? 0) - 1);
        expect(read).toMatchObject({ text });
        expect(read).toEqual(JSON.parse(JSON.stringify(written)));
      }),
      { numRuns: 100 },
    );
  });

  it('are rejected if their type is unknown or a field is missing', () => {
    const ended = { ...envelope, v: 1, type: 'run.ended', status: 'done' };
    expect(parseFact(ended)).toEqual(ended);
    expect(() => parseFact({ ...ended, type: 'run.exploded' })).toThrow();
    expect(() => parseFact({ ...ended, v: 2 })).toThrow();
    expect(() => parseFact({ ...ended, status: 'fine' })).toThrow();
    expect(() => parseFact({ ...ended, seq: undefined })).toThrow();
    expect(() => parseFact('run.ended')).toThrow();
  });

  it('are refused if no protocol defines their type', () => {
    const journal = temporaryStore().create('test');
    const foreign = { v: 1, type: 'run.exploded' } as unknown as FactOf<'run.ended'>;
    expect(() => journal.note([EXAMPLES['run.ended'], foreign])).toThrow();
    expect(journal.facts()).toEqual([]);
  });

  it('of a user’s own protocol get their run and position from the journal, whatever they state themselves', () => {
    const journal = temporaryStore().create('red-team');
    const own = {
      v: 2,
      type: 'red-team/objection.raised',
      step: 'objection/1',
      text: 'It breaks.',
    };
    const written = { run: 'another', seq: 99, at: 'then' };
    const [noted] = journal.note([{ ...own, ...written }]);
    expect(noted).toMatchObject({ ...own, run: journal.run, seq: 1 });
    expect(journal.facts()).toEqual([noted]);
  });

  it('of older versions are upgraded version by version', () => {
    const reader = readFacts(
      defineVocabulary(KERNEL_FACTS, {
        'run.ended@-1': ({ how, ...body }) => ({ ...body, v: 0, outcome: how }),
        'run.ended@0': ({ outcome, ...body }) => ({
          ...body,
          v: 1,
          status: outcome === 'ok' ? 'done' : 'failed',
        }),
      }),
    );
    const now = { ...envelope, v: 1, type: 'run.ended', status: 'done' };
    expect(reader.read({ ...envelope, v: 0, type: 'run.ended', outcome: 'ok' })).toEqual(now);
    expect(reader.read({ ...envelope, v: -1, type: 'run.ended', how: 'ok' })).toEqual(now);
    expect(reader.read(now)).toEqual(now);

    const store = Store.open(join(temporaryFolder(), 'old.db'), reader);
    onTestFinished(() => store.close());
    const journal = store.create('test');
    journal.note([fact('run.ended', { status: 'failed' })]);
    const db = new Database(store.file);
    onTestFinished(() => void db.close());
    const old = JSON.stringify({ v: 0, type: 'run.ended', outcome: 'ok' });
    db.prepare('UPDATE fact SET body = ?').run(old);
    expect(journal.facts()).toMatchObject([{ v: 1, type: 'run.ended', status: 'done', seq: 1 }]);
    expect(db.prepare('SELECT body FROM fact').pluck().get(), 'the log stays as it was').toBe(old);
  });
});
