/** Test servers that answer requests singly and in batches, with the same answer to the same request. */
import { onTestFinished } from 'vitest';
import { type BatchOptions, type BatchServer, startBatches } from '../servers/batches.ts';
import type { RecordedRequest } from '../servers/http.ts';
import { startAnthropic, startOpenAI, startResponses, type TestServer } from '../servers/index.ts';
import { makeAnswerer } from './answerer.ts';

/** The kinds of provider APIs that have batches. */
export type Kind = 'anthropic' | 'openai' | 'responses';

/** The kinds of provider APIs that have batches. */
export const KINDS: readonly Kind[] = ['anthropic', 'openai', 'responses'];
/** The API key that the program under test sends to the servers. */
export const KEY = 'sk-test-0123456789abcdef';

/** A server for single requests and one for batches, with what the program needs to find them. */
export interface BatchProvider {
  /** The server for single requests. */
  readonly live: TestServer;
  /** The server for batches, which passes single requests on to `live`. */
  readonly server: BatchServer;
  /** The model's name with its provider. */
  readonly model: string;
  /** The environment variables with the address and the key. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a server for single requests and a server for batches, which give the same answer to the same
 * request and are closed when the test ends. Of 100 answers about `unreadable` cannot be read, 15 by default;
 * the other options say how the server for batches behaves.
 */
export async function makeBatchProvider(
  kind: Kind,
  options: Partial<BatchOptions> & { readonly unreadable?: number } = {},
): Promise<BatchProvider> {
  const { unreadable = 15, ...manners } = options;
  const say = makeAnswerer(unreadable);
  const answerRequest = (body: Readonly<Record<string, unknown>>) => say(asChat(body));
  const start = { anthropic: startAnthropic, openai: startOpenAI, responses: startResponses }[kind];
  const live = await start({ models: ['a'], answer: ({ body = {} }) => answerRequest(body) });
  const server = await startBatches({
    kind: kind === 'anthropic' ? kind : 'openai',
    otherServer: live,
    answer: answerRequest,
    ...manners,
  });
  onTestFinished(async () => {
    await server.close();
    await live.close();
  });
  const env =
    kind === 'anthropic'
      ? { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY }
      : {
          OPENAI_BASE_URL: `${server.url}/v1`,
          OPENAI_API_KEY: KEY,
          ...(kind === 'responses' ? { OPENAI_WIRE_API: 'responses' } : {}),
        };
  return { live, server, model: kind === 'anthropic' ? 'anthropic/a' : 'openai/a', env };
}

/** Converts a request of any protocol to Ollama's form, which the answerer reads. */
function asChat(body: Readonly<Record<string, unknown>>): RecordedRequest {
  const { model, messages, input, system, instructions, seed } = body;
  const toText = (content: unknown): string =>
    Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? '').join('\n\n')
      : String(content ?? '');
  const said = ((messages ?? input ?? []) as { role: string; content: unknown }[]).map(
    ({ role, content }) => ({ role, content: toText(content) }),
  );
  const told = toText(system ?? instructions);
  const all = [...(told === '' ? [] : [{ role: 'system', content: told }]), ...said];
  return {
    method: 'POST',
    path: '/',
    headers: {},
    port: 0,
    started: 0,
    written: 0,
    body: { model, messages: all, options: { seed } },
    model: String(model),
  };
}
