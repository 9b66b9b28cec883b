/**
 * Converts complete answers, from batches and from servers that do not stream, into the events of a stream,
 * so that one reader handles every answer.
 */
import { isRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Converts a complete message of Anthropic's API into the events that its stream would have had.
 */
export function messageEvents(message: Entry, content: readonly unknown[]): Entry[] {
  const { usage, stop_reason, stop_sequence = null, stop_details } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.filter(isRecord).flatMap((block, index) => blockEvents(block, index)),
    {
      type: 'message_delta',
      delta: {
        stop_reason,
        stop_sequence,
        ...withoutUndefined({ stop_details }),
      },
      usage,
    },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Entry, index: number): Entry[] {
  const makeStart = (content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const makeDelta = (content: object) => ({ type: 'content_block_delta', index, delta: content });
  const end = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return [
        makeStart({ type: 'text', text: '' }),
        makeDelta({ type: 'text_delta', text: `${block.text ?? ''}` }),
        end,
      ];
    case 'thinking':
      return [
        makeStart({ type: 'thinking', thinking: '', signature: '' }),
        makeDelta({ type: 'thinking_delta', thinking: `${block.thinking ?? ''}` }),
        makeDelta({ type: 'signature_delta', signature: `${block.signature ?? ''}` }),
        end,
      ];
    case 'tool_use':
      return [
        makeStart({ ...block, input: {} }),
        makeDelta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input ?? {}) }),
        end,
      ];
    default:
      return [makeStart(block), end];
  }
}

/** Converts a complete chat completion into the chunks that its stream would have had. */
export function completionChunks(body: Entry, choices: readonly unknown[]): Entry[] {
  const { id, created, model, usage } = body;
  const head = { id, created, model, object: 'chat.completion.chunk' };
  const [first] = choices.filter(isRecord);
  const message = isRecord(first?.message) ? first.message : {};
  const called = Array.isArray(message.tool_calls)
    ? { tool_calls: message.tool_calls.filter(isRecord).map((call, index) => ({ ...call, index })) }
    : {};
  const delta = { ...message, ...called };
  return [
    { ...head, choices: [{ index: 0, delta, finish_reason: first?.finish_reason ?? null }] },
    { ...head, choices: [], usage },
  ];
}

/**
 * Converts a complete response of OpenAI's Responses API into the events that its stream would have
 * had.
 */
export function responseEvents(body: Entry, output: readonly unknown[]): Entry[] {
  const ends = new Map<unknown, string>([
    ['completed', 'response.completed'],
    ['failed', 'response.failed'],
  ]);
  return [
    ...output.filter(isRecord).flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: { ...item, ...(item.type === 'message' ? { content: [] } : {}) },
      },
      ...partsOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: ends.get(body.status) ?? 'response.incomplete', response: body },
  ];
}

function partsOf(item: Entry, output_index: number): Entry[] {
  const where = { item_id: item.id, output_index };
  const listRecords = (value: unknown): Entry[] =>
    Array.isArray(value) ? value.filter(isRecord) : [];
  return [
    ...listRecords(item.summary).map(({ text }, summary_index) => ({
      type: 'response.reasoning_summary_text.delta',
      ...where,
      summary_index,
      delta: text,
    })),
    ...listRecords(item.content).map((part, content_index) =>
      part.type === 'refusal'
        ? { type: 'response.refusal.delta', ...where, content_index, delta: part.refusal }
        : item.type === 'reasoning'
          ? { type: 'response.reasoning_text.delta', ...where, content_index, delta: part.text }
          : { type: 'response.output_text.delta', ...where, content_index, delta: part.text },
    ),
  ];
}
