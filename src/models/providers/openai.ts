/** OpenAI's chat completions, and the many servers that speak them. */
import type OpenAI from 'openai';
import { type Message, NO_USAGE, type Usage } from '../../kernel/model.ts';
import type { ToolCall, ToolInfo } from '../../kernel/tools/tools.ts';
import { readCount } from '../counted.ts';
import {
  type About,
  errorIn,
  type Failure,
  isRecord,
  malformedFailure,
  notAList,
  ProviderFailure,
  STOPPED,
} from '../failure.ts';
import { fitsStrictMode } from '../json-schema.ts';
import type { Attempt, AttemptContext, ModelInfo, Provider, ProviderRequest } from '../provider.ts';
import { SILENT } from '../quiet.ts';
import { credentialsIn } from '../secrets.ts';
import { guarded, StreamGuard, type Wire } from '../stream-guard.ts';
import { knownWindows } from '../window.ts';
import { checkBaseUrl } from './base-url.ts';
import { type End, finishFailure, worseOf } from './finish.ts';
import { tokensToAsk } from './limits.ts';
import { argumentsOf, isOffered, LONGEST_ARGUMENTS, readArguments } from './tool-calls.ts';

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const OFFICIAL = 'https://api.openai.com/v1';
/** setTimeout's longest: the library's own time-out is off, ours is the idle watch. */
const NO_TIMEOUT = 2 ** 31 - 1;
const LIST_MS = 10_000;
/** The list names every kind of model and does not say which is which. */
const NOT_FOR_SEATS =
  /embed|rerank|whisper|tts|transcribe|audio|realtime|image|dall-e|sora|moderation|babbage|davinci|gpt-3.5-turbo-instruct/i;

export function openaiProvider(env: Readonly<Record<string, string | undefined>>): Provider {
  return new OpenAIProvider(env);
}

class OpenAIProvider implements Provider {
  readonly name = 'openai';
  readonly endpoint: string;
  readonly queues: boolean;
  readonly secrets: readonly string[];

