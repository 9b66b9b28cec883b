/** Addresses of servers as people set them in the environment. */
import { type Failure, ProviderFailure } from '../failure.ts';
import type { Access } from './access.ts';

/**
 * Refuses an address that no request can be sent to, in words about the variable it stands in: what
 * fetch says of it names neither.
 *
 * @throws ProviderFailure
 */
export function checkBaseUrl({
  name,
  addressName: variable,
  keyName,
  endpoint,
}: Pick<Access, 'name' | 'addressName' | 'keyName' | 'endpoint'>): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ProviderFailure(
      refusal(
        `${name}: ${variable} is not a URL`,
        'Set it to a URL, like https://host/v1 or http://127.0.0.1:8080',
      ),
    );
  if (url.username !== '' || url.password !== '')
    throw new ProviderFailure(
      refusal(
        `${name}: ${variable} contains a user name or password, which requests cannot send`,
        `Remove it from the URL, and set ${keyName} instead`,
      ),
    );
}

function refusal(message: string, next: string): Failure {
  return { code: 'unreachable', message, next, retry: false };
}
