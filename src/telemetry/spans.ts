/**
 * Converts a run's facts to a trace: the run is a workflow, a seat's turn an agent, a call a chat with a
 * model, the use of a tool a tool. Names follow OpenTelemetry's conventions for generative AI. Ids depend
 * only on the run and its steps, so that a trace that is sent twice, or during the run and again
 * afterwards, is one trace. Pure except for hashing.
 */
import { type CallFact, isCall } from '../kernel/call.ts';
import { computeDigest } from '../kernel/digest.ts';
import { type Caller, type Fact, KERNEL } from '../kernel/facts.ts';
import { splitSpec } from '../kernel/providers/spec.ts';
import { stepOf } from '../kernel/tools/tools.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';

/**
 * The value of a span's attribute. `int` marks a whole number, which OTLP distinguishes from
 * others.
 */
export type Value = string | number | boolean | { readonly int: number } | readonly string[];

interface Link {
  /** 32 hex digits. */
  readonly traceId: string;
  readonly spanId: string;
}

/** A span of OpenTelemetry: a piece of work with a start, an end and attributes. */
export interface Span {
  /** The id of the run. */
  readonly run: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** The start, in ISO 8601. */
  readonly start: string;
  /** The end, in ISO 8601. */
  readonly end: string;
  readonly attributes: Readonly<Record<string, Value | undefined>>;
  /** Spans of other traces that have to do with this one, such as the caller's. */
  readonly links?: readonly Link[];
  /** The error that ended the work; absent if there was none. */
  readonly error?: { readonly type: string; readonly message?: string | undefined } | undefined;
}

/** Options that decide what spans contain. */
export interface SpanOptions {
  /**
   * Whether spans contain texts: questions, answers, arguments and results of tools. Default:
   * false.
   */
  readonly content?: boolean;
  /**
   * The status that `toSpans` gives a run without an end, such as `interrupted` if the run's process
   * died. Default: `running`.
   */
  readonly status?: string | undefined;
}

type Started = Extract<Fact, { type: 'step.started' }>;

interface Turn extends Pick<CallFact, 'run' | 'step' | 'seat' | 'role'> {
  readonly id: string;
  readonly start: string;
}

/**
 * Converts the facts of one run to spans, one fact after the other: a span for each call that a fork did not
 * copy, each use of a tool, each turn of a seat (its calls and lookups until it answers), and the whole run.
 */
export class SpanFold {
  readonly #content: boolean;
  /** Running calls by attempt. */
  readonly #begun = new Map<string, Started>();
  /** The beginnings of running turns, by step. */
  readonly #turns = new Map<string, Turn>();
  readonly #links: Link[] = [];
  #opening: Extract<Fact, { type: 'run.started' }> | undefined;

  constructor({ content = false }: SpanOptions = {}) {
    this.#content = content;
  }

  /**
   * Processes the next fact and returns the spans of the work that ends with this fact. After
   * `run.ended`, the last one is the span of the whole run.
   */
  take(any: AnyFact): Span[] {
    if (isCall(any)) return any.inherited === true ? this.#inherit(any) : this.#endCall(any);
    const fact = KERNEL.own(any);
    switch (fact?.type) {
      case 'run.started':
        this.#opening = fact;
        this.#linkTo(fact.caller);
        return [];
      case 'step.started':
        if (fact.kind === 'call') this.#begun.set(fact.attempt, fact);
        return [];
      case 'tool.called':
        return [this.#tool(fact)];
      case 'run.resumed':
        this.#linkTo(fact.caller);
        return this.#lose(fact.at, 'lost');
      case 'run.ended':
        return [
          ...this.#lose(fact.at, 'cancelled'),
          ...this.#root(fact.at, fact.status, fact.reason),
        ];
      default:
        return [];
    }
  }

  #endCall(call: CallFact): Span[] {
    const start = this.#begun.get(call.attempt)?.at ?? subtractMs(call.at, call.latencyMs);
    this.#begun.delete(call.attempt);
    const turn = this.#turn(call, call.attempt, start);
    const error =
      call.type === 'call.completed'
        ? undefined
        : call.type === 'call.failed'
          ? { type: call.code, message: this.#content ? call.message : undefined }
          : { type: 'cancelled' };
    const looksUp = call.type === 'call.completed' && (call.calls?.length ?? 0) > 0;
    const { usage } = call;
    const { provider, model } = splitSpec(call.model);
    const chat: Span = {
      run: call.run,
      spanId: spanId('chat', call.step, call.attempt),
      parentSpanId: turn.id,
      name: `chat ${model}`,
      kind: 'client',
      start,
      end: call.at,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': model,
        'gen_ai.response.model': call.served,
        'gen_ai.conversation.id': call.run,
        'gen_ai.usage.input_tokens': { int: usage.input },
        'gen_ai.usage.output_tokens': { int: usage.output },
        'gen_ai.usage.cache_read.input_tokens': { int: usage.cached },
        'gen_ai.usage.cache_creation.input_tokens': { int: usage.cacheWritten },
        'gen_ai.response.finish_reasons':
          call.type === 'call.completed' ? [looksUp ? 'tool_call' : 'stop'] : undefined,
        'error.type': error?.type,
        'deliberate.step': call.step,
        'deliberate.attempts': { int: call.attempts },
        'deliberate.latency_ms': call.latencyMs,
        'deliberate.first_token_ms': call.firstTokenMs,
        'deliberate.cost_usd': call.costUsd,
        'deliberate.usage_estimated': usage.estimated,
        'deliberate.rehearsal': call.rehearsal || undefined,
        'gen_ai.output.messages': this.#content ? toOutputMessages(call.text, looksUp) : undefined,
      },
      error,
    };
    if (looksUp) return [chat];
    this.#turns.delete(turnOf(call.step));
    return [chat, this.#turnSpan(turn, call.at, error)];
  }

  /** Returns the turn of a step; begins it if none is running. */
  #turn(
    { run, step, seat, role }: Pick<Turn, 'run' | 'step' | 'seat' | 'role'>,
    attempt: string,
    start: string,
  ): Turn {
    const key = turnOf(step);
    const id = spanId('turn', key, attempt);
    const known = this.#turns.get(key) ?? { run, step: key, seat, role, id, start };
    this.#turns.set(key, known);
    return known;
  }

