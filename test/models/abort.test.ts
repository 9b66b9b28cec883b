/** A stop reaches the server: the connection is closed there, before and after the headers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAnthropic, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { ask, modelsFor } from './ask.ts';

type Name = 'ollama' | 'anthropic' | 'openai';
const NAMES: readonly Name[] = ['ollama', 'anthropic', 'openai'];
const MODELS = { ollama: 'alpha', anthropic: 'claude-alpha', openai: 'alpha' } as const;

let servers: Record<Name, TestServer>;
beforeAll(async () => {
  servers = {
    ollama: await startOllama({ tokensPerSecond: 50 }),
    anthropic: await startAnthropic({ tokensPerSecond: 50 }),
    openai: await startOpenAI({ tokensPerSecond: 50 }),
  };
});
afterAll(() => Promise.all(NAMES.map((name) => servers[name].close())));

async function closing(server: TestServer, index: number): Promise<number> {
  for (let wait = 0; wait < 100; wait++) {
    const at = server.chats()[index]?.closedAt;
    if (at !== undefined) return at;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the connection is still open');
}

describe.each(NAMES)('%s', (name) => {
  const spec = `${name}/${MODELS[name]}`;

  test.each(['stall-before-headers', 'stall-mid-stream', 'ok'] as const)(
    'stopped while the server is at: %s',
    async (behaviour) => {
      const server = servers[name];
      server.behave(MODELS[name], behaviour);
      const index = server.chats().length;
      const stop = new AbortController();
      const asking = ask(modelsFor(servers), spec, { signal: stop.signal });
      const request = await server.chat(index + 1);
      await new Promise((resolve) =>
        setTimeout(resolve, behaviour === 'stall-before-headers' ? 50 : 300),
      );
      const stopped = performance.now();
      stop.abort();
      const { result, events } = await asking;
      expect(performance.now() - stopped).toBeLessThan(200);
      expect(result).toMatchObject({ status: 'stopped', attempts: 1 });
      expect((await closing(server, index)) - stopped).toBeLessThan(300);
      expect(server.chats().length).toBe(index + 1);
      expect(request.finished).toBeUndefined();
      if (behaviour === 'stall-before-headers') expect(result.text).toBe('');
      else expect(result.text.startsWith('Keep the')).toBe(true);
      const heard = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
      expect(heard).toBe(result.text);
    },
  );

  test('stopped before it begins, nothing is sent', async () => {
    const before = servers[name].chats().length;
    const { result } = await ask(modelsFor(servers), spec, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: 'stopped', attempts: 0, text: '', latencyMs: 0 });
    expect(servers[name].chats().length).toBe(before);
  });

  test('one of two calls is stopped, the other goes on', async () => {
    servers[name].behave(MODELS[name], 'ok');
    const models = modelsFor(servers);
    const stop = new AbortController();
    const other = ask(models, spec);
    const index = servers[name].chats().length;
    const first = ask(models, spec, { signal: stop.signal });
    await servers[name].chat(index + 2);
    setTimeout(() => stop.abort(), 100);
    expect((await first).result.status).toBe('stopped');
    expect((await other).result.status).toBe('done');
  });
});

test('an idle time-out closes the connection too', async () => {
  servers.ollama.behave('alpha', 'stall-mid-stream');
  const index = servers.ollama.chats().length;
  const { result } = await ask(modelsFor(servers, { idleMs: 250 }), 'ollama/alpha');
  const ended = performance.now();
  expect(result.status).toBe('failed');
  expect((await closing(servers.ollama, index)) - ended).toBeLessThan(300);
});
