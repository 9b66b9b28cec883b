/** Checks server addresses from environment variables and settings. */
import { type Failure, ProviderFailure } from '../failure.ts';
import type { Access } from './access.ts';

/**
 * Checks the address of a server.
 *
 * @throws ProviderFailure for an invalid address. Its message names the variable or setting that a
 * person has to change; an error of `fetch` would not name it.
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
      makeRefusal(
        `${name}: ${variable} is not a URL`,
        'Set it to a URL, like https://host/v1 or http://127.0.0.1:8080',
      ),
    );
  if (url.username !== '' || url.password !== '')
    throw new ProviderFailure(
      makeRefusal(
        `${name}: ${variable} contains a user name or password, which requests cannot send`,
        `Remove it from the URL, and set ${keyName} instead`,
      ),
    );
}

function makeRefusal(message: string, next: string): Failure {
  return { code: 'unreachable', message, next, retry: false };
}
