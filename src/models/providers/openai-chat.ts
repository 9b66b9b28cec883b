/** OpenAI's chat completions, which many other servers support too. */
import type OpenAI from 'openai';
import type { Message, Usage } from '../../kernel/model.ts';
import type { ToolCall, ToolInfo } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { completionChunks } from '../answer/whole.ts';
import { readCount } from '../counted.ts';
import { type Failure, malformedFailure } from '../failure.ts';
import { fitsStrictMode } from '../json-schema.ts';
import { errorIn } from '../network/error-reply.ts';
import type { Attempt, AttemptContext, ProviderRequest } from '../provider.ts';
import type { Entry, Wire } from '../stream-guard.ts';
import { chooseWorseEnd, type End, finishFailure } from './finish.ts';
import { tokensToAsk } from './limits.ts';
import { attemptAt, type OpenAIServer } from './openai-server.ts';
import { argumentsOf, isOffered, LONGEST_ARGUMENTS, readArguments } from './tool-calls.ts';

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** Makes one attempt at a request by the chat completions API. */
export function streamChat(
  server: OpenAIServer,
  request: ProviderRequest,
  context: AttemptContext,
): Promise<Attempt> {
  const wire = wireOf(server, request.model);
  return attemptAt(server, request, context, wire, async (client, heard) => {
    let finish: string | undefined;
    let refusal = '';
    const called = new CallsInPieces();
    const thought = new Map<string, string>();
    const chunks = client.stream('/chat/completions', paramsOf(server, request));
    for await (const entry of chunks) {
      // A piece of an answer comes from an untrusted server, so check each of its fields before use.
      const chunk = entry as Partial<Chunk>;
      if (chunk.usage) heard.usage = usageOf(chunk.usage);
      if (typeof chunk.model === 'string') heard.served = chunk.model;
      const choice = chunk.choices?.[0];
      if (!choice) continue;
      finish = chooseWorseEnd(ENDS, finish, reasonIn(choice.finish_reason));
      const { content, refusal: declined } = choice.delta ?? {};
      if (typeof declined === 'string') refusal += declined;
      const parts = partsIn(content);
      const [field, thinking] =
        parts.thinking === '' ? thinkingIn(choice.delta) : ['', parts.thinking];
      if (thinking !== '' && field !== '')
        thought.set(field, (thought.get(field) ?? '') + thinking);
      context.onThinking(thinking);
      if (isOffered(request)) called.take(choice.delta);
      context.onText(parts.text);
    }
    // If the stream ended without a finish reason because the request was stopped, report the stop.
    if (finish === undefined) context.signal.throwIfAborted();
    const calls = called.whole();
    const isUnlimited = tokensToAsk(request) === undefined;
    const failure = failureOf(
      server.about.name,
      ...([finish, refusal, heard.usage.output, calls.length, isUnlimited] as const),
    );
    if (failure || calls.length === 0) return failure;
    // Keep the thinking with the tool calls: a model continues it only if it is sent back with the results.
    return { calls, turn: thought.size === 0 ? undefined : Object.fromEntries(thought) };
  });
}

function paramsOf({ official }: OpenAIServer, request: ProviderRequest): Params {
  const { system, messages, schema, temperature, seed, effort } = request;
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
    ...withoutUndefined({ temperature, seed }),
    ...(effort === undefined ? {} : { reasoning_effort: effort as 'low' }),
    // OpenAI gets the new name, since its newer models refuse `max_tokens`; other servers may know only `max_tokens`.
    ...(maxTokens === undefined
      ? {}
      : official
        ? { max_completion_tokens: maxTokens }
        : { max_tokens: maxTokens }),
    // Send the schema in OpenAI's form to every server. vLLM supports it too, and since version 0.12 ignores
    // its own field `guided_json` without an error.
    ...(schema
      ? {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: 'answer', schema: { ...schema }, strict: fitsStrictMode(schema) },
          },
        }
      : {}),
  };
}

function wireOf({ about }: OpenAIServer, model: string): Wire {
  return {
    framing: 'sse',
    judge: (record) => {
      const failure = errorIn(about, model, record);
      if (failure) return failure;
      const choices: unknown = record.choices ?? [];
      if (!Array.isArray(choices) || !choices.every(isRecord)) {
        return malformedFailure(about, 'malformed choices in the stream', true);
      }
      return reasonIn(choices[0]?.finish_reason) === undefined ? 'more' : 'complete';
    },
    unfold: unfoldAnswer,
  };
}

