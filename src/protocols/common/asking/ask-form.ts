/** Asks for an answer of a given form, and asks again if a call fails or the answer has another form. */
import type * as z from 'zod';
import type { Reply } from '../../../kernel/call.ts';
import type { AskOptions } from '../../../kernel/handle.ts';
import type { ModelRequest } from '../../../kernel/model.ts';

/**
 * How often a task is asked if its calls fail because of the network or the server. After that, the
 * result counts as missing.
 */
const TRIES = 3;

/** Codes of failures that would probably repeat if the same request were sent again. */
const WRONG_TWICE: ReadonlySet<string> = new Set(['invalid-output', 'truncated', 'too-long']);

/**
 * The limits of a form without its own. Small models fill a list until their context is full, or until the server
 * that enforces the form ends the list.
 */
const LIMITS = { tokens: 8_000, items: 100 };

/** An answer that has the requested form, or the reason why there is none. */
export type FormAnswer<T> = { readonly value: T } | { readonly why: string };

/**
 * A function that asks a seat for an answer: `run.ask`, or a function that first lets the seat use
 * tools.
 */
export type SeatAsker = (
  key: string,
  request: ModelRequest,
  options: Pick<AskOptions, 'timeoutMs'>,
) => Promise<Reply>;

interface Form<T> {
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number | undefined;
  /** Returns the request for a step. In a fork, some steps may go to another model. */
  readonly request: (step: string) => ModelRequest;
}

/**
 * Asks for an answer that fits the schema, at most three times: again if a call failed or its answer has another form.
 * The seat is not asked again if its call was stopped, or if the same failure would probably occur again (such as a
 * prompt that is too long, or a call that failed because its answer has another form).
 * @param key the key of the first step; later steps have the keys `KEY/try-2`, `KEY/try-3`
 */
export async function askForm<T>(
  ask: SeatAsker,
  key: string,
  { schema, timeoutMs, request }: Form<T>,
): Promise<FormAnswer<T>> {
  let why = 'it was not asked';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const step = attempt === 1 ? key : `${key}/try-${attempt}`;
    const reply = await ask(
      step,
      { limits: LIMITS, ...request(step) },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
    // A stopped call is not tried again: a person, a signal or the end of the run has stopped it.
    if (reply.status === 'stopped') return { why: 'stopped' };
    if (reply.status === 'failed') {
      why = reply.message;
      // For an invalid answer, the gateway has already asked again and described the mistake. A truncated
      // answer would be truncated again, and a prompt that was too long would still be too long.
      if (WRONG_TWICE.has(reply.code)) break;
      continue;
    }
    const read = schema.safeParse(reply.value);
    if (read.success) return { value: read.data };
    // An answer that breaks only rules for texts (issues with the code `custom`) is accepted,
    // because a recorded answer may be older than these rules.
    if (read.error.issues.every(({ code }) => code === 'custom'))
      return { value: reply.value as T };
    why = 'its answer has not the form that was asked for';
  }
  return { why };
}
