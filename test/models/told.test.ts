/**
 * Tests that the program remembers what servers have reported: no first call waits for it, and changes are
 * noticed.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { NO_PROFILES, type Profiles, parseProfiles } from '../../src/models/profiles.ts';
import { ServerMemory } from '../../src/models/told.ts';
import { startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { waitUntil } from '../until.ts';
import { callModel, getFailure, makeUserMessage, modelsFor, type Servers } from './ask.ts';

/** A prompt of about 2,000 tokens, which is too long for the window that is assumed where none is known. */
const LONG = [makeUserMessage('word '.repeat(2_000))];

function closeAfterTest<Server extends TestServer>(server: Server): Server {
  onTestFinished(() => server.close());
  return server;
}

/** Returns what one call of the program stores for the next call. */
async function rememberFrom(servers: Servers, spec: string): Promise<Profiles> {
  const models = modelsFor(servers);
  await callModel(models, spec, { messages: LONG });
  await models.window(spec);
  const kept: unknown = JSON.parse(JSON.stringify(models.rememberReported(NO_PROFILES)));
  return parseProfiles(kept) ?? expect.fail('what was kept cannot be read');
}

describe('The first call of a process', () => {
  test('does not wait for Ollama’s description of the model if an earlier process stored one', async () => {
    const first = closeAfterTest(await startOllama());
    const profiles = await rememberFrom({ ollama: first }, 'ollama/alpha');
    const { requests } = first;
    const before = requests.length;
    const models = modelsFor({ ollama: first }, { profiles });
    const { result } = await callModel(models, 'ollama/alpha', { messages: LONG });
    expect(result.status).toBe('done');
    const chat = first.chats().at(-1);
    expect(chat?.body?.options).toMatchObject({ num_ctx: 8_192 });
    // The server is asked once more for the description of its model, but no call waits for the
    // description.
    await waitUntil(
      () => requests.slice(before).some(({ path }) => path === '/api/show'),
      'the server is asked',
    );
  });

  test('with a short prompt does not wait for Ollama’s description of the model', async () => {
    const server = closeAfterTest(await startOllama({ contextLength: 4_096 }));
    const models = modelsFor({ ollama: server });
    for (const numCtx of [8_192, 4_096]) {
      await callModel(models, 'ollama/alpha');
      expect(server.chats().at(-1)?.body?.options).toMatchObject({ num_ctx: numCtx });
    }
  });

  test('to a server known from an earlier process is sent before the server is asked about its models again', async () => {
    const server = closeAfterTest(await startOpenAI());
    const profiles = await rememberFrom({ openai: server }, 'openai/alpha');
    const before = server.requests.length;
    const models = modelsFor({ openai: server }, { profiles });
    const { result } = await callModel(models, 'openai/alpha', { messages: LONG });
    expect(result.status).toBe('done');
    await models.window('openai/alpha');
    const listLaterPaths = () => server.requests.slice(before).map(({ path }) => path);
    await waitUntil(
      () => listLaterPaths().includes('/api/v1/models'),
      'the list is asked for again',
    );
    expect(listLaterPaths().indexOf('/v1/chat/completions')).toBeLessThan(
      listLaterPaths().indexOf('/api/v1/models'),
    );
    await waitUntil(() => models.rememberReported(profiles) === profiles, 'nothing new was told');
  });
});

describe('What a server reported in earlier processes', () => {
  test('is corrected if the context window has become smaller', async () => {
    const large = closeAfterTest(await startOllama({ contextLength: 32_768 }));
    const profiles = await rememberFrom({ ollama: large }, 'ollama/alpha');
    const [told] = Object.values(profiles.hosts);
    const small = closeAfterTest(await startOllama({ contextLength: 2_048 }));
    const [key = ''] = Object.keys((await rememberFrom({ ollama: small }, 'ollama/beta')).hosts);
    const known = { v: 1 as const, hosts: { [key]: told ?? expect.fail('nothing was kept') } };
    const models = modelsFor({ ollama: small }, { profiles: known });
    await callModel(models, 'ollama/alpha');
    await waitUntil(
      () => small.requests.filter(({ path }) => path === '/api/show').length > 1,
      'the server is asked',
    );
    await models.list();
    const { result } = await callModel(models, 'ollama/alpha', { messages: LONG });
    expect(getFailure(result)).toMatchObject({ code: 'too-long', window: 2_048 });
    const kept = models.rememberReported(known).hosts[key]?.told?.models.alpha;
    expect(kept).toMatchObject({ window: 2_048 });
  });

  test('does not hide that a model was removed meanwhile', async () => {
    const server = closeAfterTest(await startOllama({ models: ['alpha', 'beta'] }));
    const profiles = await rememberFrom({ ollama: server }, 'ollama/alpha');
    const [told] = Object.values(profiles.hosts);
    const left = closeAfterTest(await startOllama({ models: ['beta'] }));
    const [key = ''] = Object.keys((await rememberFrom({ ollama: left }, 'ollama/beta')).hosts);
    const known = { v: 1 as const, hosts: { [key]: told ?? expect.fail('nothing was kept') } };
    const { result } = await callModel(
      modelsFor({ ollama: left }, { profiles: known }),
      'ollama/alpha',
    );
    expect(getFailure(result)).toMatchObject({
      code: 'not-found',
      message: 'ollama: model "alpha" is not installed',
    });
  });

  test('is found for a model called "constructor" or "__proto__" only if it was reported for that model', () => {
    const memory = new ServerMemory();
    memory.recall({ models: {} });
    expect(memory.find('constructor')).toBeUndefined();
    memory.learn('__proto__', { window: 2 });
    expect(memory.find('__proto__')).toEqual({ window: 2 });
    const told = memory.changed();
    expect(Object.keys(told?.models ?? {})).toEqual(['__proto__']);
  });

  test('is stored again only if the server now reports something else, for at most 100 models', () => {
    const memory = new ServerMemory();
    memory.recall({ lists: 'none', models: { a: { window: 1 } } });
    memory.learn('a', { window: 1 });
    memory.learnLists('none');
    expect(memory.changed()).toBeUndefined();
    for (let at = 0; at < 150; at += 1) memory.learn(`m${at}`, {});
    const told = memory.changed();
    expect(Object.keys(told?.models ?? {})).toHaveLength(100);
    expect(told?.models).toHaveProperty('m149');
  });

  test('contains no key, even if the server repeats the key', async () => {
    const server = closeAfterTest(
      await startOllama({ remoteHost: 'https://sk-secret-0123456789@far' }),
    );
    const models = modelsFor(
      { ollama: server },
      { env: { OPENAI_API_KEY: 'sk-secret-0123456789' } },
    );
    await models.window('ollama/alpha');
    expect(JSON.stringify(models.rememberReported(NO_PROFILES))).not.toContain('sk-secret');
  });
});
