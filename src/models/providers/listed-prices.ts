/**
 * Reads prices from a server's own list of models, in OpenRouter's format: US dollars per token, as text.
 */
import { isRecord } from '../../text/json.ts';
import type { Rates } from '../prices.ts';

/** The highest plausible price of a token in US dollars. */
const MOST = 1;

/**
 * Returns the price of a listed model in US dollars per million tokens. Undefined if the price of input or
 * output is missing or not plausible, such as `-1`, which means that it depends on the server that a request
 * is routed to.
 */
export function readRates(model: unknown): Rates | undefined {
  const pricing: unknown = isRecord(model) ? model.pricing : undefined;
  if (!isRecord(pricing)) return undefined;
  const input = perMillion(pricing.prompt);
  const output = perMillion(pricing.completion);
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    // If the server's list of models has no price for cached tokens, they cost as much as other tokens of the
    // prompt.
    cache_read: perMillion(pricing.input_cache_read) ?? input,
    cache_write: perMillion(pricing.input_cache_write) ?? input,
  };
}

function perMillion(price: unknown): number | undefined {
  if (typeof price !== 'string' || !/^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(price)) return undefined;
  const usd = Number(price);
  // Round away the binary error: 0.0000003 times a million is not exactly 0.3.
  return usd <= MOST ? Number((usd * 1_000_000).toPrecision(12)) : undefined;
}
