/**
 * The interface through which a run is shown: in the console, as plain text, or as JSON lines. `openDisplay`
 * chooses one of the three. Whoever shows a run (this process's attempt, another process's, a recorded run)
 * only distinguishes whether a person can act.
 */
import type { OwnKeys } from '../../console/keys/key-lookup.ts';
import type { Actions, Subject } from '../../console/run/ports.ts';
import type { Output } from '../../io/output.ts';
import type { Invocation } from '../invocation.ts';
import type { TypedCall } from '../typed-call.ts';
import type { Desktop } from './outside.ts';

/** Shows a run, in the console or as lines of text. */
export interface Display {
  /** Whether the display is a console, in which a person can act. */
  readonly interactive: boolean;
  /** Whether the display asks the person who sits at it the questions of the run. */
  readonly asks: boolean;
  /** The terminal on which a person who has looked away is notified. */
  readonly terminal: Output;
  /**
   * Shows the recorded part of a run, then starts `work` and shows what happens live. In a console,
   * resolves when the person leaves; otherwise when the work is done. Rejects with an error of the
   * display or of the work.
   */
  show(run: ShownRun, work: Work): Promise<void>;
}

/**
 * The work behind a shown run.
 * @param ready resolves when the display handles keys, or if it never will
 */
type Work = (ready: Promise<void>) => Promise<void>;

/** A run to show, whoever works on it. */
interface ShownRun extends Omit<Subject, 'actions'> {
  readonly id: string;
  /** What a person can do to the run. Absent if it is only watched or played back. */
  readonly actions?: (window: Window) => Actions;
  /** Answers a question of the run. Absent if the run is only watched or played back. */
  readonly answer?: (step: string, answer: string) => void;
  /** Whether the run was opened from another screen, to which Esc returns. */
  readonly returns?: boolean;
  /** Returns the time in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
  /** Aborted when the display must close, for example on a signal. */
  readonly leave: AbortSignal;
}

/** The open console of a run. */
interface Window {
  readonly outside: Desktop;
  /** Closes the console with a defect of work that a person started in it. */
  fail(error: unknown): void;
}

/**
 * Returns whether to show the console instead of lines: there is a person at a suitable terminal,
 * and no flag asks for plain text or JSON.
 */
export function hasConsole({ flags, env, out, stdin }: TypedCall): boolean {
  // Node leaves `isTTY` undefined for a pipe, whatever its types say.
  return !flags.json && !flags.plain && out.isTTY && stdin.isTTY === true && env.TERM !== 'dumb';
}

/** Returns whether what a run asks can be asked in lines: there is a terminal and no console, and no `--json`. */
function canAskInLines(call: Invocation): boolean {
  const { flags, stdin, err } = call;
  return !hasConsole(call) && !flags.json && stdin.isTTY === true && err.isTTY;
}

/** Returns whether a person can be asked during a run, in the console or in lines. */
export function hasPerson(call: Invocation): boolean {
  return hasConsole(call) || canAskInLines(call);
}

/**
 * Opens the display for a run of a protocol. Loads all its code first, so that no live event is
 * missed.
 *
 * @param protocol the protocol's name
 * @param keys the person's key bindings
 * @throws UsageError if the person's key bindings are not valid
 */
export async function openDisplay(
  call: Invocation,
  protocol: string,
  keys: OwnKeys = {},
): Promise<Display> {
  if (!hasConsole(call)) {
    const { openLineDisplay } = await import('./in-lines.ts');
    return openLineDisplay(call, protocol, canAskInLines(call));
  }
  const display = await (await import('./in-console.ts')).openConsoleDisplay(call, protocol, keys);
  await drainMessages(call);
  return display;
}

/**
 * Resolves when all messages so far are written to the terminal. Called before a screen is drawn,
 * so that messages do not appear on it.
 */
export async function drainMessages({ err }: Invocation): Promise<void> {
  if (err.isTTY) await err.drain();
}
