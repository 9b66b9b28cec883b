/** Formats settings for printing, without keys, tokens or addresses that are secrets. */

import { secretArguments } from '../../app/settings/tool-server-file.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { isRecord } from '../../text/json.ts';

/** Settings whose parsed value is in milliseconds. */
const DURATIONS: ReadonlySet<string> = new Set(['patience', 'seat_timeout', 'idle_timeout']);

/**
 * Returns a setting's value in which parts that may be secret are replaced by `set` (headers, the
 * address of a webhook, key arguments of tool servers) and credentials are removed from addresses.
 *
 * @param path the setting's name, then the keys below it
 */
export function withoutSecrets(path: readonly string[], value: unknown): unknown {
  const name = path.at(-1);
  if (path[0] === 'notify_webhook' || path.at(-2) === 'headers') return 'set';
  if (path[0] === 'tools' && name === 'command' && Array.isArray(value)) {
    const words = value.map(String);
    const secrets = secretArguments(words).filter((secret) => secret !== '');
    return words.map((word) =>
      secrets.reduce((text, secret) => text.replaceAll(secret, 'set'), word),
    );
  }
  if (name === 'url' && typeof value === 'string') return withoutCredentials(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutSecrets([...path, key], part)]),
  );
}

/** Formats a setting in the form that `config set` accepts. `name` is the setting's name. */
export function formatSetting(name: string, value: unknown): string {
  if (DURATIONS.has(name) && typeof value === 'number') return formatDuration(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns an address without its user name, password, query and fragment; `not set` if there is no
 * address, and `set, but not a URL` if it cannot be parsed.
 */
export function withoutCredentials(address: string | undefined): string {
  if (!address) return 'not set';
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  return url === null ? 'set, but not a URL' : `${url.protocol}//${url.host}${url.pathname}`;
}
