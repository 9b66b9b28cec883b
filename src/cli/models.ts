/**
 * `deliberate models`: lists the models that can be reached, which servers were asked, and what is known of
 * each model.
 */

import { join } from 'node:path';
import type { Invocation } from '../app/invocation.ts';
import { readConfig } from '../app/settings/config.ts';
import { openModels } from '../app/settings/providers.ts';
import { readPrices } from '../app/settings/tables.ts';
import { configFolder } from '../io/files.ts';
import { projectFolder } from '../io/presets.ts';
import { findLinkStatus } from '../io/text-file.ts';
import { isProvider } from '../kernel/providers/names.ts';
import type { ModelGateway } from '../models/gateway.ts';
import type { ProviderListing } from '../models/network/listing.ts';
import type { Rates } from '../models/prices.ts';
import type { Profile, ReaderResult } from '../models/profiles.ts';
import { alignColumns } from '../plain/columns.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { isPass } from '../protocols/entrance/entrance.ts';
import { toLine } from '../text/line.ts';
import { formatRate, formatTokens } from '../text/numbers.ts';
import { withoutFalse, withoutUndefined } from '../text/without-undefined.ts';

/**
 * Runs `deliberate models`: lists the models of all providers whose names contain all words of the
 * call, or with `--prices` the known prices. Resolves to the exit code: 1 if no model but the built-in
 * stand-in was found.
 */
export async function models(call: Invocation): Promise<number> {
  if (call.flags.prices) return printPrices(call);
  const config = readConfig(call);
  const gateway = openModels(call, config);
  const listings = (await listModels(gateway, call.words)).map((listing) => ({
    ...listing,
    models: listing.models.filter(({ spec }) => matchesAll(spec, call.words)),
  }));
  for (const { name, endpoint, error, models: found } of listings) {
    if (call.flags.json) {
      const known = await Promise.all(
        found.map(async (model) => ({
          ...model,
          doctor: await gateway.profile(model.spec),
          reader: await gateway.reader(model.spec),
        })),
      );
      call.out.write(
        jsonLine({ provider: name, endpoint, ...(error ? { error } : {}), models: known }),
      );
      continue;
    }
    call.out.write(
      `${name}  ${toLine(endpoint)}${error ? `  ${toLine(error.replace(`${name}: `, ''))}` : ''}\n`,
    );
    const rows = await Promise.all(
      found.map(async ({ spec, contextWindow, sizeBytes, note }) => [
        toLine(spec),
        contextWindow === undefined ? '' : `${formatTokens(contextWindow)} context`,
        sizeBytes === undefined ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`,
        toLine(note ?? ''),
        formatDiagnosis(await gateway.profile(spec), await gateway.reader(spec)),
      ]),
    );
    call.out.write(
      alignColumns(rows)
        .map((row) => `  ${row}\n`)
        .join(''),
    );
    if (found.length === 0 && error === undefined) call.out.write('  no models\n');
  }
  return listings.some(({ name, models: found }) => name !== 'rehearsal' && found.length > 0)
    ? 0
    : 1;
}

/** Asks every server for its models, or only the one that the words name. */
function listModels(
  gateway: ModelGateway,
  [word]: readonly string[],
): Promise<readonly ProviderListing[]> {
  const only = word !== undefined && isProvider(word) ? word : undefined;
  return gateway.list({ everywhere: true, ...withoutUndefined({ only }) });
}

/** Returns whether every word occurs in a model's name. */
function matchesAll(spec: string, words: readonly string[]): boolean {
  const name = spec.toLowerCase();
  return words.every((word) => name.includes(word.toLowerCase()));
}

const MANNERS = {
  given: 'follows schemas',
  unthinking: 'schemas without thinking',
  words: 'schemas in the prompt',
  never: 'no schemas',
} as const;

/** Formats what the doctor measured and when, and the model's result in the reader's entrance exam. */
function formatDiagnosis(profile: Profile | undefined, reader: ReaderResult | undefined): string {
  return [
    ...(profile ? [formatProfile(profile)] : []),
    ...(reader ? [formatReader(reader)] : []),
  ].join('; ');
}

function formatReader(reader: ReaderResult): string {
  const { at, items, errors } = reader;
  return `reader ${at.slice(0, 10)}: ${isPass(reader) ? 'passed' : 'failed'}, ${items - errors} of ${items}`;
}

function formatProfile({ at, schema, window, rate }: Profile): string {
  return [
    `doctor ${at.slice(0, 10)}:`,
    withoutFalse([
      rate !== undefined && formatRate(rate),
      schema !== undefined && MANNERS[schema],
      window !== undefined && `cuts prompts at ${formatTokens(window)}`,
    ]).join(', ') || 'answers',
  ].join(' ');
}

/** Prints the price list in force, merged from all files that set prices. */
function printPrices({ env, flags, out, err }: Invocation): number {
  const { usd_per_million_tokens: known } = readPrices(env);
  const own = join(configFolder(env), 'prices.json');
  const project = projectFolder(env);
  const unread = project === undefined ? undefined : join(project, 'prices.json');
  if (unread !== undefined && findLinkStatus(unread) !== undefined)
    err.write(
      `${toLine(unread)} is ignored: a project cannot set prices. Set them in ${toLine(own)}.\n`,
    );
  if (flags.json) {
    for (const [model, entry] of Object.entries(known)) out.write(jsonLine({ model, ...entry }));
    return 0;
  }
  const sources = [...new Set(Object.values(known).map(({ source = '' }) => source))];
  const rows = Object.entries(known).flatMap(([model, entry]) => {
    const { long_prompt: long, as_of = '', source = '' } = entry;
    const dated = [as_of, `[${sources.indexOf(source) + 1}]`];
    return withoutFalse([
      [toLine(model), ...formatRates(entry), ...dated],
      long !== undefined && [
        `  prompts over ${formatTokens(long.over)} tokens`,
        ...formatRates(long),
      ],
    ]);
  });
  const head = [
    ...['USD per million tokens', 'in', 'out', 'cache read', 'cache write', '1 h'],
    ...['as of', ''],
  ];
  for (const row of alignColumns([head, ...rows])) out.write(`${row}\n`);
  out.write(
    `rehearsal and ollama are free, except for Ollama's cloud; models not listed have no known price.\n\n`,
  );
  for (const [at, source] of sources.entries()) out.write(`[${at + 1}] ${toLine(source)}\n`);
  out.write(`Add or correct prices in ${toLine(own)}.\n`);
  return 0;
}

function formatRates(rates: Rates): string[] {
  const { input, output, cache_read: read, cache_write: written, cache_write_1h: hour } = rates;
  return [...[input, output, read, written].map(String), hour === undefined ? '' : String(hour)];
}
