/** What a person was told last, in the rows above the keys. */
import { hint } from '../../kernel/hints.ts';
import { line } from '../../text/line.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { keyOf } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Theme } from '../terminal/theme.ts';
import type { Notice } from './mode.ts';

/** The most rows that it takes; errors with their next step are long. */
const MOST = 3;

/** One row at least, blank where nothing was said. */
export function noticeRows(
  notice: { readonly text: string; readonly bad: boolean } | undefined,
  theme: Theme,
  columns: number,
): string[] {
  if (notice === undefined) return [''];
  const rows = wrapPlain(line(hint(notice.text)), columns - 2).slice(0, MOST);
  return rows.map((row) => ` ${theme.tone(notice.bad ? 'red' : 'yellow', row)}`);
}

/** How long a notice stands while the run goes on; where it rests, until the next key. */
const NOTICE_MS = 8000;

/** Whether a notice is still to be shown. */
export function isNews({ at, until }: Notice, runModel: LiveRun, now: number): boolean {
  if (until?.(runModel)) return false;
  return !runModel.isLive || now - at <= NOTICE_MS;
}

export function pausedWords(keymap: Keymap): string {
  return `Paused: calls in progress finish, no new ones start. ${keyOf(keymap, 'pause')} resumes.`;
}
