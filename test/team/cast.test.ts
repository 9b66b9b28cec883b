/** Tests that a cast changed at the plan's question plays the rest of the run. */
import { expect, it } from 'vitest';
import { TeamRunner } from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
} from './notes.ts';

const TASKS = [makeNoteTask('one')];
const SCRIPT = makeSoundScript(makeNotesPlan('T3-T5', TASKS), TASKS, {
  verify: (asked) => ({ ...makePassingVerdict(TASKS, asked.about?.items ?? []), drops: [] }),
});

it('the run uses the specialists that the person chose when asked about the plan', async () => {
  const specialists = ['poet', 'proof-reader'].map((slug) => ({
    slug,
    name: slug,
    about: `${slug} works.`,
    brief: `You are the ${slug} of notes.`,
    tiers: ['T4', 'T5'],
  }));
  const runner = new TeamRunner(makeNotesRepository());
  let asked = 0;
  const held = await runner.begin({
    config: { version: 4, specialists },
    script: SCRIPT,
    answer: async (step, question) => {
      runner.gates.push(`${step}\n${question.prompt}`);
      if (!step.startsWith('approve/')) {
        const isUnboxed = step === 'base/unboxed';
        return { answer: isUnboxed ? 'yes' : question.default, by: 'person' };
      }
      asked += 1;
      const cast = asked === 1 ? 'cast: T5=proof-reader, T4 words=poet' : 'approve';
      return { answer: cast, by: 'person' };
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(runner.gates.filter((gate) => gate.startsWith('approve/')).at(-1)).toContain(
    'T5: proof-reader. proof-reader works.',
  );
  const readBrief = (task: string) =>
    held.models.requests.findLast((request) => request.task === `team/${task}`)?.seat.brief ?? '';
  expect(readBrief('work')).toContain('You are the poet of notes.');
  expect(readBrief('verify')).toContain('You are the proof-reader of notes.');
  expect(readBrief('accept')).not.toContain('of notes');
});
