/** Tests the usage of a call whose server did not report it, or not until the end. */
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../../src/kernel/tokens.ts';
import { fillInUsage } from '../../src/models/counted.ts';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { callModel, getFailure, makeUserMessage, modelsFor, QUESTION } from './ask.ts';

describe('the usage of a request to a model that gave output', () => {
  const sent = { system: 'You are a critic.', messages: [makeUserMessage(QUESTION)] };
  const said = { text: 'Keep the monolith.', thinking: 'The question is about release trains.' };
  const prompt = estimatePrompt(sent.system, sent.messages);
  const thought = estimateTokens(said.thinking);

  test('is the server’s count if the server sent a count', () => {
    const reported = { ...NO_USAGE, input: 3, output: 900, thinking: 800 };
    expect(fillInUsage(reported, sent, said)).toEqual(reported);
  });

  test('is estimated if the server sent no count', () => {
    expect(fillInUsage(NO_USAGE, sent, said)).toEqual({
      ...NO_USAGE,
      input: prompt,
      output: thought + estimateTokens(said.text),
      thinking: thought,
      estimated: true,
    });
  });

  test('includes the offered tools if it is estimated', () => {
    const tools = [
      {
        name: 'read',
        description: 'Reads a file of the repository.',
        parameters: { type: 'object' },
      },
    ];
    const { input } = fillInUsage(NO_USAGE, { ...sent, tools }, said);
    expect(input).toBe(estimatePrompt(sent.system, sent.messages, tools));
    expect(input).toBeGreaterThan(prompt);
  });

  test('is estimated for the answer alone if the server counted only the prompt', () => {
    const reported = { ...NO_USAGE, input: 1_234, cached: 1_000 };
    expect(fillInUsage(reported, sent, said)).toMatchObject({
      input: 1_234,
      cached: 1_000,
      output: thought + estimateTokens(said.text),
      estimated: true,
    });
  });
});

const START = { ollama: startOllama, anthropic: startAnthropic, openai: startOpenAI };
const SPECS = {
  ollama: 'ollama/alpha',
  anthropic: 'anthropic/claude-alpha',
  openai: 'openai/alpha',
} as const;

describe.concurrent.each(['ollama', 'anthropic', 'openai'] as const)(
  'the usage of a call to %s',
  (name) => {
    const model = SPECS[name].slice(name.length + 1);

    test('includes an attempt that broke off before the successful one', async () => {
      const server = await START[name]({ behaviours: { [model]: ['reset', 'ok'] } });
      const models = modelsFor({ [name]: server });
      const { result } = await callModel(models, SPECS[name]);
      const { result: whole } = await callModel(models, SPECS[name]);
      await server.close();
      expect(result).toMatchObject({ status: 'done', attempts: 2, usage: { estimated: true } });
      expect(result.usage.input).toBeGreaterThan(whole.usage.input);
      expect(result.usage.output).toBeGreaterThan(whole.usage.output + 10);
      expect(whole.usage.estimated).toBeUndefined();
    });

    test("is the server's count if the server cuts the answer off at its token limit", async () => {
      const server = await START[name]({ behaviours: { [model]: 'max-tokens' } });
      const { result } = await callModel(modelsFor({ [name]: server }), SPECS[name]);
      await server.close();
      expect(getFailure(result).code).toBe('truncated');
      expect(result.text).not.toBe('');
      expect(result.usage.output).toBeGreaterThan(0);
      expect(result.usage.estimated).toBeUndefined();
    });

    test('is zero for a rejected request', async () => {
      const server = await START[name]({ behaviours: { [model]: { status: 400 } } });
      const { result } = await callModel(modelsFor({ [name]: server }), SPECS[name]);
      await server.close();
      expect(getFailure(result).usage).toEqual(NO_USAGE);
    });
  },
);

test('usage is estimated if a server sends no counts, even for a complete answer', async () => {
  const server = await startOpenAI({ behaviours: { alpha: 'lingers' } });
  const { result } = await callModel(modelsFor({ openai: server }), SPECS.openai);
  await server.close();
  expect(result).toMatchObject({ status: 'done', usage: { estimated: true } });
  expect(result.usage.output).toBe(estimateTokens(result.text));
});

test('if a call is stopped, its usage is the last token count that the server sent with the answer', async () => {
  const count = { prompt_tokens: 40, completion_tokens: 7 };
  const delta = { content: 'Keep the monolith.' };
  const records = [{ choices: [{ index: 0, delta, finish_reason: null }], usage: count }];
  const server = await startOpenAI({ behaviours: { alpha: { records, alone: true } } });
  const stop = new AbortController();
  const { result } = await callModel(modelsFor({ openai: server }), SPECS.openai, {
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'text') stop.abort();
    },
  });
  await server.close();
  expect(result).toMatchObject({ status: 'stopped', text: 'Keep the monolith.' });
  expect(result.usage).toEqual({ ...NO_USAGE, input: 40, output: 7 });
});
