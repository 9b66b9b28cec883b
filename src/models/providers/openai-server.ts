/** What both of OpenAI's protocols have in common: the server, and how one attempt at it is made. */
import { NO_USAGE, type Usage } from '../../kernel/model.ts';
import { type About, type Failure, ProviderFailure, STOPPED } from '../failure.ts';
import type { Attempt, AttemptContext, ProviderRequest } from '../provider.ts';
import { StreamGuard, type Wire } from '../stream-guard.ts';
import type { OpenAIClient } from './openai-client.ts';

export interface OpenAIServer {
  readonly about: About;
  /** Whether it is OpenAI itself, which has dropped names that others still go by. */
  readonly official: boolean;
  /** @throws ProviderFailure where no request can be sent. */
  client(fetch: typeof globalThis.fetch): Promise<OpenAIClient>;
}

/** What was said so far, apart from the words. */
export interface Heard {
  /** As the server had counted by then. */
  usage: Usage;
  /** The model as the server names it. */
  served?: string;
}

export type Ending = Failure | undefined | Pick<Extract<Attempt, { ok: true }>, 'calls' | 'turn'>;

/** One attempt: `hear` reads the stream to its end and says what came of it. Rejects for defects only. */
export async function attemptAt(
  server: OpenAIServer,
  request: ProviderRequest,
  context: AttemptContext,
  wire: Wire,
  hear: (client: OpenAIClient, heard: Heard) => Promise<Ending>,
): Promise<Attempt> {
  const heard: Heard = { usage: NO_USAGE };
  const failed = (failure: Failure): Attempt => ({
    ok: false,
    failure,
    ...heard,
    notes: [],
  });
  const { about } = server;
  const guard = new StreamGuard({ ...context, about, model: request.model, wire });
  try {
    const ending = await hear(await server.client(guard.fetch), heard);
    if (guard.failure) return failed(guard.failure);
    if (ending !== undefined && 'code' in ending) return failed(ending);
    return { ok: true, ...heard, notes: guard.notes, ...ending };
  } catch (error) {
    if (guard.failure) return failed(guard.failure);
    if (error instanceof ProviderFailure) return failed(error.failure);
    // Some servers count as they go: what was counted by then is billed.
    if (context.signal.aborted) return failed(STOPPED);
    throw error;
  } finally {
    guard.close();
  }
}
