/** After a failure, the correction from a higher tier applies, and the work done so far is kept. */
import { expect, it } from 'vitest';
import { runUntilCall } from './begun.ts';
import {
  DONE_REPORT,
  isFirstTurn,
  makeCorrection,
  makeToolCalls,
  type TeamRunResult,
} from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

const V4 = { version: 4 } as const;
const TASKS = [makeNoteTask('one', { files: [notePathOf('one'), notePathOf('more')] })];
const SCRIPT = makeSoundScript(makeNotesPlan('T3-T5', TASKS), TASKS, {
  verify: (asked) => ({ ...makePassingVerdict(TASKS, asked.about?.items ?? []), drops: [] }),
});
const atWork = runUntilCall('work', { script: SCRIPT, config: V4 }, makeNotesRepository);

function lastWork({ models }: TeamRunResult): string {
  const asked = models.requests.filter(({ task }) => task === 'team/work');
  const first = asked.findLast(isFirstTurn);
  return (first?.messages ?? []).flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
}

it('the next attempt at a task is shown the correction and the changes of the failed attempt', async () => {
  const runner = await atWork();
  let corrected = 0;
  const held = await runner.resume(runner.run, {
    script: {
      ...SCRIPT,
      work: (asked) =>
        isFirstTurn(asked)
          ? makeToolCalls([
              'write',
              corrected === 0
                ? { path: notePathOf('one'), text: 'BAD beginning\n' }
                : { path: notePathOf('one'), text: noteTextOf('one') },
            ])
          : DONE_REPORT,
      correct: (asked) => {
        corrected += 1;
        return makeCorrection(asked, {
          brief: '',
          done_when: 'No line says bad.',
          why: 'the word is forbidden here',
          test_changes: [],
        });
      },
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const text = lastWork(held);
  expect(text).toContain('Do what one is for.');
  expect(text).toContain('No line says bad.');
  expect(text).toContain('T3 says: the word is forbidden here');
  expect(text).toContain('What attempt 1 changed, which is not in your tree');
  expect(text).toContain('+BAD beginning');
  expect(text).toContain('exit 1');
});

it('after a blocked attempt with green work, the next one starts from its green commit', async () => {
  const runner = await atWork();
  let corrected = 0;
  const blocked = {
    ...DONE_REPORT,
    status: 'blocked',
    needs: [{ kind: 'decision', what: 'how to end it', why: 'unsaid' }],
  };
  const held = await runner.resume(runner.run, {
    script: {
      ...SCRIPT,
      work: (asked) =>
        isFirstTurn(asked)
          ? makeToolCalls([
              'write',
              corrected === 0
                ? { path: notePathOf('one'), text: noteTextOf('one') }
                : { path: notePathOf('more'), text: 'The end.\n' },
            ])
          : corrected === 0
            ? blocked
            : DONE_REPORT,
      correct: (asked) => {
        corrected += 1;
        return makeCorrection(asked, { test_changes: [] });
      },
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const [first, second] = held.view.tasks[0]?.attempts ?? [];
  expect(second?.started.base).toBe(first?.commits.at(-1)?.commit);
  expect(lastWork(held)).toContain('What attempt 1 changed, which is in your tree');
  const branch = held.view.delivered?.branch ?? '';
  expect(runner.person.git('show', `${branch}:${notePathOf('one')}`)).toBe(noteTextOf('one'));
  expect(runner.person.git('show', `${branch}:${notePathOf('more')}`)).toBe('The end.\n');
});
