/**
 * The facts of a team's run with all kinds of trouble in three workstreams: a refused commit, deleted
 * tests, a retry with a corrected brief, an escalation to T2, an amendment, verifiers who disagree, a
 * failing probe, and an acceptance that code refuses.
 */
import type { Seat } from '../../src/kernel/model.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { type TeamConfig, TIER_LEVELS } from '../../src/protocols/team/config.ts';
import { type FactBody, type FactOf, fact } from '../../src/protocols/team/facts.ts';
import { FakeRun, makeFakeSeat } from '../console/fake-run.ts';
import { BOUNDARIES, PLAN, PROPOSALS, SURVEY, TASKS } from './plan-of-a-run.ts';

/** The goal of the made-up team run whose facts are in `STAGES`. */
export const GOAL =
  'Add --json to the list command, with dates in UTC\n\nOur scripts read the list, and break at every change of its columns.';

/** The seats of the made-up team run whose facts are in `STAGES`. */
export const SEATS: readonly Seat[] = [
  makeFakeSeat('t1', 'Visionary', 'anthropic/claude-opus-5'),
  makeFakeSeat('t2-lead', 'Lead architect', 'anthropic/claude-opus-5'),
  makeFakeSeat('t2', 'Architect', 'anthropic/claude-sonnet-5-5'),
  makeFakeSeat('t3', 'Squad lead', 'anthropic/claude-sonnet-5-5'),
  makeFakeSeat('t4', 'Implementer', 'ollama/qwen3:8b'),
  makeFakeSeat('t5-1', 'Verifier 1', 'anthropic/claude-sonnet-5-5'),
  makeFakeSeat('t5-2', 'Verifier 2', 'anthropic/claude-haiku-4-5'),
];

/** The settings of the made-up team run whose facts are in `STAGES`. */
export const CONFIG: TeamConfig = {
  look: [{ name: 'repo', path: '/repo' }],
  workshop: { root: 'repo' },
  levels: {
    'fast-cheap': 'ollama/qwen3:8b',
    capable: 'anthropic/claude-sonnet-5-5',
    'reasoning-heavy': 'anthropic/claude-opus-5',
  },
  tiers: Object.fromEntries(Object.entries(TIER_LEVELS).map(([id, level]) => [id, { level }])),
  specialists: [],
  runtime: { kind: 'standard' },
  turns: 24,
  parallel: 4,
  verifiers: 2,
  deliver: 'branch',
  provide: ['node_modules'],
  seed: 7,
};

const BASE = '4f1c2d9a00000000000000000000000000000000';
/** Returns a commit id that begins with the given digits. */
const makeHash = (digits: string): string => digits.padEnd(40, '0');

type Ran = FactOf<'check.ran'>;

function makeCheckRun(kind: Ran['kind'], more: Partial<Ran>): FactBody {
  const exit = more.exit ?? 0;
  const [passed, failed] = exit === 0 ? [41, 0] : [39, 2];
  return fact('check.ran', {
    check: 'test',
    argv: ['npm', 'test'],
    kind,
    on: BASE,
    exit,
    ms: 4_200,
    sandbox: 'bwrap',
    output: `# pass ${passed}\n# fail ${failed}\n`,
    bytes: 18,
    counts: {
      passed,
      failed,
      skipped: 1,
      failing: failed === 0 ? [] : ['list prints its columns'],
    },
    ...more,
  });
}

const TOKENS = { input: 6_000, output: 700, cached: 0, cacheWritten: 0, thinking: 0 };

/** Returns the facts of a call from its beginning to its end. */
function makeCall(step: string, seat: string, task: string, costUsd = 0.02): FactBody[] {
  const model = SEATS.find(({ id }) => id === seat)?.model ?? 'test/m';
  const call = { step, attempt: `${step}#1` };
  return [
    fact('step.started', { ...call, kind: 'call', task: `team/${task}`, seat, model }),
    fact('call.completed', {
      ...call,
      seat,
      role: seat,
      model,
      text: '{}',
      thinking: '',
      usage: TOKENS,
      costUsd,
      value: {},
      latencyMs: 1_400,
      attempts: 1,
      notes: [],
      rehearsal: false,
    }),
    fact('step.completed', call),
  ];
}

