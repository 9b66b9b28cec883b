/** Looks up models that people name without a server. */
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { isAgent, isProvider, providerNames } from '../../kernel/providers/names.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { toLine } from '../../text/line.ts';
import { findNearest } from '../../text/nearest.ts';
import type { Invocation } from '../invocation.ts';
import { readConfig } from './config.ts';
import { formatListing, hasValidName, isNeverDefault, listPatiently } from './discovery.ts';
import { mapModels, modelsWithoutServer } from './model-flags.ts';
import { openModels } from './providers.ts';

/** The most choices that an error lists. */
const MOST_NAMED = 12;

/** The tag that Ollama adds to a name without a tag. */
const USUAL_TAG = ':latest';

/**
 * Returns the call with the server's name added to each model in its flags that lacks one. Tells the
 * person at which server each was found.
 *
 * @throws UsageError with the choices if no server, or more than one, has the model
 */
export async function completeFlags(call: Invocation): Promise<Invocation> {
  const config = readConfig(call);
  const named = modelsWithoutServer(call.flags, call.command);
  const specs = await findSpecs(call, named, openModels(call, config));
  if (specs.size === 0) return call;
  const flags = mapModels(call.flags, call.command, (model) => specs.get(model.trim()) ?? model);
  return { ...call, flags, stdin: call.stdin };
}

/**
 * Returns seats with the server's name added to each model that lacks one. Tells the person at which
 * server each was found.
 *
 * @throws UsageError with the choices if no server, or more than one, has the model
 */
export async function completePlaces<T extends { readonly model?: ModelSpec | undefined }>(
  call: Invocation,
  places: readonly T[],
  gateway: ModelGateway,
): Promise<readonly T[]> {
  const named = places.flatMap(({ model }) => model ?? []);
  const specs = await findSpecs(call, named, gateway);
  if (specs.size === 0) return places;
  return places.map((place) => ({ ...place, model: specs.get(place.model ?? '') ?? place.model }));
}

/** Looks up the models without a server, and tells the person at which server each was found. */
async function findSpecs(
  call: Invocation,
  named: readonly string[],
  gateway: ModelGateway,
): Promise<ReadonlyMap<string, ModelSpec>> {
  const open = [...new Set(named)].filter(lacksServer);
  if (open.length === 0) return new Map();
  const listings = (await listPatiently(call, gateway)).filter(({ name }) => !isNeverDefault(name));
  const there = listings.flatMap(({ models }) =>
    models.filter(hasValidName).map(({ spec }) => spec),
  );
  const found = new Map<string, ModelSpec>();
  for (const name of open) {
    const spec = onlyOf(name, there, listings.map(formatListing));
    found.set(name, spec);
    if (!call.flags.quiet) call.err.write(`${toLine(`${name}: ${spec}`)}\n`);
  }
  return found;
}

/**
 * Returns whether a model's name lacks its server. False for a misspelled provider ("olama/qwen3"),
 * which is refused later. A name may contain slashes: "hf.co/someone/model".
 */
function lacksServer(name: string): boolean {
  const { provider } = splitSpec(name);
  if (isProvider(provider) || isAgent(name)) return false;
  return provider === '' || findNearest(provider, providerNames()) === undefined;
}

function onlyOf(name: string, there: readonly ModelSpec[], looked: readonly string[]): ModelSpec {
  const withName = (wanted: string): readonly ModelSpec[] =>
    there.filter((spec) => splitSpec(spec).model === wanted);
  const exact = withName(name);
  const specs = exact.length > 0 ? exact : withName(`${name}${USUAL_TAG}`);
  const [only, ...others] = specs;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new UsageError(
      `several servers have a model "${toLine(name)}"`,
      `Name the server: ${namesOf(specs)}.`,
    );
  const near = findNearest(
    name,
    there.map((spec) => splitSpec(spec).model),
  );
  const meant = there.filter((spec) => splitSpec(spec).model === near);
  throw new UsageError(
    `no server that was reached has a model "${toLine(name)}"`,
    there.length === 0
      ? ['Use PROVIDER/MODEL, such as ollama/qwen3:8b. Looked for:', ...looked].join('\n  ')
      : `${near === undefined ? '' : `Did you mean ${meant.join(' or ')}? `}Available: ${namesOf(there)}.`,
  );
}

function namesOf(specs: readonly ModelSpec[]): string {
  const more = specs.length - MOST_NAMED;
  return `${specs.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more; see deliberate models` : ''}`;
}
