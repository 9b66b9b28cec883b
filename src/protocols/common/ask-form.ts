/** Asks for an answer of a form, and again where a call fails or the form is not met. */
import type * as z from 'zod';
import type { Reply } from '../../kernel/call.ts';
import type { AskOptions } from '../../kernel/handle.ts';
import type { ModelRequest } from '../../kernel/model.ts';

/** How often a task is asked whose calls fail for reasons of the network or the server; then what it was to give is missing, by name. */
const TRIES = 3;

/** Failures that are the same when the same is asked anew. */
const WRONG_TWICE: ReadonlySet<string> = new Set(['invalid-output', 'truncated', 'too-long']);

/** Of a form that says nothing else: small models fill its lists until their context is full. */
const LIMITS = { tokens: 8_000 };

/** An answer of the form that was asked for, or why there is none. */
export type Answered<T> = { readonly value: T } | { readonly why: string };

/** As the run asks, or with tools. */
export type Asking = (
  key: string,
  request: ModelRequest,
  options: Pick<AskOptions, 'timeoutMs'>,
) => Promise<Reply>;

interface Form<T> {
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number | undefined;
  /** Of the step that it is asked in: a fork may have given the seat another model from there on. */
  readonly request: (step: string) => ModelRequest;
}

/** `key`: the first step; those after it are `KEY/try-2` and so on. */
export async function askForm<T>(
  ask: Asking,
  key: string,
  { schema, timeoutMs, request }: Form<T>,
): Promise<Answered<T>> {
  let why = 'it was not asked';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const step = attempt === 1 ? key : `${key}/try-${attempt}`;
    const reply = await ask(
      step,
      { limits: LIMITS, ...request(step) },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
    // Whoever stopped a seat does not want it asked again.
    if (reply.status === 'stopped') return { why: 'stopped' };
    if (reply.status === 'failed') {
      why = reply.message;
      // The gateway has asked again with what was wrong; what did not end would not end by the same seed.
      if (WRONG_TWICE.has(reply.code)) break;
      continue;
    }
    const read = schema.safeParse(reply.value);
    if (read.success) return { value: read.data };
    // A call that is on record was held against the rules of its day, which asked less of its texts.
    if (read.error.issues.every(({ code }) => code === 'custom'))
      return { value: reply.value as T };
    why = 'its answer has not the form that was asked for';
  }
  return { why };
}
