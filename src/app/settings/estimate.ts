/** What a run is likely to take, said before it begins. */
import { estimateRun, type PlannedCalls } from '../../kernel/estimate.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { estimateLine, estimateTable } from '../../plain/estimate.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import type { Invocation } from '../invocation.ts';

/**
 * With `--estimate` prints the estimate, and then it is all that was wanted: true. Else says in one line
 * on standard error what the run may take, if anybody is paid for it.
 */
export async function tellRunEstimate(
  { flags, out, err, estimated }: Invocation,
  planned: readonly PlannedCalls[],
  models: ModelGateway,
): Promise<boolean> {
  await models.learnRates(planned.map(({ model }) => model));
  const price: ModelGateway['price'] = (model, usage) => models.price(model, usage);
  if (!flags.estimate) {
    const estimate = estimateRun(planned, { price, window: () => undefined });
    estimated?.(estimate);
    if (estimate.paid && !flags.quiet) err.write(`Estimate: ${estimateLine(estimate)}.\n`);
    return false;
  }
  const specs = [...new Set(planned.map(({ model }) => model))];
  const windows = new Map(
    await Promise.all(specs.map(async (spec) => [spec, await models.window(spec)] as const)),
  );
  const estimate = estimateRun(planned, { price, window: (model) => windows.get(model) });
  out.write(flags.json ? jsonLine(estimate) : estimateTable(estimate));
  return true;
}
