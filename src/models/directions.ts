/**
 * What to do where a server has nothing under the name or the address that it was asked for: the nearest names
 * among the models that it does have, or the address at which it does answer.
 */
import { hasSpecForm } from '../kernel/providers/spec.ts';
import { similar } from '../text/nearest.ts';
import type { Failure } from './failure.ts';
import type { Provider } from './provider.ts';

/** How long is waited for directions: they are a courtesy. In milliseconds. */
const PATIENCE_MS = 3_000;
/** How many names are offered in place of one. */
const MOST_NAMES = 3;

/** Returns a failure with a next step that was looked up at the server; as it was where nothing was found. */
export async function withDirections(
  provider: Provider,
  model: string,
  failure: Failure,
  signal: AbortSignal,
): Promise<Failure> {
  if (failure.code === 'not-found') {
    const models = await listed(provider, signal);
    if (models !== undefined)
      return withNames(provider.name, `${provider.name}/${model}`, models, failure);
  }
  return withAddress(provider, failure);
}

/** Returns a failure that may be one of the address with the address to set, where another one answers. */
export async function withAddress(provider: Provider, failure: Failure): Promise<Failure> {
  const next = failure.isOffPath === true ? await provider.suggestAddress?.() : undefined;
  return next === undefined ? failure : { ...failure, next };
}

function withNames(
  name: string,
  wanted: string,
  models: readonly string[],
  failure: Failure,
): Failure {
  // It has such a model, and does not let it be used in this way or by this key: the server's words say more.
  if (models.includes(wanted)) return failure;
  const near = similar(wanted, models, MOST_NAMES);
  // Its list was there: the address is right, whatever the server said of the request.
  const otherwise = failure.isOffPath === true ? listHint(name) : (failure.next ?? listHint(name));
  const asked = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  return { ...failure, next: `${asked}${otherwise}` };
}

/** Returns where a person finds the names of a server's models. */
export function listHint(name: string): string {
  return `List its models with: deliberate models ${name}`;
}

/** The names of a server's models; undefined where it does not list them now. */
async function listed(
  provider: Provider,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const models = await provider.list(patience);
    // A name that nobody could write is not offered.
    return models.map(({ spec }) => spec).filter(hasSpecForm);
  } catch {
    // Whatever is wrong with the list: the call's own failure is what is told.
    return undefined;
  }
}
