/**
 * Error classes. Each error has a code for scripts, a sentence for a person and, where there is one, the
 * next step to take. The command line prints `sentence. next` and exits with `exitCode`.
 */

/** Exit codes of the command line: 1 failed, 2 wrong usage, 130 stopped by the user. */
type ExitCode = 1 | 2 | 130;

/** An error that a person can do something about. Anything else that is thrown is a defect. */
export class DeliberateError extends Error {
  readonly code: string;
  readonly next: string | undefined;
  readonly exitCode: ExitCode;

  constructor(code: string, sentence: string, next?: string, exitCode: ExitCode = 1) {
    super(sentence);
    this.name = 'DeliberateError';
    this.code = code;
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** The call itself was wrong: unknown flag, missing question, two panels at once. Exit code 2. */
export class UsageError extends DeliberateError {
  constructor(sentence: string, next?: string) {
    super('usage', sentence, next, 2);
    this.name = 'UsageError';
  }
}

/** The person pressed Ctrl-C at a question. The message only confirms it. */
export class InterruptedError extends DeliberateError {
  constructor() {
    super('stopped', 'Stopped.', undefined, 130);
    this.name = 'InterruptedError';
  }
}

/** The database cannot be opened, read or written. `code` says how. */
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

/** Another process owns the run. */
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
 * Thrown by the kernel inside a protocol to unwind it once the run was stopped: every step that
 * begins after the stop throws it. Protocols let it pass; the session turns it into `run.ended`.
 */
export class RunStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason, sentence = 'the run was stopped') {
    super(sentence);
    this.name = 'RunStopped';
    this.reason = reason;
  }
}

/** Thrown by the kernel inside `run.within` when the time limit is reached. `run.within` catches it. */
export class TimeIsUp extends Error {
  constructor(ms: number) {
    super(`timed out after ${ms} ms`);
    this.name = 'TimeIsUp';
  }
}
