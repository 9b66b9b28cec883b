/** Finds models for seats without one, and helps if there are none. */

import { setTimeout as sleep } from 'node:timers/promises';
import { askToConfirm } from '../../io/confirm.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { isAgent } from '../../kernel/providers/names.ts';
import { isSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { ProviderListing } from '../../models/network/listing.ts';
import type { Invocation } from '../invocation.ts';
import { hasConsole } from '../run/display.ts';
import type { SeatRequest } from './panel.ts';

/** Milliseconds until a slow search is mentioned. */
const PATIENCE_MS = 400;

/**
 * The most milliseconds that a server may take to load its first model, and the interval at which it is asked.
 */
const LOADING_MS = 600_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * The name of the stand-in, the built-in program that answers instead of models with `--rehearse`.
 */
export const REHEARSAL_MODEL = 'rehearsal/panel';

/**
 * Returns whether a listed model can be offered: the program can parse its name.
 */
export function hasValidName({ spec }: { readonly spec: ModelSpec }): boolean {
  return isSpec(spec);
}

/**
 * Returns models for the seats that have none: the first models that providers list, at most four,
 * without those of coding agents. Returns an empty list if every seat has a model. If no model is
 * found, the person is offered the built-in stand-in.
 *
 * @param places the seats, with or without models
 * @throws DeliberateError that says where models were looked for, if none was found and the person
 *   cannot be asked or declines
 */
export async function modelsFor(
  call: Invocation,
  places: readonly SeatRequest[],
  gateway: ModelGateway,
): Promise<ModelSpec[]> {
  if (places.every(({ model }) => model !== undefined)) return [];
  const listings = await listPatiently(call, gateway);
  const found = listings.flatMap(({ name, models }) =>
    isNeverDefault(name) ? [] : models.filter(hasValidName).map(({ spec }) => spec),
  );
  if (found.length > 0) return found.slice(0, 4);
  const looked = listings.filter(({ name }) => !isNeverDefault(name)).map(formatListing);
  if (hasConsole(call) && (await offerRehearsal(call, looked))) return [REHEARSAL_MODEL];
  throw new DeliberateError(
    'no-models',
    ['no model was found. Looked for:', ...looked].join('\n  '),
    'To try it without a model, add --rehearse.',
  );
}

/**
 * Lists the models of all providers. Tells the person if the search takes long. If there are no
 * models and a server is loading its first one, waits for that server, at most ten minutes.
 */
export async function listPatiently(
  call: Invocation,
  gateway: ModelGateway,
): Promise<readonly ProviderListing[]> {
  const patience = setTimeout(() => {
    if (!call.flags.quiet) call.err.write('Looking for models …\n');
  }, PATIENCE_MS);
  return listLoaded(call, gateway).finally(() => clearTimeout(patience));
}

/**
 * Lists models. If there are none and a server is loading one, asks again until it is loaded; the person is
 * told, and can stop with Ctrl-C.
 */
async function listLoaded(
  call: Invocation,
  gateway: ModelGateway,
): Promise<readonly ProviderListing[]> {
  let listings = await gateway.list();
  for (let waitedMs = 0; waitedMs < LOADING_MS; waitedMs += LOOK_AGAIN_MS) {
    const loading = listings.find(({ isLoading }) => isLoading);
    if (loading === undefined || listings.some(isUsable)) break;
    if (waitedMs === 0 && !call.flags.quiet)
      call.err.write(
        `${loading.name} at ${loading.endpoint} is loading its model; waiting up to ${LOADING_MS / 60_000} minutes …\n`,
      );
    await sleep(LOOK_AGAIN_MS);
    listings = await gateway.list();
  }
  return listings;
}

function isUsable({ name, models }: ProviderListing): boolean {
  return !isNeverDefault(name) && models.length > 0;
}

/**
 * Returns whether a provider is used only if a person names it: the stand-in, and coding agents,
 * which would use up a subscription.
 */
export function isNeverDefault(name: string): boolean {
  return name === 'rehearsal' || isAgent(name);
}

/** Formats where a provider's models were looked for, and why there are none. */
export function formatListing({ name, endpoint, error, models }: ProviderListing): string {
  const none = models.length > 0 ? 'unreadable model names' : 'no models';
  return `${name} at ${endpoint}: ${error?.replace(`${name}: `, '') ?? none}`;
}

function offerRehearsal(call: Invocation, looked: readonly string[]): Promise<boolean> {
  call.err.write(`No model was found. Looked for:\n  ${looked.join('\n  ')}\n`);
  return askToConfirm(
    call,
    'Use the built-in stand-in? It shows how the console works, with placeholder text. [y/N] ',
    'To try it without a model, add --rehearse.',
  );
}
