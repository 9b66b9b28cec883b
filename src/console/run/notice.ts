/**
 * The messages of a run's screen and how long they are shown, what is said of a paused run, and the commands
 * that work while a question of the run (a gate) is open.
 */
import { keyOf } from '../keys/key-lookup.ts';
import type { Command, Keymap } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Message } from '../shell/overlay.ts';

/**
 * A message above the last row of a run's screen. It disappears at the next key, 8 seconds after `at`
 * if the run is going on, and as soon as the run has changed so that the message is outdated.
 */
export interface Notice extends Message {
  /** The time of the message, in milliseconds since 1970. */
  readonly at: number;
  /** Returns whether the run has changed so that the message is outdated. */
  readonly until?: (runModel: LiveRun) => boolean;
}

/** Milliseconds for which a message stays while the run is live; at rest it stays until the next key. */
const NOTICE_MS = 8000;

/**
 * Returns whether a message should still be shown: its `until` does not return true, and the message
 * is at most 8 seconds old or the run is not going on.
 */
export function isCurrent({ at, until }: Notice, runModel: LiveRun, now: number): boolean {
  if (until?.(runModel)) return false;
  return !runModel.isLive || now - at <= NOTICE_MS;
}

/** Returns a sentence that says that the run is paused, and which key continues it. */
export function formatPausedHint(keymap: Keymap): string {
  return `Paused: calls in progress finish, no new ones start. ${keyOf(keymap, 'pause')} resumes.`;
}

/**
 * Commands that still work while the run asks the person a question, and that do not put the question
 * aside.
 */
export const BESIDE_GATE: ReadonlySet<Command> = new Set(['quit', 'stop']);
/**
 * Commands that work while the run asks the person a question, and that put the question aside to show
 * something else. The run keeps waiting for the answer.
 */
export const PUTS_GATE_ASIDE: ReadonlySet<Command> = new Set(['tab', 'help', 'palette', 'search']);
