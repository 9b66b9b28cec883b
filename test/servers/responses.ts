/** A server that speaks OpenAI's Responses API. Its `url` has no `/v1`. */
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

/** How a server of the Responses API behaves. */
export interface ResponsesOptions extends ServerOptions {
  /** Models that do not hand out their encrypted thoughts: a request that asks for them gets an error. */
  readonly thoughtless?: readonly string[];
  /** Whether the server sends its thoughts without their encrypted content, even if a request asks for it. */
  readonly keepsThoughts?: boolean;
  /** A text that the server sends as commentary, which is no answer, before it calls tools. */
  readonly aside?: string;
}

/** Starts a server of the Responses API. The caller closes it. */
export function startResponses(options: ResponsesOptions = {}): Promise<TestServer> {
  const models = options.models ?? ['alpha', 'beta', 'gamma'];
  return startServer(
    { ...options, models },
    {
      chatPath: '/v1/responses',
      speaker: (request) => new ResponsesSpeaker(request, options),
      refuse: (request) => refusalOf(request, options),
      other: (request, response) =>
        request.path === '/v1/models' &&
        sendJson(response, 200, {
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'test' })),
        }),
    },
  );
}

/** The end of a tool call’s id if the model thought before the call. */
const AFTER_THOUGHT = '_thought';

type Item = Readonly<Record<string, unknown>>;

function itemsIn(request: RecordedRequest): readonly Item[] {
  const input: unknown = request.body?.input;
  return Array.isArray(input) ? (input as Item[]) : [];
}

/** Returns the refusal of a request, as the API gives it if it does not store answers. */
function refusalOf(request: RecordedRequest, { thoughtless = [] }: ResponsesOptions) {
  const makeRefusal = (status: number, message: string) => ({
    status,
    body: JSON.stringify({
      error: { message, type: 'invalid_request_error', param: 'input', code: null },
    }),
  });
  const items = itemsIn(request);
  const called = new Set(
    items.flatMap((item) => (item.type === 'function_call' ? item.call_id : [])),
  );
  const thoughts = items.filter(({ type }) => type === 'reasoning');
  for (const { type, call_id: id } of items)
    if (type === 'function_call_output' && !called.has(id))
      return makeRefusal(
        400,
        `No tool call found for function call output with call_id ${String(id)}.`,
      );
  for (const { id, encrypted_content: content } of thoughts)
    if (typeof content !== 'string')
      return makeRefusal(404, `Item with id '${String(id)}' not found. Items are not persisted.`);
  for (const { type, id } of items)
    if (type === 'function_call' && typeof id === 'string' && id.endsWith(AFTER_THOUGHT)) {
      if (thoughts.length > 0) continue;
      const missed = "was provided without its required 'reasoning' item";
      return makeRefusal(400, `Item '${id}' of type 'function_call' ${missed}`);
    }
  const asks = (request.body?.include as string[] | undefined)?.length;
  if (asks && thoughtless.includes(request.model))
    return makeRefusal(400, 'Encrypted content is not supported with this model.');
  return undefined;
}

class ResponsesSpeaker implements Speaker {
  readonly contentType = 'text/event-stream; charset=utf-8';
  readonly callsEnd = 'completed';
  private readonly request: RecordedRequest;
  private readonly options: ResponsesOptions;
  private number = 0;
  private index = -1;
  private open: { type: 'message' | 'reasoning'; id: string; text: string } | undefined;
  private thought = false;

  constructor(request: RecordedRequest, options: ResponsesOptions) {
    this.request = request;
    this.options = options;
  }

  opening(): string {
    return (
      this.event('response.created', { response: this.response('in_progress') }) +
      this.event('response.in_progress', { response: this.response('in_progress') })
    );
  }

  text(delta: string): string {
    const before = this.begin('message');
    if (this.open) this.open.text += delta;
    return (
      before +
      this.event('response.output_text.delta', {
        item_id: this.open?.id,
        output_index: this.index,
        content_index: 0,
        delta,
        logprobs: [],
      })
    );
  }

  thinking(delta: string): string {
    this.thought = true;
    const before = this.begin('reasoning');
    if (this.open) this.open.text += delta;
    return (
      before +
      this.event('response.reasoning_summary_text.delta', {
        item_id: this.open?.id,
        output_index: this.index,
        summary_index: 0,
        delta,
      })
    );
  }

  calls(calls: ToolCallingAnswer['calls']): string {
    const { aside } = this.options;
    const before = this.end() + (aside === undefined ? '' : this.aside(aside));
    const made = calls.map(({ name, arguments: given }, at) => {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const half = Math.ceil(text.length / 2);
      this.index += 1;
      const id = `fc_${at}${this.thought ? AFTER_THOUGHT : ''}`;
      const item = { type: 'function_call', id, call_id: `call_${at}x`, name };
      const where = { item_id: item.id, output_index: this.index };
      return [
        this.event('response.output_item.added', {
          output_index: this.index,
          item: { ...item, arguments: '', status: 'in_progress' },
        }),
        ...[text.slice(0, half), text.slice(half)].map((delta) =>
          this.event('response.function_call_arguments.delta', { ...where, delta }),
        ),
        this.event('response.function_call_arguments.done', { ...where, name, arguments: text }),
        this.event('response.output_item.done', {
          output_index: this.index,
          item: { ...item, arguments: text, status: 'completed' },
        }),
      ].join('');
    });
    return before + made.join('');
  }

