/** Draws the last message to the person above the keys. */
import { hint } from '../../kernel/hints.ts';
import { line } from '../../text/line.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { keyOf } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Theme } from '../terminal/theme.ts';
import type { Notice } from './mode.ts';

/** The most rows of a message; errors with their next step are long. */
const MOST = 3;

/** Draws a message in at least one row; a blank row if there is none. */
export function noticeRows(
  notice: { readonly text: string; readonly bad: boolean } | undefined,
  theme: Theme,
  columns: number,
): string[] {
  if (notice === undefined) return [''];
  const rows = wrapPlain(line(hint(notice.text)), columns - 2).slice(0, MOST);
  return rows.map((row) => ` ${theme.tone(notice.bad ? 'red' : 'yellow', row)}`);
}

/** Milliseconds for which a message stays while the run is live; at rest it stays until the next key. */
const NOTICE_MS = 8000;

/** Returns whether a message should still be shown. */
export function isCurrent({ at, until }: Notice, runModel: LiveRun, now: number): boolean {
  if (until?.(runModel)) return false;
  return !runModel.isLive || now - at <= NOTICE_MS;
}

/** Returns a sentence that says that the run is paused, and which key continues it. */
export function formatPausedHint(keymap: Keymap): string {
  return `Paused: calls in progress finish, no new ones start. ${keyOf(keymap, 'pause')} resumes.`;
}
