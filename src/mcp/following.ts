/** Waiting for a run: as `watch` follows it, with a line of progress for the client, and never for long. */
import { type ServerContext, TRACEPARENT_META_KEY } from '@modelcontextprotocol/server';
import { follow } from '../app/run/follow.ts';
import { Bus } from '../kernel/bus.ts';
import { type Caller, KERNEL } from '../kernel/facts.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { PlainLines } from '../plain/lines.ts';
import type { ProtocolText } from '../plain/protocol-text.ts';
import type { Store } from '../store/store.ts';
import { readCaller } from '../telemetry/caller.ts';
import { line } from '../text/line.ts';

/** Clients give a call up after 60 s, or say nothing for so long to whoever waits. */
export const LONGEST_S = 50;
/** What is left of that for the answer itself. Milliseconds. */
const ANSWER_MS = 2_000;
const BEAT_MS = 10_000;

/** One call of a tool. Moments are those of `performance.now()`. */
export interface Moment {
  readonly context: ServerContext;
  readonly progress: Progress;
  /** Whose span it is called from, where the client says so. */
  readonly caller: Caller | undefined;
  readonly began: number;
  /** By when the waiting is over, whatever the caller wants. */
  readonly until: number;
}

export function momentOf(context: ServerContext): Moment {
  const began = performance.now();
  const until = began + LONGEST_S * 1000 - ANSWER_MS;
  const caller = readCaller(context.mcpReq._meta?.[TRACEPARENT_META_KEY]);
  return { context, progress: progressOf(context), caller, began, until };
}

export function deadlineIn(seconds: number): number {
  return performance.now() + seconds * 1000;
}

/** Tells the client what happens, where it wants to know. */
type Progress = (message: string) => void;

function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that went away has cancelled the call as well.
    void mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress, message },
      })
      .catch(() => undefined);
  };
}

/** Tells what is on record already, as it would have been told while it happened. */
export function tellFacts(
  { facts, text }: { facts: readonly AnyFact[]; text: ProtocolText },
  progress: Progress,
): void {
  const err = { write: (said: string) => progress(line(said)) };
  const lines = new PlainLines({ write: () => true }, err, text);
  for (const one of facts) lines.fact(one);
}

/** Resolves when the run has ended, waits for an answer or rests, at the deadline, or on a cancelled call. */
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
  const err = { write: (said: string) => isNew && progress(line(said)) };
  const lines = new PlainLines({ write: () => true }, err, text);
  for (const one of facts) lines.fact(one);
  isNew = true;
  bus.subscribe({
    fact: (one) => {
      lines.fact(one);
      if (KERNEL.own(one)?.type === 'gate.opened') enough.abort();
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
