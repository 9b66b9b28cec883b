/**
 * The script with which the stand-in plays a team: exact for the bundled example program
 * (`presets/examples/team`); for other programs it writes one file that says what it is. The script goes wrong
 * once, as work does: the first attempt leaves out something that passes all existing tests, and the test that
 * was written in advance finds it.
 */

/** A tool call of a seat. */
interface Act {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * What the stand-in does in one attempt at a team's task: first its tool calls (`acts`), then its final answer
 * (`says`).
 */
export interface Turn {
  readonly acts: readonly Act[];
  readonly says: unknown;
}

/** The script by which the stand-in plays all seats of a team. */
export interface TeamScript {
  /** The answer to the task of planning. It is also the plan after the critic's changes. */
  readonly plan: unknown;
  /** The gaps that the critic finds in the plan, each with the change that closes it. */
  readonly found: readonly { readonly what: string; readonly change: string }[];
  /** The tasks into which the plan is divided. Empty if the plan contains its only task. */
  readonly tasks: readonly unknown[];
  /** The work of the seat that writes the acceptance tests. */
  readonly tests: Turn;
  /**
   * The attempts at each task, by the task's id: first the original attempt, then the attempts
   * after the work was sent back.
   */
  readonly work: ReadonlyMap<string, readonly Turn[]>;
  /**
   * The quotations that prove that requirements are met, by the requirement's id. The stand-in says of a
   * requirement without a quotation that it is not met.
   */
  readonly shown: ReadonlyMap<string, { readonly path: string; readonly quote: string }>;
}

const TEST_CHECK = {
  id: 'test',
  argv: ['npm', 'run', 'test'],
  env: [],
  timeout_s: 120,
  from_survey: true,
};

const FORMAT = [
  '/** A list of chores for programs. */',
  '',
  '/** @param {{ title: string, done: boolean, due?: string }[]} chores */',
  'export function listJson(chores) {',
  `  return \`\${JSON.stringify(chores, null, 2)}\\n\`;`,
  '}',
  '',
].join('\n');

const FORMAT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listJson } from '../src/json.js';

test('an entry has its title, whether it is done, and its due date', () => {
  const chores = [{ title: 'Water the plants', done: false, due: '2026-03-01' }];
  assert.deepEqual(JSON.parse(listJson(chores)), chores);
});

test('an empty list is an empty array', () => {
  assert.equal(listJson([]), '[]\\n');
});
`;

const ACCEPTANCE = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../src/cli.js', import.meta.url));

function list(text, ...flags) {
  const file = join(mkdtempSync(join(tmpdir(), 'chores-')), 'list.txt');
  writeFileSync(file, text);
  return JSON.parse(execFileSync(process.execPath, [CLI, 'list', file, ...flags], { encoding: 'utf8' }));
}

test('R1: each entry has title, done and due, and due is null where there is none', () => {
  assert.deepEqual(list('- [ ] Water the "plants" (due 2026-03-01)\\n- [x] Sweep\\n', '--json'), [
    { title: 'Water the "plants"', done: false, due: '2026-03-01' },
    { title: 'Sweep', done: true, due: null },
  ]);
});

test('R2: --json with --open lists what is open, and nothing is an empty array', () => {
  assert.deepEqual(list('- [x] Sweep\\n', '--json', '--open'), []);
});
`;

const FORMAT_FILES = ['src/json.js', 'test/json.test.js'];
const FLAG_FILES = ['src/cli.js', 'README.md'];

const FORMAT_TASK = {
  id: 'json-format',
  workstream: 'json',
  title: 'Write chores as JSON',
  files: FORMAT_FILES,
  changes_tests: [],
  depends_on: [],
  covers: ['R1'],
  brief:
    'Add src/json.js with listJson(chores), beside listText in src/list.js: a JSON array with a line end, one entry a chore. Add its tests.',
  done_when: 'npm test passes, with tests of listJson.',
  checks: ['test'],
};

