/**
 * A list from which one item is chosen, in gates, dialogs and pickers; and a window around a cursor in any
 * longer list. Pure.
 */
import { toLine } from '../../text/line.ts';
import { padEnd, textWidth, truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandIn } from '../keys/key-lookup.ts';
import { KEYMAP } from '../keys/keymap.ts';
import type { Theme, Tone } from '../terminal/theme.ts';
import { fieldOf, pasteText, type TextInput, typeKey } from './text-input.ts';

/** An item of a list. */
export interface Item<V extends string = string> {
  readonly value: V;
  readonly label: string;
  /** A phrase after the label. */
  readonly note?: string;
  /** Text at the end of the item's row. */
  readonly end?: string;
  /** The heading above neighboring items with the same `group`; absent: no heading. */
  readonly group?: string;
  readonly tone?: Tone;
}

/** The state of a list from which one item is chosen. */
export interface List<V extends string = string> {
  readonly items: readonly Item<V>[];
  /** The typed text that narrows the list; undefined if letter keys move the cursor instead. */
  readonly filter: TextInput | undefined;
  /** The index of the cursor among the visible items; -1 if the cursor is on none. */
  readonly at: number;
  /** Whether the cursor moves from the last item to the first and back. */
  readonly round: boolean;
  /** Where the cursor goes when the filter changes: to the first item (0) or to none (-1). */
  readonly rest: 0 | -1;
}

interface Beginning {
  /** The value under the cursor at first. */
  readonly value?: string | undefined;
  readonly filter?: TextInput | undefined;
  readonly rest?: 0 | -1;
  readonly round?: boolean;
}

/** A row of a list: the index of a shown item, or the heading of a group and its number of items. */
type ListLine = { readonly item: number } | { readonly heading: string; readonly count: number };

/**
 * Creates a list in which letter keys move the cursor. Control characters in labels, notes and groups
 * are removed.
 * @param beginning the initial state: `value` is the item under the cursor; `rest` and `round` as
 * in `List`
 */
export function listOf<V extends string>(
  items: readonly Item<V>[],
  { value, filter, rest = 0, round = true }: Beginning = {},
): List<V> {
  const clean = items.map((item) => ({
    ...item,
    label: toLine(item.label),
    ...(item.note === undefined ? {} : { note: toLine(item.note) }),
    ...(item.group === undefined ? {} : { group: toLine(item.group) }),
  }));
  const list = { items: clean, filter, rest, round, at: rest };
  const at = filterItems(list).findIndex((item) => item.value === value);
  return { ...list, at: Math.max(rest, at) };
}

/**
 * Creates a list that typing narrows to matching items.
 * @param beginning the initial state: `value` is the item under the cursor
 */
export function pickerOf<V extends string>(
  items: readonly Item<V>[],
  beginning: Beginning = {},
): List<V> {
  return listOf(items, { filter: fieldOf(''), ...beginning });
}

/**
 * Returns the items that contain every typed word; all items if nothing is typed. Items come first if
 * each typed word is the beginning of a word in their labels. Groups stay together.
 */
