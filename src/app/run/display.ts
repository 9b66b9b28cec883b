/**
 * How a run is shown: in the console, as plain text, or as JSON lines. The three are one interface, and
 * which one a call of the program gets is decided here; whoever shows a run (an attempt of this process,
 * one of another process, a recorded one) knows no other difference than whether a person sits there.
 */
import type { OwnKeys } from '../../console/keys/key-lookup.ts';
import type { Actions, Subject } from '../../console/run/ports.ts';
import type { Output } from '../../io/output.ts';
import type { Invocation } from '../invocation.ts';
import type { Desktop } from './outside.ts';

export interface Display {
  /** A person sits at it: they can be asked, and act. */
  readonly interactive: boolean;
  /** Where a person is called who has looked away. */
  readonly terminal: Output;
  /**
   * Shows what is known of a run and, from then on, what comes of `work`, which is begun when its news
   * are heard. Resolves when nothing more is shown: when the person leaves or, where there is none, when
   * the work is done. Rejects with what was wrong with either.
   */
  show(run: ShownRun, work: Work): Promise<void>;
}

/** `ready` resolves when keys are heard, or never will be. */
type Work = (ready: Promise<void>) => Promise<void>;

/** A run that is shown, whoever works on it. */
interface ShownRun extends Omit<Subject, 'actions'> {
  readonly id: string;
  /** What a person can do to it. Absent where it is only watched or played back. */
  readonly actions?: (window: Window) => Actions;
  /** It is opened from another screen, to which Esc leads back. */
  readonly returns?: boolean;
  /** Milliseconds since 1970; absent: the clock's. */
  readonly now?: () => number;
  /** Aborted where the person is to leave, as by a signal. */
  readonly leave: AbortSignal;
}

/** The console that a run is shown in, for what a person does there. */
interface Window {
  readonly outside: Desktop;
  /** Ends it with a defect of work that a person began in it. */
  fail(error: unknown): void;
}

/** The console needs a person at a terminal that can be drawn on. */
export function hasConsole({ flags, env, out, stdin }: Invocation): boolean {
  return !flags.json && !flags.plain && out.isTTY && stdin.isTTY && env.TERM !== 'dumb';
}

/**
 * The display of a call, for runs of a protocol. What it needs is loaded here, so that nothing that
 * comes of a run is missed meanwhile.
 *
 * @throws UsageError where a person's own keys are wrong.
 */
export async function openDisplay(
  call: Invocation,
  protocol: string,
  keys: OwnKeys = {},
): Promise<Display> {
  if (!hasConsole(call)) return (await import('./in-lines.ts')).inLines(call, protocol);
  const display = await (await import('./in-console.ts')).inConsole(call, protocol, keys);
  await toldBefore(call);
  return display;
}

/**
 * Resolves when the terminal has what was said on it. A screen that opens earlier finds the rest of it
 * written across its first frame.
 */
export async function toldBefore({ err }: Invocation): Promise<void> {
  if (err.isTTY) await err.drain();
}
