/** What goes to a model and what a server says of itself, without anything that a person would not see. */
import type { Message, Spoken } from '../../kernel/model.ts';
import { sanitise } from '../../text/sanitise.ts';
import { clip } from '../failure.ts';

/** Characters of a model's name: the longest there are have half of it. */
const MAX_SERVED = 200;

/** Nothing where the server calls the model what we do. */
export function servedAs(served: unknown, asked: string): Pick<Spoken, 'served'> {
  const name = typeof served === 'string' ? clip(sanitise(served), MAX_SERVED) : '';
  return name === '' || name === asked ? {} : { served: name };
}

/** A message as a person would read it, whoever wrote it: nothing reaches a model that nobody sees. */
export function asRead({ parts, results, ...message }: Message): Message {
  return {
    ...message,
    parts: parts.map((part) => ({ ...part, text: sanitise(part.text) })),
    ...(results === undefined
      ? {}
      : { results: results.map((one) => ({ ...one, text: sanitise(one.text) })) }),
  };
}
