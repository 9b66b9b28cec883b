/**
 * Wraps a provider and removes secrets from everything that its server says: answers, thinking, model names
 * and errors. This module lies between every provider and whatever shows or stores its output.
 */
import { isRecord } from '../text/json.ts';
import type { Batches } from './batch/batches.ts';
import { type Failure, ProviderFailure } from './failure.ts';
import type {
  Attempt,
  AttemptContext,
  LoadedModel,
  ModelInfo,
  Provider,
  ProviderRequest,
} from './provider.ts';
import { type Forms, SecretFilter, withoutSecrets } from './secrets.ts';

/**
 * Wraps a provider so that its answers, notes, lists and failures contain no secret.
 * @param forms returns all secrets that are known when it is called, in all their encodings
 */
export function withoutLeaks(provider: Provider, forms: () => Forms): Provider {
  const concealSecrets = (text: string): string => withoutSecrets(text, forms());
  const { window, version, edition, embed, listLoaded: loaded, abilities, isRemote } = provider;
  const { batches, memory } = provider;
  return {
    name: provider.name,
    endpoint: provider.endpoint,
    queues: provider.queues,
    ignoresBounds: provider.ignoresBounds,
    fault: provider.fault && {
      ...provider.fault,
      message: concealSecrets(provider.fault.message),
    },
    stream: (request, context) => streamConcealed(provider, request, context, forms),
    list: async (signal) =>
      (await cleanErrors(() => provider.list(signal), concealSecrets)).map((model) =>
        cleanInfo(model, concealSecrets),
      ),
    ...(provider.suggestAddress ? { suggestAddress: provider.suggestAddress.bind(provider) } : {}),
    ...(window ? { window: window.bind(provider) } : {}),
    ...(provider.rates ? { rates: provider.rates.bind(provider) } : {}),
    ...(provider.learnRates ? { learnRates: provider.learnRates.bind(provider) } : {}),
    ...(isRemote ? { isRemote: isRemote.bind(provider) } : {}),
    ...(abilities ? { abilities: abilities.bind(provider) } : {}),
    ...(version
      ? {
          version: async (signal) => {
            const said = await cleanErrors(() => version.call(provider, signal), concealSecrets);
            return said === undefined ? undefined : concealSecrets(said);
          },
        }
      : {}),
    ...(edition
      ? {
          edition: async (model) => {
            const said = await edition.call(provider, model);
            return said === undefined ? undefined : concealSecrets(said);
          },
        }
      : {}),
    ...(embed
      ? {
          embed: (model, texts, context) =>
            cleanErrors(() => embed.call(provider, model, texts, context), concealSecrets),
        }
      : {}),
    ...(batches ? { batches: cleanBatches(batches, concealSecrets) } : {}),
    ...(memory ? { memory: cleanMemory(memory, concealSecrets) } : {}),
    ...(loaded
      ? {
          listLoaded: async () => {
            const models = await loaded.call(provider);
            return models?.map(
              (model): LoadedModel => ({ ...model, model: concealSecrets(model.model) }),
            );
          },
        }
      : {}),
  };
}

/** Removes secrets from what a provider stores in a file. */
function cleanMemory(
  memory: NonNullable<Provider['memory']>,
  clean: (text: string) => string,
): NonNullable<Provider['memory']> {
  return {
    recall: (told) => memory.recall(told),
    changed: () => {
      const told = memory.changed();
      return told && (JSON.parse(clean(JSON.stringify(told))) as typeof told);
    },
  };
}

/** Removes secrets from a batch's failures and messages; stored answers were cleaned before. */
function cleanBatches(batches: Batches, clean: (text: string) => string): Batches {
  return {
    most: batches.most,
    submit: (...wave) => cleanErrors(() => batches.submit(...wave), clean),
    find: (...wave) => cleanErrors(() => batches.find(...wave), clean),
    look: async (...batch) => {
      const state = await cleanErrors(() => batches.look(...batch), clean);
      return state.failed === undefined ? state : { ...state, failed: clean(state.failed) };
    },
    results: (batch, take, signal) =>
      cleanErrors(
        () => batches.results(batch, (id, answer) => take(id, clean(answer)), signal),
        clean,
      ),
    replay: (...answer) => batches.replay(...answer),
  };
}

async function streamConcealed(
  provider: Provider,
  request: ProviderRequest,
  context: AttemptContext,
  forms: () => Forms,
): Promise<Attempt> {
  const text = new SecretFilter(forms);
  const thinking = new SecretFilter(forms);
  const passPart = (say: (part: string) => void, part: string): void => {
    if (part !== '') say(part);
  };
  let attempt: Attempt;
  try {
    attempt = await provider.stream(request, {
      ...context,
      onText: (piece) => passPart(context.onText, text.push(piece)),
      onThinking: (piece) => passPart(context.onThinking, thinking.push(piece)),
    });
  } finally {
    // The filters keep the last characters back until they know that no secret begins there. Pass them on now,
    // even after an error.
    passPart(context.onThinking, thinking.end());
    passPart(context.onText, text.end());
  }
  const concealSecrets = (words: string): string => withoutSecrets(words, forms());
  const notes = attempt.notes.map(concealSecrets);
  // If a secret in the text or thinking was masked, note it, since the record differs from what the server sent.
  if (text.found || thinking.found)
    notes.push(`${provider.name}: an API key repeated by the server was removed`);
  const served = attempt.served === undefined ? {} : { served: concealSecrets(attempt.served) };
  return attempt.ok
    ? { ...attempt, ...served, ...cleanTurn(attempt, concealSecrets), notes }
    : { ...attempt, ...served, notes, failure: cleanFailure(attempt.failure, concealSecrets) };
}

type Asked = Pick<Extract<Attempt, { ok: true }>, 'calls' | 'turn'>;

/**
 * Removes secrets from tool calls. A turn in the provider's form may be signed, so it is dropped if it
 * would change.
 */
function cleanTurn({ calls, turn }: Asked, clean: (text: string) => string): Asked {
  const concealValue = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(concealValue);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [clean(key), concealValue(field)]),
    );
  };
  const same = JSON.stringify(concealValue(turn)) === JSON.stringify(turn);
  return {
    calls: calls?.map(({ id, name, arguments: given }) => ({
      id: clean(id),
      name: clean(name),
      arguments: concealValue(given),
    })),
    turn: same ? turn : undefined,
  };
}

/** Calls `ask` and removes secrets from its error. */
async function cleanErrors<T>(ask: () => Promise<T>, clean: (text: string) => string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailure)
      throw new ProviderFailure(cleanFailure(error.failure, clean));
    throw error;
  }
}

function cleanFailure(failure: Failure, clean: (text: string) => string): Failure {
  const { message, next } = failure;
  return {
    ...failure,
    message: clean(message),
    ...(next === undefined ? {} : { next: clean(next) }),
  };
}

function cleanInfo(model: ModelInfo, clean: (text: string) => string): ModelInfo {
  const { spec, note } = model;
  return { ...model, spec: clean(spec), ...(note === undefined ? {} : { note: clean(note) }) };
}
