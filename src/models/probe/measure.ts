/**
 * Measures what a server and its models do, by calls through the providers themselves. There are no retries
 * and no second requests, so that the results show what the server did.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { NO_USAGE, type Usage } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { clipLine, type Failure, ProviderFailure } from '../failure.ts';
import { schemaInWords, toJsonSchema } from '../json-schema.ts';
import type { ModelInfo, Provider, ProviderRequest } from '../provider.ts';
import { answerInThoughts, readStructured } from '../structured.ts';
import { ThinkSplitter } from '../think.ts';
import type { AnswerMeasurements, HostMeasured, ModelMeasured, SchemaOutcome } from './verdicts.ts';

/** How much to measure, and at what cost. */
export interface Thoroughness {
  /** Measures only whether and how fast the model answers, and its context window. */
  readonly quick: boolean;
  /**
   * If long prompts are requested, fills four fifths of the context window that the server declares,
   * however long that takes.
   */
  readonly thorough: boolean;
  /** Whether calls cost nothing and long prompts and answers may be requested. */
  readonly free: boolean;
  /** Milliseconds without any data after which a request is given up. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** The most tokens of a probe's short answers; models that think need most of them for thinking. */
const SHORT_ANSWER = 1_000;
/**
 * The most calls to one paid model, and the usage assumed for each, from which the cost is estimated
 * beforehand.
 */
export const PAID_PROBE: { readonly calls: number; readonly each: Usage } = {
  calls: 4,
  each: { ...NO_USAGE, input: 120, output: SHORT_ANSWER },
};
/**
 * Tokens up to which a window is filled without `--thorough`: this takes minutes on a machine without a
 * GPU, seconds with one.
 */
const FILLED = 8_192;
/**
 * The part of the context that is filled; the rest is left for the answer and for errors of the estimate.
 */
const FILL = 0.8;
/** Numbers of words of the two prompts from which the tokens per word are computed. */
const SAMPLES = [200, 800] as const;
const LIST_MS = 20_000;

/**
 * Asks a server for its list of models and its version. Resolves to the measurements and the list, which
 * is empty if one of the two requests fails.
 */
export async function measureHost(
  provider: Provider,
): Promise<{ measured: HostMeasured; models: readonly ModelInfo[] }> {
  const { name, endpoint } = provider;
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    const models = await provider.list(signal);
    const version = await provider.version?.(signal);
    return { measured: { name, endpoint, version, listed: models.length }, models };
  } catch (error) {
    return { measured: { name, endpoint, listed: failureOf(name, error) }, models: [] };
  }
}

/**
 * Calls two models one after the other, then asks the server which of them are in memory. Resolves
 * to undefined if the server does not report that, or if a call fails.
 */
export async function measureTogether(
  provider: Provider,
  [first, other]: readonly [string, string],
  how: Thoroughness,
): Promise<HostMeasured['together']> {
  const called = [first, other];
  for (const model of called)
    if (!(await callProvider(provider, shortRequest(model, 'Say yes.'), how)).ok) return undefined;
  const loaded = await provider.listLoaded?.();
  if (loaded === undefined || loaded.length === 0) return undefined;
  const names = loaded.map(({ model }) => model.replace(/:latest$/, ''));
  return {
    called,
    loaded: called.filter((model) => names.includes(model.replace(/:latest$/, ''))),
  };
}

/**
 * Measures a model: how fast it answers and, depending on `how`, whether it keeps to schemas, how much
 * of a long prompt it reads, and how soon after a stopped call the server is free for the next.
 */
export async function measureModel(
  provider: Provider,
  model: string,
  how: Thoroughness,
): Promise<ModelMeasured> {
  const spec = `${provider.name}/${model}`;
  const answered = await callProvider(
    provider,
    shortRequest(model, 'In two short sentences: why do bridges have joints?'),
    how,
  );
  const window = await provider.window?.(model, how.signal);
  if (!answered.ok) return { spec, window, answer: answered.failure };
  const loaded = (await provider.listLoaded?.())?.find((loadedModel) =>
    isNamed(loadedModel.model, model),
  )?.context;
  const measured = { spec, window, loaded, answer: answered.said };
  if (how.quick) return measured;
  const schema = await measureSchema(provider, model, answered.said.thought, how);
  if (!how.free) return { ...measured, schema };
  return {
    ...measured,
    schema,
    cancel: await measureCancel(provider, model, how),
    context: await measureContext(provider, model, window, how),
  };
}

/** Compares two model names; in Ollama a name without a tag means `:latest`. */
function isNamed(name: string, other: string): boolean {
  return name.replace(/:latest$/, '') === other.replace(/:latest$/, '');
}

/** A question that does not mention JSON, so that only a schema can lead to a JSON answer. */
const QUESTION = 'Which season comes after winter, and how many months does a year have?';
const SHAPE = z.strictObject({ season: z.string(), months: z.number().int() });

async function measureSchema(
  provider: Provider,
  model: string,
  thinks: boolean,
  how: Thoroughness,
): Promise<ModelMeasured['schema']> {
  const schema = toJsonSchema(SHAPE);
  const measureOutcome = async (request: ProviderRequest): Promise<SchemaOutcome> => {
    const reply = await callProvider(provider, request, how);
    if (!reply.ok) return reply.failure.code === 'rejected' ? 'refused' : 'failed';
    const answer = answerInThoughts(reply.text, reply.thinking) ?? reply.text;
    if (readStructured(answer, SHAPE, !reply.cut).ok) return 'obeyed';
    // If the answer was cut, nobody knows whether the whole answer fits the schema, so the call counts as failed.
    return reply.cut ? 'failed' : 'ignored';
  };
  const request = shortRequest(model, QUESTION);
  const given = await measureOutcome({ ...request, schema });
  const unthinking = thinks
    ? await measureOutcome({ ...request, schema, think: false })
    : undefined;
  if (given === 'obeyed' || unthinking === 'obeyed') return { given, unthinking };
  const words = shortRequest(model, `${QUESTION}\n\n${schemaInWords(schema)}`);
  return { given, unthinking, inWords: await measureOutcome(words) };
}

