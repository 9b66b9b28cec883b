/** Numbers of forms on servers that enforce a schema without the bounds of its numbers. */
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { toJsonSchema, withListedNumbers } from '../../src/models/json-schema.ts';
import { startOllama, startOpenAI } from '../servers/index.ts';
import { callModel, modelsFor } from './ask.ts';

describe('the schema of a field for numbers between two bounds', () => {
  const schema = z.object({ option: z.string(), confidence: z.number().min(0).max(1) });
  // SmolLM2-135M-Instruct gave this answer behind llama.cpp's server, which enforced all of the
  // schema except the bounds.
  const outside = '{"option":"This is a task","confidence":100}';
  const confidenceIn = (body: unknown): unknown =>
    JSON.stringify(body).match(/"confidence":(\{[^}]*\})/)?.[1];

  it('has a list of all allowed hundredths in place of the bounds in the second request, if the first answer was out of bounds', async () => {
    const answers = [outside, '{"option":"Keep it","confidence":0.4}'];
    const server = await startOpenAI({ answer: () => answers.shift() ?? '{}' });
    onTestFinished(() => server.close());
    const { result } = await callModel(modelsFor({ openai: server }), 'openai/alpha', { schema });
    expect(result).toMatchObject({ status: 'done', value: { confidence: 0.4 } });
    const [first, second] = server.chats().map(({ body }) => body?.response_format);
    expect(confidenceIn(first)).toBe('{"type":"number","minimum":0,"maximum":1}');
    expect(confidenceIn(second)).toMatch(/^\{"enum":\[0,0\.01,0\.02,.*,0\.29,.*,0\.99,1\]\}$/);
    // The prompt describes the schema too, but without a list of the 101 allowed numbers, so that the prompt
    // stays short.
    expect(JSON.stringify(server.chats()[1]?.body?.messages)).not.toContain('0.29');
  });

  it('has a list of all allowed hundredths in place of the bounds already in the first request, if the server is Ollama', async () => {
    const server = await startOllama({ answer: () => '{"option":"Keep it","confidence":0.4}' });
    onTestFinished(() => server.close());
    await callModel(modelsFor({ ollama: server }), 'ollama/alpha', { schema });
    expect(confidenceIn(server.chats()[0]?.body?.format)).toContain('"enum":[0,0.01');
  });

  it('keeps its bounds if the range is wide, has only one bound or contains integers only', () => {
    const numbers = z.object({
      days: z.number().min(0).max(90),
      ratio: z.number().min(0),
      score: z.number().int().min(1).max(5),
    });
    const json = toJsonSchema(numbers);
    expect(withListedNumbers(json)).toEqual(json);
  });
});
