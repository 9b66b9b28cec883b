/**
 * Error classes. Each error has a code for scripts, a sentence for a person and, where there is one, the
 * next step to take. The command line prints `sentence. next` and exits with `exitCode`.
 */

import { shortId } from './short-id.ts';

/** Exit codes of the command line: 1 failed, 2 wrong usage, 130 stopped by the user. */
type ExitCode = 1 | 2 | 130;

/** An error that a person can act on. Any other exception that ends a command is a defect of the program. */
export class DeliberateError extends Error {
  /** A short identifier for scripts, such as `usage`. */
  readonly code: string;
  /** A sentence on what the person can do next; undefined if there is nothing to suggest. */
  readonly next: string | undefined;
  /** The exit code of the command line: 1 failed, 2 wrong usage, 130 stopped by the person. */
  readonly exitCode: ExitCode;

  constructor(code: string, sentence: string, next?: string, exitCode: ExitCode = 1) {
    super(sentence);
    this.name = 'DeliberateError';
    this.code = code;
    this.next = next;
    this.exitCode = exitCode;
  }
}

/**
 * Thrown if the command line or another input of a person is wrong, for example if it has an unknown
 * flag or no question. The exit code is 2.
 */
export class UsageError extends DeliberateError {
  /** `sentence` says what was wrong, and `next` what the person can do; absent: nothing to suggest. */
  constructor(sentence: string, next?: string) {
    super('usage', sentence, next, 2);
    this.name = 'UsageError';
  }
}

/**
 * Thrown when the person presses Ctrl-C at a question. The message only confirms the interruption.
 */
export class InterruptedError extends DeliberateError {
  constructor() {
    super('stopped', 'Stopped.', undefined, 130);
    this.name = 'InterruptedError';
  }
}

/** Thrown if the database cannot be opened, read or written. `code` names the cause. */
export class StoreError extends DeliberateError {
  constructor(
    code:
      | 'not-a-database'
      | 'newer-version'
      | 'read-only'
      | 'disk-full'
      | 'busy'
      | 'corrupt'
      | 'io'
      | 'not-a-file'
      | 'taken-over'
      | 'no-such-run'
      | 'ambiguous-run',
    sentence: string,
    next?: string,
  ) {
    super(code, sentence, next);
    this.name = 'StoreError';
  }
}

/**
 * Thrown if a newer version of this program recorded the run in a form that this version does not
 * know. Nothing of the run is changed, and the list of runs still shows it.
 */
export class NewerRunError extends DeliberateError {
  /** The path of the unknown part within its fact, such as `['config', 'prompts']`. */
  readonly place: readonly string[];

  /**
   * @param run the run's id
   * @param what the unknown part and what this version knows: `plan edition 8; this version reads up to 7`
   * @param place the path of the unknown part within its fact
   */
  constructor(run: string, what: string, place: readonly string[]) {
    super(
      'newer-run',
      `run ${shortId(run)} was recorded by a newer version of deliberate (${what})`,
      'Update deliberate to open it.',
    );
    this.name = 'NewerRunError';
    this.place = place;
  }
}

/** Thrown if another process owns the run. */
export class RunOwnedError extends DeliberateError {
  /**
   * True if the owning process is known to be alive. False if this machine cannot tell; a person may then
   * take the run over.
   */
  readonly certain: boolean;

  constructor(run: string, owner: string, certain: boolean) {
    super(
      'run-owned',
      certain
        ? `run ${run} is in use by ${owner}`
        : `run ${run} is held by ${owner}, which may or may not still be running`,
      certain
        ? `Watch it with: deliberate watch ${run}`
        : `If it is gone, take the run over: deliberate resume ${run} --take-over`,
    );
    this.name = 'RunOwnedError';
    this.certain = certain;
  }
}

/**
 * Why a run stopped: the person stopped it, the budget was reached, a gate had nobody to answer it, or this
 * process hands the rest of the attempt to another one.
 */
type StopReason = 'user' | 'budget' | 'gate' | 'handed-back';

/**
 * Thrown inside a protocol by every step that would begin after the run was stopped. A protocol
 * must not catch this error; the session records it as `run.ended`, unless the run is handed back.
 */
export class RunStopped extends Error {
  /**
   * Why the run was stopped: by a person (`user`), at its `budget`, at a `gate` without an answer that lets the
   * run go on, or because another process takes the attempt over (`handed-back`).
   */
  readonly reason: StopReason;

  constructor(reason: StopReason, sentence = 'the run was stopped') {
    super(sentence);
    this.name = 'RunStopped';
    this.reason = reason;
  }
}

/**
 * Thrown by steps inside `run.within` after its time limit of `ms` milliseconds. `run.within`
 * itself catches the error.
 */
export class TimeIsUp extends Error {
  constructor(ms: number) {
    super(`timed out after ${ms} ms`);
    this.name = 'TimeIsUp';
  }
}

/** Why a call failed, in terms that do not depend on the provider. */
export type FailureCode =
  | 'unreachable' // no connection: refused, name not found, or reset before an answer
  | 'auth' // 401, 403: no key or a wrong one
  | 'payment' // 402, or a billing error
  | 'not-found' // the model or the endpoint does not exist
  | 'rate-limited' // 429: still so after all retries, or for longer than the program waits
  | 'overloaded' // 503 or 529
  | 'loading' // the server is loading the model, and for longer than the program waits
  | 'redirected' // the server redirects to another server, which the program does not follow
  | 'server' // any other 5xx
  | 'rejected' // any other 4xx: the server refused the request itself
  | 'too-long' // the prompt does not fit the model's context window
  | 'interrupted' // the stream broke off, or ended without the mark of its end
  | 'malformed' // the stream does not follow the protocol
  | 'timeout' // no data arrived for the idle time, or the call reached its time limit
  | 'truncated' // the answer was cut at a token limit, or because it repeated itself
  | 'unfinished' // the server ended the answer early, for another reason than its length
  | 'refused' // the model declined to answer
  | 'empty' // the answer has no text
  | 'invalid-output' // the answer does not fit the schema, even after the model was asked again
  | 'internal'; // a defect of this program

/** Failure codes as two or three words, for headings and tables. */
const FAILURE_LABELS: Readonly<Record<FailureCode, string>> = {
  unreachable: 'not reachable',
  auth: 'not authorized',
  payment: 'payment required',
  'not-found': 'not found',
  'rate-limited': 'rate limited',
  overloaded: 'overloaded',
  loading: 'still loading',
  redirected: 'redirected elsewhere',
  server: 'server error',
  rejected: 'request rejected',
  'too-long': 'prompt too long',
  interrupted: 'connection lost',
  malformed: 'malformed stream',
  timeout: 'timed out',
  truncated: 'cut before its end',
  unfinished: 'unfinished answer',
  refused: 'declined to answer',
  empty: 'empty answer',
  'invalid-output': 'unusable output',
  internal: 'internal error',
};

/**
 * Returns the label of a recorded failure code, such as "rate limited" for `rate-limited`. Returns undefined for
 * an unknown code, such as one of another version of the program.
 */
export function failureLabel(code: string | undefined): string | undefined {
  const known = code !== undefined && Object.hasOwn(FAILURE_LABELS, code);
  return known ? FAILURE_LABELS[code as FailureCode] : undefined;
}
