/** A server that speaks Anthropic's Messages API. */
import type { ServerResponse } from 'node:http';
import type { ToolCallingAnswer } from './behaviour.ts';
import {
  type EndReason,
  type RecordedRequest,
  type ServerOptions,
  type Speaker,
  sendJson,
  servedModelOf,
  startServer,
  type TestServer,
} from './http.ts';

/** How an Anthropic server behaves. */
export interface AnthropicOptions extends ServerOptions {
  /** The tokens of the prompt that were read from the cache, in the usage of every answer. Default 0. */
  readonly cacheRead?: number;
  /** The tokens of the prompt that were written to the cache, in the usage of every answer. Default 0. */
  readonly cacheWritten?: number;
  /** The window that the server reports for every model, in tokens. Default 200 000. */
  readonly window?: number;
  /**
   * The fields of every model in the server's list besides its name, instead of the limits that Anthropic's
   * list has.
   */
  readonly listed?: Readonly<Record<string, unknown>>;
  /**
   * More fields in the answer about a single model. `missing`: the server has no such path. `stall`: it
   * never answers there.
   */
  readonly described?: Readonly<Record<string, unknown>> | 'missing' | 'stall';
}

/** Starts a server of the Messages API. The caller closes it. */
export function startAnthropic(options: AnthropicOptions = {}): Promise<TestServer> {
  const models = options.models ?? ['claude-alpha', 'claude-beta', 'claude-gamma'];
  return startServer(
    { ...options, models },
    {
      chatPath: '/v1/messages',
      speaker: (request) => new AnthropicSpeaker(request, options),
      other: (request, response) =>
        describeModel(request, response, models, options) ||
        (request.path === '/v1/models' &&
          sendJson(response, 200, {
            data: models.map((id) => ({
              type: 'model',
              id,
              display_name: `Test ${id}`,
              created_at: '2026-01-01T00:00:00Z',
              lifecycle: 'active',
              ...(options.listed ?? {
                max_input_tokens: options.window ?? 200_000,
                max_tokens: 64_000,
              }),
            })),
            has_more: false,
            first_id: models[0] ?? null,
            last_id: models.at(-1) ?? null,
          })),
    },
  );
}

function describeModel(
  { path }: RecordedRequest,
  response: ServerResponse,
  models: readonly string[],
  { described = {}, window = 200_000 }: AnthropicOptions,
): boolean {
  const id = path.startsWith('/v1/models/') ? decodeURIComponent(path.slice(11)) : undefined;
  if (id === undefined || described === 'missing') return false;
  // The server says nothing until the client gives up.
  if (described === 'stall') return true;
  if (!models.includes(id)) return false;
  const head = { type: 'model', id, display_name: `Test ${id}`, lifecycle: 'active' };
  return sendJson(response, 200, {
    ...head,
    max_input_tokens: window,
    max_tokens: 64_000,
    capabilities: null,
    ...described,
  });
}

/** The signature that the server sends with every thought. A client has to send it back with that thought. */
export const SIGNATURE = 'c2lnbmVkIQ==';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

class AnthropicSpeaker implements Speaker {
  readonly contentType = 'text/event-stream; charset=utf-8';
  private readonly request: RecordedRequest;
  private readonly options: AnthropicOptions;
  private block: 'none' | 'text' | 'thinking' = 'none';
  private index = -1;
  private thought = 0;

  constructor(request: RecordedRequest, options: AnthropicOptions) {
    this.request = request;
    this.options = options;
  }

