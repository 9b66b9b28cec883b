/** The providers there are, each behind a door that lets no secret out. */

import { discreet } from './discreet.ts';
import type { Provider } from './provider.ts';
import { anthropicProvider } from './providers/anthropic.ts';
import { ollamaProvider } from './providers/ollama.ts';
import { openaiProvider } from './providers/openai.ts';
import { formsOfAll } from './secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

function madeFrom(env: Env): Provider[] {
  return [ollamaProvider(env), anthropicProvider(env), openaiProvider(env)];
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
