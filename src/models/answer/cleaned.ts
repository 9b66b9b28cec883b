/** Removes invisible characters from prompts and from what a server reports. */
import type { CommonResult, Message } from '../../kernel/model.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { clipLine } from '../failure.ts';

/** The most characters of a reported model name, twice the longest known one. */
const MAX_SERVED = 200;

/**
 * Returns in `served` the model name that the server reported; an empty object if it reported none, or
 * the requested name (`asked`).
 */
export function findServedName(served: unknown, asked: string): Pick<CommonResult, 'served'> {
  const name = typeof served === 'string' ? clipLine(sanitiseText(served), MAX_SERVED) : '';
  return name === '' || name === asked ? {} : { served: name };
}

/**
 * Returns a message without invisible characters in its parts and tool results, so that a model gets
 * no text that a person cannot see.
 */
export function withoutInvisible({ parts, results, ...message }: Message): Message {
  return {
    ...message,
    parts: parts.map((part) => ({ ...part, text: sanitiseText(part.text) })),
    ...(results === undefined
      ? {}
      : { results: results.map((result) => ({ ...result, text: sanitiseText(result.text) })) }),
  };
}
