/** Providers that answer one by one and in batches, the same to the same request. */
import { onTestFinished } from 'vitest';
import { type BatchOptions, type BatchServer, startBatches } from '../servers/batches.ts';
import type { Recorded } from '../servers/http.ts';
import { startAnthropic, startOpenAI, startResponses, type TestServer } from '../servers/index.ts';
import { makeAnswerer } from './answerer.ts';

export type Kind = 'anthropic' | 'openai' | 'responses';

export const KINDS: readonly Kind[] = ['anthropic', 'openai', 'responses'];
export const KEY = 'sk-test-0123456789abcdef';

export interface BatchProvider {
  readonly live: TestServer;
  readonly server: BatchServer;
  readonly model: string;
  /** Where the program finds both. */
  readonly env: Readonly<Record<string, string>>;
}

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
    behind: live,
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
function asChat(body: Readonly<Record<string, unknown>>): Recorded {
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
