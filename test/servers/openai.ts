/** A server that speaks OpenAI's chat completions. Its `url` has no `/v1`. */
import { entryOf } from '../../src/kernel/entry.ts';
import type { ToolCallingAnswer } from './behaviour.ts';
import { answerEmbeddings, type EmbeddingOptions } from './embeddings.ts';
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

/** How an OpenAI server behaves. */
export interface OpenAIOptions extends ServerOptions, EmbeddingOptions {
  /** More fields of every model in the server's list: `{ max_model_len: 4096 }`. */
  readonly described?: Readonly<Record<string, unknown>>;
  /**
   * The field in which the server sends an answer that has a schema, instead of `content`. The reasoning
   * parsers of vLLM may take such an answer for thoughts.
   */
  readonly answersIn?: 'reasoning' | 'reasoning_content';
  /** Bodies of answers at further paths, such as the lists of LM Studio and of llama-server, by path. */
  readonly otherPaths?: Readonly<Record<string, () => unknown>>;
}

/** Starts a server of chat completions. The caller closes it. */
export function startOpenAI(options: OpenAIOptions = {}): Promise<TestServer> {
  const models = options.models ?? ['alpha', 'beta', 'gamma'];
  return startServer(
    { ...options, models },
    {
      chatPath: '/v1/chat/completions',
      speaker: (request) => new OpenAISpeaker(request, options),
      other: (request, response) =>
        (request.path === '/v1/embeddings' &&
          answerEmbeddings(options, request, response, (vectors) => ({
            object: 'list',
            model: request.model,
            // Return the vectors in another order than the texts, as a server may.
            data: vectors
              .map((embedding, index) => ({ object: 'embedding', index, embedding }))
              .reverse(),
          }))) ||
        (entryOf(options.otherPaths ?? {}, request.path) !== undefined &&
          sendJson(response, 200, options.otherPaths?.[request.path]?.())) ||
        (request.path === '/v1/models' &&
          sendJson(response, 200, {
            object: 'list',
            data: models.map((id) => ({
              id,
              object: 'model',
              created: 1,
              owned_by: 'test',
              ...options.described,
            })),
          })),
    },
  );
}

class OpenAISpeaker implements Speaker {
  readonly contentType = 'text/event-stream';
  private readonly request: RecordedRequest;
  private readonly options: OpenAIOptions;

  constructor(request: RecordedRequest, options: OpenAIOptions) {
    this.request = request;
    this.options = options;
  }

  opening(): string {
    return this.chunk([
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
    ]);
  }

  text(content: string): string {
    const { answersIn } = this.options;
    if (answersIn !== undefined && this.request.body?.response_format !== undefined) {
      const delta = { content: null, [answersIn]: content };
      return this.chunk([{ index: 0, delta, finish_reason: null }]);
    }
    return this.chunk([{ index: 0, delta: { content }, finish_reason: null }]);
  }

  thinking(reasoning_content: string): string {
    return this.chunk([{ index: 0, delta: { reasoning_content }, finish_reason: null }]);
  }

  readonly callsEnd = 'tool_calls';

  /** Returns each call with its name first and its arguments in two pieces, as servers stream them. */
  calls(calls: ToolCallingAnswer['calls']): string {
    return calls
      .map(({ name, arguments: given }, index) => {
        const text = typeof given === 'string' ? given : JSON.stringify(given);
        const half = Math.ceil(text.length / 2);
        const pieces: Record<string, unknown>[] = [
          { index, id: `call_${index}x`, type: 'function', function: { name, arguments: '' } },
          { index, function: { arguments: text.slice(0, half) } },
          { index, function: { arguments: text.slice(half) } },
        ];
        return pieces
          .map((piece) =>
            this.chunk([{ index: 0, delta: { tool_calls: [piece] }, finish_reason: null }]),
          )
          .join('');
      })
      .join('');
  }

  offered(): readonly string[] | undefined {
    const { tools, tool_choice, messages } = this.request.body ?? {};
    if (tools === undefined || tool_choice === 'none') return undefined;
    return (messages as { role: string; content: string }[]).flatMap(({ role, content }) =>
      role === 'tool' ? [content] : [],
    );
  }

  closing(reason: EndReason, tokens: number): string {
    const reasons = { stop: 'stop', length: 'length', refusal: 'content_filter' } as const;
    const prompt = Math.ceil(JSON.stringify(this.request.body?.messages ?? '').length / 4);
    const given = typeof reason === 'object' ? reason.as : reasons[reason];
    return [
      this.chunk([{ index: 0, delta: {}, finish_reason: given }]),
      this.chunk([], {
        prompt_tokens: prompt,
        completion_tokens: tokens,
        total_tokens: prompt + tokens,
        prompt_tokens_details: { cached_tokens: 7 },
        completion_tokens_details: { reasoning_tokens: 3 },
      }),
      'data: [DONE]\n\n',
    ].join('');
  }

  errorEvent(message: string): string {
    return `data: ${JSON.stringify({ error: { message, type: 'server_error', code: null } })}\n\n`;
  }

  record(content: string): string {
    return `data: ${content}\n\n`;
  }

  errorBody(status: number, message: string, type?: string): string {
    const fallback = status >= 500 ? 'server_error' : 'invalid_request_error';
    return JSON.stringify({ error: { message, type: type ?? fallback, param: null, code: null } });
  }

  noSuchModel() {
    const message = `The model '${this.request.model}' does not exist`;
    return { status: 404, body: this.errorBody(404, message) };
  }

  private chunk(choices: readonly unknown[], usage?: unknown): string {
    const head = { id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 1 };
    const model = servedModelOf(this.options, this.request);
    const body = { ...head, model, choices, ...(usage ? { usage } : {}) };
    return `data: ${JSON.stringify(body)}\n\n`;
  }
}
