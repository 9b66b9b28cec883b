/**
 * The smallest repository that a team can work on: text files, and a check that is fast. The check fails if
 * a file in `src` contains BAD, and kills itself if a file contains DIE. If a file contains FLAKY, the check
 * fails the first time only.
 */
import { join } from 'node:path';
import type { Task, TeamPlan, Workstream } from '../../src/protocols/team/forms/plan.ts';
import { makeEnvWithoutSandbox } from '../workshop/bench.ts';
import {
  makePersonRepository,
  openPersonRepository,
  type PersonRepository,
} from '../workshop/place.ts';
import {
  makeOneTaskPlan,
  makePassedVerdict,
  makeTask,
  makeWriter,
  type Script,
} from './harness.ts';

/** The check of the repository that `makeNotesRepository` creates: it runs `check.sh` with `sh`. */
export const CHECK = {
  id: 'notes',
  argv: ['sh', 'check.sh'],
  env: [],
  timeout_s: 30,
  from_survey: false,
};

/**
 * Creates a repository of notes with one commit, below `root` or below a temporary folder that is removed
 * after the test. No sandbox is found in its environment, because `check.sh` creates a folder `seen` beside
 * the repository to remember that it has failed once because of FLAKY.
 */
export function makeNotesRepository(root?: string): PersonRepository {
  const made = makePersonRepository({ root });
  const repository = openPersonRepository(
    made.root,
    made.folder,
    makeEnvWithoutSandbox(made.env, join(made.root, 'path')),
  );
  const seen = join(repository.root, 'seen');
  repository.write(
    'check.sh',
    [
      `if grep -rq DIE src; then kill -9 $$; fi`,
      `if grep -rq FLAKY src && mkdir '${seen}'; then echo flaky; exit 1; fi`,
      'if grep -rn BAD src; then exit 1; fi',
      'exit 0',
      '',
    ].join('\n'),
  );
  repository.write('src/start.txt', 'Notes begin here.\n');
  repository.git('add', '.');
  repository.git('commit', '--quiet', '-m', 'Begin');
  return repository;
}

/** Returns the text that a finished task has written to its file. */
export function noteTextOf(id: string): string {
  return `The note of ${id} is written.\n`;
}

/** Returns the path of a task's file in the repository. */
export function notePathOf(id: string): string {
  return `src/${id}.txt`;
}

/** Returns a task that holds its own file only and is checked by `CHECK`. */
export function makeNoteTask(id: string, more: Partial<Task> = {}): Task {
  return makeTask(id, [notePathOf(id)], { checks: ['notes'], ...more });
}

/**
 * Returns a plan with one workstream, `words`, which covers the requirements of the given tasks. With the
 * path T4-T5 the first task is the workstream's own; with the other paths the plan names no tasks.
 */
export function makeNotesPlan(
  path: Workstream['path'],
  tasks: readonly Task[],
  more: Partial<TeamPlan> = {},
): TeamPlan {
  const ids = [...new Set(tasks.flatMap(({ covers }) => covers))].sort();
  return makeOneTaskPlan({
    requirements: ids.map((id) => ({ id, text: `The note of ${id} is there.`, proof: 'read' })),
    tiers: [
      ...(path === 'T2-T5' ? [{ tier: 'T2' as const, why: 'it has to be designed' }] : []),
      ...(path === 'T4-T5' ? [] : [{ tier: 'T3' as const, why: 'there are several' }]),
    ],
    workstreams: [
      {
        id: 'words',
        goal: 'Notes',
        path,
        depends_on: [],
        covers: ids,
        retry_multiplier: 1,
        task: path === 'T4-T5' ? (tasks[0] ?? null) : null,
      },
    ],
    checks: [CHECK],
    guarded: ['check.sh'],
    ...more,
  });
}

/**
 * Returns a script in which every seat gives a valid answer. `more` replaces the answers to tasks of the
 * team by their names.
 */
export function makeSoundScript(plan: TeamPlan, tasks: readonly Task[], more: Script = {}): Script {
  const ids = plan.workstreams.map(({ id }) => id);
  return {
    plan: () => plan,
    critique: () => ({ found: [], plan }),
    boundaries: () => ({
      domains: [{ id: 'texts', workstreams: ids, owns: ['src/**'] }],
      assumptions: [],
    }),
    propose: () => ({
      domain: 'texts',
      design: 'A file for each note.',
      interfaces: [],
      needs: [],
      risks: [],
    }),
    architecture: () => ({
      summary: 'Notes.',
      interfaces: [],
      settled: [],
      open: [],
      decisions: [
        {
          id: 'D1',
          text: 'A file each.',
          covers: plan.requirements.map(({ id }) => id),
          from: [{ domain: 'texts', quote: 'A file for each note.' }],
        },
      ],
    }),
    fit: () => ({ fits: true, uncovered: [], against: [] }),
    graph: (asked) => ({
      tasks: tasks.filter(({ workstream }) => workstream === asked.about?.items?.[0]),
      not_mine: [],
    }),
    work: (asked) => {
      const [id = ''] = asked.about?.items ?? [];
      return makeWriter({ [notePathOf(id)]: noteTextOf(id) })(asked);
    },
    verify: (asked) => makePassingVerdict(tasks, asked.about?.items ?? []),
    ...more,
  };
}

/**
 * Returns a verdict that passes the requirements. For each of them the verdict quotes the file of the last
 * task that covers it.
 */
export function makePassingVerdict(
  tasks: readonly Task[],
  requirements: readonly string[],
): object {
  return makePassedVerdict({
    items: requirements.map((requirement) => {
      const id = tasks.findLast(({ covers }) => covers.includes(requirement))?.id ?? '';
      return {
        requirement,
        met: 'yes',
        path: notePathOf(id),
        quote: noteTextOf(id),
        why: 'it is there',
      };
    }),
  });
}
