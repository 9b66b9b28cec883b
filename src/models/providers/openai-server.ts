/** The parts that both of OpenAI's protocols share: the server, and how an attempt is made. */
import { NO_USAGE, type Usage } from '../../kernel/model.ts';
import { type Failure, ProviderFailure, type ServerDescription, STOPPED } from '../failure.ts';
import type { Attempt, AttemptContext, ProviderRequest } from '../provider.ts';
import { StreamGuard, type Wire } from '../stream-guard.ts';
import type { OpenAIClient } from './openai-client.ts';

/** A server that speaks one of OpenAI's protocols. */
export interface OpenAIServer {
  readonly about: ServerDescription;
  /**
   * Whether the server is OpenAI's own, which has dropped parameter names that other servers still
   * use.
   */
  readonly official: boolean;
  /**
   * Makes a client that sends requests by `fetch`.
   * @throws ProviderFailure if no request can be sent, for example without a key
   */
  client(fetch: typeof globalThis.fetch): Promise<OpenAIClient>;
}

/** What the server has reported about a request so far: its usage, and the name of the model. */
export interface ReceivedParts {
  /** The usage that the server has reported so far. */
  usage: Usage;
  /** The model name that the server reported. */
  served?: string;
}

/** How a stream ended: with a failure, with tool calls, or (undefined) with an ordinary answer. */
export type Ending = Failure | undefined | Pick<Extract<Attempt, { ok: true }>, 'calls' | 'turn'>;

/**
 * Makes one attempt at a request, by an API whose stream has the format `wire`. `hear` sends the request, reads
 * the stream to its end, puts the reported usage and model into `heard`, and returns how the stream ended.
 * Rejects only for defects of the program.
 */
export async function attemptAt(
  server: OpenAIServer,
  request: ProviderRequest,
  context: AttemptContext,
  wire: Wire,
  hear: (client: OpenAIClient, heard: ReceivedParts) => Promise<Ending>,
): Promise<Attempt> {
  const heard: ReceivedParts = { usage: NO_USAGE };
  const makeFailedAttempt = (failure: Failure): Attempt => ({
    ok: false,
    failure,
    ...heard,
    notes: [],
  });
  const { about } = server;
  const guard = new StreamGuard({ ...context, about, model: request.model, wire });
  try {
    const ending = await hear(await server.client(guard.fetch), heard);
    if (guard.failure) return makeFailedAttempt(guard.failure);
    if (ending !== undefined && 'code' in ending) return makeFailedAttempt(ending);
    return { ok: true, ...heard, notes: guard.notes, ...ending };
  } catch (error) {
    if (guard.failure) return makeFailedAttempt(guard.failure);
    if (error instanceof ProviderFailure) return makeFailedAttempt(error.failure);
    // Keep the usage that some servers report during the stream: it is billed even if the call was
    // stopped.
    if (context.signal.aborted) return makeFailedAttempt(STOPPED);
    throw error;
  } finally {
    guard.close();
  }
}