function makeStart(
  task: string,
  attempt: number,
  more: Partial<FactOf<'task.started'>> = {},
): FactBody[] {
  const files = TASKS.find(({ id }) => id === task)?.files ?? [];
  return [
    fact('task.started', {
      task,
      attempt,
      level: 'fast-cheap',
      effort: 'low',
      model: 'ollama/qwen3:8b',
      base: BASE,
      files,
      ...more,
    }),
  ];
}

function makeReport(
  task: string,
  attempt: number,
  more: Partial<NonNullable<FactOf<'task.reported'>['result']>> = {},
): FactBody[] {
  const did = [
    { path: 'src/list.ts', what: 'Writes the rows as one array where --json is given.' },
  ];
  const result = {
    status: 'done' as const,
    did,
    covers_done: ['R1'],
    left: [],
    needs: [],
    ...more,
  };
  return [
    ...makeCall(`task/${task}/attempt-${attempt}/turn-1`, 't4', 'work', 0.001),
    ...makeCall(`task/${task}/attempt-${attempt}/turn-2`, 't4', 'work', 0.001),
    fact('task.reported', { task, attempt, result, tree: makeHash(`7ee${attempt}`), turns: 9 }),
  ];
}

function makeCommit(task: string, attempt: number, commit: string, green = true): FactBody[] {
  const files = TASKS.find(({ id }) => id === task)?.files ?? [];
  const of = { task, attempt, on: makeHash(commit) };
  const lines = files.map((path, index) => ({ path, added: 12 + index, removed: index * 3 }));
  return [
    fact('commit.made', {
      for: 'task',
      task,
      attempt,
      tree: makeHash(`7ee${attempt}`),
      commit: makeHash(commit),
      files,
      lines,
      refused: [],
    }),
    makeCheckRun('commit', { ...of, ...(green ? {} : { exit: 1 }) }),
    makeCheckRun('old-tests', { ...of, ...(green ? {} : { exit: 1 }) }),
    fact('task.judged', {
      task,
      attempt,
      commit: makeHash(commit),
      green,
      why: green ? [] : ['2 tests fewer passed than on the base', "the base's tests are red"],
    }),
  ];
}

function makeEnd(task: string, commit: string): FactBody {
  return fact('task.ended', { task, state: 'done', commit: makeHash(commit) });
}

const STARTED = fact('run.started', {
  protocol: 'team',
  question: GOAL,
  seats: [...SEATS],
  config: { ...CONFIG },
  request: { kind: 'convene' },
});

const LINT = { check: 'lint', argv: ['npx', 'eslint', 'src'], counts: undefined };
const SURVEYED: readonly FactBody[] = [
  fact('team.surveyed', { survey: SURVEY }),
  ...[1, 2].flatMap(() => [
    makeCheckRun('base', {}),
    makeCheckRun('base', { ...LINT, exit: 1, output: 'src/old.ts: 3' }),
  ]),
];

const PLANNED: readonly FactBody[] = [
  ...makeCall('plan/turn-1', 't1', 'plan', 0.11),
  fact('team.planned', {
    plan: { ...PLAN, workstreams: PLAN.workstreams.filter(({ id }) => id !== 'readme') },
    by: 't1',
    found: [],
    refused: ['Nothing covers R4.'],
  }),
  ...makeCall('critique', 't1', 'critique', 0.09),
  fact('team.planned', {
    plan: PLAN,
    by: 'critique',
    found: [
      { what: 'Nobody writes the flag into the README.', change: 'Added the workstream readme.' },
    ],
    refused: [],
  }),
];

