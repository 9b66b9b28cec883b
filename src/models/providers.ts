/** The providers there are, each behind a door that lets no secret out. */

import { type ProviderName, VARIABLES } from '../kernel/providers/names.ts';
import { isSetUp, type NamedServer, type ServerProtocol } from '../kernel/providers/servers.ts';
import { discreet } from './discreet.ts';
import { PROXY_VARIABLES } from './network/proxy.ts';
import type { Provider } from './provider.ts';
import { anthropicProvider, namedAnthropic } from './providers/anthropic.ts';
import { namedOllama, ollamaProvider } from './providers/ollama.ts';
import { namedOpenAI, openaiProvider } from './providers/openai.ts';
import { knownForms, learnServer } from './secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Real = Exclude<ProviderName, 'rehearsal'>;

/** In the order in which they are preferred; the stand-in is made elsewhere, and only when it is wanted. */
const MAKERS: Readonly<Record<Real, (env: Env) => Provider>> = {
  ollama: ollamaProvider,
  anthropic: anthropicProvider,
  openai: openaiProvider,
};

/** How a server is asked that has a name of its own, by the protocol that it speaks. */
const NAMED: Readonly<Record<ServerProtocol, (server: NamedServer, env: Env) => Provider>> = {
  openai: namedOpenAI,
  'openai-responses': namedOpenAI,
  anthropic: namedAnthropic,
  ollama: namedOllama,
};

/**
 * The providers of models that speak for themselves, in the order in which they are preferred: the built-in
 * ones, then servers with a name of their own. What comes from their servers holds no secret of any of them.
 */
export function providersOf(env: Env, servers: readonly NamedServer[] = []): Provider[] {
  for (const server of servers) learnServer(server, env);
  const forms = knownForms(env);
  const builtIn = Object.entries(MAKERS).map(([name, make]) => make(declared(env, name as Real)));
  const named = servers.map((server) => NAMED[server.speaks](server, keysFor(server, env)));
  return [
    ...builtIn.map((provider) => discreet(provider, forms)),
    ...named.map((provider, index) => ({
      ...discreet(provider, forms),
      isUnasked: !isSetUp(servers[index] as NamedServer, env),
    })),
  ];
}

/** What a provider is given: a key that it does not declare, and that nobody would take out, it cannot use. */
function declared(env: Env, name: Real): Env {
  const { secrets, addresses, settings } = VARIABLES[name];
  return pick(env, [...secrets, ...addresses, ...settings]);
}

/** What a named server is given: its own variables. A program that prints a key is a person's own, and is given all. */
function keysFor({ keyEnv, keyCommand }: NamedServer, env: Env): Env {
  if (keyCommand !== undefined) return env;
  return pick(env, keyEnv);
}

/** These variables, and those about proxies. */
function pick(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(
    [...names, ...PROXY_VARIABLES, 'no_proxy', 'NO_PROXY'].map((name) => [name, env[name]]),
  );
}
