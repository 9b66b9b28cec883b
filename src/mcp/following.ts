/** Waits for a run as `watch` does, with progress for the client, and for a limited time. */
import { type ServerContext, TRACEPARENT_META_KEY } from '@modelcontextprotocol/server';
import { follow } from '../app/run/follow.ts';
import { Bus } from '../kernel/bus.ts';
import { type Caller, KERNEL } from '../kernel/facts.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { PlainLines } from '../plain/lines.ts';
import type { ProtocolText } from '../plain/protocol-text.ts';
import type { Store } from '../store/store.ts';
import { readCaller } from '../telemetry/caller.ts';
import { toLine } from '../text/line.ts';

/**
 * The longest time in seconds that a tool call waits for a run. Clients give up after 60 seconds or
 * show nothing meanwhile.
 */
export const LONGEST_S = 50;
/** Milliseconds of that time for the answer itself. */
const ANSWER_MS = 2_000;
const BEAT_MS = 10_000;

/**
 * The circumstances of one tool call. Times are in milliseconds on the clock of
 * `performance.now()`.
 */
export interface ToolCallContext {
  readonly context: ServerContext;
  /** Reports progress to the client. */
  readonly progress: Progress;
  /** The calling program's trace and span; undefined if the client does not send them. */
  readonly caller: Caller | undefined;
  /** When the call began. */
  readonly began: number;
  /** The latest time at which the call must be answered. */
  readonly until: number;
}

/** Collects the circumstances of a tool call that begins now: its context, caller and times. */
export function makeCallContext(context: ServerContext): ToolCallContext {
  const began = performance.now();
  const until = began + LONGEST_S * 1000 - ANSWER_MS;
  const caller = readCaller(context.mcpReq._meta?.[TRACEPARENT_META_KEY]);
  return { context, progress: progressOf(context), caller, began, until };
}

/**
 * Returns the time that is `seconds` from now, in milliseconds on the clock of `performance.now()`.
 */
export function deadlineIn(seconds: number): number {
  return performance.now() + seconds * 1000;
}

/** Sends progress to the client, if it asked for it. */
type Progress = (message: string) => void;

function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // Ignore a notification that cannot be sent: the client has disconnected, which cancels the call
    // anyway.
    void mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress, message },
      })
      .catch(() => undefined);
  };
}

/** Reports facts of a run to the client as progress, formatted by the `text` of the run's protocol. */
export function reportFacts(
  { facts, text }: { facts: readonly AnyFact[]; text: ProtocolText },
  progress: Progress,
): void {
  const err = { write: (said: string) => progress(toLine(said)) };
  const lines = new PlainLines({ write: () => true }, err, text);
  for (const fact of facts) lines.fact(fact);
}

/**
 * Waits until the run has ended, has asked a person something, or has no process that works on it.
 * Also stops waiting at the deadline `until`, and when `signal` says that the tool call is cancelled.
 * Reports the facts that are recorded meanwhile as progress.
 */
export async function waitFor(
  {
    store,
    run,
    facts,
    text,
  }: { store: Store; run: string; facts: readonly AnyFact[]; text: ProtocolText },
  { until, signal, progress }: { until: number; signal: AbortSignal; progress: Progress },
): Promise<void> {
  const left = until - performance.now();
  if (left <= 0) return;
  const enough = new AbortController();
  const bus = new Bus();
  let isNew = false;
  const err = { write: (said: string) => isNew && progress(toLine(said)) };
  const lines = new PlainLines({ write: () => true }, err, text);
  for (const fact of facts) lines.fact(fact);
  isNew = true;
  bus.subscribe({
    fact: (fact) => {
      lines.fact(fact);
      if (KERNEL.own(fact)?.type === 'gate.opened') enough.abort();
    },
  });
  const beat = setInterval(() => progress('still at work'), BEAT_MS);
  try {
    const late = AbortSignal.timeout(Math.ceil(left));
    await follow(
      store,
      run,
      facts.at(-1)?.seq ?? 0,
      bus,
      AbortSignal.any([signal, late, enough.signal]),
    );
  } finally {
    clearInterval(beat);
  }
}
