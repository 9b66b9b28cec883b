/** What processes tell each other about a run: the terms of detached work, and messages. */
import type { RunEstimate, Span } from '../kernel/estimate.ts';

/** Limits of a run, under the names of the settings. A limit that is absent does not apply. */
export interface Limits {
  readonly budget_tokens?: number | undefined;
  readonly budget_usd?: number | undefined;
  /** Milliseconds without data after which a request is given up. */
  readonly idle_timeout?: number | undefined;
  /** The most simultaneous calls per provider. */
  readonly concurrency?: number | undefined;
  /** The speed factor of the stand-in's answers. */
  readonly rehearse_speed?: number | undefined;
}

/**
 * The limits and permissions with which a detached process (a worker without a terminal) works on a
 * run.
 */
export interface Terms {
  readonly limits: Limits;
  /**
   * The estimate of the whole run: its calls and, if anything is paid, US dollars. Absent if there
   * was none.
   */
  readonly expected?:
    | (Pick<RunEstimate, 'calls'> & { readonly usd?: Span | undefined })
    | undefined;
  /** True if the default answer is taken for every question of the run. */
  readonly yes?: boolean | undefined;
  /**
   * True if a person has allowed the run's agents to run without a sandbox, on this machine and in
   * this attempt.
   */
  readonly unsandboxed?: boolean | undefined;
  /**
   * True if a program chose the budget, so that another program may replace it. Absent if a person
   * did.
   */
  readonly isWish?: boolean | undefined;
}

/** A message to the process that works on a run, left in the database by another process. */
export interface Message {
  readonly kind: 'answer' | 'stop';
  /** The key of the gate that an answer belongs to; absent for other messages. */
  readonly step?: string;
  /** The answer. */
  readonly value?: string;
  /** Whether a person or a program sent it. */
  readonly by: 'person' | 'program';
}