/** The fact that the person is asked whether to approve the plan. */
export const PLAN_GATE_OPENED = fact('gate.opened', {
  step: 'approve/1',
  prompt: 'Go on with this plan? Approving a check approves running what the team writes.',
  options: [
    { value: 'approve', label: 'Approve the plan and its checks' },
    { value: 'amend', label: 'Change it, in your words', words: 'What is to change?' },
    { value: 'reject', label: 'Stop here' },
  ],
  default: 'approve',
});

const APPROVED: readonly FactBody[] = [
  fact('gate.answered', { step: 'approve/1', answer: 'approve', by: 'person' }),
  fact('team.approved', {
    by: 'person',
    checks: [
      { id: 'test', digest: 'aa' },
      { id: 'lint', digest: 'bb' },
    ],
    provide: ['node_modules'],
  }),
];

const DESIGNED: readonly FactBody[] = [
  ...makeCall('design/boundaries', 't2-lead', 'boundaries', 0.06),
  ...makeCall('design/propose/store', 't2', 'propose', 0.03),
  ...makeCall('design/propose/cli', 't2', 'propose', 0.03),
  fact('team.designed', {
    boundaries: BOUNDARIES,
    proposals: PROPOSALS,
    contradictions: [
      {
        id: 'X1',
        a: 'store',
        quoteA: 'rows(): Row[]',
        b: 'cli',
        quoteB: 'rows(): string[][]',
        why: 'They differ in what rows gives.',
        by: 'code',
        settled: 'Rows carry names.',
      },
    ],
    cycles: 1,
    architecture: {
      summary:
        'The store gives rows with names; the command line alone knows how they are written.',
      interfaces: PROPOSALS[0]?.interfaces ?? [],
      decisions: [
        {
          id: 'D1',
          text: 'Rows carry names and dates in UTC.',
          covers: ['R1', 'R2'],
          from: [{ domain: 'store', quote: 'rows(): Row[]' }],
        },
      ],
      settled: [{ contradiction: 'X1', how: 'Rows carry names.' }],
      open: ['Whether times below a second are kept.'],
    },
    fit: { fits: true, uncovered: [], against: [] },
    refused: [],
  }),
  ...makeCall('graph/records', 't3', 'graph'),
  ...makeCall('graph/output', 't3', 'graph'),
  fact('team.graphed', {
    tasks: TASKS,
    ordered: [{ before: 'json-flag', after: 'utc-dates', file: 'src/list.ts' }],
    refused: [],
  }),
  ...makeCall('tests/output', 't5-1', 'tests'),
  ...[1, 2, 3].map(() => makeCheckRun('red-before', { exit: 1, workstream: 'output' })),
  fact('tests.written', {
    workstream: 'output',
    commit: makeHash('b11d'),
    files: ['test/list-json.test.js'],
    tests: [
      {
        requirement: 'R1',
        path: 'test/list-json.test.js',
        shows: 'One array comes out.',
        state: 'red',
      },
      {
        requirement: 'R2',
        path: 'test/list-json.test.js',
        shows: 'A late date is kept.',
        state: 'red',
      },
      {
        requirement: 'R3',
        path: 'test/list-json.test.js',
        shows: 'Columns stay.',
        state: 'vacuous',
      },
    ],
    untestable: [],
  }),
];

