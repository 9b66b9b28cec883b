/** A form that a seat hands in among its turns is taken as it stands, and anything else is asked for once more. */
import { expect, it } from 'vitest';
import * as z from 'zod';
import { askWithTools, type ToolPlace } from '../../src/protocols/common/asking/asking.ts';
import { openAttempt, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeModelRequest, ScriptedModels } from '../kernel/scripted-models.ts';

const schema = z.strictObject({ found: z.string() });

const place: ToolPlace = {
  use: async () => ({ about: 'look', text: 'here', from: 1 }),
  state: () => '',
  task: () => 'Look, then answer.',
  tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }],
};

async function askSeat(text: string, handsIn: boolean) {
  const models = new ScriptedModels((asked) =>
    asked.schema === undefined
      ? makeAnswer(text)
      : makeAnswer('{}', { value: { found: 'asked for' } }),
  );
  const { run } = openAttempt(temporaryStore().create('test'), models);
  const asked = { ...makeModelRequest('critic'), schema };
  const reply = await askWithTools(run, 'seat/critic', asked, { place, handsIn });
  return { reply, calls: models.requests.length };
}

it.each(['{"found": "a"}', 'Here it is:\n```json\n{"found": "a"}\n```'])(
  'a seat with tools is not asked again if its answer contains the requested JSON: %j',
  async (text) => {
    const { reply, calls } = await askSeat(text, true);
    expect(reply).toMatchObject({ status: 'done', value: { found: 'a' } });
    expect(calls).toBe(1);
  },
);

it.each(['I am done.', '{"found": 1}', '{"found": "a", "more": 1}', '{"found": "a"'])(
  'a seat with tools is asked again if its answer contains no JSON of the requested form: %j',
  async (text) => {
    const { reply, calls } = await askSeat(text, true);
    expect(reply).toMatchObject({ value: { found: 'asked for' } });
    expect(calls).toBe(2);
  },
);

it('a seat with tools is asked again, even after correct JSON, if its prompt did not describe the form', async () => {
  expect((await askSeat('{"found": "a"}', false)).calls).toBe(2);
});
