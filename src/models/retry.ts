/**
 * One retry policy for all providers, whose own ones are turned off: they differ, hide what they
 * do, and one of them would sleep for an hour if a server asked it to.
 *
 * Three attempts. A seat that keeps failing is given up within 30 s; only a server that names a
 * time is waited for longer, up to a minute. Silence (`timeout`) is not tried again: three idle
 * times are six minutes. A server that says it is loading the model is at work: it is asked again
 * until it has done so, within a limit of its own, and none of that counts as an attempt. The same holds for
 * a server that has answered before and is gone: somebody may be starting it again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { addUsage, type CallEvent, NO_USAGE, type Usage } from '../kernel/model.ts';
import { type Failure, STOPPED } from './failure.ts';
import type { Attempt } from './provider.ts';

/** Tells the time and waits, for whoever spaces things out. Tests turn one by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Resolves after so many milliseconds. Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

export interface RetryPolicy {
  /** Requests in all. */
  readonly attempts: number;
  /** The wait before the second attempt, doubled for each one after it, with jitter of ±50 %. */
  readonly backoffMs: number;
  /** No retry begins later than this, counted without attempts that gave text and without waits the server asked for. */
  readonly giveUpMs: number;
  /** The longest wait that a server may ask for. */
  readonly longestAskedMs: number;
  /** The waits for a server that says it is loading the model, all together. */
  readonly loadingMs: number;
  /** The waits for a server that has answered before and is gone, all together. */
  readonly awayMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  attempts: 3,
  backoffMs: 800,
  giveUpMs: 30_000,
  longestAskedMs: 60_000,
  loadingMs: 600_000,
  awayMs: 60_000,
};

/** The longest wait between two questions to a server that is loading or gone. */
const LONGEST_LOOK_MS = 5_000;

/** What all attempts came to. `last` is the attempt that decided. */
interface Tried {
  readonly last: Attempt;
  /** Of all attempts together: a broken one is billed too. */
  readonly usage: Usage;
  readonly notes: readonly string[];
}

interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CallEvent) => void;
  /** Whether the server has answered anything in this process. Default: never. */
  readonly hasAnswered?: () => boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** What a server is waited for without that counting as an attempt. */
type Absence = 'loading' | 'away';

/** What one attempt gave, and whether any text came with it. */
export interface Trial {
  readonly attempt: Attempt;
  readonly spoke: boolean;
}

class AttemptFailed extends Error {
  readonly trial: Trial;
  readonly failure: Failure;

  constructor(trial: Trial, failure: Failure) {
    super(failure.message);
    this.trial = trial;
    this.failure = failure;
  }
}

/**
 * Runs `attempt` until one is good, none makes sense any more, or `signal` is aborted; a wait ends
 * at once then. `attempt` gets its number, from 1, and does not reject.
 */
