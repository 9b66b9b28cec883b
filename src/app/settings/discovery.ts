/** Which models there are for seats that name none, and what to do where there is none at all. */

import { setTimeout as sleep } from 'node:timers/promises';
import { confirm } from '../../io/confirm.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { isAgent } from '../../kernel/providers/names.ts';
import { isSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway, ProviderListing } from '../../models/gateway.ts';
import type { Invocation } from '../invocation.ts';
import { hasConsole } from '../run/display.ts';
import type { SeatRequest } from './panel.ts';

/** How long a search may take before it is mentioned. */
const PATIENCE_MS = 400;

/** How long a server may load its first model, and how often it is asked meanwhile. */
const LOADING_MS = 600_000;
const LOOK_AGAIN_MS = 1_000;

/** What speaks with `--rehearse`. */
export const REHEARSAL_MODEL = 'rehearsal/panel';

/**
 * Whether a model that a server lists can be offered or chosen. One whose name cannot be read as it is
 * would be refused wherever somebody writes it, and with it an export of the run.
 */
export function isNamed({ spec }: { readonly spec: ModelSpec }): boolean {
  return isSpec(spec);
}

/** Models for the places that have none, in the order in which the providers list them. */
export async function modelsFor(
  call: Invocation,
  places: readonly SeatRequest[],
  gateway: ModelGateway,
): Promise<ModelSpec[]> {
  if (places.every(({ model }) => model !== undefined)) return [];
  const listings = await listPatiently(call, gateway);
  const found = listings.flatMap(({ name, models }) =>
    isNobody(name) ? [] : models.filter(isNamed).map(({ spec }) => spec),
  );
  if (found.length > 0) return found.slice(0, 4);
  const looked = listings.filter(({ name }) => !isNobody(name)).map(lookedAt);
  if (hasConsole(call) && (await offerRehearsal(call, looked))) return [REHEARSAL_MODEL];
  throw new DeliberateError(
    'no-models',
    ['no model was found. Looked for:', ...looked].join('\n  '),
    'To try it without a model, add --rehearse.',
  );
}

/** Lists models, and says so where that takes long: a provider far away, or one that does not answer. */
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
 * Lists models. Where there are none, and a server says that it is loading one, it is asked again until it has
 * done so; the person is told, and can stop with Ctrl-C.
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
  return !isNobody(name) && models.length > 0;
}

/** Who is only seated by name: the stand-in, and agents, who would use up a subscription unasked. */
export function isNobody(name: string): boolean {
  return name === 'rehearsal' || isAgent(name);
}

/** Where models were looked for, and why there are none. */
export function lookedAt({ name, endpoint, error, models }: ProviderListing): string {
  const none = models.length > 0 ? 'unreadable model names' : 'no models';
  return `${name} at ${endpoint}: ${error?.replace(`${name}: `, '') ?? none}`;
}

function offerRehearsal(call: Invocation, looked: readonly string[]): Promise<boolean> {
  call.err.write(`No model was found. Looked for:\n  ${looked.join('\n  ')}\n`);
  return confirm(
    call,
    'Use the built-in stand-in? It shows how the console works, with placeholder text. [y/N] ',
    'To try it without a model, add --rehearse.',
  );
}