const FLAG_TASK = {
  id: 'json-flag',
  workstream: 'json',
  title: 'Offer --json in the list command',
  files: FLAG_FILES,
  changes_tests: [],
  depends_on: ['json-format'],
  covers: ['R1', 'R2', 'R3', 'R4'],
  brief:
    'Let list print listJson where --json is given, of the same chores that it would list otherwise. Name the option in the usage line and in README.md.',
  done_when: 'npm test passes, and README.md shows the option.',
  checks: ['test'],
};

const makeResult = (
  files: readonly string[],
  what: string,
  covers: readonly string[],
): unknown => ({
  status: 'done',
  did: files.map((path) => ({ path, what })),
  covers_done: covers,
  left: [],
  needs: [],
});

/** The stand-in's script for the bundled example program. */
export const CHORES: TeamScript = {
  plan: {
    no_team: '',
    requirements: [
      {
        id: 'R1',
        text: 'list FILE --json prints a JSON array with an entry for each chore: title, done, and due, which is null where there is no due date.',
        proof: 'test',
      },
      {
        id: 'R2',
        text: 'Together with --open, --json lists what is open; where nothing is, it prints an empty array.',
        proof: 'test',
      },
      { id: 'R3', text: 'What is printed without --json stays as it is.', proof: 'check' },
      { id: 'R4', text: 'The usage line and README.md name the option.', proof: 'read' },
    ],
    tiers: [
      {
        tier: 'T3',
        why: 'The format and the command are two tasks, and one needs the other.',
      },
    ],
    workstreams: [
      {
        id: 'json',
        goal: 'The list command prints JSON where it is asked to.',
        path: 'T3-T5',
        depends_on: [],
        covers: ['R1', 'R2', 'R3', 'R4'],
        retry_multiplier: 1,
        task: null,
      },
    ],
    cast: [],
    checks: [TEST_CHECK],
    tests: ['test/**'],
    guarded: ['package.json'],
    questions: [],
  },
  found: [
    {
      what: 'Nothing said what a chore without a due date has.',
      change: 'R1 says that due is null there.',
    },
  ],
  tasks: [FORMAT_TASK, FLAG_TASK],
  tests: {
    acts: [
      { name: 'read', arguments: { path: 'src/cli.js' } },
      { name: 'write', arguments: { path: 'test/acceptance.test.js', text: ACCEPTANCE } },
    ],
    says: {
      tests: [
        {
          requirement: 'R1',
          path: 'test/acceptance.test.js',
          shows: 'Entries have title, done and due, and due is null where there is none.',
        },
        {
          requirement: 'R2',
          path: 'test/acceptance.test.js',
          shows: 'With --open only what is open is listed, and an empty list is [].',
        },
      ],
      untestable: [
        { requirement: 'R3', why: 'The tests there are show it.' },
        { requirement: 'R4', why: 'It is prose.' },
      ],
    },
  },
  work: new Map([
    [
      'json-format',
      [
        {
          acts: [
            { name: 'read', arguments: { path: 'src/list.js' } },
            { name: 'write', arguments: { path: 'src/json.js', text: FORMAT } },
            { name: 'write', arguments: { path: 'test/json.test.js', text: FORMAT_TEST } },
            { name: 'check', arguments: { id: 'test' } },
          ],
          says: makeResult(FORMAT_FILES, 'listJson and its tests', ['R1']),
        },
      ],
    ],
    [
      'json-flag',
      [
        {
          acts: [
            { name: 'read', arguments: { path: 'src/cli.js' } },
            {
              name: 'edit',
              arguments: {
                path: 'src/cli.js',
                old: "import { listText } from './list.js';\n",
                new: "import { listJson } from './json.js';\nimport { listText } from './list.js';\n",
              },
            },
            {
              name: 'edit',
              arguments: {
                path: 'src/cli.js',
                old: 'FILE [--open]',
                new: 'FILE [--open] [--json]',
              },
            },
            {
              name: 'edit',
              arguments: {
                path: 'src/cli.js',
                old: 'process.stdout.write(listText(wanted));',
                new: "process.stdout.write(flags.includes('--json') ? listJson(wanted) : listText(wanted));",
              },
            },
            {
              name: 'edit',
              arguments: {
                path: 'README.md',
                old: 'node src/cli.js list chores.txt --open\n',
                new: 'node src/cli.js list chores.txt --open\nnode src/cli.js list chores.txt --json\n',
              },
            },
            { name: 'check', arguments: { id: 'test' } },
          ],
          says: makeResult(FLAG_FILES, 'the option, and where it is named', ['R2', 'R3', 'R4']),
        },
        {
          acts: [
            {
              name: 'needs',
              arguments: {
                kind: 'file',
                what: 'src/json.js',
                why: 'JSON leaves out a due date that is undefined, and R1 wants null there.',
              },
            },
            {
              name: 'edit',
              arguments: {
                path: 'src/json.js',
                old: 'export function listJson(chores) {\n',
                new: 'export function listJson(chores) {\n  const entries = chores.map(({ title, done, due = null }) => ({ title, done, due }));\n',
              },
            },
            {
              name: 'edit',
              arguments: {
                path: 'src/json.js',
                old: 'JSON.stringify(chores,',
                new: 'JSON.stringify(entries,',
              },
            },
            { name: 'check', arguments: { id: 'test' } },
          ],
          says: makeResult(
            [...FLAG_FILES, 'src/json.js'],
            'the option, and null where there is no due date',
            ['R1', 'R2', 'R3', 'R4'],
          ),
        },
      ],
    ],
  ]),
  shown: new Map([
    ['R1', { path: 'src/json.js', quote: 'due = null' }],
    ['R2', { path: 'src/cli.js', quote: "flags.includes('--json') ? listJson(wanted)" }],
    ['R3', { path: 'src/cli.js', quote: ': listText(wanted)' }],
    ['R4', { path: 'README.md', quote: 'node src/cli.js list chores.txt --json' }],
  ]),
};

