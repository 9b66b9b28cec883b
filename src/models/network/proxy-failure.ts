/** Messages for requests that do not get through a proxy. */
import type { Failure, ServerDescription } from '../failure.ts';
import type { NamedProxy } from './proxy.ts';

/**
 * Rewrites a failure to reach a server as a failure of the proxy: the proxy refused, requires a
 * password, or cannot find the server. Any other failure is returned unchanged.
 */
export function toProxyFailure(
  failure: Failure,
  { endpoint }: Pick<ServerDescription, 'endpoint'>,
  { variable }: NamedProxy,
): Failure {
  const direct = `cannot reach ${endpoint}`;
  if (!failure.message.includes(direct)) return failure;
  const status = /\((\d{3})\)/.exec(failure.message)?.[1];
  const message = failure.message.replace(direct, `${direct} through the proxy in ${variable}`);
  const start = message.slice(0, message.indexOf(variable) + variable.length);
  if (status === '407')
    return {
      ...failure,
      message: `${start} (it wants a user name and a password)`,
      next: `Put a user name and a password into the address in ${variable}`,
      retry: false,
    };
  return {
    ...failure,
    message: status === undefined ? message : `${start} (it answered with HTTP ${status})`,
    next: `Check ${variable}, or name the host in NO_PROXY`,
  };
}
