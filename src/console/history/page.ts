/** Draws the history: the runs and, beside or below them, a preview of the run under the cursor. */
import { line } from '../../text/line.ts';
import { sanitise } from '../../text/sanitise.ts';
import { GROUPINGS, TRACK_GROUPINGS } from '../../text/usage-table.ts';
import { padEnd, textWidth, truncate } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandsIn, keyIn, keyLabel } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import { formatRunLine, isUnfinished } from '../model/runs.ts';
import { noticeRows } from '../run/notice.ts';
import { screenFooter } from '../run/sections/foot.ts';
import { layOut } from '../terminal/paint.ts';
import type { Theme } from '../terminal/theme.ts';
import { formatHints } from '../ui/component.ts';
import { markRow, windowRows } from '../ui/list.ts';
import { fieldRow } from '../ui/text-input.ts';
import { chosenRun, type History, nextEntry, type TrackMode, type UsageMode } from './state.ts';
import { usageRows } from './usage.ts';

/** Everything that the history's screen is drawn from, except its state. */
export interface HistoryLook {
  readonly theme: Theme;
  readonly keymap: Keymap;
  /** The width of the screen in cells. */
  readonly columns: number;
  /** The height of the screen in rows. */
  readonly rows: number;
  /** The time in milliseconds. */
  readonly now: number;
}

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

/** Draws the history as exactly `look.rows` rows. */
export function historyPage(history: History, look: HistoryLook): string[] {
  const { rows, theme } = look;
  const { mode } = history;
  if (mode.kind === 'usage') return usagePage(history, mode, look);
  if (mode.kind === 'track') return trackPage(history, mode, look);
  const count = history.runs === undefined ? '' : `${history.runs.length} shown`;
  const page = [
    `${theme.bold(' deliberate')}  history  ${theme.dim(count)}`,
    searchRow(history, look),
    '',
    ...body(history, look, rows - 5),
  ];
  const status = statusRows(history, look);
  const height = rows - 1 - status.length;
  while (page.length < height) page.push('');
  return [...page.slice(0, height), ...status, footerRow(history, look)];
}

function usagePage(history: History, mode: UsageMode, look: HistoryLook): string[] {
  const status = statusRows(history, look);
  const page = usageRows(mode, look, look.rows - 1 - status.length);
  return [...page, ...status, footerRow(history, look)];
}

function trackPage(history: History, mode: TrackMode, look: HistoryLook): string[] {
  const { theme, columns } = look;
  const status = statusRows(history, look);
  const height = look.rows - 1 - status.length;
  const head = `${theme.bold(' deliberate')}  track record  ${theme.dim(`by ${mode.by}, of all runs`)}`;
  // A line may be wrapped into several rows; mark all of them with the cursor.
  const { lines = [mode.failure === undefined ? '…' : `It cannot be read: ${mode.failure}`] } =
    mode;
  const drawn = lines.flatMap((text, line) =>
    wrapPlain(text, columns - 3).map((row) => ({ row, line })),
  );
  const at = drawn.findIndex(({ line }) => line === mode.at);
  const window = { at, count: drawn.length, width: columns, height: height - 2, theme };
  const page = [
    head,
    '',
    ...windowRows(window, (index) => {
      const { row = '', line } = drawn[index] ?? {};
      return markRow(padEnd(` ${row}`, columns - 1), line === mode.at, theme);
    }),
  ];
  while (page.length < height) page.push('');
  return [...page.slice(0, height), ...status, footerRow(history, look)];
}

function searchRow({ mode, search }: History, { theme, keymap, columns }: HistoryLook): string {
  if (mode.kind === 'search') return ` ${fieldRow(search, columns - 2, theme)}`;
  if (search.text === '')
    return theme.dim(` ${keyIn(keymap, 'history', 'search')} searches questions and answers`);
  return truncate(` Search: ${search.text}`, columns - 12) + theme.dim('  Esc clears');
}

function body(history: History, look: HistoryLook, height: number): string[] {
  const { theme, columns } = look;
  const { mode, runs } = history;
  if (mode.kind === 'help') return help(look).slice(0, height);
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
  { theme, now }: HistoryLook,
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
  const question = wrapPlain(line(run.question), width).slice(0, 3);
  const started = run.startedAt.slice(0, 16).replace('T', ' ');
  const which = theme.dim(truncate(`${run.id.slice(0, 13)} · ${started} UTC`, width));
  return [
    ...question.map((row) => theme.bold(row)),
    preview?.rehearsal ? `${which}  ${theme.inverse(theme.bold(' REHEARSAL '))}` : which,
    ...(preview === undefined
      ? [theme.dim('…')]
      : [
          theme.dim(truncate(preview.seats.map(line).join(', '), width)),
          '',
          ...layOut(sanitise(preview.text).slice(0, MOST_PREVIEWED), theme, width, height),
        ]),
  ].slice(0, height);
}

function help({ theme, keymap, columns }: HistoryLook): string[] {
  return commandsIn(keymap, 'history').flatMap(([, { keys, description }]) =>
    wrapPlain(description, Math.max(10, columns - 26)).map(
      (row, index) =>
        `  ${theme.bold(padEnd(index === 0 ? keys.map(keyLabel).join(' ') : '', 22))}${row}`,
    ),
  );
}

function statusRows(history: History, { theme, columns }: HistoryLook): string[] {
  const { mode, notice } = history;
  if (mode.kind === 'remove') {
    const question = line(chosenRun(history)?.question ?? '');
    const rest = '" permanently? y removes it';
    const row = truncate(` Remove "${question}`, columns - 1 - textWidth(rest));
    return [theme.tone('red', row + rest)];
  }
  return noticeRows(notice, theme, columns);
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

function footerRow(history: History, { theme, keymap, columns }: HistoryLook): string {
  const run = chosenRun(history);
  const unfinished = run !== undefined && isUnfinished(run);
  const items = ((): string[] => {
    switch (history.mode.kind) {
      case 'list':
        return commandsIn(keymap, 'history').flatMap(([command, { keys, footer, where }]) =>
          footer === undefined ||
          where?.includes('list') === false ||
          (command === 'resume' && !unfinished) ||
          (run === undefined && OF_ONE.has(command)) ||
          (run?.isEvaluation && OF_RUNS.has(command))
            ? []
            : [`${keyLabel(keys[0] ?? '')} ${footer}`],
        );
      case 'usage':
      case 'track': {
        const { mode } = history;
        const { kind } = mode;
        const next =
          mode.kind === 'usage'
            ? nextEntry(GROUPINGS, mode.by)
            : nextEntry(TRACK_GROUPINGS, mode.by);
        return commandsIn(keymap, 'history').flatMap(([command, { keys, footer, where }]) => {
          if (footer === undefined || where?.includes(kind) === false) return [];
          const word = command === 'by' ? `by ${next}` : footer;
          return [`${keyLabel(keys[0] ?? '')} ${word}`];
        });
      }
      case 'search':
        return formatHints(keymap, { accept: 'to the list', cancel: 'end the search' });
      case 'remove':
        return ['y remove', 'n keep'];
      case 'dialog':
        return formatHints(keymap, history.mode.dialog.hints);
      case 'help':
        return formatHints(keymap, { cancel: 'back' });
    }
  })();
  return screenFooter(theme, items, columns);
}
