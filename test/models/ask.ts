/** One call, and everything that was heard of it. */

import type {
  CallEvent,
  Message,
  ModelRequest,
  ModelResult,
  Seat,
} from '../../src/kernel/model.ts';
import { createModels, type ModelGateway, type ModelsConfig } from '../../src/models/gateway.ts';
import { createRehearsalProvider } from '../../src/protocols/rehearsal/provider.ts';
import type { TestServer } from '../servers/index.ts';

export interface AskResult {
  readonly result: ModelResult;
  readonly events: readonly CallEvent[];
}

export interface AskOptions {
  readonly task?: string;
  readonly about?: ModelRequest['about'];
  readonly seat?: Partial<Seat>;
  readonly messages?: readonly Message[];
  readonly schema?: ModelRequest['schema'];
  readonly limits?: ModelRequest['limits'];
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CallEvent) => void;
}

/** What is asked where a test names nothing else. */
export const QUESTION = 'Should we split the monolith?';

export async function callModel(
  models: ModelGateway,
  spec: string,
  { seat, signal, onEvent, messages, ...rest }: AskOptions = {},
): Promise<AskResult> {
  const events: CallEvent[] = [];
  const result = await models.call(
    {
      task: 'test/question',
      seat: { id: 'critic', role: 'critic', title: 'Critic', model: spec, brief: '', ...seat },
      messages: messages ?? [makeUserMessage(QUESTION)],
      ...rest,
    },
    {
      signal: signal ?? new AbortController().signal,
      onEvent: (event) => {
        events.push(event);
        onEvent?.(event);
      },
    },
  );
  return { result, events };
}

export function makeUserMessage(text: string, stable = false): Message {
  return { role: 'user', parts: [{ text, stable }] };
}

export interface Servers {
  readonly ollama?: TestServer;
  readonly anthropic?: TestServer;
  readonly openai?: TestServer;
  /** OpenAI's newer protocol, where there is no server of the older one. */
  readonly responses?: TestServer;
}

/** The environment that leads to these servers. */
export function envOf({ ollama, anthropic, openai, responses }: Servers): Record<string, string> {
  const ofOpenAI = openai ?? responses;
  return {
    // Nothing listens on port 9 here, so a test that forgets a server gets a refusal and never
    // reaches a real server.
    OLLAMA_HOST: ollama?.url ?? 'http://127.0.0.1:9',
    ANTHROPIC_BASE_URL: anthropic?.url ?? 'http://127.0.0.1:9',
    OPENAI_BASE_URL: ofOpenAI ? `${ofOpenAI.url}/v1` : 'http://127.0.0.1:9/v1',
    ...(openai === undefined && responses !== undefined ? { OPENAI_WIRE_API: 'responses' } : {}),
  };
}

/** Models with the patience of a test. */
export function modelsFor(servers: Servers, config: Partial<ModelsConfig> = {}): ModelGateway {
  const { env, ...rest } = config;
  return createModels({
    env: { ...envOf(servers), ...env },
    idleMs: 2_000,
    retry: { backoffMs: 10 },
    more: [createRehearsalProvider({})],
    ...rest,
  });
}

export function getFailure(result: ModelResult): Extract<ModelResult, { status: 'failed' }> {
  if (result.status !== 'failed') throw new Error(`the call ended as ${result.status}`);
  return result;
}

export function typesOf(events: readonly CallEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type !== 'text' && type !== 'thinking');
}
