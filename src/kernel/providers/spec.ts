/** How a model is written: `ollama/qwen3:8b`, its provider before the stroke. */
import { line } from '../../text/line.ts';
import { UsageError } from '../errors.ts';
import type { ModelSpec } from '../model.ts';
import { PROVIDERS } from './names.ts';

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

/** `ollama/qwen3:8b` → `{ provider: 'ollama', model: 'qwen3:8b' }`. */
export function splitSpec(spec: ModelSpec): { provider: string; model: string } {
  const slash = spec.indexOf('/');
  return slash < 0
    ? { provider: '', model: spec }
    : { provider: spec.slice(0, slash), model: spec.slice(slash + 1) };
}

/** The model as people read it: without who serves it; the stand-in has no model worth naming. */
export function shownModel(spec: ModelSpec): string {
  const { provider, model } = splitSpec(spec);
  return provider === 'rehearsal' ? provider : model;
}
