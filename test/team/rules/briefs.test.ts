/** Tests that only one sentence says how a task is seen to be done: the latest one. */
import { expect, it } from 'vitest';
import type { TaskView } from '../../../src/protocols/team/fold.ts';
import { joinBrief, plannedDoneWhen } from '../../../src/protocols/team/rules/briefs.ts';
import { makeValidTask } from './values.ts';

it('the planned criterion for a finished task applies unless the corrected brief has one of its own', () => {
  const planned = makeValidTask('one', {
    brief: 'Write.\n\nDone when: never.',
    done_when: 'It is green.',
  });
  const makeView = (brief: string): TaskView => ({
    task: planned,
    files: [],
    brief,
    state: 'waiting',
    attempts: [],
    retried: [],
    testChanges: [],
  });
  expect(plannedDoneWhen(makeView(planned.brief))).toBe('It is green.');
  expect(plannedDoneWhen(makeView(joinBrief('Write less.', ' ')))).toBe('It is green.');
  expect(plannedDoneWhen(makeView(joinBrief('Write less.', 'It is short.')))).toBeUndefined();
  expect(joinBrief(' ', 'It is short.')).toBe('');
});
