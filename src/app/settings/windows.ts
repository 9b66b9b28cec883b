/** Compares a run's prompts with the context windows of its models, before anything is paid for. */

import { UsageError } from '../../kernel/errors.ts';
import type { PlannedCalls } from '../../kernel/estimate.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { computeLeastWindow, FITS_ANYWHERE, formatTokens } from '../../models/window.ts';
import { toLine } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';

type Windows = Pick<ModelGateway, 'window'>;

/**
 * Refuses a run whose shortest prompts do not fit a model's context window, and warns if its
 * longest prompts may not fit.
 *
 * @param what words for the run, with which the error begins: "a plan"
 * @param planned the calls that the run is likely to make
 * @throws UsageError with the window that is needed
 */
export async function checkWindows(
  { err, flags }: Pick<Invocation, 'err' | 'flags'>,
  what: string,
  planned: readonly PlannedCalls[],
  models: Windows,
): Promise<void> {
  await refuseSmallWindows(what, planned, models);
  if (flags.quiet) return;
  const longest = new Map<string, PlannedCalls>();
  for (const calls of planned)
    if (calls.largest > (longest.get(calls.model)?.largest ?? 0)) longest.set(calls.model, calls);
  for (const { title, model, largest } of longest.values()) {
    if (largest < FITS_ANYWHERE) continue;
    const window = await models.window(model);
    if (window === undefined || window >= computeLeastWindow(largest)) continue;
    err.write(
      `${toLine(model)} has a context of ${formatTokens(window)} tokens; ${toLine(title)} may need ${formatTokens(computeLeastWindow(largest))}. A prompt that does not fit is not sent: its seat is left out of that step, by name.\n`,
    );
  }
}

/**
 * Refuses a run whose shortest prompts do not fit a model's context window.
 *
 * @param what words for the run, with which the error begins: "a plan"
 * @param planned the calls that the run is likely to make
 * @throws UsageError with the window that is needed
 */
export async function refuseSmallWindows(
  what: string,
  planned: readonly PlannedCalls[],
  models: Windows,
): Promise<void> {
  for (const { title, model, needed } of planned.toSorted(
    (left, right) => right.needed - left.needed,
  )) {
    if (needed < FITS_ANYWHERE) return;
    const window = await models.window(model);
    const least = computeLeastWindow(needed);
    if (window === undefined || window >= least) continue;
    throw new UsageError(
      `${what} needs a context of at least ${formatTokens(least)} tokens for ${title}, and ${model} has ${formatTokens(window)}`,
      'Start the server with a larger context, give this seat another model, or attach less.',
    );
  }
}
