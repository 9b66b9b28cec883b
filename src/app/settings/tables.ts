/**
 * Tables about models that become outdated and that people correct: prices, and the context windows of models
 * whose server does not tell them. Each table is read from the person's configuration folder and from the
 * program; for each model the person's entry wins. A project has no such tables, because a price of zero would
 * lift a budget.
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

/** The content of a file with prices or context windows. */
interface TableFile<T> {
  /** The source as shown to a person: `built in`, or the file's path. */
  readonly place: string;
  readonly table: T;
}

/**
 * Reads the person's table and the built-in one, in this order.
 * @throws DeliberateError that names file and line of what cannot be read
 */
function readTables<T>(env: Env, name: string, schema: z.ZodType<T>): TableFile<T>[] {
  const own = join(configFolder(env), name);
  const text = readText(own, true);
  const builtIn = readText(join(BUILT_IN, name), true);
  return [
    // Read the person's table (of prices or of windows) with the YAML reader, which accepts JSON and reports the line
    // of a mistake. The YAML reader is slower, so the built-in table is parsed as JSON.
    ...(text === undefined ? [] : [{ place: own, table: readYaml(own, text, schema).value }]),
    ...(builtIn === undefined
      ? []
      : [{ place: 'built in', table: schema.parse(JSON.parse(builtIn)) }]),
  ];
}

/** Returns the known prices of models with their date and source. A person's own price comes first. */
export function readPrices(env: Env): PriceList {
  return mergePrices(
    readTables(env, 'prices.json', priceListSchema).map(({ place, table }) => ({
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

/**
 * Returns a function that looks up a model's context window in tokens; it returns undefined for
 * unknown models.
 */
export function readWindows(env: Env): (model: ModelSpec) => number | undefined {
  const found = readTables(env, 'windows.json', windowsSchema);
  return (model) =>
    found
      .map(({ table }) => findByEdition(table.tokens, model))
      .find((tokens) => tokens !== undefined);
}
