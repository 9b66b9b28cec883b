/**
 * OpenAI's Responses API. Nothing is stored at the server: every request carries the whole conversation.
 */
import type OpenAI from 'openai';
import type { Message, Usage } from '../../kernel/model.ts';
import type { ToolCall } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { responseEvents } from '../answer/whole.ts';
import { readCount } from '../counted.ts';
import { type Failure, malformedFailure } from '../failure.ts';
import { fitsStrictMode } from '../json-schema.ts';
import { errorIn } from '../network/error-reply.ts';
import type { Attempt, AttemptContext, ProviderRequest } from '../provider.ts';
import type { Entry, Judgement, Wire } from '../stream-guard.ts';
import { type End, finishFailure } from './finish.ts';
import { tokensToAsk } from './limits.ts';
import { attemptAt, type Ending, type OpenAIServer, type ReceivedParts } from './openai-server.ts';
import { argumentsOf, isOffered, readArguments } from './tool-calls.ts';

type Params = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

/** The smallest `max_output_tokens` that the API accepts. */
const LEAST_TOKENS = 16;
/**
 * The field to request so that a model's thinking, which is stored nowhere, can be sent back with its
 * calls.
 */
const THOUGHTS = 'reasoning.encrypted_content';

/** Makes attempts by OpenAI's Responses API. */
export class ResponsesApi {
  readonly #server: OpenAIServer;
  /** Models without thinking to send back, which refuse a request for it. */
  readonly #thoughtless = new Set<string>();

  constructor(server: OpenAIServer) {
    this.#server = server;
  }

  /** Makes one attempt at a request. */
  async stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt> {
    const asks = isOffered(request) && !this.#thoughtless.has(request.model);
    const attempt = await this.#attempt(request, context, asks);
    const refused =
      asks &&
      !attempt.ok &&
      attempt.failure.code === 'rejected' &&
      /encrypted.?content/i.test(attempt.failure.message);
    if (!refused) return attempt;
    this.#thoughtless.add(request.model);
    return this.#attempt(request, context, false);
  }

  #attempt(
    request: ProviderRequest,
    context: AttemptContext,
    withThoughts: boolean,
  ): Promise<Attempt> {
    const params = paramsOf(request, withThoughts);
    const wire = wireOf(this.#server, request.model);
    return attemptAt(this.#server, request, context, wire, async (client, heard) => {
      const said = new Said(context);
      for await (const event of client.stream('/responses', params)) said.take(event);
      return endingOf(this.#server, request, said, heard);
    });
  }
}

/** Collects the events of an answer. */
class Said {
  /** The last event. */
  last: Entry | undefined;
  refusal = '';
  readonly #context: AttemptContext;
  readonly #items = new Map<number, Entry>();
  /** The ids of messages that the model writes before it calls a tool and that are not its answer. */
  readonly #asides = new Set<unknown>();
  #speaking: unknown;

  constructor(context: AttemptContext) {
    this.#context = context;
  }

  /** Takes an event. Events are untrusted, and unknown kinds are ignored. */
  take(event: unknown): void {
    if (!isRecord(event)) return;
    const { type, item, output_index: index, item_id: id } = event;
    const delta = typeof event.delta === 'string' ? event.delta : '';
    switch (type) {
      case 'response.output_item.added':
        if (isRecord(item) && item.phase === 'commentary') this.#asides.add(item.id);
        return;
      case 'response.output_item.done':
        if (isRecord(item) && typeof index === 'number') this.#items.set(index, item);
        return;
      case 'response.output_text.delta':
        if (this.#asides.has(id)) this.#context.onThinking(delta);
        else this.#speak(id, delta);
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#context.onThinking(delta);
        return;
      case 'response.refusal.delta':
        this.refusal += delta;
        return;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.last = event;
    }
  }

  /** Returns the items in the order in which the model made them. */
  items(): Entry[] {
    return [...this.#items].toSorted(([index], [other]) => index - other).map(([, item]) => item);
  }

  #speak(id: unknown, text: string): void {
    const isNext = this.#speaking !== undefined && this.#speaking !== id;
    if (text !== '') this.#context.onText(isNext ? `\n\n${text}` : text);
    if (text !== '') this.#speaking = id;
  }
}

function endingOf(
  { about }: OpenAIServer,
  request: ProviderRequest,
  said: Said,
  heard: ReceivedParts,
): Ending {
  const response = isRecord(said.last?.response) ? said.last.response : {};
  if (isRecord(response.usage)) heard.usage = usageOf(response.usage);
  if (typeof response.model === 'string') heard.served = response.model;
  if (said.last?.type === 'response.failed') return failureIn(about, request.model, response);
  const calls = callsIn(said.items());
  const isOver = isOffered(request);
  const reason = reasonOf(said, response, !isOver && calls.length > 0);
  const failure = finishFailure({
    name: about.name,
    reason,
    ends: ENDS,
    tokens: heard.usage.output,
    words: said.refusal,
    calls: isOver ? calls.length : 0,
  });
  if (failure || calls.length === 0) return failure;
  return { calls, turn: turnOf(said.items()) };
}

function paramsOf(request: ProviderRequest, withThoughts: boolean): Params {
  const { system, messages, schema, temperature, tools = [], toolsClosed } = request;
  const { cacheKey, effort } = request;
  const maxTokens = tokensToAsk(request);
  return {
    model: request.model,
    stream: true,
    // Keep OpenAI from storing the answer: by default it stores answers for a month and shows them in the
    // account's dashboard.
    store: false,
    ...(system ? { instructions: system } : {}),
    input: messages.flatMap(itemsOf),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            parameters: { ...parameters },
            strict: false,
          })),
        }),
    ...(tools.length > 0 && toolsClosed === true ? { tool_choice: 'none' as const } : {}),
    ...(withThoughts ? { include: [THOUGHTS] } : {}),
    ...withoutUndefined({ temperature }),
    ...(effort === undefined ? {} : { reasoning: { effort: effort as 'low' } }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: Math.max(LEAST_TOKENS, maxTokens) }),
    ...(schema
      ? {
          text: {
            format: {
              type: 'json_schema' as const,
              name: 'answer',
              schema: { ...schema },
              strict: fitsStrictMode(schema),
            },
          },
        }
      : {}),
    // The provider routes requests with the same cache key to one machine, which has their common prefix in its
    // cache.
    ...withoutUndefined({ prompt_cache_key: cacheKey }),
  };
}

