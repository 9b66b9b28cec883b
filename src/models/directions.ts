/**
 * Finds the next step to suggest when a server does not know a model or an address: similar names among its
 * models, or the address at which it does answer.
 */
import { hasSpecForm } from '../kernel/providers/spec.ts';
import { findSimilar } from '../text/nearest.ts';
import { type Failure, ProviderFailure } from './failure.ts';
import type { Provider } from './provider.ts';

/** Milliseconds to wait for the lookup, which only improves a message. */
const PATIENCE_MS = 3_000;
/** The most names that are suggested for one. */
const MOST_NAMES = 3;

/**
 * Asks the server what could help if the model or the address of a failed call may be wrong, and returns the
 * failure with a better next step: similar names of models, or another address. Returns any other failure
 * unchanged, and also if the server's reply does not help.
 */
export async function withNextStep(
  provider: Provider,
  model: string,
  failure: Failure,
  signal: AbortSignal,
): Promise<Failure> {
  if (failure.code === 'not-found') {
    const models = await listNames(provider, signal);
    if (models !== undefined)
      return withNames(provider.name, `${provider.name}/${model}`, models, failure);
  }
  return withAddress(provider, failure);
}

/**
 * Returns the failure with the address that a person should set, if the configured address may be
 * wrong and another address on the same host answers.
 */
async function withAddress(provider: Provider, failure: Failure): Promise<Failure> {
  const next = failure.isOffPath === true ? await provider.suggestAddress?.() : undefined;
  return next === undefined ? failure : { ...failure, next };
}

function withNames(
  name: string,
  wanted: string,
  models: readonly string[],
  failure: Failure,
): Failure {
  // If the server lists the wanted model, suggest no other names. The server refused the model for this request or
  // key, and the message of its failure says more about that.
  if (models.includes(wanted)) return failure;
  const near = findSimilar(wanted, models, MOST_NAMES);
  // A server that lists its models has the right address.
  const isAboutAddress = failure.isOffPath === true;
  const otherwise = (isAboutAddress ? undefined : failure.next) ?? listHint(name);
  const asked = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  return { ...failure, next: `${asked}${otherwise}` };
}

/**
 * Returns the hint that tells a person how to list a server's models. `name` is the server's name.
 */
export function listHint(name: string): string {
  return `List its models with: deliberate models ${name}`;
}

/** Returns the names of a server's models; undefined if it does not list them now. */
async function listNames(
  provider: Provider,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const models = await provider.list(patience);
    // Suggest only names that a person can type as the name of a model.
    return models.map(({ spec }) => spec).filter(hasSpecForm);
  } catch {
    // If the server's models cannot be listed, ignore this error: the list serves only to suggest names, and the
    // failure of the call itself is reported.
    return undefined;
  }
}

/** Describes why a provider's models cannot be listed, with the next step. */
export async function describeListError(provider: Provider, error: unknown): Promise<string> {
  if (error instanceof ProviderFailure) {
    const { message, next, code, isOffPath } = await withAddress(provider, error.failure);
    const unlisted = code === 'not-found' && isOffPath === true && next === error.failure.next;
    const besides = unlisted
      ? `; a server without a list is asked by name: ${provider.name}/MODEL`
      : '';
    return next ? `${message}. ${next}${besides}` : message;
  }
  return `${provider.name}: ${error instanceof Error ? error.message : String(error)}`;
}
