/** Settings as they may be printed: no key, no token, no address that is one. */

import { secretArguments } from '../../app/settings/tool-server-file.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { isRecord } from '../../text/is-record.ts';

/** Settings that hold milliseconds once they are read. */
const DURATIONS: ReadonlySet<string> = new Set(['patience', 'seat_timeout', 'idle_timeout']);

/**
 * Returns a setting, or a part of one, without what could be a secret: the values of headers, the address of
 * the webhook (whoever has it can write there), arguments such as the one after `--api-key` in the command of
 * a tool server, and credentials and queries in other addresses.
 *
 * @param path The setting's name, then the keys below it.
 */
export function withoutSecrets(path: readonly string[], value: unknown): unknown {
  const name = path.at(-1);
  if (path[0] === 'notify_webhook' || path.at(-2) === 'headers') return 'set';
  if (path[0] === 'tools' && name === 'command' && Array.isArray(value)) {
    const words = value.map(String);
    const secrets = secretArguments(words).filter((secret) => secret !== '');
    return words.map((word) => secrets.reduce((text, one) => text.replaceAll(one, 'set'), word));
  }
  if (name === 'url' && typeof value === 'string') return withoutCredentials(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutSecrets([...path, key], part)]),
  );
}

/** Formats a setting so that `config set` takes it again. */
export function formatValue(name: string, value: unknown): string {
  if (DURATIONS.has(name) && typeof value === 'number') return formatDuration(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns an address as far as it may be shown: credentials stand before the host, and in queries. */
export function withoutCredentials(address: string | undefined): string {
  if (!address) return 'not set';
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  return url === null ? 'set, but not a URL' : `${url.protocol}//${url.host}${url.pathname}`;
}
