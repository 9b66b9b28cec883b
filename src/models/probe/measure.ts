/**
 * Measures what a server and its models do, by calls through the providers themselves: no retries, no
 * second question, so that what is seen is what the server did.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { NO_USAGE, type Usage } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { clip, type Failure, ProviderFailure } from '../failure.ts';
import { schemaInWords, toJsonSchema } from '../json-schema.ts';
import type { ModelInfo, Provider, ProviderRequest } from '../provider.ts';
import { answerInThoughts, readStructured } from '../structured.ts';
import { ThinkSplitter } from '../think.ts';
import type { Answered, HostMeasured, ModelMeasured, SchemaOutcome } from './verdicts.ts';

export interface Thoroughness {
  /** Only whether it answers at all. */
  readonly quick: boolean;
  /** The whole declared window is filled, whatever that takes. */
  readonly thorough: boolean;
  /** Free of charge: long prompts and long answers may be asked for. */
  readonly free: boolean;
  /** A request without a byte for so long is given up. Milliseconds. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Tokens that the tiny answers of a probe may have: who thinks needs most of them for that. */
const SHORT_ANSWER = 1_000;
/** The most calls that one paid model gets, and what one of them takes. For the question beforehand. */
export const PAID_PROBE: { readonly calls: number; readonly each: Usage } = {
  calls: 4,
  each: { ...NO_USAGE, input: 120, output: SHORT_ANSWER },
};
/** As far as a window is filled without `--thorough`: minutes on a machine without a GPU, seconds with one. */
const FILLED = 8_192;
/** Of the context, left free for the answer and for what the measure of a short prompt misses. */
const FILL = 0.8;
/** Words of the two prompts that tell how many tokens a word of the filler takes here. */
const SAMPLES = [200, 800] as const;
const LIST_MS = 20_000;

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

/** Calls two models one after the other and looks what is in memory then. */
export async function measureTogether(
  provider: Provider,
  [one, other]: readonly [string, string],
  how: Thoroughness,
): Promise<HostMeasured['together']> {
  const called = [one, other];
  for (const model of called)
    if (!(await call(provider, shortRequest(model, 'Say yes.'), how)).ok) return undefined;
  const loaded = await provider.listLoaded?.();
  if (loaded === undefined || loaded.length === 0) return undefined;
  const names = loaded.map(({ model }) => model.replace(/:latest$/, ''));
  return {
    called,
    loaded: called.filter((model) => names.includes(model.replace(/:latest$/, ''))),
  };
}

export async function measureModel(
  provider: Provider,
  model: string,
  how: Thoroughness,
): Promise<ModelMeasured> {
  const spec = `${provider.name}/${model}`;
  const answered = await call(
    provider,
    shortRequest(model, 'In two short sentences: why do bridges have joints?'),
    how,
  );
  const window = await provider.window?.(model, how.signal);
  if (!answered.ok) return { spec, window, answer: answered.failure };
  const loaded = (await provider.listLoaded?.())?.find((one) => isNamed(one.model, model))?.context;
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

/** Ollama's names mean `:latest` where they have no tag. */
function isNamed(one: string, other: string): boolean {
  return one.replace(/:latest$/, '') === other.replace(/:latest$/, '');
}

/** Nothing in the question hints at JSON: only a schema that is obeyed leads to it. */
const QUESTION = 'Which season comes after winter, and how many months does a year have?';
const SHAPE = z.strictObject({ season: z.string(), months: z.number().int() });

async function measureSchema(
  provider: Provider,
  model: string,
  thinks: boolean,
  how: Thoroughness,
): Promise<ModelMeasured['schema']> {
  const schema = toJsonSchema(SHAPE);
  const outcome = async (request: ProviderRequest): Promise<SchemaOutcome> => {
    const reply = await call(provider, request, how);
    if (!reply.ok) return reply.failure.code === 'rejected' ? 'refused' : 'failed';
    const answer = answerInThoughts(reply.text, reply.thinking) ?? reply.text;
    if (readStructured(answer, SHAPE, !reply.cut).ok) return 'obeyed';
    // Cut before it came to an end: whether it would have fitted is not known.
    return reply.cut ? 'failed' : 'ignored';
  };
  const request = shortRequest(model, QUESTION);
  const given = await outcome({ ...request, schema });
  const unthinking = thinks ? await outcome({ ...request, schema, think: false }) : undefined;
  if (given === 'obeyed' || unthinking === 'obeyed') return { given, unthinking };
  const words = shortRequest(model, `${QUESTION}\n\n${schemaInWords(schema)}`);
  return { given, unthinking, inWords: await outcome(words) };
}

async function measureCancel(
  provider: Provider,
  model: string,
  how: Thoroughness,
): Promise<ModelMeasured['cancel']> {
  const stop = new AbortController();
  let stopped = 0;
  const long = shortRequest(model, 'Count from one to five hundred in words.');
  await call(provider, { ...long, maxTokens: undefined }, how, {
    signal: stop.signal,
    onFirst: () => {
      stopped = performance.now();
      stop.abort();
    },
  });
  // It ended by itself before a word came: there was nothing to stop.
  if (stopped === 0) return undefined;
  const closedMs = performance.now() - stopped;
  const next = await call(provider, shortRequest(model, 'Say yes.'), how);
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
  const short = await call(provider, fillerRequest(model, few), how);
  if (!short.ok) return short.failure;
  const longer = await call(provider, fillerRequest(model, more), how);
  if (!longer.ok) return longer.failure;
  // What the server adds to every prompt is in both.
  const perWord = (longer.usage.input - short.usage.input) / (more - few);
  if (perWord <= 0) return undefined;
  const words = Math.floor((size * FILL - longer.usage.input) / perWord) + more;
  if (words <= more) return undefined;
  const filled = await call(provider, fillerRequest(model, words), how);
  if (!filled.ok) return filled.failure;
  return { sent: longer.usage.input + (words - more) * perWord, read: filled.usage.input };
}

/** Begins with a number of its own, so that no server takes the beginning from a cache and leaves it uncounted. */
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
      readonly said: Answered;
      readonly text: string;
      readonly thinking: string;
      readonly usage: Usage;
      /** At the limit of the probe. */
      readonly cut: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onFirst?: () => void;
}

async function call(
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
  const heard = (part: { readonly text: string; readonly thinking: string }): void => {
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
      onText: (piece) => heard(splitter.push(piece)),
      onThinking: (piece) => heard({ text: '', thinking: piece }),
    });
    heard(splitter.end());
    const ms = performance.now() - began;
    // Cut at our own limit: it has answered, and that is what was asked.
    const answered =
      attempt.ok || (attempt.failure.code === 'truncated' && firstTokenMs !== undefined);
    if (!answered)
      return { ok: false, failure: attempt.ok ? silentFailure(provider) : attempt.failure };
    if (firstTokenMs === undefined) return { ok: false, failure: silentFailure(provider) };
    const output = attempt.usage.output || estimateTokens(text + thinking);
    const said = { firstTokenMs, ms, output, thought: thinking !== '' };
    return { ok: true, said, text, thinking, usage: attempt.usage, cut: !attempt.ok };
  } catch (error) {
    // A stopped request rejects in whatever way its library does; its socket is closed a moment later.
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
  return { code: 'internal', message: `${name}: ${clip(words)}`, retry: false };
}
