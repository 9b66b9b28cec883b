/**
 * The interface through which a run is shown: in the console, as plain text, or as JSON lines. `openDisplay`
 * chooses one of the three. Whoever shows a run (this process's attempt, another process's, a recorded run)
 * only distinguishes whether a person can act.
 */
import type { OwnKeys } from '../../console/keys/key-lookup.ts';
import type { Actions, Subject } from '../../console/run/ports.ts';
import type { Output } from '../../io/output.ts';
import type { Invocation } from '../invocation.ts';
import type { Desktop } from './outside.ts';

/** Shows one run in the console or as lines. */
export interface Display {
  /** Whether a person sits at the display: they can be asked, and can act. */
  readonly interactive: boolean;
  /** Whether the display asks a person what the run asks. */
  readonly asks: boolean;
  /** The terminal on which a person who has looked away is notified. */
  readonly terminal: Output;
  /**
   * Shows what is known of a run, starts `work` once its news can be received, and then shows that. Resolves
   * when nothing more is shown: when the person leaves or, without a person, when the work is done. Rejects
   * with an error of the display or of the work.
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
 * Returns whether to use the console: a person sits at a terminal that can be drawn on, and wants neither plain
 * text nor JSON.
 */
export function hasConsole({ flags, env, out, stdin }: Invocation): boolean {
  return !flags.json && !flags.plain && out.isTTY && stdin.isTTY && env.TERM !== 'dumb';
}

/** Returns whether what a run asks can be asked in lines: there is a terminal and no console, and no `--json`. */
function canAskInLines(call: Invocation): boolean {
  const { flags, stdin, err } = call;
  return !hasConsole(call) && !flags.json && stdin.isTTY && err.isTTY;
}

/** Returns whether a person can be asked during a run, in the console or in lines. */
export function hasPerson(call: Invocation): boolean {
  return hasConsole(call) || canAskInLines(call);
}

/**
 * Opens the display of a call for runs of a protocol. Loads everything it needs first, so that nothing of the
 * run is missed.
 * @throws UsageError if the person's key bindings are wrong
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
 * Resolves when earlier messages have been written to the terminal, so that they do not appear across the first
 * frame of a screen.
 */
export async function drainMessages({ err }: Invocation): Promise<void> {
  if (err.isTTY) await err.drain();
}