function itemsOf({ role, parts, calls = [], results = [], turn }: Message): Item[] {
  // Send an earlier turn back as `turnOf` kept it, with the thinking that led to its tool calls.
  if (isRecord(turn) && Array.isArray(turn.items)) return turn.items as Item[];
  const content = parts.map((part) => part.text).join('\n\n');
  return [
    ...results.map(({ id, text }) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: text,
    })),
    // llama.cpp's server requires the type of an assistant's message.
    ...(content === ''
      ? []
      : [role === 'assistant' ? { type: 'message' as const, role, content } : { role, content }]),
    ...calls.map((call) => ({
      type: 'function_call' as const,
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(argumentsOf(call)),
    })),
  ];
}

function callsIn(items: readonly Entry[]): ToolCall[] {
  return items.flatMap(({ type, call_id: id, name, arguments: given }) =>
    type === 'function_call' && typeof id === 'string' && typeof name === 'string'
      ? [{ id, name, arguments: readArguments(given) }]
      : [],
  );
}

/**
 * Returns the items to be sent back. Thinking without its content has only an id, which the server does not
 * store. Such items are dropped, and so are the ids of the others, which refer to them.
 */
function turnOf(items: readonly Entry[]): { items: readonly Entry[] } {
  const isWhole = ({ type, encrypted_content: content }: Entry): boolean =>
    type !== 'reasoning' || typeof content === 'string';
  if (items.every(isWhole)) return { items };
  return { items: items.filter(isWhole).map(({ id: _id, ...item }) => item) };
}

/** Events that end the stream. */
const LAST: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  // Let the event of a failed response end the stream, too: it contains the usage, which is billed. The
  // response's error is read after the stream.
  'response.failed',
]);

function wireOf({ about }: OpenAIServer, model: string): Wire {
  return {
    framing: 'sse',
    judge: (record): Judgement => {
      if (record.type === 'error' && !isRecord(record.error))
        return failureBy(about, model, record, 'malformed error in the stream');
      const failure = errorIn(about, model, record);
      if (failure) return failure;
      if (!LAST.has(record.type)) return 'more';
      return isRecord(record.response)
        ? 'end'
        : malformedFailure(about, 'malformed response at the end of the stream', true);
    },
    unfold: (document) =>
      Array.isArray(document.output) ? responseEvents(document, document.output) : undefined,
  };
}

/** Returns the failure of a response; refused prompts are told apart from server errors. */
function failureIn(about: OpenAIServer['about'], model: string, response: Entry): Failure {
  const error = isRecord(response.error) ? response.error : {};
  const { code, message } = error;
  if (typeof code === 'string' && DECLINED.test(code)) {
    const words = typeof message === 'string' ? message : code;
    const ends = new Map<string, End>([['refusal', 'declined']]);
    const failure = finishFailure({ name: about.name, reason: 'refusal', ends, tokens: 0, words });
    if (failure) return failure;
  }
  return failureBy(about, model, error, 'the response failed without a reason');
}

/** Returns a failure with the API's message and code. `otherwise`: the message if there is neither. */
function failureBy(
  about: OpenAIServer['about'],
  model: string,
  { message, code }: Entry,
  otherwise: string,
): Failure {
  const isTold = typeof message === 'string' || typeof code === 'string';
  const failure = isTold ? errorIn(about, model, { error: { message, code } }) : undefined;
  return failure ?? malformedFailure(about, otherwise, true);
}

/** Error codes of prompts that the model may not answer. */
const DECLINED = /^(?:invalid_prompt|.*_policy(?:_violation)?)$/;

/**
 * The meaning of the reasons for the end of an answer. `refusal` and `function_call` are names that
 * this program gives: the API reports such responses as `completed`.
 */
const ENDS: ReadonlyMap<string, End> = new Map([
  ['completed', 'whole'],
  ['max_output_tokens', 'token-limit'],
  ['content_filter', 'declined'],
  ['refusal', 'declined'],
  ['function_call', 'tool'],
  ['cancelled', 'broken-off'],
]);

function reasonOf(
  { last, refusal }: Said,
  { status, incomplete_details: details }: Entry,
  calledUnasked: boolean,
): string | undefined {
  if (last === undefined) return undefined;
  const why = isRecord(details) && typeof details.reason === 'string' ? details.reason : undefined;
  const ended = why ?? (typeof status === 'string' ? status : undefined);
  if (last.type !== 'response.completed') return ended ?? 'incomplete';
  if (ended !== undefined && ended !== 'completed') return ended;
  if (refusal !== '') return 'refusal';
  return calledUnasked ? 'function_call' : 'completed';
}

function usageOf(counts: Entry): Usage {
  const input = isRecord(counts.input_tokens_details) ? counts.input_tokens_details : {};
  const output = isRecord(counts.output_tokens_details) ? counts.output_tokens_details : {};
  return {
    input: readCount(counts.input_tokens),
    output: readCount(counts.output_tokens),
    cached: readCount(input.cached_tokens),
    cacheWritten: readCount(input.cache_write_tokens),
    thinking: readCount(output.reasoning_tokens),
  };
}
