/** The address and the key of a provider's server, and the settings that a person changes them by. */
import {
  findKeyVariable,
  keyName,
  type NamedServer,
  needsKey,
} from '../../kernel/providers/servers.ts';
import { type Failure, ProviderFailure } from '../failure.ts';
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
   * The failure of every request, because a setting such as the key is missing or wrong. Undefined if
   * none is known yet: a program that prints the key is not run for this.
   */
  readonly fault: Failure | undefined;
  /**
   * Returns the key; undefined for a server without a key.
   * @throws ProviderFailure if there is a `fault`, or if the key cannot be got or sent in a header
   */
  readonly getKey: () => Promise<string | undefined>;
  /** Environment variables, among them those that configure proxies. */
  readonly network: Env;
  /** True for named servers, false for the built-in providers. */
  readonly isNamed: boolean;
}

/** Returns the address, key and headers of a named server. */
export function accessOf(server: NamedServer, env: Env): Access {
  const { name, url, headers = {} } = server;
  const fault = findKeyFault(server, env);
  return {
    name,
    endpoint: url,
    addressName: `servers.${name}.url`,
    keyName: keyName(server),
    headers,
    network: env,
    fault,
    getKey: async () => {
      if (fault !== undefined) throw new ProviderFailure(fault);
      const key = await keyOf(server, env);
      const wrong = findFormFault(server, key, env);
      if (wrong !== undefined) throw new ProviderFailure(wrong);
      return key;
    },
    isNamed: true,
  };
}

/** Returns the failure of a request without a key; the next step names the setting to change. */
export function missingKey(name: string, next: string): Failure {
  return { code: 'auth', message: `${name}: there is no API key`, next, retry: false };
}

function findKeyFault(server: NamedServer, env: Env): Failure | undefined {
  if (server.keyCommand !== undefined || !needsKey(server)) return undefined;
  if (findKeyVariable(server, env) === undefined)
    return missingKey(server.name, `Set ${keyName(server)}`);
  return findFormFault(server, env[findKeyVariable(server, env) ?? '']?.trim(), env);
}

async function keyOf(server: NamedServer, env: Env): Promise<string | undefined> {
  if (server.keyCommand !== undefined) return runKeyCommand(server.name, server.keyCommand, env);
  const variable = findKeyVariable(server, env);
  return variable === undefined ? undefined : env[variable]?.trim();
}

/** Returns the failure of a key that cannot be sent in a header. It does not contain the key. */
function findFormFault(
  server: NamedServer,
  key: string | undefined,
  env: Env,
): Failure | undefined {
  if (key === undefined || /^[\x20-\x7e]+$/.test(key)) return undefined;
  const what = /[\r\n]/.test(key) ? 'a line break' : 'characters that no header can hold';
  return {
    code: 'auth',
    message: `${server.name}: the key in ${findKeyVariable(server, env) ?? keyName(server)} has ${what}`,
    next: 'Copy the key again, as one line',
    retry: false,
  };
}
