/**
 * A provider and the state of its host in this process: running calls, and features that its models refuse.
 */
import { PromptScale } from '../answer/prompt-scale.ts';
import type { Profile } from '../profiles.ts';
import type { Provider } from '../provider.ts';
import type { Feature } from '../providers/refusals.ts';
import { ModelScheduler } from '../scheduler.ts';

/** A provider, with the queue of calls to its server and what this process has learnt about the server. */
export interface Host {
  readonly provider: Provider;
  readonly scheduler: ModelScheduler;
  /**
   * A number that rises with every chunk that the server sends for any call. A waiting call can tell from it
   * that the server is still at work.
   */
  activity: number;
  /** Whether the server has answered any request in this process. */
  hasAnswered: boolean;
  /** The number of requests for answers that were sent to the server. */
  requests: number;
  /** The features that each model is known to refuse, by the model's name. */
  readonly refuses: Map<string, Set<Feature>>;
  /** The models whose context window was already asked for. */
  readonly measured: Set<string>;
  /** The learned factors between estimated and counted tokens, by the model's name. */
  readonly scales: Map<string, PromptScale>;
}

/**
 * Makes the state of a provider's server in this process: an empty queue of calls, and nothing learnt
 * yet. `concurrency` is the most simultaneous calls; undefined: no limit. `together` is whether the
 * server can keep two models in memory; undefined if unknown.
 */
export function createHost(
  provider: Provider,
  concurrency: number | undefined,
  together: boolean | undefined,
): Host {
  const loaded = provider.listLoaded?.bind(provider);
  const scheduler = new ModelScheduler({
    limit: concurrency ?? Number.POSITIVE_INFINITY,
    nameOf: (model) => `${provider.name}/${model}`,
    ...(loaded ? { loaded } : {}),
    ...(together === undefined ? {} : { known: together ? 'many' : 'one' }),
  });
  return {
    provider,
    scheduler,
    activity: 0,
    hasAnswered: false,
    requests: 0,
    refuses: new Map(),
    measured: new Set(),
    scales: new Map(),
  };
}

/** Returns the factor between estimated and counted tokens of a model, and creates it if needed. */
export function scaleOf({ scales }: Host, model: string): PromptScale {
  const known = scales.get(model) ?? new PromptScale();
  scales.set(model, known);
  return known;
}

/**
 * Returns the features that a model is known to refuse: those that were refused in this process, and those
 * that its stored measurements (`profile`) show. All calls of the model share the returned set and add to it.
 */
export function refusedFeatures(
  host: Host,
  model: string,
  profile: Profile | undefined,
): Set<Feature> {
  const known = host.refuses.get(model) ?? new Set();
  if (profile?.schema === 'words') known.add('schema');
  if (profile?.schema === 'unthinking') known.add('thinking');
  host.refuses.set(model, known);
  return known;
}

/**
 * Returns the note for a call with a schema whose request is changed because of stored measurements: the
 * schema is in the prompt, or the model is told not to think. Returns undefined if the measurements change
 * nothing.
 */
export function profileNote({ schema, at }: Profile): string | undefined {
  const since = `as the doctor found on ${at.slice(0, 10)}`;
  if (schema === 'words') return `the schema was put in the prompt, ${since}`;
  if (schema === 'unthinking') return `asked without thinking, ${since}`;
  return undefined;
}