/** Work up to the second attempt at `json-flag`. The first attempt deleted tests, so T3 changed the brief. */
const WORKED: readonly FactBody[] = [
  ...makeStart('row-fields', 1),
  ...makeStart('readme-flag', 1),
  ...makeReport('readme-flag', 1, { covers_done: ['R4'] }),
  ...makeCommit('readme-flag', 1, 'd0c1'),
  makeEnd('readme-flag', 'd0c1'),
  ...makeReport('row-fields', 1),
  ...makeCommit('row-fields', 1, 'a0a1'),
  makeEnd('row-fields', 'a0a1'),
  ...makeStart('json-flag', 1),
  makeCheckRun('asked', { task: 'json-flag', attempt: 1, on: makeHash('7ee1') }),
  fact('need.refused', {
    task: 'json-flag',
    attempt: 1,
    kind: 'dependency',
    what: 'json-stringify-safe',
    why: 'package.json is guarded',
  }),
  ...makeReport('json-flag', 1),
  fact('commit.made', {
    for: 'task',
    task: 'json-flag',
    attempt: 1,
    tree: makeHash('7ee1'),
    files: ['src/list.ts'],
    refused: [{ path: 'package.json', why: 'guarded' }],
  }),
  ...makeCommit('json-flag', 1, 'c0a1', false),
  ...makeCall('task/json-flag/correct-2', 't3', 'correct'),
  fact('task.retried', {
    task: 'json-flag',
    attempt: 2,
    by: 'T3',
    why: 'Two tests of the columns are gone.',
    brief: 'Keep every test of test/list.test.js; the columns must not change without --json.',
  }),
  ...makeStart('json-flag', 2, { effort: 'medium' }),
  fact('plan.amended', {
    by: 'code',
    kind: 'file',
    what: 'src/format.ts',
    why: 'Dates are written there.',
    task: 'json-flag',
    files: ['src/format.ts'],
  }),
];

const STUCK: readonly FactBody[] = [
  ...makeReport('json-flag', 2, {
    status: 'blocked',
    left: ['Dates: the brief wants both local time and UTC.'],
    needs: [{ kind: 'decision', what: 'local time or UTC', why: 'The brief names both.' }],
  }),
  fact('team.escalated', {
    from: 'T4',
    to: 'T3',
    workstream: 'output',
    task: 'json-flag',
    cause: 'brief',
    why: 'The brief names both local time and UTC.',
  }),
  fact('team.escalated', {
    from: 'T3',
    to: 'T2',
    workstream: 'output',
    task: 'json-flag',
    cause: 'brief',
    why: 'The architecture keeps dates in the store.',
  }),
  ...makeCall('task/json-flag/correct-3', 't2-lead', 'correct', 0.05),
  fact('plan.amended', {
    by: 'T2',
    kind: 'brief',
    what: 'Dates are left to utc-dates.',
    task: 'json-flag',
    files: [],
    why: 'One task, one concern.',
  }),
  fact('task.retried', {
    task: 'json-flag',
    attempt: 3,
    by: 'T2',
    why: 'The brief was wrong about dates.',
    brief: 'Write the array; dates are not your concern.',
  }),
];

const MENDED: readonly FactBody[] = [
  ...makeStart('json-flag', 3, {
    level: 'capable',
    effort: 'high',
    model: 'anthropic/claude-sonnet-5-5',
  }),
  ...makeReport('json-flag', 3),
  ...makeCommit('json-flag', 3, 'c0a3'),
  makeEnd('json-flag', 'c0a3'),
  ...makeStart('utc-dates', 1),
  ...makeReport('utc-dates', 1, { covers_done: ['R2'] }),
  ...makeCommit('utc-dates', 1, 'e0a1'),
  makeEnd('utc-dates', 'e0a1'),
  makeJoin(1, 'f0a1'),
  makeCheckRun('joined', { workstream: 'output', on: makeHash('f0a1') }),
];

function makeJoin(round: number, commit: string): FactBody {
  return fact('team.joined', {
    of: 'all',
    round,
    commits: [makeHash('a0a1'), makeHash('c0a3'), makeHash(`e0a${round}`), makeHash('d0c1')],
    commit: makeHash(commit),
    conflicts: [],
  });
}

type Given = FactOf<'verdict.given'>;

function makeVerdict(
  seat: string,
  round: number,
  met: Given['items'][number]['met'],
  more: Partial<Given>,
) {
  const found = {
    path: 'src/format.ts',
    quote: 'getHours()',
    why: 'It is local time.',
    found: true,
  };
  return fact('verdict.given', {
    workstream: 'output',
    round,
    commit: makeHash(`f0a${round}`),
    seat,
    cause: 'none',
    verdict: met === 'yes' ? 'pass' : 'fail',
    items: [
      {
        requirement: 'R1',
        met: 'yes',
        path: 'src/list.ts',
        quote: 'JSON.stringify(rows)',
        why: 'One array is written.',
        found: true,
      },
      { requirement: 'R2', met, ...found },
    ],
    defects: [],
    ...more,
  });
}

