/** A provider with what is known of its host in this process: its calls, and what its models refuse. */
import { PromptScale } from '../answer/prompt-scale.ts';
import type { Profile } from '../profiles.ts';
import type { Provider } from '../provider.ts';
import type { Feature } from '../providers/refusals.ts';
import { ModelScheduler } from '../scheduler.ts';

/** A provider with what is remembered about its host. */
export interface Host {
  readonly provider: Provider;
  readonly scheduler: ModelScheduler;
  /** Grows with every byte from there: a sign of life for those who wait behind others. */
  activity: number;
  /** Whether it has answered anything in this process. */
  hasAnswered: boolean;
  /** Requests for answers that were sent to it. */
  requests: number;
  readonly refuses: Map<string, Set<Feature>>;
  /** Models whose window was asked for. */
  readonly measured: Set<string>;
  /** By model. */
  readonly scales: Map<string, PromptScale>;
}

export function hostOf(
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
    ...{ provider, scheduler, activity: 0, hasAnswered: false, requests: 0 },
    ...{ refuses: new Map(), measured: new Set(), scales: new Map() },
  };
}

export function scaleOf({ scales }: Host, model: string): PromptScale {
  const known = scales.get(model) ?? new PromptScale();
  scales.set(model, known);
  return known;
}

export function refusedBy(host: Host, model: string, profile: Profile | undefined): Set<Feature> {
  const known = host.refuses.get(model) ?? new Set();
  if (profile?.schema === 'words') known.add('schema');
  if (profile?.schema === 'unthinking') known.add('thinking');
  host.refuses.set(model, known);
  return known;
}

export function knownBy({ schema, at }: Profile): string | undefined {
  const since = `as the doctor found on ${at.slice(0, 10)}`;
  if (schema === 'words') return `the schema was put in the prompt, ${since}`;
  if (schema === 'unthinking') return `asked without thinking, ${since}`;
  return undefined;
}
