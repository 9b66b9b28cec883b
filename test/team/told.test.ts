/** Tests what the log, the export and the commands say about a team's run. */
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyBody, AnyFact } from '../../src/kernel/vocabulary.ts';
import {
  configSchema,
  SEATS,
  type TeamConfig,
  TIER_LEVELS,
} from '../../src/protocols/team/config.ts';
import { describeTeam, exportedTeam } from '../../src/protocols/team/exported.ts';
import { fact } from '../../src/protocols/team/facts.ts';
import { findUnsoundSetting, forkOf, requestOf } from '../../src/protocols/team/past.ts';
import { formatTeamFact } from '../../src/protocols/team/view/says.ts';
import { TEAM_EXAMPLES } from '../kernel/team-examples.ts';
import { RUN_STARTED, STAGES } from './facts.ts';

const logOf = (bodies: readonly AnyBody[]): AnyFact[] =>
  bodies.map((body, at) => ({ run: 'r', seq: at + 1, at: '2026-01-01T00:00:00.000Z', ...body }));

describe('The log of a team run', () => {
  it('says that a program has approved the plan in the person’s place', () => {
    const approved = fact('team.approved', { by: 'program', checks: [], provide: [] });
    expect(logOf([approved]).map(formatTeamFact)).toEqual(['approved by a program: no check']);
  });

  it('has one line for each fact', () => {
    const lines = logOf(Object.values(TEAM_EXAMPLES)).map((fact) => [
      fact.type,
      formatTeamFact(fact),
    ]);
    expect(lines.map(([type, line]) => `${type}: ${line}`)).toMatchInlineSnapshot(`
      [
        "team.surveyed: main at b0: 1 file, 1 likely check; not seen: 1 uncommitted, 1 untracked",
        "check.ran: list-json, attempt 1, unit (as committed): out of time, 1 passed, 2 failed, 3 skipped, flaky",
        "team.planned: plan after critique: refused, No workstream covers R2.",
        "team.approved: approved: unit; provided: node_modules",
        "team.designed: 1 domain, 1 interface, 1 decision; 1 contradiction in 1 cycle; refused: No decision covers R2.",
        "team.graphed: 1 task: list-json; 1 pair ordered by a file; refused: There are two tasks a. Ids are of the whole run.",
        "tests.written: list: the call failed",
        "task.started: list-json, attempt 1: test/m (fast-cheap, effort medium)",
        "task.reported: list-json, attempt 1: partial after 4 turns",
        "commit.made: list-json: 1 file committed as c1",
        "task.judged: list-json, attempt 1: red, unit: exit 1: lists",
        "task.retried: list-json: attempt 2 by T3 (the one before does not count), with another brief: unit is red",
        "task.split: list-json: split by T2, first list-json: it is too much for one",
        "task.ended: list-json: done, c1, unit is green",
        "team.escalated: list-json: T3 to T2 (brief): it says two things",
        "plan.amended: list-json: file by code, src/help.js: it lists flags",
        "need.refused: list-json: file src/rows.js refused: task rows holds it",
        "team.joined: list, round 1: 1 commit joined as j1",
        "verdict.given: list, round 1, t5-1 looks again: no turn was left; 1 unclear, 1 defect, probe failed",
        "test.locked: test/probe.test.js of t5-1 for R1, round 1: locked, red",
        "test.dropped: test/probe.test.js for R1: dropped by t5-1 (nobody asked for locks)",
        "verdict.joined: list, round 1: fail; 1 unproved; it drops a row",
        "team.accepted: reject to T4: It drops a row.; refused: R1 is left out.",
        "team.delivered: pull request deliberate-1a2b3c4d j1, https://example.org/pull/1: main has moved",
      ]
    `);
    for (const fact of logOf([...STAGES.done]).slice(1)) {
      expect(formatTeamFact(fact), fact.type).toMatch(/^[^\n]+$/);
      expect(formatTeamFact(fact)).not.toMatch(/undefined|null|NaN|\[object/);
    }
    expect(
      formatTeamFact({ ...logOf([RUN_STARTED])[0], type: 'constructor' } as AnyFact),
    ).toBeUndefined();
  });
});

describe('The exported form of a team run', () => {
  it.each(Object.keys(STAGES) as (keyof typeof STAGES)[])(
    'fits its schema at the stage: %s',
    (stage) => {
      const exported = exportedTeam(logOf([...STAGES[stage]]));
      expect(describeTeam().parse(JSON.parse(JSON.stringify(exported)))).toEqual(exported);
    },
  );

  it('contains requirements with their evidence and tasks with their attempts', () => {
    expect(exportedTeam(logOf([...STAGES.done]))).toMatchObject({
      base: 'b0',
      requirements: [
        { id: 'R1', state: 'met', evidence: ['its test was red on the base and passes now'] },
        { id: 'R2', state: 'met' },
      ],
      tasks: [
        {
          id: 'render',
          state: 'done',
          commit: 'c2',
          files: ['src/render.js', 'src/rows.js'],
          attempts: [
            { attempt: 1, green: false, why: ['unit: exit 1: lists'] },
            { attempt: 2, green: true, why: [] },
          ],
        },
        { id: 'flag', state: 'done', attempts: [{ attempt: 1 }, { attempt: 2, green: true }] },
        { id: 'manual', state: 'dropped', why: 'there is no manual', attempts: [] },
      ],
      amendments: [{ by: 'code', task: 'render', files: ['src/rows.js', 'src/render.js'] }],
      escalations: [{ from: 'T3', to: 'T1', task: 'flag', cause: 'brief' }],
      delivered: { how: 'branch', branch: 'deliberate-1a2b3c4d' },
    });
    expect(exportedTeam(logOf([RUN_STARTED]))).toBeUndefined();
  });
});

const config: TeamConfig = {
  look: [{ name: 'repo', path: '.' }],
  workshop: { root: 'repo' },
  levels: { 'fast-cheap': 'test/a', capable: 'test/b', 'reasoning-heavy': 'test/c' },
  tiers: Object.fromEntries(Object.entries(TIER_LEVELS).map(([id, level]) => [id, { level }])),
  specialists: [],
  runtime: { kind: 'standard' },
  turns: 24,
  parallel: 4,
  verifiers: 2,
  deliver: 'branch',
  provide: [],
  seed: 1,
};
const seats = SEATS.map((id) => ({ id, role: id, title: id, model: 'test/m', brief: '' }));

describe('A run of a team', () => {
  const makePast = (...more: readonly AnyBody[]) => {
    const facts = logOf([fact('run.started', { ...body, seats, config }), ...more]);
    return { facts, view: viewOf(facts) };
  };
  const {
    v: _v,
    type: _type,
    ...body
  } = RUN_STARTED as Extract<typeof RUN_STARTED, { type: 'run.started' }>;
  const makeEnd = (status: 'done' | 'stopped') => fact('run.ended', { status });

  it('can be resumed if it was stopped or interrupted, but not after it is done', () => {
    expect(requestOf(makePast(makeEnd('stopped')), { kind: 'resume' })).toEqual({
      kind: 'convene',
    });
    expect(requestOf(makePast(), { kind: 'resume' })).toEqual({ kind: 'convene' });
    expect(() => requestOf(makePast(makeEnd('done')), { kind: 'resume' })).toThrow('is done');
    expect(() => requestOf(makePast(makeEnd('done')), { kind: 'resynthesize' })).toThrow(
      'no synthesis',
    );
    expect(() => requestOf(makePast(), { kind: 'ask', question: 'Why?' })).toThrow('not a board');
  });

  it('can be forked from a step on', () => {
    const { config: forked } = forkOf(makePast(), 'task/list/attempt-1/turn-2', [
      { kind: 'seat', seat: 't4', value: 'test/z' },
    ]);
    expect(configSchema.parse(forked).changes).toEqual([
      { from: 'task/list/attempt-1', seat: 't4', model: 'test/z' },
    ]);
    const wish = { kind: 'seat', seat: 'constructor', value: 'test/z' } as const;
    expect(() => forkOf(makePast(), 'plan', [wish])).toThrow('no such seat');
    expect(() => forkOf(makePast(), 'plan', [{ kind: 'verifier', value: 'test/z' }])).toThrow(
      'a team has no verifier',
    );
  });
});

describe('Settings of an imported run', () => {
  const findUnsound = (change: Partial<TeamConfig>, of = seats) =>
    findUnsoundSetting(of, { ...config, ...change })?.message;
  const { t4: _t4, ...tiers } = config.tiers;
  const odd: TeamConfig['tiers'] = Object.fromEntries([['toString', { level: 'capable' }]]);

  it('are refused if they name missing seats, levels or folders', () => {
    expect(findUnsound({})).toBeUndefined();
    expect(findUnsound({}, seats.slice(1))).toBe('there is no seat "t1"');
    expect(findUnsound({ tiers })).toBe('the seat "t4" has no level');
    expect(findUnsound({ tiers: { ...config.tiers, ...odd } })).toBe('there is no seat "toString"');
    expect(
      findUnsound({ levels: { capable: 'test/b', 'reasoning-heavy': 'test/c' } as never }),
    ).toBe('no model is set for the level "fast-cheap"');
    expect(findUnsound({ changes: [{ from: 'plan', seat: 'valueOf', model: 'test/z' }] })).toBe(
      'there is no seat "valueOf"',
    );
    expect(findUnsound({ workshop: { root: 'other' } })).toBe(
      'there is no folder "other" among those of the run',
    );
  });
});
