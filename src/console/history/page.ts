/** Draws the history: the runs and, beside or below them, a preview of the run under the cursor. */
import { toLine } from '../../text/line.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { padEnd, truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandsIn, keyIn, keyLabel } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import { formatRunLine, isUnfinished } from '../model/runs.ts';
import { keyLines } from '../shell/help.ts';
import { type ShellLook, shellPage } from '../shell/page.ts';
import { layOut } from '../terminal/paint.ts';
import type { Theme } from '../terminal/theme.ts';
import { markRow, windowRows } from '../ui/list.ts';
import { fieldRow } from '../ui/text-input.ts';
import { chosenRun, type History, nextGrouping, type TrackMode } from './state.ts';
import { usageTable, usageTitle } from './usage.ts';

/** From this width on the preview is beside the list; the list gets the larger part. */
const BESIDE = 160;
const PREVIEW_SHARE = 0.36;
/** The blank cells between list and preview. */
const APART = '   ';
/**
 * With the preview below the list: the least rows of the list, the rows of the preview, and its least useful
 * height.
 */
const LIST_ROWS = 3;
const PREVIEW_ROWS = 9;
const LEAST_PREVIEW = 4;
/** The widest line that is comfortable to read. */
const READING_WIDTH = 96;

/**
 * Draws the history (the list of earlier runs, the page of tokens and costs, or the track record) as
 * exactly `look.rows` rows.
 */
export function historyPage(history: History, look: ShellLook): string[] {
  const { theme, keymap, columns } = look;
  const { mode, runs } = history;
  const inner = ((): Pick<Parameters<typeof shellPage>[2], 'head' | 'body'> => {
    switch (mode.kind) {
      case 'usage':
        return { head: [usageTitle(mode, look), ''], body: (rows) => usageTable(mode, look, rows) };
      case 'track':
        return { head: [trackTitle(mode, look), ''], body: (rows) => trackRows(mode, look, rows) };
      case 'list': {
        const count = runs === undefined ? '' : `${runs.length} shown`;
        const title = `${theme.bold(' deliberate')}  history  ${theme.dim(count)}`;
        const search = searchLine(history, look);
        return { head: [title, search, ''], body: (height) => listBody(history, look, height) };
      }
    }
  })();
  return shellPage(history, look, {
    ...inner,
    help: () => keyLines(keymap, 'history', { theme, width: columns - 4, columns }).map(indent),
    status: [''],
    keys: () => keysOf(history, keymap),
  });
}

function trackTitle({ by }: TrackMode, { theme }: ShellLook): string {
  return `${theme.bold(' deliberate')}  track record  ${theme.dim(`by ${by}, of all runs`)}`;
}

function trackRows(mode: TrackMode, look: ShellLook, height: number): string[] {
  const { theme, columns } = look;
  // A line may be wrapped into several rows; mark all of them with the cursor.
  const { lines = [mode.failure === undefined ? '…' : `It cannot be read: ${mode.failure}`] } =
    mode;
  const drawn = lines.flatMap((text, line) =>
    wrapPlain(text, columns - 3).map((row) => ({ row, line })),
  );
  const at = drawn.findIndex(({ line }) => line === mode.at);
  return windowRows({ at, count: drawn.length, width: columns, height, theme }, (index) => {
    const { row = '', line } = drawn[index] ?? {};
    return markRow(padEnd(` ${row}`, columns - 1), line === mode.at, theme);
  });
}

function searchLine({ over, search }: History, { theme, keymap, columns }: ShellLook): string {
  if (over?.kind === 'search') return ` ${fieldRow(over.input, columns - 2, theme)}`;
  if (search.text === '')
    return theme.dim(` ${keyIn(keymap, 'history', 'search')} searches questions and answers`);
  return truncateLine(` Search: ${search.text}`, columns - 12) + theme.dim('  Esc clears');
}

