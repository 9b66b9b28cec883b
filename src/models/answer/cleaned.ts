/** Removes invisible characters from prompts and from what a server reports. */
import type { Message, Spoken } from '../../kernel/model.ts';
import { sanitise } from '../../text/sanitise.ts';
import { clip } from '../failure.ts';

/** The most characters of a reported model name, twice the longest known one. */
const MAX_SERVED = 200;

/** Returns the model name that the server reported; an empty object if it is the requested name. */
export function findServedName(served: unknown, asked: string): Pick<Spoken, 'served'> {
  const name = typeof served === 'string' ? clip(sanitise(served), MAX_SERVED) : '';
  return name === '' || name === asked ? {} : { served: name };
}

/**
 * Returns a message without invisible characters, so that a model gets no text that a person cannot
 * see.
 */
export function withoutInvisible({ parts, results, ...message }: Message): Message {
  return {
    ...message,
    parts: parts.map((part) => ({ ...part, text: sanitise(part.text) })),
    ...(results === undefined
      ? {}
      : { results: results.map((result) => ({ ...result, text: sanitise(result.text) })) }),
  };
}
