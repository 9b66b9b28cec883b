/**
 * Tests the consent to seat an agent without a sandbox: the person is asked once in an attempt, and consent
 * is never taken from a log.
 */
import { expect, it } from 'vitest';
import { openAttempt, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeModelRequest, ScriptedModels } from '../kernel/scripted-models.ts';

/** Answers `allowed` or `not allowed`, depending on the person's consent. */
class ActingModels extends ScriptedModels {
  constructor() {
    super((_asked, context) =>
      makeAnswer(context.mayRunUnsandboxed === true ? 'allowed' : 'not allowed'),
    );
  }

  consent(): Promise<string> {
    return Promise.resolve('There is no sandbox here. Run it all the same?');
  }
}

it.each(['yes', 'no'])(
  'an attempt asks the person once whether agents may run without a sandbox, and all its calls follow the answer "%s"',
  async (answer) => {
    const journal = temporaryStore().create('test');
    const asked: string[] = [];
    const startAttempt = () =>
      openAttempt(journal, new ActingModels(), {
        answer: (_step, { prompt }) => {
          asked.push(prompt);
          return Promise.resolve({ answer, by: 'person' });
        },
      });
    const { run } = startAttempt();
    const replies = await Promise.all([
      run.ask('a', makeModelRequest('a')),
      run.ask('b', makeModelRequest('b')),
    ]);
    const wanted = answer === 'yes' ? 'allowed' : 'not allowed';
    expect(replies.map(({ text }) => text)).toEqual([wanted, wanted]);
    expect(asked).toHaveLength(1);

    // Another attempt of the run asks for consent again, because another person may have started this attempt.
    await startAttempt().run.ask('c', makeModelRequest('c'));
    expect(asked).toHaveLength(2);
  },
);

it('if nobody is there to consent to an agent without a sandbox, the run stops before it starts the agent', async () => {
  const models = new ActingModels();
  const { run } = openAttempt(temporaryStore().create('test'), models);
  await expect(run.ask('a', makeModelRequest('a'))).rejects.toThrow('there is nobody to answer');
  expect(models.asked).toEqual([]);
});