function listBody(history: History, look: ShellLook, height: number): string[] {
  const { theme, columns } = look;
  const { runs } = history;
  if (runs === undefined) return [theme.dim(' …')];
  if (runs.length === 0) return [history.search.text === '' ? ' No runs yet.' : ' No match.'];
  if (columns >= BESIDE) {
    const left = columns - Math.floor(columns * PREVIEW_SHARE);
    const list = listRows(history, look, left, height);
    const seen = previewRows(history, theme, columns - left - APART.length, height);
    return Array.from({ length: height }, (_, row) => {
      const run = list[row] ?? '';
      return `${padRow(run, list[row] === undefined ? left : 0)}${APART}${seen[row] ?? ''}`;
    });
  }
  const upper = Math.max(LIST_ROWS, Math.min(runs.length, height - PREVIEW_ROWS));
  const lower = height - upper - 1;
  if (lower < LEAST_PREVIEW) return listRows(history, look, columns, height);
  return [
    ...listRows(history, look, columns, upper),
    theme.rule(columns, false),
    ...previewRows(history, theme, columns - 2, lower).map((row) => ` ${row}`),
  ];
}

function padRow(row: string, cells: number): string {
  return cells === 0 ? row : padEnd(row, cells);
}

/** Returns the rows of the list, each `width` cells wide. */
function listRows(
  { runs = [], at }: History,
  { theme, now }: ShellLook,
  width: number,
  height: number,
): string[] {
  return windowRows({ at, count: runs.length, width, height, theme }, (index) => {
    const run = runs[index];
    const text = run === undefined ? '' : formatRunLine(run, width - 3, now);
    return markRow(padEnd(` ${text}`, width - 1), index === at, theme);
  });
}

/** How many characters of a synthesis are laid out for the preview: more than a screen shows. */
const MOST_PREVIEWED = 6_000;

function previewRows(history: History, theme: Theme, cells: number, height: number): string[] {
  const run = chosenRun(history);
  if (run === undefined) return [];
  const width = Math.min(READING_WIDTH, cells);
  const preview = history.previews.get(run.id);
  const question = wrapPlain(toLine(run.question), width).slice(0, 3);
  const started = run.startedAt.slice(0, 16).replace('T', ' ');
  const which = theme.dim(truncateLine(`${run.id.slice(0, 13)} · ${started} UTC`, width));
  return [
    ...question.map((row) => theme.bold(row)),
    preview?.rehearsal ? `${which}  ${theme.inverse(theme.bold(' REHEARSAL '))}` : which,
    ...(preview === undefined
      ? [theme.dim('…')]
      : [
          theme.dim(truncateLine(preview.seats.map(toLine).join(', '), width)),
          '',
          ...layOut(sanitiseText(preview.text).slice(0, MOST_PREVIEWED), theme, width, height),
        ]),
  ].slice(0, height);
}

/** Commands on a single line of the list, and those of them that do not apply to an evaluation. */
const OF_ONE: ReadonlySet<string> = new Set([
  'open',
  'resume',
  'replay',
  'export',
  'fork',
  'remove',
]);
const OF_RUNS: ReadonlySet<string> = new Set(['resume', 'replay', 'export', 'fork', 'remove']);

function keysOf(history: History, keymap: Keymap): string[] {
  const { mode } = history;
  const run = chosenRun(history);
  const unfinished = run !== undefined && isUnfinished(run);
  const next = mode.kind === 'list' ? '' : nextGrouping(mode);
  return commandsIn(keymap, 'history').flatMap(([command, { keys, footer, where }]) => {
    if (footer === undefined || where?.includes(mode.kind) === false) return [];
    const missing =
      (command === 'resume' && !unfinished) ||
      (run === undefined && OF_ONE.has(command)) ||
      (run?.isEvaluation && OF_RUNS.has(command));
    if (mode.kind === 'list' && missing) return [];
    return [`${keyLabel(keys[0] ?? '')} ${command === 'by' ? `by ${next}` : footer}`];
  });
}

function indent(row: string): string {
  return `  ${row}`;
}