const PROBE = {
  path: 'test/probe.test.js',
  text: "test('a date at midnight', () => {});",
  shows: 'A date just after midnight keeps its day.',
};

const MET_1 = {
  id: 'R1',
  state: 'met' as const,
  evidence: ['test/list-json.test.js was red on the base and is green'],
};
const MET_3 = { id: 'R3', state: 'met' as const, evidence: ['check test, as committed'] };

const DISPUTED: readonly FactBody[] = [
  fact('verdict.joined', {
    workstream: 'records',
    round: 1,
    commit: makeHash('f0a1'),
    verdict: 'pass',
    cause: 'none',
    requirements: [],
    failing: [],
  }),
  ...makeCall('verify/output/round-1/t5-1', 't5-1', 'verify'),
  makeVerdict('t5-1', 1, 'yes', {}),
  ...makeCall('verify/output/round-1/t5-2', 't5-2', 'verify', 0.01),
  makeVerdict('t5-2', 1, 'no', {
    defects: [
      {
        task: 'utc-dates',
        path: 'src/format.ts',
        quote: 'getHours()',
        why: 'Local hours in a date that is to be UTC.',
        found: true,
      },
    ],
    cause: 'work',
    probe: { ...PROBE, state: 'failed' },
  }),
  makeCheckRun('probe', {
    exit: 1,
    workstream: 'output',
    on: makeHash('f0a1'),
    output: 'not ok 1 - a date at midnight',
  }),
];

const AGAIN: readonly FactBody[] = [
  ...makeCall('verify/output/round-1/again/t5-1', 't5-1', 'look-again'),
  makeVerdict('t5-1', 1, 'no', {
    again: true,
    items: [
      {
        requirement: 'R2',
        met: 'no',
        path: 'src/format.ts',
        quote: 'getHours()',
        why: 'The other verifier is right.',
        found: true,
      },
    ],
  }),
  fact('verdict.joined', {
    workstream: 'output',
    round: 1,
    commit: makeHash('f0a1'),
    verdict: 'fail',
    cause: 'work',
    requirements: [
      MET_1,
      {
        id: 'R2',
        state: 'unmet',
        evidence: ['src/format.ts: getHours()', 'the probe test/probe.test.js is red'],
      },
      MET_3,
    ],
    failing: [{ task: 'utc-dates', why: 'Local hours in a date that is to be UTC.' }],
  }),
  fact('task.retried', { task: 'utc-dates', attempt: 2, by: 'T3', why: 'Dates are local.' }),
  ...makeStart('utc-dates', 2),
  ...makeReport('utc-dates', 2, { covers_done: ['R2'] }),
  ...makeCommit('utc-dates', 2, 'e0a2'),
  makeEnd('utc-dates', 'e0a2'),
  makeJoin(2, 'f0a2'),
  makeCheckRun('joined', { workstream: 'output', on: makeHash('f0a2') }),
  makeVerdict('t5-1', 2, 'yes', {}),
  makeVerdict('t5-2', 2, 'yes', { probe: { ...PROBE, state: 'passed' } }),
  fact('verdict.joined', {
    workstream: 'output',
    round: 2,
    commit: makeHash('f0a2'),
    verdict: 'pass',
    cause: 'none',
    requirements: [
      MET_1,
      { id: 'R2', state: 'met', evidence: ['the probe test/probe.test.js passes'] },
      MET_3,
    ],
    failing: [],
  }),
];

const makeAcceptance = (met: 'yes' | 'no') => ({
  decision: 'accept' as const,
  requirements: ['R1', 'R2', 'R3', 'R4'].map((id) => ({ id, met, evidence: [] })),
  beyond_goal: [{ path: 'src/format.ts', what: 'A helper for weekdays, which nobody asked for.' }],
  reject: null,
});

