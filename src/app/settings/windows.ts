/** Refuses a run whose prompts cannot fit, before anything is paid for. */

import { UsageError } from '../../kernel/errors.ts';
import type { PlannedCalls } from '../../kernel/estimate.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { FITS_ANYWHERE, leastWindow } from '../../models/window.ts';

/**
 * Throws if a seat's model has a window that is too small even for the shortest prompts of the run. For
 * protocols that cannot do without a seat or shorten what it reads.
 *
 * @param what the run, as a subject: "rounds"
 * @throws {UsageError} with the window that is needed
 */
export async function refuseSmallWindows(
  what: string,
  planned: readonly PlannedCalls[],
  models: Pick<ModelGateway, 'window'>,
): Promise<void> {
  for (const { title, model, needed } of planned.toSorted(
    (one, other) => other.needed - one.needed,
  )) {
    if (needed < FITS_ANYWHERE) return;
    const window = await models.window(model);
    const least = leastWindow(needed);
    if (window === undefined || window >= least) continue;
    const figure = (tokens: number): string => tokens.toLocaleString('en-US');
    throw new UsageError(
      `${what} needs a context of at least ${figure(least)} tokens for ${title}, and ${model} has ${figure(window)}`,
      'Start the server with a larger context, give this seat another model, or attach less.',
    );
  }
}
