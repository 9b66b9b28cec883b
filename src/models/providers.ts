/** Makes the providers, each wrapped so that no secret leaves it. */

import { type ProviderName, VARIABLES } from '../kernel/providers/names.ts';
import { isSetUp, type NamedServer, type ServerProtocol } from '../kernel/providers/servers.ts';
import { withoutLeaks } from './discreet.ts';
import { PROXY_VARIABLES } from './network/proxy.ts';
import type { Provider } from './provider.ts';
import { anthropicProvider, namedAnthropic } from './providers/anthropic.ts';
import { namedOllama, ollamaProvider } from './providers/ollama.ts';
import { namedOpenAI, openaiProvider } from './providers/openai.ts';
import { learnServer, makeSecretFormsReader } from './secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Real = Exclude<ProviderName, 'rehearsal'>;

/**
 * The built-in providers in the order of preference. The stand-in is made elsewhere, and only if needed.
 */
const MAKERS: Readonly<Record<Real, (env: Env) => Provider>> = {
  ollama: ollamaProvider,
  anthropic: anthropicProvider,
  openai: openaiProvider,
};

/** Makes the provider of a named server, by its protocol. */
const NAMED: Readonly<Record<ServerProtocol, (server: NamedServer, env: Env) => Provider>> = {
  openai: namedOpenAI,
  'openai-responses': namedOpenAI,
  anthropic: namedAnthropic,
  ollama: namedOllama,
};

/**
 * Makes the providers of real models in order of preference: the built-in ones, then the named
 * servers. Their results contain no secret of any provider.
 */
export function providersOf(env: Env, servers: readonly NamedServer[] = []): Provider[] {
  for (const server of servers) learnServer(server, env);
  const forms = makeSecretFormsReader(env);
  const builtIn = Object.entries(MAKERS).map(([name, make]) =>
    make(pickDeclared(env, name as Real)),
  );
  const named = servers.map((server) => NAMED[server.speaks](server, keysFor(server, env)));
  return [
    ...builtIn.map((provider) => withoutLeaks(provider, forms)),
    ...named.map((provider, index) => ({
      ...withoutLeaks(provider, forms),
      isUnasked: !isSetUp(servers[index] as NamedServer, env),
    })),
  ];
}

/**
 * Returns the variables that a provider declares. It cannot use an undeclared key, which nothing would
 * remove from its output.
 */
function pickDeclared(env: Env, name: Real): Env {
  const { secrets, addresses, settings } = VARIABLES[name];
  return pickVariables(env, [...secrets, ...addresses, ...settings]);
}

/**
 * Returns the variables of a named server. A person's own program that prints a key gets the whole
 * environment.
 */
function keysFor({ keyEnv, keyCommand }: NamedServer, env: Env): Env {
  if (keyCommand !== undefined) return env;
  return pickVariables(env, keyEnv);
}

/** Returns these variables and those about proxies. */
function pickVariables(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(
    [...names, ...PROXY_VARIABLES, 'no_proxy', 'NO_PROXY'].map((name) => [name, env[name]]),
  );
}
