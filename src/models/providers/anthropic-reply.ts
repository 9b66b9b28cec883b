/** Reads what Anthropic's API sends: the blocks of a stream, the tokens used and why an answer ended. */

import type Anthropic from '@anthropic-ai/sdk';
import type { Usage } from '../../kernel/model.ts';
import type { ToolCall } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { readCount } from '../counted.ts';
import type { End } from './finish.ts';
import { argumentsOf, LONGEST_ARGUMENTS, readArguments } from './tool-calls.ts';

/** The type of the event of Anthropic's stream that ends one block of an answer, such as a text. */
export const BLOCK_STOP = 'content_block_stop';

/**
 * The functions that check events of Anthropic's stream, by type of event; types that need no check are
 * absent. A function returns true if the event has all fields without which the library would crash, and if
 * the events that must come before are among the `seen` ones.
 */
export const READABLE: ReadonlyMap<
  string,
  (event: Readonly<Record<string, unknown>>, seen: ReadonlySet<string>) => boolean
> = new Map([
  [
    'message_start',
    ({ message }) => isRecord(message) && isRecord(message.usage) && Array.isArray(message.content),
  ],
  [
    'content_block_start',
    ({ content_block: block }, seen) => isRecord(block) && seen.has('message_start'),
  ],
  ['content_block_delta', ({ delta }, seen) => isRecord(delta) && seen.has('content_block_start')],
  [
    'message_delta',
    ({ delta, usage }, seen) => isRecord(delta) && isRecord(usage) && seen.has('message_start'),
  ],
  ['message_stop', (_event, seen) => seen.has('message_start')],
]);

/**
 * Collects the blocks of a streamed answer, such as texts and tool calls, to send them back with the next
 * request of the conversation.
 */
export class Blocks {
  readonly #blocks = new Map<number, { content: Record<string, unknown>; json: string }>();

  /** Adds an event of the stream to the block that it belongs to. */
  take(event: Anthropic.Messages.RawMessageStreamEvent): void {
    if (event.type === 'content_block_start') {
      const { index, content_block: block } = event;
      this.#blocks.set(index, { content: { ...block }, json: '' });
    }
    if (event.type !== 'content_block_delta') return;
    const { delta } = event;
    const block = this.#blocks.get(event.index);
    if (block === undefined) return;
    const { content } = block;
    if (delta.type === 'input_json_delta') {
      // Stop collecting if the arguments of a tool call do not end. They are refused later because
      // of their length.
      if (block.json.length <= LONGEST_ARGUMENTS) block.json += delta.partial_json;
    }
    if (delta.type === 'text_delta') content.text = `${content.text ?? ''}${delta.text}`;
    else if (delta.type === 'thinking_delta')
      content.thinking = `${content.thinking ?? ''}${delta.thinking}`;
    else if (delta.type === 'signature_delta') content.signature = delta.signature;
  }

  /** Returns the tool calls among the blocks, in their order. */
  calls(): ToolCall[] {
    return [...this.#blocks.values()].flatMap(({ content, json }) =>
      content.type === 'tool_use' && typeof content.name === 'string'
        ? [{ id: String(content.id), name: content.name, arguments: readArguments(json) }]
        : [],
    );
  }

  /** Returns the blocks in the form in which the API takes them back; empty texts are left out. */
  content(): unknown[] {
    return [...this.#blocks.values()]
      .filter(({ content }) => content.type !== 'text' || content.text !== '')
      .map(({ content, json }) => {
        if (content.type !== 'tool_use') return content;
        const { id, name } = content;
        const call = { id: String(id), name: String(name), arguments: readArguments(json) };
        return { type: 'tool_use', id, name, input: argumentsOf(call) };
      });
  }
}

interface Counts {
  readonly input_tokens: number | null;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null;
  readonly output_tokens_details?: { readonly thinking_tokens: number } | null;
}

/**
 * Returns the usage of an answer so far. `counts` are the server's totals in one event; a count that the event
 * omits is unchanged from `before`.
 */
export function usageOf(counts: Counts | undefined, before: Usage): Usage {
  if (!counts) return before;
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = counts;
  const cached = read == null ? before.cached : readCount(read);
  const cacheWritten = written == null ? before.cacheWritten : readCount(written);
  const hour = counts.cache_creation?.ephemeral_1h_input_tokens;
  const forHour = hour == null ? (before.cacheWrittenForHour ?? 0) : readCount(hour);
  const plain = counts.input_tokens ?? before.input - before.cached - before.cacheWritten;
  return {
    input: readCount(plain) + cached + cacheWritten,
    output: readCount(counts.output_tokens ?? before.output),
    cached,
    cacheWritten,
    ...(forHour > 0 ? { cacheWrittenForHour: Math.min(forHour, cacheWritten) } : {}),
    thinking: readCount(counts.output_tokens_details?.thinking_tokens ?? before.thinking),
  };
}

/** The meaning of the reasons (`stop_reason`) that Anthropic's servers give for the end of an answer. */
export const ENDS: ReadonlyMap<string, End> = new Map([
  ['end_turn', 'whole'],
  // Some servers other than Anthropic's give the reason `stop_sequence` for an answer that the model itself
  // ended.
  ['stop_sequence', 'whole'],
  ['max_tokens', 'token-limit'],
  ['model_context_window_exceeded', 'context-limit'],
  ['refusal', 'declined'],
  ['tool_use', 'tool'],
]);
