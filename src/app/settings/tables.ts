/**
 * Tables about models that go out of date and that people correct: prices, and the context windows of
 * models whose server says nothing of them. Each is read from the person's configuration folder and what
 * came with the program; the nearer has its say about each of its models. A project has none: a price of
 * nothing would lift a budget.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { BUILT_IN, configFolder, readText } from '../../io/files.ts';
import { readYaml } from '../../io/yaml-file.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { findByEdition } from '../../models/editions.ts';
import { mergePrices, type PriceList, priceListSchema } from '../../models/prices.ts';
import type { Invocation } from '../invocation.ts';

type Env = Invocation['env'];

const windowsSchema = z.object({
  as_of: z.iso.date(),
  source: z.string(),
  tokens: z.record(z.string(), z.number().int().positive()),
});

/** A table as it lies in one file. */
interface TableFile<T> {
  /** Where, for a person: `built in`, or the file's path. */
  readonly place: string;
  readonly table: T;
}

/** The nearest first. @throws DeliberateError naming file and line of what cannot be read. */
function tables<T>(env: Env, name: string, schema: z.ZodType<T>): TableFile<T>[] {
  const own = join(configFolder(env), name);
  const text = readText(own, true);
  const builtIn = readText(join(BUILT_IN, name), true);
  return [
    // JSON is YAML, and that reader says in which line something is wrong. It takes its time for that.
    ...(text === undefined ? [] : [{ place: own, table: readYaml(own, text, schema).value }]),
    ...(builtIn === undefined
      ? []
      : [{ place: 'built in', table: schema.parse(JSON.parse(builtIn)) }]),
  ];
}

/** What is known of prices, each dated and with the place and source it is from. */
export function readPrices(env: Env): PriceList {
  return mergePrices(
    tables(env, 'prices.json', priceListSchema).map(({ place, table }) => ({
      ...table,
      source: `${place}: ${table.source}`,
      usd_per_million_tokens: Object.fromEntries(
        Object.entries(table.usd_per_million_tokens).map(([model, { source, ...entry }]) => [
          model,
          source === undefined ? entry : { ...entry, source: `${place}: ${source}` },
        ]),
      ),
    })),
  );
}

export function readWindows(env: Env): (model: ModelSpec) => number | undefined {
  const found = tables(env, 'windows.json', windowsSchema);
  return (model) =>
    found
      .map(({ table }) => findByEdition(table.tokens, model))
      .find((tokens) => tokens !== undefined);
}
