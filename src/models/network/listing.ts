/** Lists the models that providers offer, and says why a provider cannot be asked. */
import { isLoopback } from '../../kernel/providers/servers.ts';
import { describeListError } from '../directions.ts';
import { ProviderFailure } from '../failure.ts';
import type { ModelInfo } from '../provider.ts';
import type { Host } from './host.ts';

/** The models that a provider offers, or why it cannot be asked. */
export interface ProviderListing {
  readonly name: string;
  /** The provider's `endpoint`, without secrets. */
  readonly endpoint: string;
  readonly models: readonly ModelInfo[];
  /** Why the provider cannot be asked, and what to do if that is known; absent if it answered. */
  readonly error?: string | undefined;
  /** True if the server is loading a model and may list the model soon. */
  readonly isLoading?: boolean | undefined;
}

/** Which providers are asked for their models, and for how long. */
export interface ListOptions {
  /**
   * Also asks servers on this machine that are not set up, and leaves out those that list no model.
   * A server that `only` names is never left out.
   */
  readonly everywhere?: boolean;
  /** Asks only the provider of this name. */
  readonly only?: string;
  /** Gives up providers that have not answered after so many milliseconds. */
  readonly withinMs?: number;
}

/** Milliseconds for a server on this machine that is not set up to answer a listing. */
const AT_ONCE_MS = 1_000;

/**
 * Asks the servers that the options select for their models, in parallel. The results are in the order
 * of `hosts`. Never rejects.
 * @param redact removes secrets from addresses and errors
 */
export async function listModels(
  hosts: readonly Host[],
  { everywhere = false, only, withinMs }: ListOptions,
  redact: (text: string) => string,
): Promise<readonly ProviderListing[]> {
  const wanted = hosts.filter(({ provider }) =>
    only === undefined
      ? provider.isUnasked !== true || (everywhere && isLoopback(provider.endpoint))
      : provider.name === only,
  );
  const listings = await Promise.all(wanted.map((host) => listModelsOf(host, withinMs, redact)));
  return listings.filter(
    ({ models }, index) =>
      models.length > 0 || only !== undefined || wanted[index]?.provider.isUnasked !== true,
  );
}

async function listModelsOf(
  host: Host,
  withinMs: number | undefined,
  redact: (text: string) => string,
): Promise<ProviderListing> {
  const { provider } = host;
  const { name } = provider;
  const endpoint = redact(provider.endpoint);
  try {
    const limitMs = withinMs ?? (provider.isUnasked === true ? AT_ONCE_MS : undefined);
    const models = await provider.list(
      limitMs === undefined ? new AbortController().signal : AbortSignal.timeout(limitMs),
    );
    host.hasAnswered = true;
    return { name, endpoint, models };
  } catch (error) {
    const isLoading = error instanceof ProviderFailure && error.failure.loading === true;
    return {
      name,
      endpoint,
      models: [],
      ...(isLoading ? { isLoading } : {}),
      error: redact(await describeListError(provider, error)),
    };
  }
}
