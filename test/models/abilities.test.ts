/**
 * Tests what servers report about their models, and its use: effort, schemas, windows, and which models are
 * loaded.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { measureModel } from '../../src/models/probe/measure.ts';
import { modelVerdicts } from '../../src/models/probe/verdicts.ts';
import { NO_PROFILES, profileFor, withMeasured } from '../../src/models/profiles.ts';
import { providersOf } from '../../src/models/providers.ts';
import { board } from '../../src/protocols/board/board.ts';
import { plan } from '../../src/protocols/plan/plan.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { team } from '../../src/protocols/team/team.ts';
import { openAttempt, temporaryStore } from '../kernel/desk.ts';
import {
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { callModel, envOf, getFailure, makeUserMessage, modelsFor, type Servers } from './ask.ts';

function closeAfterTest<T extends TestServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}

const yes = { supported: true };
const no = { supported: false };
const CLAUDE = 'anthropic/claude-alpha';
const bodyOf = (server: TestServer) => server.chats().at(-1)?.body ?? {};

describe("Anthropic's provider", () => {
  const makeModelEntry = (more: object) => ({
    capabilities: {
      effort: { ...yes, low: yes, medium: yes, high: yes, xhigh: null, max: no },
      structured_outputs: yes,
      thinking: { ...yes, types: { disabled: yes } },
      ...more,
    },
  });

  it('asks the server once to describe each model, and keeps to the answer length in the description', async () => {
    const server = closeAfterTest(await startAnthropic({ described: { max_tokens: 8_192 } }));
    const models = modelsFor({ anthropic: server });
    await Promise.all([callModel(models, CLAUDE), callModel(models, CLAUDE)]);
    expect(server.chats().map(({ body }) => body?.max_tokens)).toEqual([8_192, 8_192]);
    expect(server.requests.filter(({ path }) => path.startsWith('/v1/models/'))).toHaveLength(1);
    expect(await models.window(CLAUDE)).toBe(200_000);
  });

  it('calls a model even if the server’s description of the model is missing, invalid or never arrives', async () => {
    for (const described of [
      'missing',
      'stall',
      { max_tokens: 'many' },
      { capabilities: [] },
    ] as const) {
      const server = closeAfterTest(await startAnthropic({ described }));
      const { result } = await callModel(modelsFor({ anthropic: server }), CLAUDE, {
        seat: { effort: 'high' },
      });
      expect(result.status).toBe('done');
      expect(bodyOf(server)).toMatchObject({
        max_tokens: 32_000,
        output_config: { effort: 'high' },
      });
    }
  });

  it('sends the effort of the seat, with a schema or without', async () => {
    const server = closeAfterTest(
      await startAnthropic({ described: makeModelEntry({}), answer: '{"a": 1}' }),
    );
    const models = modelsFor({ anthropic: server });
    await callModel(models, CLAUDE, { seat: { effort: 'low' } });
    expect(bodyOf(server).output_config).toEqual({ effort: 'low' });
    await callModel(models, CLAUDE, {
      seat: { effort: 'high' },
      schema: z.object({ a: z.number() }),
    });
    expect(bodyOf(server).output_config).toMatchObject({
      effort: 'high',
      format: { type: 'json_schema' },
    });
  });

  it.each(['max', 'xhigh', 'none', 'constructor'])(
    'rejects the effort %s, which the model does not have, and sends nothing',
    async (effort) => {
      const server = closeAfterTest(await startAnthropic({ described: makeModelEntry({}) }));
      const { result } = await callModel(modelsFor({ anthropic: server }), CLAUDE, {
        seat: { effort },
      });
      expect(getFailure(result)).toMatchObject({
        code: 'rejected',
        message: `${CLAUDE} has no effort "${effort}", only "low", "medium", "high"`,
        next: 'Use one of these, or none',
        attempts: 0,
      });
      expect(server.chats()).toEqual([]);
    },
  );

  it('sends the default effort only to a model that supports this effort', async () => {
    const server = closeAfterTest(await startAnthropic({ described: makeModelEntry({}) }));
    const models = modelsFor({ anthropic: server });
    const { result } = await callModel(models, CLAUDE, { seat: { effortIfKnown: 'max' } });
    expect(result).toMatchObject({
      status: 'done',
      notes: ['the model does not know the effort "max": sent without one'],
    });
    expect(bodyOf(server)).not.toHaveProperty('output_config');
    // The model knows the level `high`, so a call that asks for `high` sends it.
    await callModel(models, CLAUDE, { seat: { effortIfKnown: 'high' } });
    expect(bodyOf(server).output_config).toEqual({ effort: 'high' });
    // If a seat has both fields, `effort` counts and `effortIfKnown` is ignored. Here `effort` is `max`, which
    // the model does not know, so the call fails.
    const both = await callModel(models, CLAUDE, { seat: { effort: 'max', effortIfKnown: 'low' } });
    expect(getFailure(both.result)).toMatchObject({ code: 'rejected', attempts: 0 });
  });

  it('sends no effort to a model without effort levels', async () => {
    const server = closeAfterTest(
      await startAnthropic({ described: makeModelEntry({ effort: no }) }),
    );
    const { result } = await callModel(modelsFor({ anthropic: server }), CLAUDE, {
      seat: { effort: 'high' },
    });
    expect(result).toMatchObject({
      status: 'done',
      notes: ['the model has no effort levels: sent without one'],
    });
    expect(bodyOf(server)).not.toHaveProperty('output_config');
  });

  it('describes the schema in the prompt for a model that does not support schemas', async () => {
    const described = makeModelEntry({ structured_outputs: no });
    const server = closeAfterTest(await startAnthropic({ described, answer: '{"a": 1}' }));
    const { result } = await callModel(modelsFor({ anthropic: server }), CLAUDE, {
      schema: z.object({ a: z.number() }),
    });
    expect(result).toMatchObject({
      status: 'done',
      value: { a: 1 },
      notes: ['the model does not support schemas: put in the prompt'],
    });
    expect(bodyOf(server)).not.toHaveProperty('output_config');
    expect(JSON.stringify(bodyOf(server).messages)).toContain('fits this JSON Schema');
  });

  it('asks Anthropic to cache prompts for an hour if the protocol expects long pauses between calls', async () => {
    const server = closeAfterTest(await startAnthropic({ cacheWritten: 50 }));
    const models = modelsFor({ anthropic: server });
    const seat = { id: 's', role: 's', title: 'S', model: CLAUDE, brief: 'You are kind.' };
    const usages = [];
    for (const longPauses of [true, false]) {
      const { run } = openAttempt(temporaryStore().create('test'), models, { longPauses });
      const messages = [makeUserMessage('Shared.', true)];
      usages.push((await run.ask('seat/s', { task: 't/a', seat, messages })).usage);
      const ttls = JSON.stringify(bodyOf(server)).match(/"cache_control":\{[^}]*\}/g);
      const hour = longPauses ? ',"ttl":"1h"' : '';
      expect(ttls).toEqual(Array(2).fill(`"cache_control":{"type":"ephemeral"${hour}}`));
    }
    expect(
      usages.map(({ cacheWritten, cacheWrittenForHour }) => [cacheWritten, cacheWrittenForHour]),
    ).toEqual([
      [50, 50],
      [50, undefined],
    ]);
  });

  it('is told to expect long pauses between calls by rounds, plan and team, but not by a board', () => {
    expect([rounds, plan, team].map(({ longPauses }) => longPauses)).toEqual([true, true, true]);
    expect(board.longPauses).toBeUndefined();
  });

  it('can be stopped while it asks the server about a model', async () => {
    const server = closeAfterTest(await startAnthropic({ described: 'stall' }));
    const stop = new AbortController();
    const asking = callModel(modelsFor({ anthropic: server }), CLAUDE, { signal: stop.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect((await asking).result.status).toBe('stopped');
    expect(server.chats()).toEqual([]);
  });
});

describe("Ollama's provider", () => {
  const hard = { seat: { effort: 'high' } };

  it.each([
    ['high', 'high', { values: [true, false, 'low', 'high'] }],
    ['none', false, { values: [true, false, 'low', 'high'] }],
    ['xhigh', 'xhigh', { values: ['xhigh'] }],
  ])('sends the effort %s as %j if the model lists that level', async (effort, think, thinking) => {
    const server = closeAfterTest(await startOllama({ thinking }));
    const { result } = await callModel(modelsFor({ ollama: server }), 'ollama/alpha', {
      seat: { effort },
    });
    expect(result).toMatchObject({ status: 'done', notes: [] });
    expect(bodyOf(server).think).toBe(think);
  });

  it('rejects a level of effort that the model does not list, since Ollama would silently use the default', async () => {
    const server = closeAfterTest(
      await startOllama({ thinking: { values: [true, false, 'low'] } }),
    );
    const { result } = await callModel(modelsFor({ ollama: server }), 'ollama/alpha', hard);
    expect(getFailure(result)).toMatchObject({
      code: 'rejected',
      message: 'ollama/alpha has no effort "high", only "none", "low"',
    });
    expect(server.chats()).toEqual([]);
  });

  it('says in a note if the levels of effort of a model are unknown, or if it has none', async () => {
    const server = closeAfterTest(await startOllama());
    const { result } = await callModel(modelsFor({ ollama: server }), 'ollama/alpha', hard);
    expect(result.notes).toEqual([
      'ollama does not report the effort levels of this model: "high" may have no effect',
    ]);
    const mute = closeAfterTest(await startOllama({ thinking: false }));
    const other = await callModel(modelsFor({ ollama: mute }), 'ollama/alpha', hard);
    expect(other.result.notes).toEqual(['the model has no effort levels: sent without one']);
    expect(bodyOf(mute)).not.toHaveProperty('think');
  });

  it('describes the schema in the prompt, instead of sending it in the field `format`, to cloud models, which ignore that field', async () => {
    const server = closeAfterTest(
      await startOllama({
        remoteHost: 'https://ollama.com',
        schemas: { alpha: 'obeys-words' },
        answer: 'Spring comes after it.',
      }),
    );
    const { result } = await callModel(modelsFor({ ollama: server }), 'ollama/alpha', {
      schema: z.object({ season: z.string() }),
    });
    expect(result).toMatchObject({
      status: 'done',
      value: { season: 'spring' },
      attempts: 1,
      notes: ['the model does not support schemas: put in the prompt'],
    });
    expect(bodyOf(server)).not.toHaveProperty('format');
  });

  it('has free models only on this machine or in a private network', async () => {
    const usage = { input: 1, output: 1, cached: 0, cacheWritten: 0, thinking: 0 };
    const server = closeAfterTest(await startOllama({ remoteHost: 'https://ollama.com' }));
    const models = modelsFor({ ollama: server });
    await callModel(models, 'ollama/alpha');
    expect(models.price('ollama/alpha', usage)).toBeUndefined();
    const here = modelsFor({ ollama: closeAfterTest(await startOllama()) });
    expect(here.price('ollama/alpha', usage)).toBe(0);
    expect(here.price('ollama/gpt-oss:120b-cloud', usage)).toBeUndefined();
    const far = modelsFor({}, { env: { OLLAMA_HOST: 'https://ollama.com' } });
    expect(far.price('ollama/gpt-oss:120b', usage)).toBeUndefined();
    const imposter = modelsFor({}, { env: { OLLAMA_HOST: 'http://ollama.com.lan:11434' } });
    expect(imposter.price('ollama/gpt-oss:120b', usage)).toBe(0);
  });

  it('keeps separate measurements of models of one name that run at different servers', async () => {
    const editionAt = async (remoteHost?: string) => {
      const server = closeAfterTest(
        await startOllama(remoteHost === undefined ? {} : { remoteHost }),
      );
      return providerOf('ollama', { ollama: server }).edition?.('alpha');
    };
    const [here, there] = [await editionAt(), await editionAt('https://ollama.com')];
    expect(here).not.toBe(there);
    const at = '2026-11-23T00:00:00.000Z';
    const host = { name: 'ollama', endpoint: 'http://one:1', listed: 1 };
    const answer = { firstTokenMs: 1, ms: 2, output: 3, thought: false };
    const measured = {
      spec: 'ollama/alpha',
      answer,
      schema: { given: 'ignored', inWords: 'obeyed' },
    } as const;
    const known = withMeasured(
      NO_PROFILES,
      host,
      [{ name: 'alpha', edition: there, measured }],
      at,
    );
    const now = Date.parse(at) + 1;
    expect(profileFor(known, 'http://one:1', 'alpha', there, now)?.schema).toBe('words');
    expect(profileFor(known, 'http://one:1', 'alpha', here, now)).toBeUndefined();
    expect(profileFor(known, 'http://two:1', 'alpha', there, now)).toBeUndefined();
  });

  it('lets the doctor report a server that loads a smaller context than the model has', async () => {
    const server = closeAfterTest(
      await startOllama({ contextLength: 32_768, loadedContext: 4_096 }),
    );
    const found = await measureModel(providerOf('ollama', { ollama: server }), 'alpha', {
      quick: true,
      thorough: false,
      free: true,
      idleMs: 3_000,
      signal: new AbortController().signal,
    });
    expect(found.loaded).toBe(4_096);
    expect(modelVerdicts(found).map(({ says }) => says)).toContain(
      'context of 32,768 tokens, loaded with 4,096',
    );
  });
});

describe("OpenAI's provider", () => {
  it('sends the effort in the form that each of its two APIs requires', async () => {
    const chat = closeAfterTest(await startOpenAI());
    await callModel(modelsFor({ openai: chat }), 'openai/alpha', { seat: { effort: 'xhigh' } });
    expect(bodyOf(chat).reasoning_effort).toBe('xhigh');
    const responses = closeAfterTest(await startResponses());
    await callModel(modelsFor({ responses }), 'openai/alpha', { seat: { effort: 'xhigh' } });
    expect(bodyOf(responses).reasoning).toEqual({ effort: 'xhigh' });
  });

  it.each([
    ["Unsupported parameter: 'reasoning.effort' is not supported with this model.", 'done'],
    ['Unrecognized request argument supplied: reasoning_effort', 'done'],
    ["Unsupported value: 'none' is not supported with this model for reasoning.effort", 'failed'],
  ])(
    'asks again without an effort if the model has no such setting, but not if it refuses the chosen value: after %j the call is %s',
    async (message, status) => {
      const server = closeAfterTest(
        await startOpenAI({ behaviours: { alpha: [{ status: 400, message }, 'ok'] } }),
      );
      const { result } = await callModel(modelsFor({ openai: server }), 'openai/alpha', {
        seat: { effort: 'none' },
      });
      expect(result.status).toBe(status);
      if (status === 'done') {
        expect(result.notes).toEqual(['the model has no effort levels: sent without one']);
        expect(bodyOf(server)).not.toHaveProperty('reasoning_effort');
      } else expect(server.chats()).toHaveLength(1);
      // If a model refuses the level in `effortIfKnown`, the call is sent again without a level. If the model
      // refused only this one level, later calls still send other levels.
      const other = closeAfterTest(
        await startOpenAI({ behaviours: { alpha: [{ status: 400, message }, 'ok', 'ok'] } }),
      );
      const models = modelsFor({ openai: other });
      const without = await callModel(models, 'openai/alpha', { seat: { effortIfKnown: 'none' } });
      expect(without.result.status).toBe('done');
      expect(bodyOf(other)).not.toHaveProperty('reasoning_effort');
      if (status === 'done') return;
      expect(without.result.notes).toEqual([
        'the model does not know the effort "none": sent without one',
      ]);
      await callModel(models, 'openai/alpha', { seat: { effort: 'low' } });
      expect(bodyOf(other).reasoning_effort).toBe('low');
    },
  );
});

describe("An OpenAI-compatible server on the person's own machine", () => {
  const LM_STUDIO = {
    models: [
      {
        type: 'llm',
        key: 'alpha',
        max_context_length: 131_072,
        loaded_instances: [{ id: 'alpha', config: { context_length: 4_096 } }],
      },
      { type: 'llm', key: 'beta', max_context_length: 32_768, loaded_instances: [] },
      {
        type: 'llm',
        key: 'gamma',
        max_context_length: 32_768,
        loaded_instances: [{ id: 'gamma:2', config: { context_length: 8_192 } }, null, {}],
      },
      { key: 5 },
      null,
    ],
  };

  it('such as LM Studio reports its loaded models and their context windows at /api/v1/models', async () => {
    const tells = { '/api/v1/models': () => LM_STUDIO };
    const server = closeAfterTest(await startOpenAI({ otherPaths: tells }));
    const models = modelsFor({ openai: server });
    expect(await models.window('openai/alpha')).toBe(4_096);
    expect(await models.window('openai/beta')).toBe(32_768);
    expect(await models.window('openai/gamma')).toBe(8_192);
    expect(await models.window('openai/gamma:2')).toBe(8_192);
    expect(await models.window('openai/delta')).toBeUndefined();
    const { listLoaded } = providerOf('openai', { openai: server });
    expect((await listLoaded?.())?.map(({ model, context }) => [model, context])).toEqual([
      ['alpha', 4_096],
      ['gamma', 8_192],
    ]);
  });

  it('gets the calls of one model in a row if the server keeps only one model loaded', async () => {
    let loaded = '';
    const seen: string[] = [];
    const server = closeAfterTest(
      await startOpenAI({
        answer: ({ model }) => {
          // Note each load: like llama.cpp's router with --models-max 1, the server keeps one model and has
          // to load another model when a call asks for it.
          if (loaded !== model) seen.push(model);
          loaded = model;
          return 'Yes.';
        },
        otherPaths: {
          '/models': () => ({
            data: ['alpha', 'beta'].map((id) => ({
              id,
              status: { value: id === loaded ? 'loaded' : 'unloaded' },
            })),
          }),
        },
      }),
    );
    const models = modelsFor({ openai: server });
    const listLooks = () => server.requests.filter(({ path }) => path === '/models');
    // The gateway requests `/models`, the server's list of loaded models, once before the first call, and at
    // least once after each model's answer.
    for (const [at, model] of ['alpha', 'beta'].entries()) {
      await callModel(models, `openai/${model}`);
      await expect.poll(() => listLooks().length).toBeGreaterThanOrEqual(at + 2);
      await expect
        .poll(() => listLooks().every(({ finished }) => finished !== undefined))
        .toBe(true);
    }
    // Request the server's list once more: when the server has answered, the answers to all earlier requests
    // have been handled.
    await models.list();
    seen.length = 0;
    const calls = ['alpha', 'beta', 'alpha', 'beta', 'alpha', 'beta'].map((model) =>
      callModel(models, `openai/${model}`),
    );
    const asked = await Promise.all(calls);
    expect(asked.every(({ result }) => result.status === 'done')).toBe(true);
    // If the calls were sent in the order in which they are made, the server would load a model six times.
    // Grouped by model, the calls need two loads, and a third one if a call comes late on a busy machine.
    expect(seen.length).toBeLessThanOrEqual(3);
    expect(asked.some(({ events }) => events.some(({ type }) => type === 'queued'))).toBe(true);
  });

  it('gets all calls without delay if it cannot list its loaded models', async () => {
    const server = closeAfterTest(await startOpenAI());
    const models = modelsFor({ openai: server });
    const answers = await Promise.all(
      ['alpha', 'beta', 'gamma'].map((model) => callModel(models, `openai/${model}`)),
    );
    for (const { events } of answers)
      expect(events.map(({ type }) => type)).not.toContain('queued');
    const others = server.requests.filter(({ path }) => path !== '/v1/chat/completions');
    // Besides the calls, the server got only three requests: two for the models that it has loaded, as LM
    // Studio and llama-server list them, and one for the context windows of its models.
    const asked = new Set(others.map(({ path }) => path));
    expect([...asked].toSorted()).toEqual(['/api/v1/models', '/models', '/v1/models']);
    expect(others).toHaveLength(3);
  });

  it('is asked for its loaded models, unlike a service such as openrouter.ai', () => {
    const env = { OPENAI_BASE_URL: 'https://openrouter.ai/api/v1' };
    const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    expect(providerOf('openai', {}, own).listLoaded).toBeDefined();
    expect(providerOf('openai', {}, env).listLoaded).toBeUndefined();
    expect(providerOf('openai', {}, { OPENAI_BASE_URL: '' }).listLoaded).toBeUndefined();
  });
});

function providerOf(name: string, servers: Servers, env: Record<string, string> = {}) {
  const found = providersOf({ ...envOf(servers), ...env }).find(
    (provider) => provider.name === name,
  );
  if (!found) throw new Error(`no ${name}`);
  return found;
}
