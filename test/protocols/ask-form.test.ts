/** Forms that come back wrong: which are asked for again, and what is taken. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ModelResult } from '../../src/kernel/model.ts';
import { askForm } from '../../src/protocols/common/asking/ask-form.ts';
import { makeStatementSchema } from '../../src/protocols/common/prompts/statement.ts';
import { makeAnswer, makeFailure, makeModelRequest } from '../kernel/scripted-models.ts';

const schema = z.object({ text: makeStatementSchema(90) });

/** Asks with these replies, one after another, and returns what came of it and the steps that were asked. */
async function askWithReplies(...replies: readonly ModelResult[]) {
  const steps: string[] = [];
  const answered = await askForm(
    async (step) => {
      steps.push(step);
      return replies[steps.length - 1] ?? makeFailure('internal', 'no more replies');
    },
    'round-1',
    { schema, request: () => makeModelRequest('one') },
  );
  return { answered, steps };
}

describe('askForm, which asks a model for a structured answer,', () => {
  it.each([
    ['invalid-output', 'the answer does not have the right form, even when asked again'],
    ['too-long', 'test/one holds 2,048 tokens; the prompt needs about 2,727'],
    ['truncated', 'the answer did not finish and was cut after about 8,000 tokens'],
  ] as const)('does not ask again if the call failed with %s: %s', async (code, why) => {
    const { answered, steps } = await askWithReplies(
      makeFailure(code, why),
      makeAnswer('', { value: { text: 'Wait.' } }),
    );
    expect(answered).toEqual({ why });
    expect(steps).toEqual(['round-1']);
  });

  it('asks again after a failure of the server', async () => {
    const { answered, steps } = await askWithReplies(
      makeFailure('unreachable', 'the server is gone'),
      makeAnswer('', { value: { text: 'Wait.' } }),
    );
    expect(answered).toEqual({ value: { text: 'Wait.' } });
    expect(steps).toEqual(['round-1', 'round-1/try-2']);
  });

  it('accepts a recorded answer with a text that the schema refuses today', async () => {
    expect(schema.safeParse({ text: ' is the' }).success).toBe(false);
    const { answered, steps } = await askWithReplies(
      makeAnswer('', { value: { text: ' is the' } }),
    );
    expect(answered).toEqual({ value: { text: ' is the' } });
    expect(steps).toEqual(['round-1']);
  });

  it('refuses a recorded answer whose structure does not match the schema', async () => {
    const { answered } = await askWithReplies(
      makeAnswer('', { value: { words: 'Wait.' } }),
      makeFailure('truncated', 'cut'),
    );
    expect(answered).toEqual({ why: 'cut' });
  });
});
