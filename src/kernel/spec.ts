/** How a model is written: `ollama/qwen3:8b`, its provider before the stroke. */
import { line } from '../text/line.ts';
import { UsageError } from './errors.ts';
import type { ModelSpec, Seat } from './model.ts';

/** The providers there are; `providersOf` in models makes them. */
export const PROVIDERS = ['ollama', 'anthropic', 'openai', 'rehearsal'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What the examples that come with the program name as their model: there was none. No provider is called so. */
export const BY_HAND = 'example/recorded by hand';

/** Whether a run is one of these: no model has spoken in it. */
export function isExample({ seats }: { readonly seats: readonly Pick<Seat, 'model'>[] }): boolean {
  return seats.some(({ model }) => model === BY_HAND);
}

/** A provider that there is, and a name after it that can be seen: a blank or an invisible letter is none. */
export function isSpec(spec: string): boolean {
  const name = PROVIDERS.find((one) => spec.startsWith(`${one}/`));
  return name !== undefined && spec.length > name.length + 1 && line(spec) === spec;
}

/** @throws UsageError where the provider is missing or unknown. */
export function checkSpec(spec: string): ModelSpec {
  if (!isSpec(spec))
    throw new UsageError(
      `"${spec}" does not name a model`,
      `Use PROVIDER/MODEL, such as ollama/qwen3:8b. The providers are ${PROVIDERS.join(', ')}.`,
    );
  return spec;
}