  offered(): readonly string[] | undefined {
    const { tools, tool_choice } = this.request.body ?? {};
    if (tools === undefined || tool_choice === 'none') return undefined;
    return itemsIn(this.request).flatMap(({ type, output }) =>
      type === 'function_call_output' ? [String(output)] : [],
    );
  }

  closing(reason: EndReason, tokens: number): string {
    const reasons = {
      stop: 'completed',
      length: 'max_output_tokens',
      refusal: 'content_filter',
    } as const;
    const given = typeof reason === 'object' ? reason.as : reasons[reason];
    const status = given === 'completed' ? 'completed' : 'incomplete';
    const prompt = Math.ceil(JSON.stringify(this.request.body?.input ?? '').length / 4);
    return (
      this.end() +
      this.event(`response.${status}`, {
        response: this.response(status, {
          incomplete_details:
            status === 'completed' ? null : given === null ? null : { reason: given },
          usage: {
            input_tokens: prompt,
            input_tokens_details: { cached_tokens: 7, cache_write_tokens: 5 },
            output_tokens: tokens,
            output_tokens_details: { reasoning_tokens: 3 },
            total_tokens: prompt + tokens,
          },
        }),
      })
    );
  }

  errorEvent(message: string): string {
    return this.event('error', { code: 'server_error', message, param: null });
  }

  record(content: string): string {
    return `event: response.output_text.delta\ndata: ${content}\n\n`;
  }

  errorBody(status: number, message: string, type?: string): string {
    const fallback = status >= 500 ? 'server_error' : 'invalid_request_error';
    return JSON.stringify({ error: { message, type: type ?? fallback, param: null, code: null } });
  }

  /** Returns status 400; servers of chat completions answer with 404. */
  noSuchModel() {
    const message = `The requested model '${this.request.model}' does not exist.`;
    const error = { message, type: 'invalid_request_error', param: 'model' };
    return { status: 400, body: JSON.stringify({ error: { ...error, code: 'model_not_found' } }) };
  }

  private begin(type: 'message' | 'reasoning'): string {
    if (this.open?.type === type) return '';
    const before = this.end();
    this.index += 1;
    const id = `${type === 'message' ? 'msg' : 'rs'}_${this.index}`;
    this.open = { type, id, text: '' };
    const item =
      type === 'message'
        ? { type, id, status: 'in_progress', role: 'assistant', content: [] }
        : { type, id, summary: [] };
    const added = this.event('response.output_item.added', { output_index: this.index, item });
    const where = { item_id: id, output_index: this.index };
    return (
      before +
      added +
      (type === 'message'
        ? this.event('response.content_part.added', {
            ...where,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          })
        : this.event('response.reasoning_summary_part.added', {
            ...where,
            summary_index: 0,
            part: { type: 'summary_text', text: '' },
          }))
    );
  }

  private end(): string {
    if (this.open === undefined) return '';
    const { type, id, text } = this.open;
    this.open = undefined;
    const encrypts =
      this.options.keepsThoughts !== true &&
      ((this.request.body?.include as string[] | undefined)?.includes(
        'reasoning.encrypted_content',
      ) ??
        false);
    const item =
      type === 'message'
        ? {
            type,
            id,
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [] }],
          }
        : {
            type,
            id,
            summary: [{ type: 'summary_text', text }],
            ...(encrypts ? { encrypted_content: `sealed ${id}` } : {}),
          };
    return (
      (type === 'message'
        ? this.event('response.output_text.done', {
            item_id: id,
            output_index: this.index,
            content_index: 0,
            text,
          })
        : '') + this.event('response.output_item.done', { output_index: this.index, item })
    );
  }

  private aside(text: string): string {
    this.index += 1;
    const id = `msg_${this.index}`;
    const item = { type: 'message', id, role: 'assistant', phase: 'commentary' };
    const where = { item_id: id, output_index: this.index, content_index: 0 };
    return [
      this.event('response.output_item.added', {
        output_index: this.index,
        item: { ...item, status: 'in_progress', content: [] },
      }),
      this.event('response.output_text.delta', { ...where, delta: text, logprobs: [] }),
      this.event('response.output_item.done', {
        output_index: this.index,
        item: { ...item, status: 'completed', content: [{ type: 'output_text', text }] },
      }),
    ].join('');
  }

  private response(status: string, more: Item = {}): Item {
    return {
      id: 'resp_test',
      object: 'response',
      created_at: 1,
      model: servedModelOf(this.options, this.request),
      status,
      error: null,
      incomplete_details: null,
      output: [],
      store: false,
      usage: null,
      ...more,
    };
  }

  private event(type: string, data: Item): string {
    const sequence_number = this.number++;
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`;
  }
}
