/**
 * Reads the lists of local models of servers with OpenAI's protocol: LM Studio has one at `/api/v1/models`,
 * and llama-server at `/models` if it was started as a router, which loads models when they are requested.
 */
import { isRecord } from '../../text/json.ts';
import { readCount } from '../counted.ts';

/** A model in the list of a local server. */
export interface LocalModel {
  /** The name that requests use. */
  readonly name: string;
  readonly isLoaded: boolean;
  /** The context in tokens that the model is loaded with, or would be; absent if unknown. */
  readonly context?: number | undefined;
}

/** A kind of model list that local servers have, and how to parse it. */
export interface LocalList {
  /** The path relative to the address that ends in `/v1`. */
  readonly path: string;
  /** Parses a reply. Returns undefined if the reply is not a list of this kind. */
  readonly read: (reply: unknown) => readonly LocalModel[] | undefined;
}

/** The kinds of model lists that local servers have. */
export const LOCAL_LISTS: readonly LocalList[] = [
  { path: '../api/v1/models', read: readLmStudio },
  { path: '../models', read: readRouter },
];

/**
 * Parses LM Studio's list (https://lmstudio.ai/docs/developer/rest). A model may be loaded several times,
 * under different names.
 */
function readLmStudio(reply: unknown): readonly LocalModel[] | undefined {
  const models: unknown = isRecord(reply) ? reply.models : undefined;
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((model: unknown): LocalModel[] => {
    if (!isRecord(model) || typeof model.key !== 'string') return [];
    const { key, loaded_instances: instances, max_context_length: most } = model;
    const loaded = (Array.isArray(instances) ? instances : []).flatMap((instance: unknown) => {
      const { id, config } = isRecord(instance) ? instance : {};
      const context = isRecord(config) ? readCount(config.context_length) : 0;
      return typeof id === 'string'
        ? [{ name: id, isLoaded: false, context: context || undefined }]
        : [];
    });
    // LM Studio may have the model `alpha` in memory several times, under names such as `alpha:2`. List `alpha`
    // once, with the context of the instance that answers requests for `alpha`, and list each other name too.
    const own = loaded.find(({ name }) => name === key) ?? loaded[0];
    const context = own === undefined ? readCount(most) || undefined : own.context;
    const others = loaded.filter(({ name }) => name !== key);
    return [{ name: key, isLoaded: own !== undefined, context }, ...others];
  });
}

/** Parses the list of llama-server's router, the only one with a `status` for each model. */
function readRouter(reply: unknown): readonly LocalModel[] | undefined {
  const models: unknown = isRecord(reply) ? reply.data : undefined;
  if (!Array.isArray(models)) return undefined;
  const told = models.flatMap((model: unknown): LocalModel[] =>
    isRecord(model) && typeof model.id === 'string' && isRecord(model.status)
      ? [{ name: model.id, isLoaded: model.status.value === 'loaded' }]
      : [],
  );
  return told.length === 0 ? undefined : told;
}

/**
 * Returns the context, in tokens, of the model that a request with this name uses; undefined if
 * unknown.
 */
export function loadedWindow(models: readonly LocalModel[], model: string): number | undefined {
  return models.find(({ name }) => name === model)?.context;
}
