/** Sends requests to tool servers through the person's proxy, if one is set for the address. */
import { networkFailure, ProviderFailure } from '../../models/failure.ts';
import { toProxyFailure } from '../../models/network/proxy-failure.ts';
import { routeTo } from '../../models/network/route.ts';
import { ServerFailure } from '../../tools/servers/definition.ts';
import type { Fetch } from '../../tools/servers/http.ts';
import type { Invocation } from '../invocation.ts';

/**
 * Creates a `fetch` that uses the proxies of the environment. If a request goes through a proxy, its
 * error says whether the proxy or the server has failed.
 */
export function fetchThroughProxies(env: Invocation['env']): Fetch {
  return async (input, init) => {
    const address = String(input);
    const endpoint = URL.parse(address)?.origin ?? address;
    let route: Awaited<ReturnType<typeof routeTo>>;
    try {
      route = await routeTo('it', address, env);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      throw new ServerFailure(withoutName(error.failure.message));
    }
    const { proxy } = route;
    try {
      return await route.fetch(input, init);
    } catch (error) {
      if (proxy === undefined || init?.signal?.aborted === true) throw error;
      const about = { name: 'it', endpoint, whenUnreachable: '' };
      const failure = toProxyFailure(networkFailure(about, error), about, proxy);
      throw new ServerFailure(withoutName(failure.message));
    }
  };
}

function withoutName(message: string): string {
  return message.replace(/^it: /, '');
}