  private readonly key: string | undefined;
  private readonly official: boolean;
  private readonly about: About;
  private windows: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.key = env.OPENAI_API_KEY;
    this.secrets = [this.key ?? '', ...credentialsIn(env.OPENAI_BASE_URL)];
    this.endpoint = (env.OPENAI_BASE_URL || OFFICIAL).replace(/\/+$/, '');
    this.official = this.endpoint === OFFICIAL;
    // Most other servers of this protocol are one machine with a model or two.
    this.queues = !this.official;
    this.about = {
      name: this.name,
      endpoint: this.endpoint,
      variable: 'OPENAI_BASE_URL',
      whenUnreachable: this.official
        ? 'Check the network'
        : 'Start the server, or check OPENAI_BASE_URL',
      whenRefused: 'Check OPENAI_API_KEY',
      whenNoModel: (model) => ({
        message: `openai: there is no model "${model}"`,
        next: 'See what there is with: deliberate models',
      }),
    };
  }

  async stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt> {
    let usage = NO_USAGE;
    let finish: string | undefined;
    let refusal = '';
    const called = new CallsInPieces();
    const thought = new Map<string, string>();
    const failed = (failure: Failure): Attempt => ({ ok: false, failure, usage, notes: [] });
    const guard = new StreamGuard({
      ...context,
      about: this.about,
      model: request.model,
      wire: this.wire(request.model),
    });
    try {
      const client = await this.client(guard.fetch);
      const chunks = await client.chat.completions.create(this.params(request), {
        signal: context.signal,
      });
      for await (const chunk of chunks) {
        if (chunk.usage) usage = usageOf(chunk.usage);
        const choice = chunk.choices?.[0];
        if (!choice) continue;
        finish = worseOf(ENDS, finish, reasonIn(choice.finish_reason));
        const { content, refusal: declined } = choice.delta ?? {};
        if (typeof declined === 'string') refusal += declined;
        const [field, thinking] = thinkingIn(choice.delta);
        if (thinking !== '') thought.set(field, (thought.get(field) ?? '') + thinking);
        context.onThinking(thinking);
        if (isOffered(request)) called.take(choice.delta);
        if (typeof content === 'string') context.onText(content);
      }
      if (guard.failure) return failed(guard.failure);
      // The library ends the loop of an aborted request as if the answer were over.
      if (finish === undefined) context.signal.throwIfAborted();
      const calls = called.whole();
      const failure = failureOf(finish, refusal, usage.output, calls.length);
      if (failure) return failed(failure);
      if (calls.length === 0) return { ok: true, usage, notes: [] };
      // Models that think go on from their thoughts only where they are handed back.
      const turn = thought.size === 0 ? undefined : Object.fromEntries(thought);
      return { ok: true, usage, notes: [], calls, turn };
    } catch (error) {
      if (guard.failure) return failed(guard.failure);
      if (error instanceof ProviderFailure) return failed(error.failure);
      // Some servers count as they go: what was counted by then is billed.
      if (context.signal.aborted) return failed(STOPPED);
      throw error;
    } finally {
      guard.close();
    }
  }

  list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return guarded({ about: this.about, model: '', signal, idleMs: LIST_MS }, async (fetch) => {
      const client = await this.client(fetch);
      const page = await client.models.list({ signal });
      if (!Array.isArray(page.data)) throw new ProviderFailure(notAList(this.about));
      return page.data
        .filter(({ id }) => !NOT_FOR_SEATS.test(id))
        .map((model) => {
          const contextWindow = windowIn(model);
          return {
            spec: `openai/${model.id}`,
            ...(contextWindow === undefined ? {} : { contextWindow }),
          };
        });
    });
  }

  embed(
    model: string,
    texts: readonly string[],
    { signal, idleMs }: Pick<AttemptContext, 'signal' | 'idleMs'>,
  ): Promise<unknown> {
    return guarded({ about: this.about, model, signal, idleMs }, async (fetch) => {
      const client = await this.client(fetch);
      const reply: unknown = await client.embeddings
        // Left to itself the library asks for base64, which few other servers know.
        .create({ model, input: [...texts], encoding_format: 'float' }, { signal })
        .catch((error: unknown) => {
          if (!(error instanceof SyntaxError)) throw error;
          throw new ProviderFailure(malformedFailure(this.about, 'the answer is not JSON', true));
        });
      const list: unknown = isRecord(reply) ? reply.data : undefined;
      if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
      return list
        .toSorted((left, right) => Number(left.index ?? 0) - Number(right.index ?? 0))
        .map(({ embedding }) => embedding);
    });
  }

  async window(model: string): Promise<number | undefined> {
    // Asked for all calls at once: one that is stopped must not spoil it for the others.
    this.windows ??= knownWindows(this.list(new AbortController().signal));
    return (await this.windows).get(`openai/${model}`);
  }

  private async client(fetch: typeof globalThis.fetch): Promise<OpenAI> {
    if (!this.key && this.official) {
      throw new ProviderFailure({
        code: 'auth',
        message: 'openai: there is no API key',
        next: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for another server',
        retry: false,
      });
    }
    checkBaseUrl(this.name, 'OPENAI_BASE_URL', this.endpoint);
    const { OpenAI } = await import('openai');
    return new OpenAI({
      baseURL: this.endpoint,
      // Local servers want none; the library does.
      apiKey: this.key || 'none',
      adminAPIKey: null,
      fetch,
      maxRetries: 0,
      timeout: NO_TIMEOUT,
      logger: SILENT,
      logLevel: 'off',
    });
  }

  private params(request: ProviderRequest): Params {
    const { system, messages, schema, temperature, seed } = request;
    const maxTokens = tokensToAsk(request);
    return {
      model: request.model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        ...(system ? [{ role: 'system' as const, content: system }] : []),
        ...messages.flatMap(chatMessages),
      ],
      ...toolParams(request),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
      // OpenAI's newer models refuse the old name, and the other servers know no other.
      ...(maxTokens === undefined
        ? {}
        : this.official
          ? { max_completion_tokens: maxTokens }
          : { max_tokens: maxTokens }),
      ...(schema
        ? {
            response_format: {
              type: 'json_schema' as const,
              json_schema: {
                name: 'answer',
                schema: { ...schema },
                strict: fitsStrictMode(schema),
              },
            },
          }
        : {}),
    };
  }

  private wire(model: string): Wire {
    return {
      framing: 'sse',
      judge: (record) => {
        const failure = errorIn(this.about, model, record);
        if (failure) return failure;
        const choices: unknown = record.choices ?? [];
        if (!Array.isArray(choices) || !choices.every(isRecord)) {
          return malformedFailure(this.about, 'the stream holds choices that are none', true);
        }
        return reasonIn(choices[0]?.finish_reason) === undefined ? 'more' : 'complete';
      },
      // By the name of an event the library takes a record for one of another protocol.
      rewrite: (_record, data) => `data: ${data}\n\n`,
    };
  }
}

/** What a server may call a model's context window: OpenRouter, vLLM, Groq, LM Studio, in this order. */
const WINDOW_FIELDS = [
  'context_length',
  'max_model_len',
  'context_window',
  'loaded_context_length',
  'max_context_length',
] as const;

function windowIn(model: unknown): number | undefined {
  if (!isRecord(model)) return undefined;
  return WINDOW_FIELDS.map((field) => readCount(model[field])).find((tokens) => tokens > 0);
}

