/**
 * The fold that every display shares: turns a run's facts, one after the other, into the current view of
 * the run. A live run, a resumed one, a replay and an export all show the same view.
 */

import { withoutUndefined } from '../text/without-undefined.ts';
import { entryOf } from './entry.ts';
import { type Fact, type FactOf, KERNEL, type Request, type Source } from './facts.ts';
import type { GateQuestion } from './handle.ts';
import { addUsage, NO_USAGE, type Seat, UNSPOKEN, type Usage } from './model.ts';
import { type ToolCall, turnKey } from './tools/tools.ts';
import type { AnyFact } from './vocabulary.ts';

/** The state of the latest attempt at a call. */
export interface CallView {
  readonly step: string;
  readonly attempt: string;
  /** The task, as in `board/answer`; absent in logs from before tasks had names. */
  readonly task?: string | undefined;
  readonly seat: string;
  readonly model: string;
  /** The id of each seat by the letter (`A`, `B`, …) that stood for the seat in the prompt. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * `lost`: the attempt ended without recording the call's end, mostly because of a crash. A lost
   * call may have been billed.
   */
  readonly state: 'running' | 'done' | 'failed' | 'stopped' | 'lost';
  /** The time of the beginning, in ISO 8601. */
  readonly startedAt: string;
  /** The time of the end, in ISO 8601; absent while the call runs. */
  readonly endedAt?: string;
  /** The end of a running call's time limit, in ISO 8601; absent if there is none, and after the call. */
  readonly deadline?: string | undefined;
  readonly text: string;
  /** The structured answer; absent if text was requested. */
  readonly value?: unknown;
  readonly thinking: string;
  readonly usage: Usage;
  readonly costUsd?: number | undefined;
  /** Milliseconds from when the call first left the queue to its end. */
  readonly latencyMs: number;
  /** Milliseconds from the start of the last request to its first text; absent if no text came. */
  readonly firstTokenMs?: number | undefined;
  /** The model name that the server reported, if it differs from the requested one. */
  readonly served?: string | undefined;
  /** The number of requests sent. */
  readonly attempts: number;
  /** Sentences on what was changed or noticed in the call. */
  readonly notes: readonly string[];
  /** The tools that the call asked to use; its text is then not the answer. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** True if the call was copied from the parent run; it is left out of every sum. */
  readonly inherited?: boolean;
  /** True if a subscription pays for the call. */
  readonly onPlan?: boolean;
  /** Why the call failed, as a `FailureCode`. */
  readonly code?: string;
  /** Why the call failed, as a sentence. */
  readonly message?: string;
  /** What a person can do about the failure. */
  readonly next?: string | undefined;
}

/** A recorded synthesis. */
export type SynthesisView = Readonly<Omit<FactOf<'synthesis.completed'>, 'v' | 'type'>>;

/** An open gate: a question that waits for a person's answer. */
export interface GateView extends GateQuestion {
  /** The key of the step that asks. */
  readonly step: string;
}

interface IterationLine {
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
}

/** The state of a run, as displays need it. It is computed from the facts. */
export interface RunView {
  readonly id: string;
  readonly protocol: string;
  readonly question: string;
  readonly seats: readonly Seat[];
  /** The protocol's settings. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The run that this run was forked from. */
  readonly parent?: string | undefined;
  /** The file of a user's own protocol, as it was loaded last. */
  readonly source?: Source | undefined;
  /** The status according to the log. A run whose process died still has `running`. */
  readonly status: 'running' | 'done' | 'stopped' | 'failed';
  /** Why the run failed or was stopped. */
  readonly reason?: string | undefined;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** When the current or last attempt began. */
  readonly attemptAt: string;
  /** What the current or last attempt was asked to do. */
  readonly request: Request;
  /** The latest attempt at each call by its step, in the order in which the steps first started. */
  readonly calls: Readonly<Record<string, CallView>>;
  readonly syntheses: readonly SynthesisView[];
  /** The open question to a person; absent if there is none. */
  readonly gate?: GateView | undefined;
  /**
   * The usage of every call made in the run, earlier attempts included; without calls copied from a parent.
   */
  readonly usage: Usage;
  /** The cost in US dollars of the calls whose price is known; `unpriced` counts the others. */
  readonly costUsd: number;
  /** The number of calls whose price is not known. */
  readonly unpriced: number;
  /** The number of calls that a subscription pays for; absent if there are none. */
  readonly onPlan?: number;
  /** True if the built-in stand-in answered any call in place of a model. */
  readonly rehearsal: boolean;
  /** Lines that people added to the iteration log, in their order; absent if there are none. */
  readonly iterations?: readonly IterationLine[];
  /** Sequence number of the last fact. */
  readonly seq: number;
}

