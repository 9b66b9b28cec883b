/**
 * Computes the cost of a call from a dated price list that people can edit: presets/prices.json. A model
 * that is not in the list has no price and is shown so; a guess would distort somebody's budget.
 */
import * as z from 'zod';
import type { ModelSpec, PriceSource, Usage } from '../kernel/model.ts';
import { splitSpec } from '../kernel/providers/spec.ts';
import { findByEdition } from './editions.ts';

const rates = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative(),
  cache_write: z.number().nonnegative(),
  /** The rate for tokens cached for an hour instead of five minutes, if it differs. */
  cache_write_1h: z.number().nonnegative().optional(),
});

/** The schema of a price list. */
export const priceListSchema = z.object({
  as_of: z.iso.date(),
  source: z.string(),
  usd_per_million_tokens: z.record(
    z.string(),
    rates.extend({
      /** The rates for the whole request if its prompt has more than `over` tokens. */
      long_prompt: rates.extend({ over: z.number().positive() }).optional(),
      /** The date and source of this entry, if they differ from the list's. */
      as_of: z.iso.date().optional(),
      source: z.string().optional(),
    }),
  ),
});

/** Prices of models, with their date and source. */
export type PriceList = z.infer<typeof priceListSchema>;

/** Prices of a model's tokens in US dollars per million. */
export type Rates = z.infer<typeof rates>;

/**
 * Checks a parsed price list.
 * @throws z.ZodError that says what is wrong with the file
 */
export function readPriceList(json: unknown): PriceList {
  return priceListSchema.parse(json);
}

/**
 * Merges price lists. `lists` is in order of priority, the highest first. Each price keeps its own date
 * and source, or else those of its list.
 */
export function mergePrices(lists: readonly PriceList[]): PriceList {
  const merged = new Map<string, PriceList['usd_per_million_tokens'][string]>();
  let latest = { as_of: '1970-01-01', source: '' };
  for (const { as_of, source, usd_per_million_tokens: prices } of [...lists].reverse()) {
    for (const [model, entry] of Object.entries(prices))
      merged.set(model, { as_of, source, ...entry });
    latest = { as_of: as_of > latest.as_of ? as_of : latest.as_of, source };
  }
  return { ...latest, usd_per_million_tokens: Object.fromEntries(merged) };
}

/** Providers that cost nothing, unless the model runs on another machine. */
const FREE = ['ollama', 'rehearsal'];

/**
 * Returns the cost of the usage in US dollars: 0 for models of Ollama and the stand-in, undefined if no
 * price is known. `isRemote`: whether a model of a local server runs at another company, so that it is
 * not free, see `Provider.isRemote`.
 */
export function priceOf(
  list: PriceList | undefined,
  model: ModelSpec,
  usage: Usage,
  isRemote = false,
): number | undefined {
  if (!isRemote && FREE.includes(splitSpec(model).provider)) return 0;
  const prices = list?.usd_per_million_tokens ?? {};
  const entry = findByEdition(prices, model);
  if (!entry) return undefined;
  const { long_prompt: long } = entry;
  return costOf(long && usage.input > long.over ? long : entry, usage);
}

/**
 * Returns the date and source of the price that {@link priceOf} uses; undefined if there is no
 * price or the model is free.
 */
export function priceSourceOf(
  list: PriceList | undefined,
  model: ModelSpec,
  isRemote = false,
): PriceSource | undefined {
  if (!isRemote && FREE.includes(splitSpec(model).provider)) return undefined;
  const entry = findByEdition(list?.usd_per_million_tokens ?? {}, model);
  if (list === undefined || entry === undefined) return undefined;
  return { source: entry.source ?? list.source, asOf: entry.as_of ?? list.as_of };
}

/** Returns the cost of the usage at these rates, in US dollars. */
export function costOf(rate: Rates, usage: Usage): number {
  const plain = Math.max(0, usage.input - usage.cached - usage.cacheWritten);
  const { cacheWritten: written, cacheWrittenForHour: forHour = 0 } = usage;
  return (
    (plain * rate.input +
      usage.cached * rate.cache_read +
      (written - forHour) * rate.cache_write +
      forHour * (rate.cache_write_1h ?? rate.cache_write) +
      usage.output * rate.output) /
    1_000_000
  );
}