/** DeepSeek, vLLM and llama.cpp call it `reasoning_content`, OpenRouter and others `reasoning`. */
const THINKING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** The field's name, and what a delta has in it. */
function thinkingIn(delta: Chunk['choices'][number]['delta'] | undefined): [string, string] {
  const extra: unknown = delta;
  for (const field of THINKING_FIELDS) {
    const thinking = isRecord(extra) ? extra[field] : undefined;
    if (typeof thinking === 'string') return [field, thinking];
  }
  return ['', ''];
}

/** Calls of tools as they come in pieces: by their index, or whole where a server gives none. */
class CallsInPieces {
  readonly #calls = new Map<number, { id: string; name: string; text: string }>();

  take(delta: unknown): void {
    const pieces: unknown = isRecord(delta) ? delta.tool_calls : undefined;
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces) {
      if (!isRecord(piece)) continue;
      const { id, index } = piece;
      const fn = isRecord(piece.function) ? piece.function : {};
      const last = Math.max(0, this.#calls.size - 1);
      const at = typeof index === 'number' ? index : id === undefined ? last : this.#calls.size;
      const call = this.#calls.get(at) ?? { id: `call-${at + 1}`, name: '', text: '' };
      this.#calls.set(at, call);
      if (typeof id === 'string' && id !== '') call.id = id;
      if (typeof fn.name === 'string') call.name += fn.name;
      // It may never end; what is too long is refused with its beginning.
      if (typeof fn.arguments === 'string' && call.text.length <= LONGEST_ARGUMENTS)
        call.text += fn.arguments;
    }
  }

  whole(): ToolCall[] {
    return [...this.#calls.values()].map(({ id, name, text }) => ({
      id,
      name,
      arguments: readArguments(text),
    }));
  }
}

function chatMessages({ role, parts, calls, results = [], turn }: Message): ChatMessage[] {
  const content = parts.map((part) => part.text).join('\n\n');
  if (role === 'user')
    return [
      ...results.map(({ id, text }) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: text,
      })),
      { role, content },
    ];
  if (calls === undefined) return [{ role, content }];
  return [
    {
      role,
      content: content === '' ? null : content,
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(argumentsOf(call)) },
      })),
      ...(isRecord(turn) ? turn : {}),
    },
  ];
}

function toolParams({
  tools = [],
  toolsClosed,
}: ProviderRequest): Pick<Params, 'tools' | 'tool_choice'> {
  if (tools.length === 0) return {};
  const functions = tools.map(({ name, description, parameters }: ToolInfo) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...parameters } },
  }));
  return { tools: functions, ...(toolsClosed === true ? { tool_choice: 'none' } : {}) };
}

function usageOf(counts: OpenAI.CompletionUsage): Usage {
  return {
    input: readCount(counts.prompt_tokens),
    output: readCount(counts.completion_tokens),
    cached: readCount(counts.prompt_tokens_details?.cached_tokens),
    cacheWritten: 0,
    thinking: readCount(counts.completion_tokens_details?.reasoning_tokens),
  };
}

/**
 * Why answers end, by OpenAI and those that speak like it. We send no stop sequences: one that a server
 * names is its model's own end.
 */
const ENDS: ReadonlyMap<string, End> = new Map([
  ['stop', 'whole'],
  // Together, Text Generation Inference.
  ['eos', 'whole'],
  ['eos_token', 'whole'],
  ['stop_sequence', 'whole'],
  ['length', 'token-limit'],
  ['max_tokens', 'token-limit'],
  // Mistral.
  ['model_length', 'context-limit'],
  ['content_filter', 'declined'],
  ['tool_calls', 'tool'],
  ['function_call', 'tool'],
  // DeepSeek, OpenRouter, vLLM.
  ['insufficient_system_resource', 'broken-off'],
  ['error', 'broken-off'],
  ['abort', 'broken-off'],
]);

/** How servers write that the answer goes on, where they do not write null: Qwen's, and proxies. */
const GOES_ON: ReadonlySet<string> = new Set(['', 'null']);

/** The reason for the end that a record gives; undefined while there is none. */
function reasonIn(reason: unknown): string | undefined {
  return typeof reason === 'string' && !GOES_ON.has(reason) ? reason : undefined;
}

function failureOf(
  reason: string | undefined,
  refusal: string,
  tokens: number,
  calls: number,
): Failure | undefined {
  // The reason of an answer that is a refusal is `stop`.
  const declined = refusal !== '' && (reason === undefined || ENDS.get(reason) === 'whole');
  const ended = declined ? 'refusal' : reason;
  const ends = declined ? REFUSAL : ENDS;
  return finishFailure({ name: 'openai', reason: ended, ends, tokens, words: refusal, calls });
}

const REFUSAL: ReadonlyMap<string, End> = new Map([['refusal', 'declined']]);