const REFUSED: readonly FactBody[] = [
  ...makeCall('accept/round-1', 't1', 'accept', 0.08),
  fact('team.accepted', {
    commit: makeHash('f0a2'),
    acceptance: makeAcceptance('yes'),
    refused: ['R4 is unproved, and it says that it is met.'],
  }),
];

const ACCEPTED: readonly FactBody[] = [
  fact('verdict.joined', {
    workstream: 'readme',
    round: 2,
    commit: makeHash('f0a2'),
    verdict: 'pass',
    cause: 'none',
    requirements: [{ id: 'R4', state: 'met', evidence: ['README.md: list --json'] }],
    failing: [],
  }),
  ...makeCall('accept/round-2', 't1', 'accept', 0.08),
  fact('team.accepted', {
    commit: makeHash('f0a2'),
    acceptance: makeAcceptance('yes'),
    refused: [],
  }),
  fact('team.delivered', {
    how: 'branch',
    commit: makeHash('f0a2'),
    branch: 'deliberate-0195c3e0-7d1a',
  }),
  fact('synthesis.completed', {
    version: 1,
    model: 'code',
    text: '# Done\n\nlist --json prints one array.',
    note: undefined,
    included: ['t1', 't4'],
    excluded: [],
    labels: {},
    missing: [],
    rehearsal: false,
  }),
  fact('run.ended', { status: 'done' }),
];

const TO_PLANNED = [STARTED, ...SURVEYED, ...PLANNED];
const TO_DESIGNED = [...TO_PLANNED, PLAN_GATE_OPENED, ...APPROVED, ...DESIGNED];
const TO_WORKING = [...TO_DESIGNED, ...WORKED];
const TO_DISPUTED = [...TO_WORKING, ...STUCK, ...MENDED, ...DISPUTED];
const TO_REFUSED = [...TO_DISPUTED, ...AGAIN, ...REFUSED];

/** The facts of a made-up team run, from its beginning up to each stage that a member is named after. */
export const STAGES = {
  started: [STARTED],
  planned: TO_PLANNED,
  /** The person is asked to approve the plan, and has not answered yet. */
  asked: [...TO_PLANNED, PLAN_GATE_OPENED],
  designed: TO_DESIGNED,
  /** A task is in its second attempt. */
  working: TO_WORKING,
  /** Two verifiers disagree. */
  disputed: TO_DISPUTED,
  /** Code refuses an acceptance, because a requirement is unproved. */
  refused: TO_REFUSED,
  done: [...TO_REFUSED, ...ACCEPTED],
} as const satisfies Record<string, readonly FactBody[]>;

/**
 * Returns a run's facts as its journal would have them: numbered from 1, each a second after the one before.
 */
export function factsOf(bodies: readonly FactBody[]): AnyFact[] {
  return [...makeTeamRun(bodies).facts] as AnyFact[];
}

/** A run of a team without a journal, which a console can follow. A test adds facts to it. */
export class FakeTeam extends FakeRun {
  /** Adds facts to the run, each a second after the one before, and sends them to the console. */
  record(...bodies: readonly FactBody[]): this {
    for (const body of bodies) {
      this.wait(1_000);
      const at = new Date(this.time).toISOString();
      const made = { run: this.id, seq: this.facts.length + 1, at, ...body };
      this.facts.push(made as never);
      this.bus.facts([made]);
    }
    return this;
  }

  /** Adds the fact that a call has begun, without its end. */
  beginCall(step: string, seat: string, task: string): this {
    const model = SEATS.find(({ id }) => id === seat)?.model ?? 'test/m';
    const call = { step, attempt: `${step}#1`, kind: 'call' as const };
    return this.tell('step.started', { ...call, task: `team/${task}`, seat, model });
  }
}

/** Returns a run without a journal that has the given facts, and that a console can follow. */
export function makeTeamRun(bodies: readonly FactBody[]): FakeTeam {
  return new FakeTeam().record(...bodies);
}
