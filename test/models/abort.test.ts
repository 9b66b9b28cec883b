/** Tests that a stop reaches the server: the connection is closed there, before and after the headers. */
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../../src/kernel/tokens.ts';
import type { ModelGateway } from '../../src/models/gateway.ts';
import type { RecordedRequest } from '../servers/http.ts';
import {
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { waitUntil } from '../until.ts';
import { callModel, getFailure, makeUserMessage, modelsFor, QUESTION } from './ask.ts';

type Name = 'ollama' | 'anthropic' | 'openai' | 'responses';
const NAMES: readonly Name[] = ['ollama', 'anthropic', 'openai', 'responses'];
const SPECS = {
  ollama: 'ollama/alpha',
  anthropic: 'anthropic/claude-alpha',
  openai: 'openai/alpha',
  responses: 'openai/alpha',
} as const;
const modelOf = (name: Name): string => SPECS[name].split('/')[1] ?? '';

const START = {
  ollama: startOllama,
  anthropic: startAnthropic,
  openai: startOpenAI,
  responses: startResponses,
};

/** Runs a test with a server of its own, because these tests run at the same time. */
async function withServer(
  name: Name,
  work: (server: TestServer, models: ModelGateway, spec: string) => Promise<void>,
  /** The idle timeout in milliseconds. By default it is longer than any test, so that it ends no call. */
  idleMs = 600_000,
): Promise<void> {
  const server = await START[name]({ tokensPerSecond: 60 });
  await work(server, modelsFor({ [name]: server }, { idleMs }), SPECS[name]);
  await server.close();
}

/** Resolves when the client has closed the connection of a request whose answer was not over. */
function waitUntilClosed(request: RecordedRequest): Promise<number> {
  return waitUntil(() => request.closedAt, 'end of the connection');
}

describe.concurrent.each(NAMES)('a call to %s', (name) => {
  test.each(['stall-before-headers', 'stall-mid-stream', 'endless'] as const)(
    'can be stopped while its server does this: %s',
    (behaviour) =>
      withServer(name, async (server, models, spec) => {
        server.setBehaviour(modelOf(name), behaviour);
        const stop = new AbortController();
        let said = '';
        const asking = callModel(models, spec, {
          signal: stop.signal,
          onEvent: (event) => {
            if (event.type === 'text') said += event.text;
          },
        });
        const request = await server.waitForChat();
        if (behaviour !== 'stall-before-headers')
          await waitUntil(() => said.startsWith('Keep the'), 'text');
        stop.abort();
        const { result, events } = await asking;
        expect(result).toMatchObject({ status: 'stopped', attempts: 1 });
        await waitUntilClosed(request);
        expect(server.chats()).toHaveLength(1);
        expect(request.finished).toBeUndefined();
        if (behaviour === 'stall-before-headers') expect(result.text).toBe('');
        else expect(result.text.startsWith('Keep the')).toBe(true);
        const heard = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
        expect(heard).toBe(result.text);
        if (behaviour === 'stall-before-headers') {
          expect(result.usage).toEqual(NO_USAGE);
          return;
        }
        // Only Anthropic reports the tokens of the prompt before the answer ends; its test server counts
        // one for every four characters. For the other providers, the tokens are estimated.
        const told = Math.ceil(JSON.stringify([undefined, request.body?.messages]).length / 4);
        expect(result.usage).toEqual({
          ...NO_USAGE,
          input: name === 'anthropic' ? told : estimatePrompt('', [makeUserMessage(QUESTION)]),
          output: estimateTokens(result.text),
          estimated: true,
        });
      }),
  );

  test('sends nothing if it is stopped before it begins', () =>
    withServer(name, async (server, models, spec) => {
      const { result } = await callModel(models, spec, { signal: AbortSignal.abort() });
      expect(result).toMatchObject({ status: 'stopped', attempts: 0, text: '', latencyMs: 0 });
      expect(server.chats()).toHaveLength(0);
    }));

  test('can be stopped without stopping a second call', () =>
    withServer(name, async (server, models, spec) => {
      const stop = new AbortController();
      const other = callModel(models, spec);
      const first = callModel(models, spec, { signal: stop.signal });
      await server.waitForChat(2);
      stop.abort();
      expect((await first).result.status).toBe('stopped');
      expect((await other).result.status).toBe('done');
    }));

  test('closes its connection after an idle timeout', () =>
    withServer(
      name,
      async (server, models, spec) => {
        server.setBehaviour(modelOf(name), 'stall-mid-stream');
        const { result } = await callModel(models, spec);
        expect(getFailure(result)).toMatchObject({ code: 'timeout', attempts: 1 });
        const [request] = server.chats();
        expect(request && (await waitUntilClosed(request))).toBeGreaterThan(0);
      },
      250,
    ));
});

test('many calls with the same AbortSignal cause no warning, and the signal stops them all', async () => {
  const warnings: Error[] = [];
  const recordWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', recordWarning);
  const server = await startOllama({ behaviours: { alpha: 'stall-mid-stream' } });
  const stop = new AbortController();
  const models = modelsFor({ ollama: server });
  const all = Array.from({ length: 40 }, () =>
    callModel(models, 'ollama/alpha', { signal: stop.signal }),
  );
  await server.waitForChat(40);
  stop.abort();
  for (const { result } of await Promise.all(all)) expect(result.status).toBe('stopped');
  await server.close();
  process.off('warning', recordWarning);
  expect(warnings).toEqual([]);
});
