/** Decides whether a request that has received nothing for an idle timeout may go on waiting. */
import type { ModelRequest } from '../../kernel/model.ts';
import { estimatePrompt } from '../../kernel/tokens.ts';
import { type Host, scaleOf } from './host.ts';

/**
 * Tokens of a prompt that a person's own server is given an idle timeout to read, 10 a second by default. A
 * server sends nothing while it reads, and two busy cores without a graphics card were seen to read 25 tokens
 * a second with the smallest models.
 */
const READ_PER_IDLE = 1_200;

/**
 * Returns a function to call whenever a request has received no data for the idle time. The function
 * resolves to whether the request should wait for another idle time. It should while the server sends data
 * for other calls, may still be reading this request's prompt, or answers calls of the only model in its
 * memory, if that is another one. It should not at a server that does not queue requests.
 */
export function createKeepAlive(
  host: Host,
  model: string,
  { seat, messages, tools }: Pick<ModelRequest, 'seat' | 'messages' | 'tools'>,
): () => Promise<boolean> {
  const { provider, scheduler } = host;
  let seen = host.activity;
  /** The number of idle timeouts of this one request since the server last sent a byte for any call. */
  let silent = 0;
  return async () => {
    if (!provider.queues) return false;
    const isAlive = host.activity !== seen;
    seen = host.activity;
    silent = isAlive ? 0 : silent + 1;
    if (isAlive) return true;
    const prompt = scaleOf(host, model).apply(estimatePrompt(seat.brief, messages, tools));
    if (silent * READ_PER_IDLE < prompt) return true;
    const [only, ...others] = (await provider.listLoaded?.()) ?? [];
    return (
      only !== undefined &&
      others.length === 0 &&
      !scheduler.isSame(only.model, model) &&
      scheduler.activeOf(only.model) > 0
    );
  };
}
