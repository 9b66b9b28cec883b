/** Prints what a run is likely to take before it begins. */
import { estimateRun, type PlannedCalls } from '../../kernel/estimate.ts';
import { isAgent } from '../../kernel/providers/names.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { formatEstimate, formatEstimateTable } from '../../plain/estimate.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { formatTokens } from '../../text/numbers.ts';
import type { Invocation } from '../invocation.ts';
import { agentsOf } from './coding-agents.ts';
import { readConfig } from './config.ts';

/**
 * Prints the calls, tokens and cost that a run is likely to take: with `--estimate` as a table, or as
 * JSON with `--json`; otherwise as one line if the run may cost money. Resolves to true with
 * `--estimate`, so that the caller starts no run.
 *
 * @param planned the calls that the run is likely to make
 */
export async function printRunEstimate(
  call: Invocation,
  planned: readonly PlannedCalls[],
  models: ModelGateway,
): Promise<boolean> {
  const { flags, out, err, estimated } = call;
  if (!flags.quiet) err.write(agentLines(call, planned));
  await models.learnRates(planned.map(({ model }) => model));
  const price: ModelGateway['price'] = (model, usage) => models.price(model, usage);
  const ownPrompt: ModelGateway['ownPrompt'] = (model) => models.ownPrompt?.(model) ?? 0;
  if (!flags.estimate) {
    const estimate = estimateRun(planned, { price, ownPrompt, window: () => undefined });
    estimated?.(estimate);
    if (estimate.paid && !flags.quiet) err.write(`Estimate: ${formatEstimate(estimate)}.\n`);
    return false;
  }
  const specs = [...new Set(planned.map(({ model }) => model))];
  const windows = new Map(
    await Promise.all(specs.map(async (spec) => [spec, await models.window(spec)] as const)),
  );
  const estimate = estimateRun(planned, {
    price,
    ownPrompt,
    window: (model) => windows.get(model),
  });
  out.write(flags.json ? jsonLine(estimate) : formatEstimateTable(estimate));
  return true;
}

/** Formats what coding agents add to an estimate: their own prompts are unknown, and they have no price. */
function agentLines(call: Invocation, planned: readonly PlannedCalls[]): string {
  const names = new Set(planned.map(({ model }) => splitSpec(model).provider).filter(isAgent));
  if (names.size === 0) return '';
  return agentsOf(readConfig(call))
    .filter(({ name }) => names.has(name))
    .map(
      ({ title, promptTokens }) =>
        `${title} is on your plan: no price. Its own prompt adds about ${formatTokens(promptTokens)} tokens to every call.\n`,
    )
    .join('');
}
