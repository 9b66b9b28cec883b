/** The address and the key of a provider's server, and the settings that a person changes them by. */
import {
  findKeyVariable,
  keyName,
  type NamedServer,
  needsKey,
} from '../../kernel/providers/servers.ts';
import { ProviderFailure } from '../failure.ts';
import { runKeyCommand } from './key-command.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The address, key and headers of a server. */
export interface Access {
  /** The provider part of its models' names. */
  readonly name: string;
  /** The address, without a trailing slash. */
  readonly endpoint: string;
  /** The environment variable or the setting that holds the address, for messages. */
  readonly addressName: string;
  /** The environment variable or the setting that holds the key, for messages. */
  readonly keyName: string;
  /** Additional headers. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns the key; undefined for a server without a key.
   * @throws ProviderFailure if a required key is missing
   */
  readonly getKey: () => Promise<string | undefined>;
  /** The environment variables that configure proxies. */
  readonly network: Env;
  /** True for named servers, false for the built-in providers. */
  readonly isNamed: boolean;
}

/** Returns the address, key and headers of a named server. */
export function accessOf(server: NamedServer, env: Env): Access {
  const { name, url, headers = {} } = server;
  return {
    name,
    endpoint: url,
    addressName: `servers.${name}.url`,
    keyName: keyName(server),
    headers,
    network: env,
    getKey: async () => checkKey(server, await keyOf(server, env), env),
    isNamed: true,
  };
}

async function keyOf(server: NamedServer, env: Env): Promise<string | undefined> {
  if (server.keyCommand !== undefined) return runKeyCommand(server.name, server.keyCommand, env);
  const variable = findKeyVariable(server, env);
  if (variable !== undefined) return env[variable]?.trim();
  if (!needsKey(server)) return undefined;
  throw refusal(`${server.name}: there is no API key`, `Set ${keyName(server)}`);
}

/** Returns the key, or throws if it cannot be sent in a header. The error does not contain the key. */
function checkKey(server: NamedServer, key: string | undefined, env: Env): string | undefined {
  if (key === undefined || /^[\x20-\x7e]+$/.test(key)) return key;
  const what = /[\r\n]/.test(key) ? 'a line break' : 'characters that no header can hold';
  throw refusal(
    `${server.name}: the key in ${findKeyVariable(server, env) ?? keyName(server)} has ${what}`,
    'Copy the key again, as one line',
  );
}

function refusal(message: string, next: string): ProviderFailure {
  return new ProviderFailure({ code: 'auth', message, next, retry: false });
}
