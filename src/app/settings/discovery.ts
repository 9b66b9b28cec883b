/** Which models there are for seats that name none, and what to do where there is none at all. */

import { confirm } from '../../io/confirm.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { isSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway, ProviderListing } from '../../models/gateway.ts';
import type { Invocation } from '../invocation.ts';
import { hasConsole } from '../run/display.ts';
import type { SeatRequest } from './panel.ts';

/** How long a search may take before it is mentioned. */
const PATIENCE_MS = 400;

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
  // A provider far away, or one that does not answer, takes its time: say so before it looks stuck.
  const patience = setTimeout(() => {
    if (!call.flags.quiet) call.err.write('Looking for models …\n');
  }, PATIENCE_MS);
  const listings = await gateway.list().finally(() => clearTimeout(patience));
  const found = listings.flatMap(({ name, models }) =>
    name === 'rehearsal' ? [] : models.filter(isNamed).map(({ spec }) => spec),
  );
  if (found.length > 0) return found.slice(0, 4);
  const looked = listings.filter(({ name }) => name !== 'rehearsal').map(lookedAt);
  if (hasConsole(call) && (await offerRehearsal(call, looked))) return [REHEARSAL_MODEL];
  throw new DeliberateError(
    'no-models',
    ['no model was found. Looked for:', ...looked].join('\n  '),
    'To try it without a model, add --rehearse.',
  );
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