  #turnSpan({ run, step, seat, role, id, start }: Turn, end: string, error?: Span['error']): Span {
    const title = this.#opening?.seats.find((entry) => entry.id === seat)?.title ?? seat;
    return {
      run,
      spanId: id,
      parentSpanId: ROOT,
      name: `invoke_agent ${title}`,
      kind: 'internal',
      start,
      end,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': seat,
        'gen_ai.agent.name': title,
        'gen_ai.conversation.id': run,
        'error.type': error?.type,
        'deliberate.step': step,
        'deliberate.role': role,
      },
      error,
    };
  }

  #tool(fact: Extract<Fact, { type: 'tool.called' }>): Span {
    const turn = this.#turns.get(turnOf(fact.step));
    const failed = fact.refused === true ? { type: 'refused' } : undefined;
    return {
      run: fact.run,
      spanId: spanId('tool', fact.step, fact.attempt),
      // If the protocol itself calls a tool, outside a seat's turn, the span of the whole run is the parent.
      parentSpanId: turn?.id ?? ROOT,
      name: `execute_tool ${fact.tool}`,
      kind: 'internal',
      start: subtractMs(fact.at, fact.ms),
      end: fact.at,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': fact.tool,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': fact.id,
        'error.type': failed?.type,
        'deliberate.step': fact.step,
        'deliberate.bytes': { int: fact.bytes },
        'gen_ai.tool.call.arguments': this.#content ? JSON.stringify(fact.arguments) : undefined,
        'gen_ai.tool.call.result': this.#content ? fact.text : undefined,
      },
      error: failed,
    };
  }

  /** Handles a call copied from the parent run: it took no time here and was paid for there. */
  #inherit(call: CallFact): Span[] {
    const run = this.#opening?.parent;
    if (run !== undefined)
      this.#links.push({
        traceId: toTraceId(run),
        spanId: spanId('chat', call.step, call.attempt),
      });
    return [];
  }

  /**
   * Adds the caller as a link and not as a parent: a run may be continued from several traces, and is
   * nevertheless one trace with one id.
   */
  #linkTo(caller: Caller | undefined): void {
    if (caller === undefined) return;
    const isKnown = this.#links.some(
      (link) => link.traceId === caller.trace && link.spanId === caller.span,
    );
    if (!isKnown) this.#links.push({ traceId: caller.trace, spanId: caller.span });
  }

  /**
   * Ends calls without an end, since the program died while they ran, and turns that used a tool and never
   * asked again. `why`: the error of these turns.
   */
  #lose(at: string, why: string): Span[] {
    const calls = [...this.#begun.values()].flatMap((start) => {
      const { provider, model } = splitSpec(start.model ?? '');
      const { run, step, seat = '' } = start;
      const role = this.#opening?.seats.find(({ id }) => id === seat)?.role ?? seat;
      const turn = this.#turn({ run, step, seat, role }, start.attempt, start.at);
      const error = { type: 'lost' };
      const chat: Span = {
        run: start.run,
        spanId: spanId('chat', start.step, start.attempt),
        parentSpanId: turn.id,
        name: `chat ${model}`,
        kind: 'client',
        start: start.at,
        end: at,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': provider,
          'gen_ai.request.model': model,
          'gen_ai.conversation.id': start.run,
          'error.type': error.type,
          'deliberate.step': start.step,
        },
        error,
      };
      this.#turns.delete(turnOf(step));
      return [chat, this.#turnSpan(turn, at, error)];
    });
    const turns = this.#openTurns(at, { type: why });
    this.#begun.clear();
    this.#turns.clear();
    return [...calls, ...turns];
  }

  #openTurns(at: string, error?: Span['error']): Span[] {
    return [...this.#turns.values()].map((turn) => this.#turnSpan(turn, at, error));
  }

  /**
   * Returns spans of the seats' turns that have not ended and of the whole run, as if they ended at
   * the time `at` (ISO 8601). `status` becomes the status of the run.
   */
  soFar(at: string, status = 'running'): Span[] {
    return [...this.#openTurns(at), ...this.#root(at, status)];
  }

  /**
   * Returns the workflow span at the end of an attempt. The span of a later attempt has the same id and
   * covers the whole run.
   */
  #root(end: string, status: string, reason?: string): Span[] {
    const opening = this.#opening;
    if (opening === undefined) return [];
    const failed =
      status === 'failed'
        ? { type: status, message: this.#content ? reason : undefined }
        : undefined;
    return [
      {
        run: opening.run,
        spanId: ROOT,
        name: `invoke_workflow ${opening.protocol}`,
        kind: 'internal',
        start: opening.at,
        end,
        attributes: {
          'gen_ai.operation.name': 'invoke_workflow',
          'gen_ai.workflow.name': opening.protocol,
          'gen_ai.conversation.id': opening.run,
          'deliberate.status': status,
          'deliberate.parent': opening.parent,
          'error.type': failed?.type,
          'gen_ai.input.messages': this.#content ? toInputMessages(opening.question) : undefined,
        },
        links: [...this.#links],
        error: failed,
      },
    ];
  }
}

/**
 * Converts a run's facts to spans: of the calls, uses of tools and turns of seats that have ended,
 * and as the last one of the whole run. If the run has not ended, or was resumed since, its span and
 * those of its unfinished turns end with the last fact.
 */
export function toSpans(facts: readonly AnyFact[], options: SpanOptions = {}): Span[] {
  const fold = new SpanFold(options);
  const spans = new Map<string, Span>();
  const keepSpan = (span: Span): void => {
    // Each attempt yields the span of the whole run again. Remove the earlier one, so that the new one stands
    // last.
    spans.delete(span.spanId);
    spans.set(span.spanId, span);
  };
  for (const fact of facts) fold.take(fact).forEach(keepSpan);
  const last = facts.at(-1);
  // A fact after the end of the run, such as a person's decision, does not extend the run's span.
  const { type: latest } = facts.findLast(({ type }) => ENDS.has(type)) ?? {};
  if (last !== undefined && latest !== 'run.ended')
    fold.soFar(last.at, options.status).forEach(keepSpan);
  return [...spans.values()];
}

/** Returns the trace id of a run: the 32 hex digits of its id, or of a hash if the id is no UUID. */
export function toTraceId(run: string): string {
  const hex = run.replaceAll('-', '').toLowerCase();
  return /^(?!0{32})[0-9a-f]{32}$/.test(hex) ? hex : computeDigest(['run', run]);
}

/** The types of facts by which an attempt begins or ends. */
const ENDS: ReadonlySet<string> = new Set(['run.started', 'run.resumed', 'run.ended']);
const ROOT = spanId('run');

/**
 * Returns 64 bits of the hash of the names; among a thousand ids a collision has a probability of about 1
 * in 10^14.
 */
function spanId(...named: readonly string[]): string {
  return computeDigest(named).slice(0, 16);
}

/**
 * Returns the step of a turn or of a tool's use: `seat/critic` for `seat/critic/turn-2` and
 * `seat/critic/turn-2/tool-1`.
 */
function turnOf(step: string): string {
  return stepOf(step.replace(/\/tool-\d+$/, ''));
}

function subtractMs(at: string, ms: number): string {
  const time = Date.parse(at) - Math.max(0, ms);
  return Number.isFinite(time) ? new Date(time).toISOString() : at;
}

function toInputMessages(text: string): string {
  return JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }]);
}

function toOutputMessages(text: string, looksUp: boolean): string {
  return JSON.stringify([
    {
      role: 'assistant',
      parts: [{ type: 'text', content: text }],
      finish_reason: looksUp ? 'tool_call' : 'stop',
    },
  ]);
}
