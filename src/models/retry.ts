/**
 * The retry policy for all providers. Their libraries' own retries are switched off: they differ, hide what
 * they do, and one would sleep for an hour if a server asked for it.
 *
 * There are three attempts. A failing seat is given up within 30 s; a server that names a waiting time is
 * waited for up to a minute. Silence (`timeout`) is not retried, as three idle timeouts take six minutes. A
 * server that is loading the model is asked again until it has done so, within a limit of its own, and this
 * does not count as an attempt. The same holds for a server that has answered before and is away, as it may
 * be restarting.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { addUsage, type CallEvent, NO_USAGE, type Usage } from '../kernel/model.ts';
import { type Failure, STOPPED } from './failure.ts';
import type { Attempt } from './provider.ts';

/** A clock with a timer. Tests use a clock that they advance by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Resolves after the given milliseconds. Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** The limits of retries. Times are in milliseconds. */
export interface RetryPolicy {
  /** The most tries of one request. Those that find the server loading or away do not count. */
  readonly attempts: number;
  /**
   * The wait before the second attempt. Each later wait is twice as long, and every wait varies by
   * up to 50 %.
   */
  readonly backoffMs: number;
  /**
   * The time spent on failed attempts and waits after which no further attempt begins. Attempts that
   * received text, and waits that the server asked for, do not count.
   */
  readonly giveUpMs: number;
  /** The longest wait that a server may ask for; a call that would have to wait longer fails. */
  readonly longestAskedMs: number;
  /** The total wait for a server that is loading the model. */
  readonly loadingMs: number;
  /** The total wait for a server that has answered before and cannot be reached now. */
  readonly awayMs: number;
}

/**
 * The default limits of retries, see `RetryPolicy`. The gateway replaces `loadingMs` and `awayMs` by multiples
 * of its idle time.
 */
export const RETRY_POLICY: RetryPolicy = {
  attempts: 3,
  backoffMs: 800,
  giveUpMs: 30_000,
  longestAskedMs: 60_000,
  loadingMs: 600_000,
  awayMs: 60_000,
};

/** The longest wait in milliseconds between two requests to a server that is loading or away. */
const LONGEST_LOOK_MS = 5_000;

/** The result of all attempts. `last` is the deciding one. */
interface RetryResult {
  readonly last: Attempt;
  /** The usage of all attempts together, as failed ones are billed too. */
  readonly usage: Usage;
  readonly notes: readonly string[];
}

interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CallEvent) => void;
  /** Whether the server has answered any request in this process. Default: never. */
  readonly hasAnswered?: () => boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** A reason to wait for a server without counting an attempt. */
type Absence = 'loading' | 'away';

/** The result of one attempt, and whether the attempt received any text (`spoke`). */
export interface AttemptOutcome {
  readonly attempt: Attempt;
  readonly spoke: boolean;
}

class AttemptFailed extends Error {
  readonly trial: AttemptOutcome;
  readonly failure: Failure;

  constructor(trial: AttemptOutcome, failure: Failure) {
    super(failure.message);
    this.trial = trial;
    this.failure = failure;
  }
}

/**
 * Calls `attempt` with the numbers 1, 2, … until an attempt succeeds, a retry makes no sense, a limit of
 * `policy` is reached, or `signal` is aborted, which also ends a wait. `attempt` must not reject.
 */
export async function withRetries(
  attempt: (number: number) => Promise<AttemptOutcome>,
  { policy, signal, onEvent, hasAnswered = () => false, clock = SYSTEM_CLOCK }: RetryOptions,
): Promise<RetryResult> {
  let usage = NO_USAGE;
  const notes: string[] = [];
  let lastTrial: AttemptOutcome | undefined;
  let failingMs = 0;
  let failures = 0;
  const looks = { loading: 0, away: 0 };
  const waitedMs = { loading: 0, away: 0 };

  const absenceIn = (failure: Failure): Absence | undefined => {
    if (failure.loading === true) return 'loading';
    return failure.isAway === true && hasAnswered() ? 'away' : undefined;
  };

  /**
   * Returns the milliseconds to wait for a server that is loading a model or cannot be reached. Undefined if the
   * sum of the waits for this reason would exceed its limit in `policy`, or if the server asks for too long a wait.
   */
  const nextLook = (failure: Failure, absence: Absence): number | undefined => {
    looks[absence] += 1;
    // Limit the exponent, as the power would overflow. The wait has reached its maximum long
    // before.
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
        // This module counts the attempts itself, because p-retry would also count the times it waits for a
        // server that is loading a model or cannot be reached.
        retries: Number.POSITIVE_INFINITY,
        // This module waits itself, since p-retry cannot read the wait from a header.
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
    last: last.ok ? last : { ...last, failure: explainWait(last.failure, policy, waitedMs) },
    usage,
    notes,
  };
}

/**
 * Returns the milliseconds to wait after attempt `number`; undefined if the server asks for a
 * longer wait than the policy allows.
 */
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
  // Wait at least as long as the server asks, and a little longer by chance, so that seats do not
  // all retry in the same millisecond.
  return Math.round(asked + random() * Math.min(policy.backoffMs, 250));
}

/**
 * Returns the failure with a message on the waits: those that were made, and a longer one that the server
 * asks for.
 */
function explainWait(
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
  const wait = formatFutureWait(asked);
  return {
    ...failure,
    message: `${failure.message}; the server asks to wait ${wait}`,
    next: `Try again in ${wait}, or give this seat another model`,
  };
}

/** Formats the length of a past wait, with minutes rounded down; `formatFutureWait` rounds up. */
function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function formatFutureWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