  opening(): string {
    const { cacheRead = 0, cacheWritten = 0 } = this.options;
    const prompt = JSON.stringify([this.request.body?.system, this.request.body?.messages]);
    return (
      this.event({
        type: 'message_start',
        message: {
          id: 'msg_test',
          type: 'message',
          role: 'assistant',
          model: servedModelOf(this.options, this.request),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: Math.ceil(prompt.length / 4),
            cache_read_input_tokens: cacheRead,
            cache_creation_input_tokens: cacheWritten,
            cache_creation: {
              ephemeral_1h_input_tokens: prompt.includes('"1h"') ? cacheWritten : 0,
              ephemeral_5m_input_tokens: prompt.includes('"1h"') ? 0 : cacheWritten,
            },
            output_tokens: 1,
          },
        },
      }) + this.event({ type: 'ping' })
    );
  }

  text(text: string): string {
    return this.within('text', { type: 'text_delta', text });
  }

  thinking(thinking: string): string {
    this.thought += 1;
    return this.within('thinking', { type: 'thinking_delta', thinking });
  }

  readonly callsEnd = 'tool_use';

  calls(calls: ToolCallingAnswer['calls']): string {
    const before = this.endBlock();
    const blocks = calls.map(({ name, arguments: given }, at) => {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const half = Math.ceil(text.length / 2);
      this.index += 1;
      const { index } = this;
      const content_block = { type: 'tool_use', id: `toolu_${at}x`, name, input: {} };
      return [
        this.event({ type: 'content_block_start', index, content_block }),
        ...[text.slice(0, half), text.slice(half)].map((partial_json) =>
          this.event({
            type: 'content_block_delta',
            index,
            delta: { type: 'input_json_delta', partial_json },
          }),
        ),
        this.event({ type: 'content_block_stop', index }),
      ].join('');
    });
    return before + blocks.join('');
  }

  offered(): readonly string[] | undefined {
    const { tools, tool_choice, messages } = this.request.body ?? {};
    if (tools === undefined || (tool_choice as { type?: string })?.type === 'none')
      return undefined;
    // The requests of Claude Code have some messages as plain texts, and others as lists of parts.
    return (messages as { content: string | { type: string; content?: string }[] }[]).flatMap(
      ({ content }) =>
        (typeof content === 'string' ? [] : content).flatMap((part) =>
          part.type === 'tool_result' ? [part.content ?? ''] : [],
        ),
    );
  }

  closing(reason: EndReason, tokens: number): string {
    const reasons = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const;
    const explanation = reason === 'refusal' ? 'the request touches a policy' : undefined;
    return [
      this.endBlock(),
      this.event({
        type: 'message_delta',
        delta: {
          stop_reason: typeof reason === 'object' ? reason.as : reasons[reason],
          stop_sequence: null,
          stop_details: explanation ? { type: 'refusal', category: null, explanation } : null,
        },
        usage: { output_tokens: tokens, output_tokens_details: { thinking_tokens: this.thought } },
      }),
      this.event({ type: 'message_stop' }),
    ].join('');
  }

  errorEvent(message: string): string {
    return this.event({ type: 'error', error: { type: 'overloaded_error', message } });
  }

  record(content: string): string {
    return `event: content_block_delta\ndata: ${content}\n\n`;
  }

  errorBody(status: number, message: string, type = TYPES[status] ?? 'api_error'): string {
    return JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_test' });
  }

  noSuchModel() {
    return { status: 404, body: this.errorBody(404, `model: ${this.request.model}`) };
  }

  private within(type: 'text' | 'thinking', delta: Record<string, string>): string {
    let before = '';
    if (this.block !== type) {
      before = this.endBlock();
      this.index += 1;
      this.block = type;
      const content = type === 'text' ? { text: '' } : { thinking: '', signature: '' };
      before += this.event({
        type: 'content_block_start',
        index: this.index,
        content_block: { type, ...content },
      });
    }
    return before + this.event({ type: 'content_block_delta', index: this.index, delta });
  }

  private endBlock(): string {
    if (this.block === 'none') return '';
    const signed =
      this.block === 'thinking'
        ? this.event({
            type: 'content_block_delta',
            index: this.index,
            delta: { type: 'signature_delta', signature: SIGNATURE },
          })
        : '';
    this.block = 'none';
    return signed + this.event({ type: 'content_block_stop', index: this.index });
  }

  private event(data: { readonly type: string } & Record<string, unknown>): string {
    return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