/** The state of a run before its first fact. */
export const EMPTY_VIEW: RunView = {
  id: '',
  protocol: '',
  question: '',
  seats: [],
  config: {},
  status: 'running',
  startedAt: '',
  attemptAt: '',
  request: { kind: 'convene' },
  calls: {},
  syntheses: [],
  usage: NO_USAGE,
  costUsd: 0,
  unpriced: 0,
  rehearsal: false,
  seq: 0,
};

/** Computes the state of a run from all its facts. */
export function viewOf(facts: Iterable<AnyFact>): RunView {
  let view: RunView = { ...EMPTY_VIEW, calls: {} };
  for (const fact of facts) view = foldFact(view, fact, addCall);
  return view;
}

/** Returns the state of a run after one more fact. */
export function foldRun(before: RunView, fact: AnyFact): RunView {
  return foldFact(before, fact, withCall);
}

type Keep = (view: RunView, call: CallView) => RunView;

function foldFact(before: RunView, any: AnyFact, keep: Keep): RunView {
  const view = { ...before, seq: any.seq };
  const fact = KERNEL.own(any);
  switch (fact?.type) {
    case 'run.started':
      return {
        ...view,
        id: fact.run,
        protocol: fact.protocol,
        question: fact.question,
        seats: fact.seats,
        config: fact.config,
        parent: fact.parent,
        source: fact.source,
        startedAt: fact.at,
        attemptAt: fact.at,
        request: fact.request,
      };
    case 'run.resumed': {
      const { endedAt: _ended, ...open } = view;
      return {
        ...open,
        status: 'running',
        reason: undefined,
        gate: undefined,
        attemptAt: fact.at,
        request: fact.request,
        source: fact.source ?? view.source,
        calls: withoutRunning(view.calls, fact.at),
      };
    }
    case 'run.ended':
      return {
        ...view,
        status: fact.status,
        reason: fact.reason,
        endedAt: fact.at,
        gate: undefined,
        calls: withoutRunning(view.calls, fact.at),
      };
    case 'seat.changed':
      return {
        ...view,
        seats: view.seats.map((seat) =>
          seat.id === fact.seat ? { ...seat, model: fact.model } : seat,
        ),
      };
    case 'iteration.noted':
      return {
        ...view,
        iterations: [...(view.iterations ?? []), { at: fact.at, text: fact.text }],
      };
    case 'step.started':
      return fact.kind === 'call' ? keep(view, startedCall(fact)) : view;
    case 'deadline.moved': {
      const call = entryOf(view.calls, fact.step);
      return call === undefined ? view : keep(view, { ...call, deadline: fact.deadline });
    }
    case 'call.completed':
    case 'call.failed':
    case 'call.stopped':
      return addSpent(keep(view, endedCall(entryOf(view.calls, fact.step), fact)), fact);
    case 'synthesis.completed': {
      const { v: _v, type: _type, run: _run, seq: _seq, at: _at, ...synthesis } = fact;
      return {
        ...view,
        // Sort the syntheses by version, since those that are made at the same time can end in any order.
        syntheses: [...view.syntheses.filter((s) => s.version !== fact.version), synthesis].sort(
          (left, right) => left.version - right.version,
        ),
      };
    }
    case 'gate.opened':
      return {
        ...view,
        gate: {
          step: fact.step,
          prompt: fact.prompt,
          options: fact.options,
          default: fact.default,
          ...withoutUndefined({ diff: fact.diff }),
        },
      };
    case 'gate.answered':
      return { ...view, gate: undefined };
    default:
      return view;
  }
}

/**
 * Returns the state of a run whose process died: its running calls are marked as lost. The log
 * itself does not say that the process died.
 */
export function markInterrupted(view: RunView): RunView {
  return { ...view, calls: withoutRunning(view.calls, view.attemptAt) };
}

function withCall(view: RunView, call: CallView): RunView {
  return { ...view, calls: { ...view.calls, [call.step]: call } };
}

/**
 * Adds a call to a view that nobody else refers to, in place: copying all calls at every fact would be
 * quadratic.
 */
