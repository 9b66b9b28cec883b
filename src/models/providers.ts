/** The providers there are, each behind a door that lets no secret out. */

import type { ProviderName } from '../kernel/spec.ts';
import { discreet } from './discreet.ts';
import type { Provider } from './provider.ts';
import { anthropicProvider } from './providers/anthropic.ts';
import { ollamaProvider } from './providers/ollama.ts';
import { openaiProvider } from './providers/openai.ts';
import { formsOfAll } from './secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** In the order in which they are preferred; the stand-in is made elsewhere, and only when it is wanted. */
const MAKERS: Readonly<Record<Exclude<ProviderName, 'rehearsal'>, (env: Env) => Provider>> = {
  ollama: ollamaProvider,
  anthropic: anthropicProvider,
  openai: openaiProvider,
};

function madeFrom(env: Env): Provider[] {
  return Object.values(MAKERS).map((make) => make(env));
}

/**
 * The providers of models that speak for themselves, in the order in which they are preferred. What
 * comes from their servers holds no secret of any of them.
 */
export function providersOf(env: Env): Provider[] {
  const made = madeFrom(env);
  const forms = formsOfAll(made.flatMap(({ secrets }) => secrets));
  return forms.length === 0 ? made : made.map((provider) => discreet(provider, forms));
}

/** Every key, token and password that a provider was given. */
export function secretsOf(env: Env): string[] {
  return madeFrom(env).flatMap(({ secrets }) => secrets);
}
