/**
 * What a call costs, from a dated price list that people can edit: presets/prices.json. A model
 * that is not in it has no price, which is shown as such; a guess would end up in somebody's budget.
 */
import * as z from 'zod';
import { type ModelSpec, splitSpec, type Usage } from '../kernel/model.ts';

const rates = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative(),
  cache_write: z.number().nonnegative(),
});

const priceList = z.object({
  as_of: z.iso.date(),
  source: z.string(),
  usd_per_million_tokens: z.record(
    z.string(),
    rates.extend({
      /** Other rates for the whole request if its prompt has more tokens than this. */
      long_prompt: rates.extend({ over: z.number().positive() }).optional(),
    }),
  ),
});

export type PriceList = z.infer<typeof priceList>;

/** Checks parsed JSON. Throws a ZodError that says what is wrong with the file. */
export function readPriceList(json: unknown): PriceList {
  return priceList.parse(json);
}

/** Nobody is paid for these. */
const FREE = ['ollama', 'rehearsal'];

/** USD for `usage`, or undefined where no price is known. */
export function priceOf(
  list: PriceList | undefined,
  model: ModelSpec,
  usage: Usage,
): number | undefined {
  if (FREE.includes(splitSpec(model).provider)) return 0;
  const prices = list?.usd_per_million_tokens ?? {};
  const name = Object.keys(prices)
    .filter((prefix) => isVersionOf(model, prefix))
    .sort((a, b) => b.length - a.length)[0];
  const entry = name === undefined ? undefined : prices[name];
  if (!entry) return undefined;
  const { long_prompt: long } = entry;
  const rate = long && usage.input > long.over ? long : entry;
  const plain = Math.max(0, usage.input - usage.cached - usage.cacheWritten);
  return (
    (plain * rate.input +
      usage.cached * rate.cache_read +
      usage.cacheWritten * rate.cache_write +
      usage.output * rate.output) /
    1_000_000
  );
}

/**
 * The longest prefix wins, so that `claude-haiku-4-5` also prices `claude-haiku-4-5-20251001`. But
 * a version number after the prefix is another model: `claude-opus-5` says nothing of
 * `claude-opus-5-7`.
 */
function isVersionOf(model: string, prefix: string): boolean {
  return model.startsWith(prefix) && !/^(\d|[-.]\d{1,3}(?!\d))/.test(model.slice(prefix.length));
}