/** Converts a complete answer into the stream that it would have been. */
function unfoldAnswer(document: Entry): readonly Entry[] | undefined {
  const { choices } = document;
  const [choice] = Array.isArray(choices) ? choices : [];
  return isRecord(choice) && isRecord(choice.message)
    ? completionChunks(document, [choice])
    : undefined;
}

/**
 * Returns the text and thinking of a delta's content: a string, or a list of parts as Mistral's reasoning
 * models send it, with types `text` and `thinking`, the latter with parts of its own. Other types of parts
 * have no text.
 */
function partsIn(content: unknown): { readonly text: string; readonly thinking: string } {
  if (typeof content === 'string') return { text: content, thinking: '' };
  let text = '';
  let thinking = '';
  for (const part of Array.isArray(content) ? content : []) {
    if (!isRecord(part)) continue;
    if (typeof part.text === 'string') text += part.text;
    if (part.type !== 'thinking') continue;
    const thought: unknown = part.thinking;
    thinking += typeof thought === 'string' ? thought : partsIn(thought).text;
  }
  return { text, thinking };
}

/**
 * The fields for thinking: DeepSeek and llama.cpp use `reasoning_content`, OpenRouter and vLLM since 0.12
 * `reasoning`.
 */
const THINKING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Returns the field's name and its text in a delta; the field with text, if both exist. */
function thinkingIn(delta: Chunk['choices'][number]['delta'] | undefined): [string, string] {
  const extra: unknown = delta;
  for (const field of THINKING_FIELDS) {
    const thinking = isRecord(extra) ? extra[field] : undefined;
    if (typeof thinking === 'string' && thinking !== '') return [field, thinking];
  }
  return ['', ''];
}

/** Collects tool calls that arrive in pieces, by their index; calls without an index arrive whole. */
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
      // Stop collecting if the arguments of a tool call do not end. They are refused later because
      // of their length.
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
      ...thoughtOf(turn),
    },
  ];
}

/**
 * Returns the thinking of a turn under its original field name. Turns of other providers have none of these
 * fields.
 */
function thoughtOf(turn: unknown): Record<string, unknown> {
  if (!isRecord(turn)) return {};
  const fields = THINKING_FIELDS.filter((field) => typeof turn[field] === 'string');
  return Object.fromEntries(fields.map((field) => [field, turn[field]]));
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
 * The meaning of the finish reasons of OpenAI and of servers with its protocol. This program sends
 * no stop sequences, so the reason `stop_sequence` means that the model ended the answer itself.
 */
const ENDS: ReadonlyMap<string, End> = new Map([
  ['stop', 'whole'],
  // Together and Text Generation Inference use `eos` or `eos_token` for `stop`.
  ['eos', 'whole'],
  ['eos_token', 'whole'],
  ['stop_sequence', 'whole'],
  ['length', 'token-limit'],
  ['max_tokens', 'token-limit'],
  // Mistral uses `model_length` if prompt and answer fill the context.
  ['model_length', 'context-limit'],
  ['content_filter', 'declined'],
  ['tool_calls', 'tool'],
  ['function_call', 'tool'],
  // DeepSeek, OpenRouter and vLLM use `insufficient_system_resource`, `error` and `abort` for an answer that
  // they abort.
  ['insufficient_system_resource', 'broken-off'],
  ['error', 'broken-off'],
  ['abort', 'broken-off'],
]);

/** Values that Qwen's servers and proxies send instead of null while the answer goes on. */
const GOES_ON: ReadonlySet<string> = new Set(['', 'null']);

/** Returns the finish reason of a record; undefined while there is none. */
function reasonIn(reason: unknown): string | undefined {
  return typeof reason === 'string' && !GOES_ON.has(reason) ? reason : undefined;
}

function failureOf(
  name: string,
  reason: string | undefined,
  refusal: string,
  tokens: number,
  calls: number,
  isUnlimited: boolean,
): Failure | undefined {
  // If the model declined, its refusal comes in a field of its own, and the reason is `stop`.
  const declined = refusal !== '' && (reason === undefined || ENDS.get(reason) === 'whole');
  const ended = declined ? 'refusal' : reason;
  const ends = declined ? REFUSAL : ENDS;
  return finishFailure({
    name,
    reason: ended,
    ends,
    tokens,
    words: refusal,
    calls,
    isUnlimited,
  });
}

const REFUSAL: ReadonlyMap<string, End> = new Map([['refusal', 'declined']]);
