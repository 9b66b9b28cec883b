/**
 * The facts of a team's short run, stage by stage: a refused plan, a retry with another brief, a granted
 * file, an escalation, a disputed requirement, and a second plan.
 */
import { type FactBody, fact } from '../../src/protocols/team/facts.ts';
import type { Task } from '../../src/protocols/team/forms/plan.ts';
import {
  makePassingRun,
  makeRetryFact,
  makeTaskStarted,
  makeValidPlan,
  makeValidTask,
  makeValidWorkstream,
  SURVEY,
} from './rules/values.ts';

/** The first fact of the made-up team run whose facts are in `STAGES`. */
export const RUN_STARTED: FactBody = fact('run.started', {
  protocol: 'team',
  question: 'Add --json to the list command',
  seats: [],
  config: {},
  request: { kind: 'convene' },
});

const RENDER = makeValidTask('render', { files: ['src/render.js'] });
const FLAG = makeValidTask('flag', {
  files: ['src/cli.js'],
  depends_on: ['render'],
  covers: ['R1', 'R2'],
});
const PLAN = makeValidPlan({
  requirements: [
    { id: 'R1', text: 'It lists as JSON.', proof: 'test' },
    { id: 'R2', text: 'The help names it.', proof: 'read' },
  ],
  workstreams: [makeValidWorkstream('list', { covers: ['R1', 'R2'] })],
});

const makePlan = (change: Partial<typeof PLAN> = {}, refused: string[] = []): FactBody =>
  fact('team.planned', { plan: { ...PLAN, ...change }, by: 't1', found: [], refused });
const makeGraph = (tasks: readonly Task[], refused: string[] = []): FactBody =>
  fact('team.graphed', { tasks: [...tasks], ordered: [], refused });
const makeCheckRun = (of: string, attempt: number, on: string, exit: number): FactBody =>
  fact('check.ran', {
    check: 'unit',
    argv: ['npm', 'test'],
    kind: 'commit',
    on,
    task: of,
    attempt,
    ...(exit === 0
      ? makePassingRun()
      : makePassingRun({
          exit,
          counts: { passed: 11, failed: 1, skipped: 0, failing: ['lists'] },
        })),
  });
const makeJudgment = (of: string, attempt: number, commit: string, green: boolean): FactBody =>
  fact('task.judged', {
    task: of,
    attempt,
    commit,
    green,
    why: green ? [] : ['unit: exit 1: lists'],
  });
const makeVerdict = (state: 'met' | 'disputed' | 'unproved', round: number): FactBody =>
  fact('verdict.joined', {
    workstream: 'list',
    round,
    commit: 'j1',
    verdict: 'fail',
    requirements: [
      { id: 'R1', state: 'met', evidence: ['its test was red on the base and passes now'] },
      { id: 'R2', state, evidence: ['t5-1: yes', 't5-2: no'] },
    ],
    failing: [],
    cause: 'work',
  });

const begun: readonly FactBody[] = [
  RUN_STARTED,
  fact('team.surveyed', { survey: SURVEY }),
  makePlan({ requirements: [] }, ['There is no requirement.']),
  makePlan(),
  makeGraph([FLAG], ['No task of workstream list covers R1.']),
  makeGraph([RENDER, FLAG]),
];

const worked: readonly FactBody[] = [
  ...begun,
  makeTaskStarted('render', 1),
  makeCheckRun('render', 1, 'c1', 1),
  makeJudgment('render', 1, 'c1', false),
  makeRetryFact('render', 2, { brief: 'Sort the rows.' }),
  makeTaskStarted('render', 2),
  fact('plan.amended', {
    by: 'code',
    kind: 'file',
    what: 'src/rows.js',
    why: 'it sorts',
    task: 'render',
    files: ['src/rows.js', 'src/render.js'],
  }),
  makeCheckRun('render', 2, 'c2', 0),
  makeJudgment('render', 2, 'c2', true),
  fact('task.ended', { task: 'render', state: 'done', commit: 'c2' }),
  makeTaskStarted('flag', 1),
  fact('team.escalated', {
    from: 'T3',
    to: 'T1',
    workstream: 'list',
    task: 'flag',
    cause: 'brief',
    why: 'it is wrong',
  }),
  fact('task.ended', { task: 'flag', state: 'stuck', why: 'its brief is wrong' }),
];

const judgedAll: readonly FactBody[] = [
  ...worked,
  fact('team.joined', { of: 'list', round: 1, commits: ['c2'], commit: 'j1', conflicts: [] }),
  makeVerdict('disputed', 1),
  makeVerdict('unproved', 2),
];

/** A second plan, in which the task `flag` and the requirement R2 differ from those of the first. */
const again: readonly FactBody[] = [
  ...judgedAll,
  makePlan({
    requirements: PLAN.requirements.map((requirement) =>
      requirement.id === 'R2'
        ? { ...requirement, text: 'The help and the manual name it.' }
        : requirement,
    ),
  }),
  makeGraph([
    RENDER,
    { ...FLAG, brief: 'Add --json, and name it in both.' },
    makeValidTask('manual'),
  ]),
  makeTaskStarted('flag', 2),
];

/**
 * The facts of a made-up team run, from its beginning up to each of several stages. `begun`: the tasks are
 * planned. `worked`: one task is done and one is stuck. `judged`: verifiers have disagreed about R2, and
 * then nothing proved it. `again`: a second plan has replaced the first. `done`: the work is delivered.
 */
export const STAGES = {
  begun,
  worked,
  judged: judgedAll,
  again,
  done: [
    ...again,
    makeJudgment('flag', 2, 'c3', true),
    fact('task.ended', { task: 'flag', state: 'done', commit: 'c3' }),
    fact('task.ended', { task: 'manual', state: 'dropped', why: 'there is no manual' }),
    makeVerdict('met', 3),
    fact('team.delivered', { how: 'branch', commit: 'j2', branch: 'deliberate-1a2b3c4d' }),
  ],
} as const;
