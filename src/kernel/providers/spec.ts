/** Parses and checks model names such as `ollama/qwen3:8b`, with the provider before the first slash. */
import { toLine } from '../../text/line.ts';
import { findNearest } from '../../text/nearest.ts';
import { UsageError } from '../errors.ts';
import type { ModelSpec, SpentTotal } from '../model.ts';
import { isAgent, isProvider, OWN_MODEL, providerNames } from './names.ts';

/** Matches the names that providers and a person's own servers may have. */
export const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Returns whether a text has the form `provider/model`, on one line without invisible characters and
 * repeated white space. Whether the provider exists is not checked.
 */
export function hasSpecForm(spec: string): boolean {
  const { provider, model } = splitSpec(spec);
  return PROVIDER_NAME.test(provider) && model !== '' && toLine(spec) === spec;
}

/** Returns whether a text has the form of a model's name and its provider is known. */
export function isSpec(spec: string): boolean {
  return hasSpecForm(spec) && isProvider(splitSpec(spec).provider);
}

/**
 * Adds `/default` to a bare name, as of a coding agent: `claude-code` becomes `claude-code/default`. Whether an
 * agent has the name is not checked. A text with a slash, or in which something else cannot be part of a
 * provider's name, is returned unchanged.
 */
export function withModel(text: string): string {
  return PROVIDER_NAME.test(text) ? `${text}/${OWN_MODEL}` : text;
}

/**
 * Returns the full name of the model that a text names. A coding agent may be named without a
 * model.
 * @throws UsageError if the text has not the form `provider/model`, or if the provider is unknown
 */
export function checkSpec(text: string): ModelSpec {
  const spec = isAgent(text) ? withModel(text) : text;
  if (isSpec(spec)) return spec;
  const names = providerNames();
  const { provider } = splitSpec(spec);
  const meant = hasSpecForm(spec) ? findNearest(provider, names) : undefined;
  throw new UsageError(
    `"${spec}" does not name a model`,
    [
      ...(meant === undefined ? [] : [`Did you mean ${meant}${spec.slice(provider.length)}?`]),
      `Use PROVIDER/MODEL, such as ollama/qwen3:8b. The providers are ${names.join(', ')}.`,
    ].join(' '),
  );
}

/**
 * Splits a model's name at the first slash: `ollama/qwen3:8b` → `{ provider: 'ollama', model: 'qwen3:8b'
 * }`.
 */
export function splitSpec(spec: ModelSpec): { provider: string; model: string } {
  const slash = spec.indexOf('/');
  return slash < 0
    ? { provider: '', model: spec }
    : { provider: spec.slice(0, slash), model: spec.slice(slash + 1) };
}

/**
 * Returns the display name of a model, without its provider. The stand-in and an agent's default
 * model are shown by the provider's name.
 */
export function shownModel(spec: ModelSpec): string {
  const { provider, model } = splitSpec(spec);
  return provider === 'rehearsal' || isOwnChoice(spec) ? provider : model;
}

/**
 * Returns whether a subscription pays for a model's answers, so that they have no price. This is so for every
 * coding agent.
 */
export function isOnPlan(spec: ModelSpec): boolean {
  return isAgent(splitSpec(spec).provider);
}

/** Returns whether a name means the default model of a coding agent. */
function isOwnChoice(spec: ModelSpec): boolean {
  const { provider, model } = splitSpec(spec);
  return model === OWN_MODEL && isAgent(provider);
}

/** The label in place of a price for calls that a subscription pays for. */
export const ON_PLAN = 'on your plan';

/**
 * Returns whether a subscription paid for at least one call and all other calls were free. A call
 * with an unknown price does not count as free.
 */
export function isAllOnPlan({
  costUsd,
  unpriced,
  onPlan = 0,
}: Pick<SpentTotal, 'costUsd' | 'unpriced' | 'onPlan'>): boolean {
  return onPlan > 0 && costUsd === 0 && unpriced === 0;
}

/** Returns whether the model is the built-in stand-in, which answers with placeholder text. */
export function isRehearsal(model: ModelSpec): boolean {
  return splitSpec(model).provider === 'rehearsal';
}
