/** Makes a single call of a model, and returns its result with all its events. */

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

/** The result of a call, and all its events in order. */
export interface AskResult {
  readonly result: ModelResult;
  readonly events: readonly CallEvent[];
}

/**
 * The parts of a request that a test changes. Without them, the task is `test/question`, the seat is `critic`
 * with an empty brief, and the only message is `QUESTION`.
 */
export interface AskOptions {
  readonly task?: string;
  readonly about?: ModelRequest['about'];
  /** Fields that replace those of the seat `critic`. */
  readonly seat?: Partial<Seat>;
  readonly messages?: readonly Message[];
  readonly schema?: ModelRequest['schema'];
  readonly limits?: ModelRequest['limits'];
  readonly maxTokens?: number;
  readonly seed?: number;
  /** Stops the call when it is aborted. */
  readonly signal?: AbortSignal;
  /** Called with each event when it happens. */
  readonly onEvent?: (event: CallEvent) => void;
}

/** The question of a call for which a test gives no messages. */
export const QUESTION = 'Should we split the monolith?';

/**
 * Makes one call of a model, with the retries of the gateway, and returns the result with all events. `spec` is
 * the model with its provider: `ollama/alpha`.
 */
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

/** Returns a message of the user. `stable` marks its text as one that the provider may cache. */
export function makeUserMessage(text: string, stable = false): Message {
  return { role: 'user', parts: [{ text, stable }] };
}

/** The test servers by the provider that calls them. `responses` is used only if there is no `openai`. */
export interface Servers {
  readonly ollama?: TestServer;
  readonly anthropic?: TestServer;
  readonly openai?: TestServer;
  /** A server of OpenAI's Responses API, for the provider `openai`. */
  readonly responses?: TestServer;
}

/**
 * Returns the environment variables that make providers call the given servers. Providers without a server
 * get an address at which nobody listens.
 */
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

/**
 * Returns a gateway that calls the given servers, and has the stand-in. Unless `config` says otherwise, an
 * attempt is given up after 2 s without a byte, and the first retry comes after about 10 ms.
 */
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

/**
 * Returns the result of a call as a failure.
 * @throws Error if the call did not fail
 */
export function getFailure(result: ModelResult): Extract<ModelResult, { status: 'failed' }> {
  if (result.status !== 'failed') throw new Error(`the call ended as ${result.status}`);
  return result;
}

/** Returns the types of events in order, without pieces of texts and thoughts. */
export function typesOf(events: readonly CallEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type !== 'text' && type !== 'thinking');
}