export function filterItems<V extends string>({
  items,
  filter,
}: Pick<List<V>, 'items' | 'filter'>): readonly Item<V>[] {
  const words = (filter?.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  const isMatchAtStart = ({ label }: Item): boolean => {
    const parts = label.toLowerCase().split(/[\s/:]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  };
  const found = items.filter(({ value, label, note = '' }) => {
    const text = `${value} ${label} ${note}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const ordered = [
    ...found.filter(isMatchAtStart),
    ...found.filter((item) => !isMatchAtStart(item)),
  ];
  return [...Map.groupBy(ordered, ({ group }) => group).values()].flat();
}

/** Returns the item under the cursor; undefined if there is none. */
export function chosenItem<V extends string>(list: List<V>): Item<V> | undefined {
  return filterItems(list)[list.at];
}

const PAGE = 10;
/** Movement by letters, in lists that are not narrowed: the same as in a text. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['j', 1],
  ['k', -1],
]);

/**
 * Returns the state of a list after a key, which moves the cursor or, if the list has a filter, changes the
 * typed text. Page keys stop at the ends of the list.
 */
export function moveCursor<V extends string>(list: List<V>, key: string): List<V> {
  const count = filterItems(list).length;
  const moveTo = (at: number): List<V> => ({ ...list, at: Math.max(list.rest, at) });
  const moveBy = (by: number): List<V> => moveTo(Math.max(0, Math.min(list.at + by, count - 1)));
  const stepBy = (by: number): List<V> =>
    list.round && list.at >= 0 ? moveTo((list.at + by + count) % Math.max(1, count)) : moveBy(by);
  switch (commandIn(KEYMAP, 'dialogs', key, 'list')) {
    case 'next':
      return stepBy(1);
    case 'previous':
      return stepBy(-1);
    case 'page-down':
      return moveBy(PAGE);
    case 'page-up':
      return moveBy(-PAGE);
    case 'first':
      return moveBy(-count);
    case 'last':
      return moveBy(count);
    default: {
      if (list.filter !== undefined) return narrowList(list, typeKey(list.filter, key));
      const by = LETTERS.get(key);
      return by === undefined ? list : stepBy(by);
    }
  }
}

/** Pastes a text into the list's filter, if the list has one. Returns the new state. */
export function pasteIntoList<V extends string>(list: List<V>, text: string): List<V> {
  return list.filter === undefined ? list : narrowList(list, pasteText(list.filter, text));
}

function narrowList<V extends string>(list: List<V>, filter: TextInput): List<V> {
  return { ...list, filter, at: filter.text === list.filter?.text ? list.at : list.rest };
}

/** The visible part of a list of `count` items in `height` rows. */
interface ListWindow {
  readonly first: number;
  readonly rows: number;
  /** How many items are below it; shown in a row of their own, if there is room for one. */
  readonly below: number;
}

/** Returns the window around the cursor. */
function windowAround(at: number, count: number, height: number): ListWindow {
  const first = Math.max(0, Math.min(at - (height >> 1), count - height));
  if (height < 3 || first + height >= count) return { first, rows: height, below: 0 };
  return { first, rows: height - 1, below: count - first - height + 1 };
}

/**
 * Draws the part of a list that is visible in `height` rows around the cursor. If the list goes on and
 * there are at least 3 rows, the last row is a hint.
 *
 * @param look `at`: the row of the cursor; `count`: how many rows the list has
 * @param row draws the row with this number, from 0
 */
export function windowRows(
  { at, count, width, height, theme }: ListLook & { readonly at: number; readonly count: number },
  row: (index: number) => string,
): string[] {
  const { first, rows, below } = windowAround(at, count, height);
  const shown = Math.max(0, Math.min(rows, count - first));
  return [
    ...Array.from({ length: shown }, (_, index) => row(first + index)),
    ...drawMoreRow(below, width, theme),
  ];
}

/** Draws the hint that a list goes on: `  12 more`. No row if `below` is 0. */
export function drawMoreRow(below: number, width: number, theme: Theme): string[] {
  return below === 0 ? [] : [theme.dim(padEnd(truncateLine(`  ${below} more`, width), width))];
}

interface ListLook {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Returns the width of the column of labels in a list with a second column for notes. */
export function labelCells(list: List, width: number): number {
  const most = Math.max(0, ...filterItems(list).map(({ label }) => textWidth(label)));
  return Math.min(most, Math.max(12, Math.floor(width * 0.5)));
}

/** The most rows for the full text of an item. */
const MOST_WHOLE = 4;

/**
 * Draws the text of the item under the cursor, wrapped and cut off after three times `width` cells, for
 * lists in which a row is cut off. The number of rows is the same for every item; 0 if no row is cut off.
 */
export function drawItemInFull(list: List, width: number): string[] {
  const items = filterItems(list);
  const cells = labelCells(list, width);
  const isLong = items.map(({ label, note = '', end = '' }) => {
    const room = width - 2 - (end === '' ? 0 : textWidth(end) + 1);
    const taken = note === '' ? textWidth(label) : cells + 2 + textWidth(note);
    return taken > room || (note !== '' && textWidth(label) > cells);
  });
  if (!isLong.includes(true)) return [];
  const told = items.map(({ label, note = '' }) => {
    const text = note === '' ? label : `${label}: ${note}`;
    return wrapPlain(truncateLine(text, width * (MOST_WHOLE - 1)), width).slice(0, MOST_WHOLE);
  });
  const most = Math.max(0, ...told.map((rows) => rows.length));
  const own = told[list.at] ?? [];
  return Array.from({ length: most }, (_, index) => own[index] ?? '');
}

/**
 * Returns a row's text after its mark, `width` - 1 cells wide.
 * @param cells the width of the labels
 */
function itemText(
  { label, note = '', end = '', tone }: Item,
  { width, theme, cells }: Omit<ListLook, 'height'> & { readonly cells: number },
): string {
  const name = note === '' ? label : `${padEnd(truncateLine(label, cells), cells)}  ${note}`;
  const room = width - 1 - (end === '' ? 0 : textWidth(end) + 1);
  const text =
    padEnd(truncateLine(` ${name}`, room), room) + (end === '' ? '' : ` ${theme.dim(end)}`);
  return tone === undefined ? text : theme.tone(tone, text);
}

/**
 * Adds the cursor's mark to a row.
 *
 * @param chosen whether the cursor is on the row
 */
export function markRow(text: string, chosen: boolean, theme: Theme): string {
  return chosen ? theme.inverse(`>${text}`) : ` ${text}`;
}

/** The lines of a list in a window around its cursor. */
interface SeenLines {
  readonly lines: readonly ListLine[];
  /** The index of the cursor in `lines`; -1: on none of them. */
  readonly at: number;
  /** How many items are below the window. */
  readonly below: number;
}

/**
 * Returns the lines of a list that are visible in `height` rows around the cursor. The headings of
 * groups are lines, too.
 */
export function getVisibleLines(list: List, height: number): SeenLines {
  const items = filterItems(list);
  const counts = new Map<string, number>();
  for (const { group } of items)
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  const lines = items.flatMap(({ group }, item): ListLine[] => {
    const isFirst = group !== undefined && items[item - 1]?.group !== group;
    return [...(isFirst ? [{ heading: group, count: counts.get(group) ?? 0 }] : []), { item }];
  });
  const at = lines.findIndex((listLine) => 'item' in listLine && listLine.item === list.at);
  const { first, rows, below } = windowAround(at, lines.length, height);
  const rest = below === 0 ? [] : lines.slice(first + rows);
  return {
    lines: lines.slice(first, first + rows),
    at: at < 0 ? -1 : at - first,
    below: rest.filter((listLine) => 'item' in listLine).length,
  };
}

/** Formats a line of a list, without the mark of the cursor. */
export function lineText(
  listLine: ListLine,
  items: readonly Item[],
  look: Omit<ListLook, 'height'> & { readonly cells: number },
): string {
  if ('heading' in listLine) {
    const room = look.width - 1;
    return look.theme.dim(
      padEnd(truncateLine(` ${listLine.heading} (${listLine.count})`, room), room),
    );
  }
  const item = items[listLine.item];
  return item === undefined ? '' : itemText(item, look);
}

/** Draws the visible part of a list around the cursor. */
export function listRows(list: List, { width, height, theme }: ListLook): string[] {
  const items = filterItems(list);
  const look = { width, theme, cells: labelCells(list, width) };
  const { lines, at, below } = getVisibleLines(list, height);
  return [
    ...lines.map((listLine, index) =>
      markRow(lineText(listLine, items, look), index === at, theme),
    ),
    ...drawMoreRow(below, width, theme),
  ];
}
