/** The providers there are, each behind a door that lets no secret out. */

import { type ProviderName, VARIABLES } from '../kernel/providers/names.ts';
import { discreet } from './discreet.ts';
import type { Provider } from './provider.ts';
import { anthropicProvider } from './providers/anthropic.ts';
import { ollamaProvider } from './providers/ollama.ts';
import { openaiProvider } from './providers/openai.ts';
import { formsOfAll, secretsOf } from './secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Real = Exclude<ProviderName, 'rehearsal'>;

/** In the order in which they are preferred; the stand-in is made elsewhere, and only when it is wanted. */
const MAKERS: Readonly<Record<Real, (env: Env) => Provider>> = {
  ollama: ollamaProvider,
  anthropic: anthropicProvider,
  openai: openaiProvider,
};

/**
 * The providers of models that speak for themselves, in the order in which they are preferred. What
 * comes from their servers holds no secret of any of them.
 */
export function providersOf(env: Env): Provider[] {
  const made = Object.entries(MAKERS).map(([name, make]) => make(declared(env, name as Real)));
  const forms = formsOfAll(secretsOf(env));
  return forms.length === 0 ? made : made.map((provider) => discreet(provider, forms));
}

/** What a provider is given: a key that it does not declare, and that nobody would take out, it cannot use. */
function declared(env: Env, name: Real): Env {
  const { secrets, addresses, settings } = VARIABLES[name];
  return Object.fromEntries(
    [...secrets, ...addresses, ...settings].map((variable) => [variable, env[variable]]),
  );
}
