/**
 * Tests servers of other makers that speak a provider's protocol: they answer without a stream, report less,
 * or use other names.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ServerProtocol } from '../../src/kernel/providers/servers.ts';
import { createModels, type ModelsConfig } from '../../src/models/gateway.ts';
import { NO_PROFILES, type Profiles, withReported } from '../../src/models/profiles.ts';
import {
  type AnthropicOptions,
  startAnthropic,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { callModel, getFailure } from './ask.ts';

function labAt(
  server: TestServer,
  speaks: ServerProtocol,
  config: Partial<ModelsConfig> = {},
): ReturnType<typeof createModels> {
  onTestFinished(() => server.close());
  const url = speaks === 'anthropic' ? server.url : `${server.url}/v1`;
  return createModels({
    env: {},
    idleMs: 2_000,
    retry: { attempts: 1 },
    servers: [{ name: 'lab', speaks, url, keyEnv: [], isOwn: true }],
    ...config,
  });
}

const START = {
  openai: startOpenAI,
  'openai-responses': startResponses,
  anthropic: startAnthropic,
} as const;

/** An answer of each protocol as it comes from a server that does not stream. */
const WHOLE = {
  openai: {
    id: 'x',
    object: 'chat.completion',
    model: 'alpha-2',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Split it.', reasoning_content: 'Hm.' },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  },
  'openai-responses': {
    id: 'x',
    object: 'response',
    model: 'alpha-2',
    status: 'completed',
    output: [
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Split it.' }],
      },
    ],
    usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  },
  anthropic: {
    id: 'x',
    type: 'message',
    role: 'assistant',
    model: 'alpha-2',
    stop_reason: 'end_turn',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'Split it.' },
    ],
    usage: { input_tokens: 9, output_tokens: 3 },
  },
} as const;

describe.each(Object.keys(WHOLE) as (keyof typeof WHOLE)[])(
  'an answer by %s that is no stream',
  (speaks) => {
    const askWith = async (body: unknown) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const behaviours = { alpha: { status: 200, body: text } };
      const server = await START[speaks]({ models: ['alpha'], behaviours });
      return (await callModel(labAt(server, speaks), 'lab/alpha')).result;
    };

    it('is accepted if it is one complete JSON document', async () => {
      expect(await askWith(WHOLE[speaks])).toMatchObject({
        status: 'done',
        text: 'Split it.',
        thinking: 'Hm.',
        served: 'alpha-2',
        usage: { input: 9, output: 3 },
        notes: ['lab sent the answer in one piece instead of a stream'],
      });
    });

    it('fails as truncated if its JSON document says that a limit of tokens cut the answer', async () => {
      const cut = {
        openai: { choices: [{ ...WHOLE.openai.choices[0], finish_reason: 'length' }] },
        'openai-responses': {
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
        },
        anthropic: { stop_reason: 'max_tokens' },
      } as const;
      expect(getFailure(await askWith({ ...WHOLE[speaks], ...cut[speaks] }))).toMatchObject({
        code: 'truncated',
        text: 'Split it.',
      });
    });

    it.each([
      ['has no text', '{"id": "x"}', /answered with a JSON document instead of a stream/],
      [
        'has fields of wrong types',
        '{"content": 7, "choices": {}, "output": "x"}',
        /a JSON document instead of a stream/,
      ],
      ['is an error', '{"error": {"message": "no credit", "type": "billing_error"}}', /no credit/],
      ['is not valid JSON', '{"content": [', /instead of a stream/],
    ])('is rejected if the document %s', async (_what, body, said) => {
      expect(getFailure(await askWith(body)).message).toMatch(said);
    });
  },
);

describe('another company’s server that speaks Anthropic’s API', () => {
  const TELLS_OF_SCHEMAS = { capabilities: { structured_outputs: { supported: true } } };
  const FORM = z.object({ verdict: z.string() });
  const startServer = (options: AnthropicOptions) =>
    startAnthropic({
      models: ['alpha'],
      answer: '{"verdict": "yes"}',
      described: 'missing',
      ...options,
    });

  it('gets schemas in the prompt if the server does not say whether it supports them', async () => {
    const server = await startServer({});
    const { result } = await callModel(labAt(server, 'anthropic'), 'lab/alpha', { schema: FORM });
    expect(result).toMatchObject({
      status: 'done',
      value: { verdict: 'yes' },
      notes: ['the server does not say that it takes schemas: put in the prompt'],
    });
    const [asked] = server.chats();
    expect(asked?.body).not.toHaveProperty('output_config');
    expect(JSON.stringify(asked?.body?.messages)).toContain('fits this JSON Schema');
  });

  /** Returns profiles as if the doctor had seen that the only model of a server keeps to a schema. */
  const seenBy = (url: string): Profiles => {
    const at = new Date().toISOString();
    const { hosts } = withReported(NO_PROFILES, url, { models: {} }, at);
    const [[key, host] = ['', { at, models: {} }]] = Object.entries(hosts);
    const models = { alpha: { at, schema: 'given' as const, firstTokenMs: 1 } };
    return { v: 1, hosts: { [key]: { ...host, models } } };
  };

  it.each([
    ['says that it takes schemas', { described: TELLS_OF_SCHEMAS }, () => NO_PROFILES],
    ['was seen by the doctor to follow a schema', {}, seenBy],
  ])(
    'gets the schema in the API’s own field, not in the prompt, if it %s',
    async (_how, options, profilesOf) => {
      const server = await startServer(options);
      const models = labAt(server, 'anthropic', { profiles: profilesOf(server.url) });
      const { result } = await callModel(models, 'lab/alpha', { schema: FORM });
      expect(result).toMatchObject({ status: 'done', notes: [] });
      expect(server.chats()[0]?.body).toHaveProperty('output_config.format.type', 'json_schema');
    },
  );

  it.each([
    ['llama-server', { meta: { n_ctx: 8_192, n_ctx_train: 131_072 } }],
    ['vLLM', { max_model_len: 8_192 }],
    ['OpenRouter', { context_length: 8_192 }],
  ])(
    'has the context window that its list of models states in the format of %s',
    async (_who, listed) => {
      const server = await startServer({ listed });
      const models = labAt(server, 'anthropic');
      expect(await models.window('lab/alpha')).toBe(8_192);
      expect((await models.list({ only: 'lab' }))[0]?.models[0]?.contextWindow).toBe(8_192);
    },
  );

  it('leaves the context window unknown if neither its description of a model nor its list of models states one', async () => {
    const server = await startServer({ listed: { max_input_tokens: 'many', meta: 7 } });
    expect(await labAt(server, 'anthropic').window('lab/alpha')).toBeUndefined();
  });
});

it.each(['openai', 'anthropic'] as const)(
  'an invalid entry in the model list of an %s server does not hide the other models',
  async (speaks) => {
    const server = await START[speaks]({
      models: ['alpha', 7 as unknown as string],
    });
    const [listing] = await labAt(server, speaks).list({ only: 'lab' });
    expect(listing).toMatchObject({ models: [{ spec: 'lab/alpha' }] });
    expect(listing).not.toHaveProperty('error');
  },
);
