/** Draws the parts that all screens have: what is open over them, the last message, and the keys. */
import { formatHint } from '../../kernel/hints.ts';
import { toLine } from '../../text/line.ts';
import { textWidth, truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';
import { fieldRow } from '../ui/text-input.ts';
import {
  hintsOver,
  type Message,
  type Question,
  type SearchField,
  type ShellState,
} from './overlay.ts';

/** What every screen is drawn from, besides its state. */
export interface ShellLook {
  readonly theme: Theme;
  readonly keymap: Keymap;
  /** The width of the screen in cells. */
  readonly columns: number;
  /** The height of the screen in rows. */
  readonly rows: number;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

/** What a screen draws of its own. */
interface ShellPage {
  /** The rows at the top. */
  readonly head: readonly string[];
  /** Draws what is below them; a missing rest is blank. */
  readonly body: (height: number) => readonly string[];
  /** The lines of the help, which replaces the body. */
  readonly help: () => readonly string[];
  /** The blanks before each row of the body and the help. */
  readonly margin?: string;
  /** The rows above the keys, if there is no message or question. */
  readonly status: readonly string[];
  /** The keys that do something now, with their words, the most important ones last. */
  readonly keys: () => readonly string[];
  /** How many of the last keys are always shown; default: fewer on a narrow screen. */
  readonly always?: number;
}

/** Draws a screen as exactly `look.rows` rows. */
export function shellPage<State>(
  { over, notice }: ShellState<State>,
  look: ShellLook,
  { head, body, help, margin = '', status, keys, always }: ShellPage,
): string[] {
  const { rows, columns, theme, keymap } = look;
  const said = statusRows(over, notice, look) ?? status;
  const height = Math.max(0, rows - head.length - said.length - 1);
  const drawn =
    over?.kind === 'help' ? over.page.rows(help(), height, keymap, theme) : body(height);
  const page = [...head, ...drawn.map((row) => margin + row)].slice(0, head.length + height);
  while (page.length < head.length + height) page.push('');
  const most = always ?? (columns < NARROW ? LAST - 1 : LAST);
  const shown =
    over === undefined
      ? fitItems(keys(), columns - 1, most)
      : fitItems(hintsOver(over, keymap), columns - 1, LAST_OVER);
  return [...page, ...said, keyRow(theme, shown)].slice(-rows);
}

function statusRows<State>(
  over: ShellState<State>['over'],
  notice: Message | undefined,
  { theme, columns }: ShellLook,
): string[] | undefined {
  if (over?.kind === 'question') return [questionRow(over, theme, columns)];
  return notice === undefined ? undefined : noticeRows(notice, theme, columns);
}

function questionRow<State>(
  { text: [beginning, end], tone }: Question<State>,
  theme: Theme,
  columns: number,
): string {
  return theme.tone(tone, truncateLine(` ${beginning}`, columns - 1 - textWidth(end)) + end);
}

/** Draws the words of a search while they are typed. */
export function searchRow<State>(
  { input }: SearchField<State>,
  { theme, columns }: Pick<ShellLook, 'theme' | 'columns'>,
): string {
  return ` ${fieldRow(input, columns - 2, theme, { mark: '/' })}`;
}

/** The most rows of a message; errors with their next step are long. */
const MOST = 3;

/** Draws a message in at least one row. Draws a blank row if there is no message. */
export function noticeRows(notice: Message | undefined, theme: Theme, columns: number): string[] {
  if (notice === undefined) return [''];
  const rows = wrapPlain(toLine(formatHint(notice.text)), columns - 2).slice(0, MOST);
  return rows.map((row) => ` ${theme.tone(notice.bad ? 'red' : 'yellow', row)}`);
}

/**
 * How many of the last items are always shown: commands, help and quit, through which everything else can be
 * found.
 */
const LAST = 3;
/**
 * How many items at the end of the last row are never left out while a dialog or the like is open over
 * the screen: 1, the key that closes it.
 */
export const LAST_OVER = 1;
/** Below this width, a screen without a list of commands always shows only help and quit. */
const NARROW = 60;

/**
 * Returns the items that fit into `cells`, two blanks apart, in their order.
 *
 * @param always how many of the last items are included whether or not they fit
 */
export function fitItems(items: readonly string[], cells: number, always = LAST): string[] {
  const measureItem = (item: string): number => textWidth(item) + 2;
  const last = items.slice(-always);
  let room = cells + 2 - last.reduce((sum, item) => sum + measureItem(item), 0);
  const first = items.slice(0, -always).filter((item) => {
    if (measureItem(item) > room) return false;
    room -= measureItem(item);
    return true;
  });
  return [...first, ...last];
}

/** Draws items such as `Enter go on`, with the key in bold. */
export function keyRow(theme: Theme, items: readonly string[]): string {
  const painted = items.map((item) => {
    const [key = '', ...words] = item.split(' ');
    return `${theme.bold(key)} ${words.join(' ')}`;
  });
  return ` ${painted.join('  ')}`;
}
