/** Converts calls to facts and facts to replies, and defines which requests count as the same call. */
import * as z from 'zod';
import { sanitiseText } from '../text/sanitise.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { computeDigest } from './digest.ts';
import { type Fact, type FactBody, type FactOf, fact } from './facts.ts';
import type { Prompt } from './journal.ts';
import {
  type ModelRequest,
  type ModelResult,
  type Models,
  type PriceSource,
  UNSPOKEN,
} from './model.ts';
import { isOnPlan, splitSpec } from './providers/spec.ts';
import { textsOf } from './tokens.ts';
import type { AnyFact } from './vocabulary.ts';

/** The result of a call. A provider's failure is a value, never an exception. */
export type Reply = ModelResult;

/**
 * Returns the part of a request that identifies its call: under one step key, requests with equal identities
 * are the same call, which is made only once. Some fields do not count, because logs of early versions lack
 * them, and the calls in such logs must not be made again: `task`, `about`, `labels`, `limits`, `formLater`,
 * `room`, and the seat's color and title.
 */
export function callIdentity(request: ModelRequest) {
  const {
    seat,
    schema,
    task: _t,
    about: _a,
    labels: _l,
    limits: _m,
    formLater: _f,
    room: _r,
    ...rest
  } = request;
  const { colour: _colour, title: _title, ...asked } = seat;
  return { ...rest, seat: asked, schema: schema === undefined ? null : describeSchema(schema) };
}

/**
 * JSON Schemas by Zod schema. Converting a schema takes longer than hashing it, and the same schemas are
 * used by many calls.
 */
const DESCRIBED = new WeakMap<z.ZodType, object>();

function describeSchema(schema: z.ZodType): object {
  const known = DESCRIBED.get(schema) ?? z.toJSONSchema(schema);
  DESCRIBED.set(schema, known);
  return known;
}

/** A request, the hash of its identity, and the prompt to store for an attempt at it. */
export interface IdentifiedRequest {
  /** The request whose identity was computed. */
  readonly request: ModelRequest;
  /** The hash of the request's identity, see `callIdentity`. */
  readonly hash: string;
  /** Returns the prompt to store for an attempt with the given id. */
  readonly prompt: (attempt: string) => Prompt;
}

/**
 * Computes the hash of a request and prepares the stored form of its prompt. API keys are removed
 * from the stored prompt by `conceal`.
 */
export function identifyCall(
  request: ModelRequest,
  { conceal }: Pick<Models, 'conceal'>,
): IdentifiedRequest {
  const asked = callIdentity(request);
  return {
    request,
    hash: computeDigest(asked),
    prompt: (attempt) => ({ attempt, ...promptOf(asked, conceal) }),
  };
}

/** Returns the prompt as a model reads it, without the keys that `conceal` removes. */
function promptOf(
  { seat, messages, schema, maxTokens, seed }: ReturnType<typeof callIdentity>,
  conceal: (text: string) => string = (text) => text,
): Omit<Prompt, 'attempt'> {
  const cleanText = (text: string): string => conceal(sanitiseText(text));
  const { temperature, effort = seat.effortIfKnown } = seat;
  const options = { temperature, effort, max_tokens: maxTokens, seed };
  return {
    system: cleanText(seat.brief),
    messages: messages.map((message) => ({
      role: message.role,
      parts: textsOf(message).map(cleanText),
    })),
    schema: schema === null ? undefined : cleanText(JSON.stringify(schema)),
    options: Object.fromEntries(
      Object.entries(options).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  };
}

/** A fact that records the end of a call, whether the call succeeded, failed or was stopped. */
export type CallFact = Fact & FactOf<'call.completed' | 'call.failed' | 'call.stopped'>;

/** Returns whether a fact records the end of a call. */
export function isCall(fact: AnyFact): fact is CallFact {
  return (
    fact.type === 'call.completed' || fact.type === 'call.failed' || fact.type === 'call.stopped'
  );
}

/**
 * Makes the content of the fact that records how a call ended: completed, failed or stopped. `costUsd` and
 * `price` are undefined if no price is known for the model.
 */
export function callFact(
  step: string,
  attempt: string,
  { seat }: ModelRequest,
  reply: Reply,
  costUsd: number | undefined,
  price: PriceSource | undefined,
): FactBody {
  const { status, usage, notes, ...spoken } = reply;
  const common = {
    ...spoken,
    step,
    attempt,
    seat: seat.id,
    role: seat.role,
    model: seat.model,
    usage: { ...usage },
    notes: [...notes],
    rehearsal: splitSpec(seat.model).provider === 'rehearsal',
    ...withoutUndefined({ costUsd }),
    ...(isOnPlan(seat.model) ? { onPlan: true as const } : {}),
    ...(costUsd === undefined || price === undefined ? {} : { price: { ...price } }),
  };
  if (status === 'failed')
    return fact('call.failed', { ...common, code: reply.code, message: reply.message });
  if (status === 'stopped') return fact('call.stopped', common);
  return fact('call.completed', {
    ...common,
    value: reply.value,
    calls: reply.calls === undefined ? undefined : [...reply.calls],
    turn: reply.turn,
  });
}

/** Returns the reply that a fact records. */
export function replyFromFact(recorded: CallFact): Reply {
  const { text, thinking, usage, latencyMs, firstTokenMs, served, attempts, notes } = recorded;
  const spoken = { text, thinking, usage, latencyMs, firstTokenMs, served, attempts, notes };
  if (recorded.type === 'call.completed') {
    const { value, calls, turn } = recorded;
    return { status: 'done', value, calls, turn, ...spoken };
  }
  if (recorded.type === 'call.stopped') return { status: 'stopped', ...spoken };
  const { code, message, next, window, needs } = recorded;
  return { status: 'failed', code: code as never, message, next, window, needs, ...spoken };
}

/**
 * Converts a stopped reply to a failure with the code `timeout`, for a call that its time limit stopped. A
 * reply that is done or failed is returned unchanged.
 */
export function toTimeout(reply: Reply, timeoutMs: number): Reply {
  if (reply.status !== 'stopped') return reply;
  return {
    ...reply,
    status: 'failed',
    code: 'timeout',
    message: `not finished after ${timeoutMs / 1000} s, given up`,
    next: 'Retry it, give it another model, or allow more time with --seat-timeout',
  };
}

/**
 * Converts an exception, raised by a defect of the program, to a reply: a failure with the code
 * `internal`.
 */
export function toDefectReply(error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error);
  return {
    status: 'failed',
    code: 'internal',
    message: `internal error: ${message}`,
    ...UNSPOKEN,
  };
}