const NOTE = 'REHEARSAL.md';

/**
 * Returns the stand-in's script for a repository other than the bundled example program. The team only adds
 * the file `REHEARSAL.md`, which quotes the goal.
 */
export function playAnywhere(goal: string): TeamScript {
  const text = `# Rehearsal\n\nNo model has worked on this: a stand-in wrote one file to show how a team works.\n\nThe goal was: ${goal}\n`;
  const decided = decidedIn(goal);
  const requirements =
    decided.length > 0 ? decided : [{ id: 'R1', text: `${NOTE} says what was wanted.` }];
  const ids = requirements.map(({ id }) => id);
  return {
    plan: {
      no_team: '',
      requirements: requirements.map((requirement) => ({ ...requirement, proof: 'read' })),
      tiers: [],
      workstreams: [
        {
          id: 'note',
          goal: 'A file shows how a team works.',
          path: 'T4-T5',
          depends_on: [],
          covers: ids,
          retry_multiplier: 1,
          task: {
            id: 'note',
            workstream: 'note',
            title: `Write ${NOTE}`,
            files: [NOTE],
            changes_tests: [],
            depends_on: [],
            covers: ids,
            brief: `Write ${NOTE} with the goal in it.`,
            done_when: 'The file is there.',
            checks: ['present'],
          },
        },
      ],
      cast: [],
      checks: [
        { id: 'present', argv: ['git', '--version'], env: [], timeout_s: 30, from_survey: false },
      ],
      tests: [],
      guarded: [],
      questions: [],
    },
    found: [],
    tasks: [],
    tests: { acts: [], says: { tests: [], untestable: [] } },
    work: new Map([
      [
        'note',
        [
          {
            acts: [{ name: 'write', arguments: { path: NOTE, text } }],
            says: makeResult([NOTE], 'the goal, and that nobody thought about it', ids),
          },
        ],
      ],
    ]),
    // If the goal was made from a plan's spec, show no requirement as met: the file that the stand-in writes meets
    // none of the spec's requirements.
    shown: new Map(decided.length > 0 ? [] : [['R1', { path: NOTE, quote: 'The goal was:' }]]),
  };
}

/** Returns the requirements in a goal that was made from a plan's spec: lines that begin with their numbers. */
function decidedIn(goal: string): { id: string; text: string }[] {
  return [...goal.matchAll(/^(R\d+): (.+)$/gm)].map(([, id = '', text = '']) => ({ id, text }));
}
