/** Parses what an Ollama server reports of its models. */
import { isRecord } from '../../text/json.ts';
import { readCount } from '../counted.ts';
import type { ToldModel } from '../told.ts';

/**
 * Returns the models in a reply to a request for the list of models, without entries that have no name;
 * undefined if the reply is no list.
 */
export function parseModelList(
  reply: unknown,
): (Record<string, unknown> & { name: string })[] | undefined {
  const models: unknown = isRecord(reply) ? reply.models : undefined;
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((model: unknown) =>
    isRecord(model) && typeof model.name === 'string' ? [{ ...model, name: model.name }] : [],
  );
}

/**
 * Parses a reply of `/api/show`, which describes a model. Fields that the program does not need are
 * dropped.
 */
export function parseShow(reply: unknown): ToldModel {
  const {
    model_info: info,
    capabilities,
    thinking,
    remote_host: remote,
  } = isRecord(reply) ? reply : {};
  const window = isRecord(info)
    ? Object.entries(info).find(([key]) => key.endsWith('.context_length'))?.[1]
    : undefined;
  const tokens = readCount(window);
  const efforts = effortsIn(thinking, capabilities);
  return {
    ...(tokens > 0 ? { window: tokens } : {}),
    ...(Array.isArray(capabilities)
      ? { answers: capabilities.includes('completion'), tools: capabilities.includes('tools') }
      : {}),
    ...(efforts === undefined ? {} : { efforts: [...efforts] }),
    ...(typeof remote === 'string' && remote !== '' ? { remote } : {}),
  };
}

/**
 * Returns the levels of effort. `values` of `thinking` contains names of levels, true and false; false is
 * called `none` here.
 */
function effortsIn(thinking: unknown, capabilities: unknown): readonly string[] | undefined {
  const values: unknown = isRecord(thinking) ? thinking.values : undefined;
  if (Array.isArray(values))
    return values.flatMap((value: unknown) =>
      typeof value === 'string' ? [value] : value === false ? ['none'] : [],
    );
  return Array.isArray(capabilities) && !capabilities.includes('thinking') ? [] : undefined;
}
