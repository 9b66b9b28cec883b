/** Existing tests that somebody above lets a task change, decided by code where it may not be. */
import { matchesGlob } from '../../../text/globs.ts';
import type { TaskView } from '../fold.ts';
import type { Task } from '../forms/plan.ts';
import type { TestChange } from '../forms/work.ts';
import { settleNeed } from './needs.ts';

/** The task with the tests that it may change by now: as planned, and as permitted since. */
export function asPermitted({ task, testChanges }: Pick<TaskView, 'task' | 'testChanges'>): Task {
  return testChanges.length === 0
    ? task
    : { ...task, changes_tests: [...task.changes_tests, ...testChanges] };
}

/**
 * @returns why the test may not change, or undefined where it may: it is a test that lies in the tree, it is
 * neither guarded nor locked, and no task that could be at work at the same time holds it
 */
export function whyNotPermitted(
  { path, why }: TestChange,
  task: TaskView,
  context: Omit<Parameters<typeof settleNeed>[2], 'granted'> & {
    readonly tests: readonly string[];
    readonly isThere: (path: string) => boolean;
  },
): string | undefined {
  if (why.trim() === '') return 'it is not said why';
  if (!matchesGlob(path, context.tests)) return 'it is no test';
  if (!context.isThere(path)) return 'there is no such file';
  if (matchesGlob(path, task.files)) return matchesGlob(path, context.locked) ? LOCKED : undefined;
  const settled = settleNeed({ kind: 'file', what: path, why }, task, { ...context, granted: 0 });
  if ('grant' in settled) return undefined;
  return 'refuse' in settled ? settled.refuse : settled.above;
}

const LOCKED = 'it is an acceptance test, which no task changes';