async function measureCancel(
  provider: Provider,
  model: string,
  how: Thoroughness,
): Promise<ModelMeasured['cancel']> {
  const stop = new AbortController();
  let stopped = 0;
  const long = shortRequest(model, 'Count from one to five hundred in words.');
  await callProvider(provider, { ...long, maxTokens: undefined }, how, {
    signal: stop.signal,
    onFirst: () => {
      stopped = performance.now();
      stop.abort();
    },
  });
  // Return no measurement if the call ended before any text or thinking arrived, so that there was nothing to
  // stop.
  if (stopped === 0) return undefined;
  const closedMs = performance.now() - stopped;
  const next = await callProvider(provider, shortRequest(model, 'Say yes.'), how);
  if (!next.ok) return next.failure;
  return { closedMs, nextMs: next.said.firstTokenMs };
}

async function measureContext(
  provider: Provider,
  model: string,
  window: number | undefined,
  how: Thoroughness,
): Promise<ModelMeasured['context']> {
  const size = how.thorough ? (window ?? FILLED) : Math.min(window ?? FILLED, FILLED);
  const [few, more] = SAMPLES;
  const short = await callProvider(provider, fillerRequest(model, few), how);
  if (!short.ok) return short.failure;
  const longer = await callProvider(provider, fillerRequest(model, more), how);
  if (!longer.ok) return longer.failure;
  // Compute the tokens per word from the difference of two prompts, because each count also contains what the
  // server adds to every prompt.
  const perWord = (longer.usage.input - short.usage.input) / (more - few);
  if (perWord <= 0) return undefined;
  const words = Math.floor((size * FILL - longer.usage.input) / perWord) + more;
  if (words <= more) return undefined;
  const filled = await callProvider(provider, fillerRequest(model, words), how);
  if (!filled.ok) return filled.failure;
  return { sent: longer.usage.input + (words - more) * perWord, read: filled.usage.input };
}

/**
 * Returns a request with the given number of words. It begins with a unique number, so that no server reads
 * the prompt from a cache without counting it.
 */
function fillerRequest(model: string, words: number): ProviderRequest {
  const filler = Array.from({ length: words }, (_, at) => FILLER[at % FILLER.length]).join(' ');
  const lead = Math.round(performance.now() * 1_000);
  return shortRequest(model, `${lead} ${filler}\n\nSay yes.`);
}

const FILLER = 'the river was wide and slow that year so they went by land'.split(' ');

function shortRequest(model: string, text: string): ProviderRequest {
  return {
    task: 'doctor/probe',
    model,
    seatId: 'doctor',
    role: 'doctor',
    system: '',
    messages: [{ role: 'user', parts: [{ text }] }],
    maxTokens: SHORT_ANSWER,
  };
}

type ProbeOutcome =
  | {
      readonly ok: true;
      readonly said: AnswerMeasurements;
      readonly text: string;
      readonly thinking: string;
      readonly usage: Usage;
      /** Whether the answer was cut at the probe's limit. */
      readonly cut: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onFirst?: () => void;
}

async function callProvider(
  provider: Provider,
  request: ProviderRequest,
  how: Thoroughness,
  { signal, onFirst }: CallOptions = {},
): Promise<ProbeOutcome> {
  const began = performance.now();
  const splitter = new ThinkSplitter();
  let text = '';
  let thinking = '';
  let firstTokenMs: number | undefined;
  const takePart = (part: { readonly text: string; readonly thinking: string }): void => {
    text += part.text;
    thinking += part.thinking;
    if (firstTokenMs !== undefined || text + thinking === '') return;
    firstTokenMs = performance.now() - began;
    onFirst?.();
  };
  try {
    const attempt = await provider.stream(request, {
      signal: signal ? AbortSignal.any([signal, how.signal]) : how.signal,
      attempt: 1,
      idleMs: how.idleMs,
      onBytes: () => undefined,
      onText: (piece) => takePart(splitter.push(piece)),
      onThinking: (piece) => takePart({ text: '', thinking: piece }),
    });
    takePart(splitter.end());
    const ms = performance.now() - began;
    // An answer that had begun and was cut off at the token limit of this request still counts as an answer.
    const answered =
      attempt.ok || (attempt.failure.code === 'truncated' && firstTokenMs !== undefined);
    if (!answered)
      return { ok: false, failure: attempt.ok ? silentFailure(provider) : attempt.failure };
    if (firstTokenMs === undefined) return { ok: false, failure: silentFailure(provider) };
    const output = attempt.usage.output || estimateTokens(text + thinking);
    const said = { firstTokenMs, ms, output, thought: thinking !== '' };
    return { ok: true, said, text, thinking, usage: attempt.usage, cut: !attempt.ok };
  } catch (error) {
    // The socket is closed a moment after the library has rejected a stopped request. Wait for that, so that the
    // measured time includes it.
    if (signal?.aborted) await sleep(0);
    return { ok: false, failure: failureOf(provider.name, error) };
  }
}

function silentFailure({ name }: Provider): Failure {
  return {
    code: 'empty',
    message: `${name}: the answer was empty`,
    next: 'Give seats another model',
    retry: false,
  };
}

function failureOf(name: string, error: unknown): Failure {
  if (error instanceof ProviderFailure) return error.failure;
  const words = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message: `${name}: ${clipLine(words)}`, retry: false };
}
