/** Between a call and the fact that records it: both ways, and what makes two calls the same call. */
import * as z from 'zod';
import { sanitise } from '../text/sanitise.ts';
import { digest } from './digest.ts';
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

/** What a call came to. A provider's failure is a value here, never an exception. */
export type Reply = ModelResult;

/**
 * What makes a call the same call. How long we wait or how many run at once is not part of it, nor what
 * the call is named, whom its letters mean, when its answer is cut or whether another turn follows: calls had no names and no limits once,
 * and those that were recorded then are not to be asked again.
 */
export function identity(request: ModelRequest) {
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
  return { ...rest, seat: asked, schema: schema === undefined ? null : describe(schema) };
}

/** Forms are asked for again and again, and take longer to describe than to hash. */
const DESCRIBED = new WeakMap<z.ZodType, object>();

function describe(schema: z.ZodType): object {
  const known = DESCRIBED.get(schema) ?? z.toJSONSchema(schema);
  DESCRIBED.set(schema, known);
  return known;
}

/** A request with what makes it the same call, and with how an attempt at it is kept. */
export interface Asked {
  readonly request: ModelRequest;
  readonly hash: string;
  readonly prompt: (attempt: string) => Prompt;
}

export function askedOf(request: ModelRequest, { conceal }: Pick<Models, 'conceal'>): Asked {
  const asked = identity(request);
  return {
    request,
    hash: digest(asked),
    prompt: (attempt) => ({ attempt, ...promptOf(asked, conceal) }),
  };
}

/** In the words that a model reads, and without keys. */
function promptOf(
  { seat, messages, schema, maxTokens, seed }: ReturnType<typeof identity>,
  conceal: (text: string) => string = (text) => text,
): Omit<Prompt, 'attempt'> {
  const kept = (text: string): string => conceal(sanitise(text));
  const { temperature, effort = seat.effortIfKnown } = seat;
  const options = { temperature, effort, max_tokens: maxTokens, seed };
  return {
    system: kept(seat.brief),
    messages: messages.map((one) => ({ role: one.role, parts: textsOf(one).map(kept) })),
    schema: schema === null ? undefined : kept(JSON.stringify(schema)),
    options: Object.fromEntries(
      Object.entries(options).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
  };
}

export type CallFact = Fact & FactOf<'call.completed' | 'call.failed' | 'call.stopped'>;

export function isCall(one: AnyFact): one is CallFact {
  return one.type === 'call.completed' || one.type === 'call.failed' || one.type === 'call.stopped';
}

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
    ...(costUsd === undefined ? {} : { costUsd }),
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

export function replyOf(recorded: CallFact): Reply {
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

/** A call that was given up because its time was over; one that ended in that very moment is left as it is. */
export function outOfTime(reply: Reply, timeoutMs: number): Reply {
  if (reply.status !== 'stopped') return reply;
  return {
    ...reply,
    status: 'failed',
    code: 'timeout',
    message: `not finished after ${timeoutMs / 1000} s, given up`,
    next: 'Retry it, give it another model, or allow more time with --seat-timeout',
  };
}

export function defect(error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error);
  return {
    status: 'failed',
    code: 'internal',
    message: `internal error: ${message}`,
    ...UNSPOKEN,
  };
}