function addCall(view: RunView, call: CallView): RunView {
  // `defineProperty` also adds the call of a step named `__proto__`; an assignment would change the prototype.
  const own = { value: call, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(view.calls, call.step, own);
  return view;
}

/** Marks calls without an end as lost: nothing runs between attempts. */
function withoutRunning(calls: RunView['calls'], at: string): RunView['calls'] {
  return Object.fromEntries(
    Object.entries(calls).map(([step, call]) => [
      step,
      call.state === 'running' ? { ...call, state: 'lost', endedAt: at } : call,
    ]),
  );
}

function startedCall(fact: Fact & FactOf<'step.started'>): CallView {
  return {
    step: fact.step,
    attempt: fact.attempt,
    ...withoutUndefined({ task: fact.task }),
    seat: fact.seat ?? '',
    model: fact.model ?? '',
    ...withoutUndefined({ labels: fact.labels }),
    state: 'running',
    startedAt: fact.at,
    ...withoutUndefined({ deadline: fact.deadline }),
    ...UNSPOKEN,
  };
}

type Ended = Fact & FactOf<'call.completed' | 'call.failed' | 'call.stopped'>;

const STATES = {
  'call.completed': 'done',
  'call.failed': 'failed',
  'call.stopped': 'stopped',
} as const;

function endedCall(before: CallView | undefined, fact: Ended): CallView {
  return {
    step: fact.step,
    attempt: fact.attempt,
    ...withoutUndefined({ task: before?.task }),
    seat: fact.seat,
    model: fact.model,
    ...withoutUndefined({ labels: before?.labels }),
    state: STATES[fact.type],
    startedAt: before?.startedAt ?? fact.at,
    endedAt: fact.at,
    text: fact.text,
    ...(fact.type === 'call.completed' && fact.value !== undefined ? { value: fact.value } : {}),
    thinking: fact.thinking,
    usage: fact.usage,
    costUsd: fact.costUsd,
    latencyMs: fact.latencyMs,
    firstTokenMs: fact.firstTokenMs,
    ...withoutUndefined({ served: fact.served }),
    attempts: fact.attempts,
    notes: fact.notes,
    ...(fact.inherited === true ? { inherited: true } : {}),
    ...(fact.onPlan === true ? { onPlan: true } : {}),
    ...(fact.type === 'call.completed' && fact.calls !== undefined ? { calls: fact.calls } : {}),
    ...(fact.type === 'call.failed'
      ? { code: fact.code, message: fact.message, next: fact.next }
      : {}),
  };
}

function addSpent(before: RunView, fact: Ended): RunView {
  const view = { ...before, rehearsal: before.rehearsal || fact.rehearsal };
  if (fact.inherited === true) return view;
  return {
    ...view,
    usage: addUsage(view.usage, fact.usage),
    costUsd: view.costUsd + (fact.costUsd ?? 0),
    unpriced: view.unpriced + (fact.costUsd === undefined ? 1 : 0),
    ...(fact.onPlan === true ? { onPlan: (view.onPlan ?? 0) + 1 } : {}),
  };
}

/**
 * Returns the call that answers a step; undefined if the step has no call. A step has several calls if its seat
 * used tools, one for each turn, or if the seat was asked again; the call that started last is returned.
 */
export function callAt(calls: RunView['calls'], step: string): CallView | undefined {
  let latest = entryOf(calls, step);
  for (let turn = 1; ; turn += 1) {
    const call = entryOf(calls, turnKey(step, turn));
    if (call === undefined) return latest;
    if (latest === undefined || call.startedAt >= latest.startedAt) latest = call;
  }
}

/** Returns whether a call ended in a request to use tools, so that its text is not an answer. */
export function isLooking({ state, calls }: CallView): boolean {
  return state === 'done' && calls !== undefined && calls.length > 0;
}

/**
 * Returns the call that answers a step; undefined if the step has no call, or if its last call ended in a
 * request to use tools.
 */
export function answerAt(calls: RunView['calls'], step: string): CallView | undefined {
  const call = callAt(calls, step);
  return call === undefined || isLooking(call) ? undefined : call;
}

/**
 * Returns the number of the next synthesis, which is one above the highest so far: failed syntheses
 * may have left gaps.
 */
export function nextVersion({ syntheses }: Pick<RunView, 'syntheses'>): number {
  return (syntheses.at(-1)?.version ?? 0) + 1;
}
