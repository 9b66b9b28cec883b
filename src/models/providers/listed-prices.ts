/** Prices in a server's own list of models, as OpenRouter gives them: US dollars a token, written as text. */
import { isRecord } from '../../text/is-record.ts';
import type { Rates } from '../prices.ts';

/** A token for more than this is no price. In US dollars. */
const MOST = 1;

/**
 * Returns what a model of a list costs, in US dollars for a million tokens. Undefined where that is not said, and
 * for `-1`, which stands for a price that depends on where a request goes.
 */
export function ratesIn(model: unknown): Rates | undefined {
  const pricing: unknown = isRecord(model) ? model.pricing : undefined;
  if (!isRecord(pricing)) return undefined;
  const input = perMillion(pricing.prompt);
  const output = perMillion(pricing.completion);
  if (input === undefined || output === undefined) return undefined;
  return {
    ...{ input, output },
    // Where nothing is said of a cache, what is read from it costs what everything else does.
    cache_read: perMillion(pricing.input_cache_read) ?? input,
    cache_write: perMillion(pricing.input_cache_write) ?? input,
  };
}

function perMillion(price: unknown): number | undefined {
  if (typeof price !== 'string' || !/^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(price)) return undefined;
  const usd = Number(price);
  // Written in binary, 0.0000003 times a million is not quite 0.3.
  return usd <= MOST ? Number((usd * 1_000_000).toPrecision(12)) : undefined;
}