export async function withRetries(
  attempt: (number: number) => Promise<Trial>,
  { policy, signal, onEvent, hasAnswered = () => false, clock = SYSTEM_CLOCK }: RetryOptions,
): Promise<Tried> {
  let usage = NO_USAGE;
  const notes: string[] = [];
  let lastTrial: Trial | undefined;
  let failingMs = 0;
  let failures = 0;
  const looks = { loading: 0, away: 0 };
  const waitedMs = { loading: 0, away: 0 };

  const absenceIn = (failure: Failure): Absence | undefined => {
    if (failure.loading === true) return 'loading';
    return failure.isAway === true && hasAnswered() ? 'away' : undefined;
  };

  /** Milliseconds to wait for a server that is loading or gone; undefined if that would be too long in all. */
  const nextLook = (failure: Failure, absence: Absence): number | undefined => {
    looks[absence] += 1;
    // Past the number of attempts a doubled wait is longer than anybody's, and its power may overflow.
    const delayMs = delayBefore(Math.min(looks[absence], 16), failure, policy);
    if (delayMs === undefined) return undefined;
    const wait = failure.retryAfterMs === undefined ? Math.min(delayMs, LONGEST_LOOK_MS) : delayMs;
    const most = absence === 'loading' ? policy.loadingMs : policy.awayMs;
    return waitedMs[absence] + wait > most ? undefined : wait;
  };

  const nextTry = (failure: Failure): number | undefined => {
    failures += 1;
    if (failures >= policy.attempts) return undefined;
    const delayMs = delayBefore(failures, failure, policy);
    if (delayMs === undefined) return undefined;
    if (failure.retryAfterMs === undefined) failingMs += delayMs;
    return failingMs > policy.giveUpMs ? undefined : delayMs;
  };

  const shouldRetry = async (error: Error, number: number): Promise<boolean> => {
    if (!(error instanceof AttemptFailed) || !error.failure.retry) return false;
    const { failure } = error;
    const absence = absenceIn(failure);
    const delayMs = absence === undefined ? nextTry(failure) : nextLook(failure, absence);
    if (delayMs === undefined) return false;
    const reason = failure.message;
    onEvent({
      type: 'retrying',
      attempt: number,
      delayMs,
      reason,
      ...(absence === undefined ? {} : { [absence]: true }),
    });
    await clock.sleep(delayMs, signal);
    if (absence !== undefined) waitedMs[absence] += delayMs;
    return true;
  };

  try {
    await pRetry(
      async (number) => {
        const began = clock.now();
        const trial = await attempt(number);
        lastTrial = trial;
        usage = addUsage(usage, trial.attempt.usage);
        notes.push(...trial.attempt.notes);
        if (trial.attempt.ok) return;
        const { failure } = trial.attempt;
        if (!trial.spoke && absenceIn(failure) === undefined) failingMs += clock.now() - began;
        throw new AttemptFailed(trial, failure);
      },
      {
        // How many there are is counted above: waiting for a model to be loaded is not one of them.
        retries: Number.POSITIVE_INFINITY,
        // The waits are ours: p-retry cannot take one from a header.
        minTimeout: 0,
        signal,
        shouldRetry: ({ error, attemptNumber }) => shouldRetry(error, attemptNumber),
      },
    );
  } catch (error) {
    if (!(error instanceof AttemptFailed) && !signal.aborted) throw error;
  }
  const last = lastTrial?.attempt ?? { ok: false, failure: STOPPED, usage, notes };
  return {
    last: last.ok ? last : { ...last, failure: saidWhy(last.failure, policy, waitedMs) },
    usage,
    notes,
  };
}

/** Milliseconds to wait after attempt `number`, or undefined if the server asks for too much. */
export function delayBefore(
  number: number,
  failure: Failure,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | undefined {
  const asked = failure.retryAfterMs;
  if (asked === undefined) {
    return Math.round(policy.backoffMs * 2 ** (number - 1) * (0.5 + random()));
  }
  if (asked > policy.longestAskedMs) return undefined;
  // Never earlier than asked, and not every seat in the same millisecond.
  return Math.round(asked + random() * Math.min(policy.backoffMs, 250));
}

/** A wait that we do not take is told to the person, who may. */
function saidWhy(
  failure: Failure,
  policy: RetryPolicy,
  waitedMs: Readonly<Record<Absence, number>>,
): Failure {
  if (failure.loading && waitedMs.loading > 0) {
    const message = `${failure.message}; still loading after ${formatWait(waitedMs.loading)}`;
    return { ...failure, message };
  }
  if (failure.isAway && waitedMs.away > 0) {
    const message = `${failure.message}; not back after ${formatWait(waitedMs.away)}`;
    return { ...failure, message };
  }
  const asked = failure.retryAfterMs ?? 0;
  if (!failure.retry || asked <= policy.longestAskedMs) return failure;
  const wait = duration(asked);
  return {
    ...failure,
    message: `${failure.message}; the server asks to wait ${wait}`,
    next: `Try again in ${wait}, or give this seat another model`,
  };
}

/** Time that is over; a wait that is asked for is rounded up instead. */
function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
