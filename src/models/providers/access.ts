/** How a provider's server is reached: its address, its key, and what people call both. */
import {
  findKeyVariable,
  keyName,
  type NamedServer,
  needsKey,
} from '../../kernel/providers/servers.ts';
import { ProviderFailure } from '../failure.ts';
import { runKeyCommand } from './key-command.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Access {
  /** What stands before the slash of its models' names. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly endpoint: string;
  /** What people set to change the address: a variable of the environment, or a setting. */
  readonly addressName: string;
  /** What people set to change the key. */
  readonly keyName: string;
  /** Headers besides those of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a server that is asked without a key. @throws ProviderFailure if its key is missing */
  readonly getKey: () => Promise<string | undefined>;
  /** Variables about proxies. */
  readonly network: Env;
  /** The person named it, or it comes from the list of well-known servers. Else it is one of the built-in providers. */
  readonly isNamed: boolean;
}

/** Returns how a server is reached that has a name of its own. */
export function accessOf(server: NamedServer, env: Env): Access {
  const { name, url, headers = {} } = server;
  return {
    name,
    endpoint: url,
    addressName: `servers.${name}.url`,
    keyName: keyName(server),
    headers,
    network: env,
    getKey: async () => soundKey(server, await keyOf(server, env), env),
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

/** Refuses a key that no header can hold. What it holds is not said. */
function soundKey(server: NamedServer, key: string | undefined, env: Env): string | undefined {
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
