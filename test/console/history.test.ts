/** Where the cursor of the history stands when its list is read again. */
import { expect, it } from 'vitest';
import { begin, chosenRun, press, withRuns } from '../../src/console/history/state.ts';
import type { RunLine } from '../../src/console/model/runs.ts';

function run(id: string): RunLine {
  const startedAt = '2026-03-01T10:00:00Z';
  const about = {
    protocol: 'board',
    status: 'done',
    costUsd: 0,
    estimated: false,
    rehearsal: false,
  } as const;
  return { ...about, id, question: `${id}?`, startedAt };
}

const [one, two, three] = [run('one'), run('two'), run('three')] as const;

it('it stands on the run that was looked at, or on the newest where that is gone', () => {
  expect(chosenRun(withRuns(begin(), [one, two, three], 'two'))).toBe(two);
  expect(chosenRun(withRuns(begin(), [one, three], 'two'))).toBe(one);
});

it('after a search it stands on what fits best, not on the run it stood on before', () => {
  const all = withRuns(begin(), [one, two, three]);
  const searched = press(press(all, '/'), 'w');
  expect(chosenRun(withRuns(searched, [two, one]))).toBe(two);
});
