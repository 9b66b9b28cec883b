/**
 * The survey, plan and design of the run in `facts-of-a-run.ts`: one goal, and three workstreams, one on
 * each path.
 */
import type { Survey } from '../../src/kernel/tools/workshop.ts';
import type { Boundaries, Proposal } from '../../src/protocols/team/forms/design.ts';
import type { Task, TeamPlan } from '../../src/protocols/team/forms/plan.ts';

/** The survey of a made-up repository, with one check, three guarded globs and uncommitted changes. */
export const SURVEY: Survey & { readonly tests: readonly string[] } = {
  base: '4f1c2d9a00000000000000000000000000000000',
  branch: 'main',
  files: 214,
  paths: ['README.md', 'package.json', 'src/format.ts', 'src/list.ts', 'src/store.ts'],
  checks: [
    { id: 'test', argv: ['npm', 'test'], env: [], timeoutS: 120, why: 'a script of package.json' },
  ],
  tests: ['test/**'],
  guarded: ['package.json', 'package-lock.json', '.github/**'],
  ignored: [{ path: 'node_modules', bytes: 120_000_000 }],
  uncommitted: ['src/list.ts'],
  untracked: ['notes.txt'],
  hooks: ['pre-commit'],
  submodules: [],
  lfs: [],
  sandbox: 'bwrap',
};

function makeTask(task: Pick<Task, 'id' | 'workstream' | 'title' | 'files'> & Partial<Task>): Task {
  return {
    changes_tests: [],
    depends_on: [],
    covers: [],
    checks: ['test', 'lint'],
    brief: `${task.title}. Change nothing else.`,
    done_when: 'The checks are green, and the tests of the requirement pass.',
    ...task,
  };
}

const README = makeTask({
  id: 'readme-flag',
  workstream: 'readme',
  title: 'Name the flag in the README',
  files: ['README.md'],
  covers: ['R4'],
});

/** The tasks of all workstreams of `PLAN`. */
export const TASKS: readonly Task[] = [
  makeTask({
    id: 'row-fields',
    workstream: 'records',
    title: 'Give the rows their names',
    files: ['src/store.ts'],
    covers: ['R1'],
  }),
  makeTask({
    id: 'json-flag',
    workstream: 'output',
    title: 'Write the rows as one JSON array',
    files: ['src/list.ts', 'src/cli.ts'],
    depends_on: ['records'],
    covers: ['R1', 'R3'],
    changes_tests: [{ file: 'test/list.test.js', why: 'The usage names the new flag.' }],
  }),
  makeTask({
    id: 'utc-dates',
    workstream: 'output',
    title: 'Write dates in UTC',
    files: ['src/list.ts'],
    covers: ['R2'],
  }),
  README,
];

/** A plan with three workstreams, one for each path. */
export const PLAN: TeamPlan = {
  no_team: '',
  requirements: [
    { id: 'R1', text: 'list --json prints one JSON array, a record a row.', proof: 'test' },
    { id: 'R2', text: 'Dates in it are UTC, whatever the machine says.', proof: 'test' },
    { id: 'R3', text: 'Without --json the output is what it was.', proof: 'check' },
    { id: 'R4', text: 'The README names the flag.', proof: 'read' },
  ],
  tiers: [
    { tier: 'T2', why: 'The store and the command line share an interface.' },
    { tier: 'T3', why: 'Two tasks change one file.' },
  ],
  workstreams: [
    {
      id: 'records',
      goal: 'Rows carry names and dates.',
      path: 'T2-T5',
      depends_on: [],
      covers: ['R1'],
      retry_multiplier: 1,
      task: null,
    },
    {
      id: 'output',
      goal: 'The list as JSON.',
      path: 'T3-T5',
      depends_on: ['records'],
      covers: ['R1', 'R2', 'R3'],
      retry_multiplier: 2,
      task: null,
    },
    {
      id: 'readme',
      goal: 'The flag in the README.',
      path: 'T4-T5',
      depends_on: [],
      covers: ['R4'],
      retry_multiplier: 1,
      task: README,
    },
  ],
  cast: [],
  checks: [
    { id: 'test', argv: ['npm', 'test'], env: [], timeout_s: 120, from_survey: true },
    {
      id: 'lint',
      argv: ['npx', 'eslint', 'src'],
      timeout_s: 60,
      from_survey: false,
      env: [{ name: 'CI', value: '1' }],
    },
  ],
  tests: ['test/**'],
  guarded: ['package.json', 'package-lock.json', '.github/**'],
  questions: ['Are times below a second to be kept?'],
};

/** The boundaries of the design's two domains. */
export const BOUNDARIES: Boundaries = {
  domains: [
    { id: 'store', workstreams: ['records'], owns: ['src/store.ts'] },
    { id: 'cli', workstreams: ['output'], owns: ['src/cli.ts', 'src/list.ts'] },
  ],
  assumptions: [
    {
      id: 'S1',
      text: 'Dates are kept as milliseconds.',
      basis: 'repo',
      path: 'src/store.ts',
      quote: 'at: number',
    },
  ],
};

const ROWS = {
  name: 'rows',
  file: 'src/store.ts',
  signature: 'rows(): Row[]',
  change: 'breaking' as const,
  owner: 'store',
  users: ['cli'],
};

/** The proposals of the architects of the two domains, which contradict each other about `rows`. */
export const PROPOSALS: readonly Proposal[] = [
  {
    domain: 'store',
    design: 'rows(): Row[] gives records with names.',
    interfaces: [ROWS],
    needs: [],
    risks: ['Other callers of rows.'],
  },
  {
    domain: 'cli',
    design: 'The command prints rows(): string[][] as it is.',
    interfaces: [],
    needs: [{ domain: 'store', what: 'rows with names' }],
    risks: [],
  },
];
