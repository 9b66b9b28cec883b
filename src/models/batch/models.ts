/** Wraps models whose answers come in batches: prices are halved and calls get a note. */
import type { Models } from '../../kernel/model.ts';
import { BATCH_PRICE } from './batches.ts';

const NOTE = 'answered in a batch, at half the list price';

/**
 * Returns the given models, changed for calls in batches: prices are half the list prices, and each
 * answer gets a note that says so.
 * @param spend is called with the run and the step of a failed call. It must mark the step's stored answers as
 * used. Otherwise a repeated call would get the stored answer, and fail again.
 */
export function makeBatchedModels(
  models: Models,
  spend: (run: string, step: string) => void,
): Models {
  return {
    async call(request, context) {
      const result = await models.call(request, context);
      const { run, step } = context;
      if (result.status === 'failed' && run !== undefined && step !== undefined) spend(run, step);
      return result.status === 'done' ? { ...result, notes: [...result.notes, NOTE] } : result;
    },
    price(model, usage) {
      const price = models.price(model, usage);
      return price === undefined ? undefined : price * BATCH_PRICE;
    },
    priceSource: (model) => models.priceSource?.(model),
    conceal: models.conceal,
  };
}
