/** Checks which existing tests a task may be allowed to change by a tier above it. */
import { matchesGlob } from '../../../text/globs.ts';
import type { TaskView } from '../fold.ts';
import type { Task } from '../forms/plan.ts';
import type { TestChange } from '../forms/work.ts';
import { settleNeed } from './needs.ts';

/** Returns a task that may also change the tests that were permitted after the plan was made. */
export function withPermittedTests({
  task,
  testChanges,
}: Pick<TaskView, 'task' | 'testChanges'>): Task {
  return testChanges.length === 0
    ? task
    : { ...task, changes_tests: [...task.changes_tests, ...testChanges] };
}

/**
 * Returns why a task may not change an existing test, or undefined if it may. A reason for the change must be
 * given, and the file must exist and be a test that is not locked. If the task does not hold the file yet,
 * the file must not be guarded, and no task that may run at the same time may hold it.
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
