/**
 * What servers that speak as OpenAI does tell of models on their own machine, each in its own way: LM
 * Studio at `/api/v1/models`, and llama-server at `/models` where it was started without a model and
 * loads them as they are asked for (its router).
 */
import { isRecord } from '../../text/is-record.ts';
import { readCount } from '../counted.ts';

export interface LocalModel {
  /** As a request names it. */
  readonly name: string;
  readonly isLoaded: boolean;
  /** The context that it is loaded with, or would be, in tokens. */
  readonly context?: number | undefined;
}

export interface LocalList {
  /** From the address that ends in `/v1`. */
  readonly path: string;
  /** Undefined where the reply is no such list. */
  readonly read: (reply: unknown) => readonly LocalModel[] | undefined;
}

export const LOCAL_LISTS: readonly LocalList[] = [
  { path: '../api/v1/models', read: readLmStudio },
  { path: '../models', read: readRouter },
];

/** https://lmstudio.ai/docs/developer/rest: a model may be loaded several times, each under its own name. */
function readLmStudio(reply: unknown): readonly LocalModel[] | undefined {
  const models: unknown = isRecord(reply) ? reply.models : undefined;
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((one: unknown): LocalModel[] => {
    if (!isRecord(one) || typeof one.key !== 'string') return [];
    const { key, loaded_instances: instances, max_context_length: most } = one;
    const loaded = (Array.isArray(instances) ? instances : []).flatMap((instance: unknown) => {
      const { id, config } = isRecord(instance) ? instance : {};
      const context = isRecord(config) ? readCount(config.context_length) : 0;
      return typeof id === 'string'
        ? [{ name: id, isLoaded: false, context: context || undefined }]
        : [];
    });
    // By the model's own name a request gets what is loaded of it, else it is loaded for it. It counts as
    // one model in memory, however often it is there.
    const own = loaded.find(({ name }) => name === key) ?? loaded[0];
    const context = own === undefined ? readCount(most) || undefined : own.context;
    const others = loaded.filter(({ name }) => name !== key);
    return [{ name: key, isLoaded: own !== undefined, context }, ...others];
  });
}

/** Only the router has a `status` for its models. */
function readRouter(reply: unknown): readonly LocalModel[] | undefined {
  const models: unknown = isRecord(reply) ? reply.data : undefined;
  if (!Array.isArray(models)) return undefined;
  const told = models.flatMap((one: unknown): LocalModel[] =>
    isRecord(one) && typeof one.id === 'string' && isRecord(one.status)
      ? [{ name: one.id, isLoaded: one.status.value === 'loaded' }]
      : [],
  );
  return told.length === 0 ? undefined : told;
}

/** The context of the model that a request by this name gets. */
export function loadedWindow(models: readonly LocalModel[], model: string): number | undefined {
  return models.find(({ name }) => name === model)?.context;
}
