/**
 * The tab Vote of a board: ballots, table, ablation and baselines. The line under the cursor is explained
 * below the list. Enter opens the seat's answer at the quotation, on lines that have one.
 */

import { keyOf } from '../../../console/keys/key-lookup.ts';
import type { Command } from '../../../console/keys/keymap.ts';
import type { Column } from '../../../console/model/run-model.ts';
import type { PageScene } from '../../../console/run/page-scene.ts';
import { blankPage } from '../../../console/run/tabs/blank.ts';
import type { Page, PageAround, Target } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { formatMoreBelow } from '../../../console/ui/below.ts';
import { Cursor } from '../../../console/ui/cursor.ts';
import { joinLines } from '../../../text/line.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { formatPosition } from '../ballots.ts';
import { getQuestionState } from './part.ts';
import {
  formatPanelUsage,
  type Item,
  isSelectable,
  LEGEND,
  listVoteItems,
  makeBaselineSide,
  SIDES,
} from './vote-items.ts';

/**
 * The width of a seat's column in the table, in cells; `share` is the most that all columns take of the width.
 */
const SEAT = { least: 5, most: 14, share: 0.45 } as const;
/** From this width on, cells contain words beside their signs. */
const WORDED = 11;
const READING_WIDTH = 100;

const NO_BALLOT = 'No ballot was cast on this question.';
const NO_BALLOT_YET = 'No ballot has been cast so far.';

/** The page of the console's tab Vote: a board's votes, table of positions, ablations and baselines. */
export class VotePage implements Page {
  readonly #around: PageAround;
  readonly #cursor = new Cursor();
  /** The index of the seat whose column the cursor is in. */
  #seat = 0;

  constructor(around: PageAround) {
    this.#around = around;
  }

  get status(): string | undefined {
    const { keymap } = this.#around;
    const open = keyOf(keymap, 'open');
    const item = this.#item;
    switch (item?.kind) {
      case 'point':
        return [
          ...(this.#worded ? [] : [LEGEND]),
          `${keyOf(keymap, 'next-pane')} other seat`,
          `${open} goes to the quote`,
        ].join(' · ');
      case 'influence':
        return `${open} shows v${item.influence.version}`;
      case 'baseline':
        return `${open} shows it beside the synthesis`;
      case 'choice':
        return `${keyOf(keymap, 'down')} ${keyOf(keymap, 'up')} other line`;
      default:
        return undefined;
    }
  }

  render(scene: PageScene): string[] {
    const { columns, rows: height } = this.#around.size();
    const items = this.#items;
    if (items.length === 0)
      return blankPage(
        this.#around.runModel.isLive ? NO_BALLOT_YET : NO_BALLOT,
        columns,
        height,
        scene,
      );
    const { theme } = scene;
    const below = Math.min(7, Math.max(3, Math.floor(height / 4)));
    const listed = height - below - 1;
    const at = this.#at(items);
    // If the cursor is on the first line that it can reach, scroll to the top, so that the title is shown.
    this.#cursor.at = at;
    const top = at <= this.#first(items) ? 0 : this.#cursor.top(items.length, listed);
    const rows = items
      .slice(top, top + listed)
      .map((item, index) => this.#row(item, top + index === at, columns, theme));
    while (rows.length < listed) rows.push('');
    const more = items.length - top - listed;
    const hint = more > 0 ? ` ${formatMoreBelow(more, this.#around.keymap)} ` : '';
    const width = Math.min(READING_WIDTH, columns - 2);
    const detail = fitLines(this.#detail(items[at]), width, below);
    while (detail.length < below) detail.push('');
    return [
      ...rows,
      `${theme.rule(1, false)}${theme.dim(hint)}${theme.rule(columns - 1 - hint.length, false)}`,
      ...detail.map((line) => (line === '' ? '' : ` ${line}`)),
    ];
  }

  move(command: Command): void {
    const items = this.#items;
    const places = items.flatMap((item, index) => (isSelectable(item) ? [index] : []));
    const cursor = new Cursor();
    cursor.at = Math.max(0, places.indexOf(this.#at(items)));
    cursor.move(command, places.length, this.#around.size().rows);
    this.#cursor.at = places[cursor.at] ?? 0;
  }

  /** Moves to another column of the table; undefined if the cursor is on a line without columns. */
  get step(): ((by: 1 | -1) => void) | undefined {
    if (this.#item?.kind !== 'point') return undefined;
    return (by) => {
      const count = this.#columns.length;
      this.#seat = (Math.min(this.#seat, count - 1) + by + count) % Math.max(1, count);
    };
  }

  get open(): (() => void) | undefined {
    const place = this.#place;
    return place === undefined ? undefined : () => this.#around.go(place);
  }

  /**
   * What Enter opens for the line under the cursor, if anything: a synthesis, a baseline beside the
   * panel, or a quoted answer.
   */
  get #place(): Target | undefined {
    const item = this.#item;
    switch (item?.kind) {
      case 'influence':
        return { kind: 'version', version: item.influence.version };
      case 'baseline':
        return {
          kind: 'beside',
          side: makeBaselineSide(item.baseline),
          detail: formatPanelUsage(item.baseline),
        };
      case 'point': {
        const seat = this.#column?.seat.id;
        const cell = item.point.cells.find((cell) => cell.seat === seat);
        return cell && { kind: 'quote', seat: cell.seat, quote: cell.quote };
      }
      default:
        return undefined;
    }
  }

  /** Whether the table's cells have room for words beside their signs. */
  get #worded(): boolean {
    return seatCells(this.#columns.length, this.#around.size().columns) >= WORDED;
  }

  /** The table's column that the cursor is in. */
  get #column(): Column | undefined {
    return this.#columns[Math.min(this.#seat, this.#columns.length - 1)];
  }

  get #columns(): readonly Column[] {
    const { runModel, shown } = this.#around;
    return runModel.columnsOf(shown().question);
  }

  get #items(): Item[] {
    const { runModel, shown } = this.#around;
    const { question, synthesis } = shown();
    return listVoteItems(runModel, question, synthesis);
  }

  get #item(): Item | undefined {
    const items = this.#items;
    return items[this.#at(items)];
  }

  /** Returns the first line that the cursor can be on. */
  #first(items: readonly Item[]): number {
    return Math.max(0, items.findIndex(isSelectable));
  }

  /** Returns the cursor's line, even if lines have moved. */
  #at(items: readonly Item[]): number {
    const at = Math.min(this.#cursor.at, items.length - 1);
    const item = items[at];
    return item !== undefined && isSelectable(item) ? at : this.#first(items);
  }

  #row(item: Item, chosen: boolean, columns: number, theme: Theme): string {
    const text = joinLines(item.text);
    if (item.kind === 'positions') return this.#header(text, columns, theme);
    if (item.kind === 'title') return theme.bold(truncateLine(` ${text}`, columns));
    if (item.kind === 'text') return theme.dim(truncateLine(`   ${text}`, columns));
    const mark = chosen ? ' > ' : '   ';
    if (item.kind !== 'point') {
      const row = truncateLine(mark + text, columns);
      return chosen ? theme.inverse(padEnd(row, columns)) : row;
    }
    const seats = this.#columns;
    const cell = seatCells(seats.length, columns);
    const room = columns - cell * seats.length;
    const cells = seats.map((column) => {
      const { seat } = column;
      const side = item.point.cells.find((cell) => cell.seat === seat.id)?.side ?? 'silent';
      const sign = this.#worded ? `${SIDES[side]} ${side}` : SIDES[side];
      const here = chosen && column === this.#column;
      return padEnd(here ? `[${sign}]` : ` ${sign}`, cell);
    });
    const row = padEnd(truncateLine(mark + text, room - 1), room) + cells.join('');
    return chosen ? theme.inverse(row) : row.trimEnd();
  }

  /** Draws the table's title with the seats' names above their columns. */
  #header(text: string, columns: number, theme: Theme): string {
    const seats = this.#columns;
    const cell = seatCells(seats.length, columns);
    const room = columns - cell * seats.length;
    const names = seats.map(({ name }) =>
      padEnd(truncateLine(` ${joinLines(name)}`, cell - 1), cell),
    );
    return theme.bold(padEnd(truncateLine(` ${text}`, room - 1), room) + names.join(''));
  }

  /** Returns details that the line itself does not show. */
  #detail(item: Item | undefined): string[] {
    const { runModel, shown } = this.#around;
    switch (item?.kind) {
      case 'choice': {
        const ballots = getQuestionState(runModel, shown().question)?.ballots ?? [];
        return item.choice.seats.map((seat) => {
          const position = ballots.find((ballot) => ballot.seat === seat)?.position ?? '';
          return joinLines(`${runModel.nameOf(seat)}: ${formatPosition(position)}`);
        });
      }
      case 'point': {
        const column = this.#column;
        const cell = item.point.cells.find((cell) => cell.seat === column?.seat.id);
        const name = column?.name ?? '';
        const said =
          cell === undefined
            ? `${name}: nothing about it is quoted.`
            : `${name}, ${cell.side}: “${cell.quote}”`;
        return [joinLines(said), joinLines(item.point.text)];
      }
      case 'influence':
        return [joinLines(item.influence.how)];
      case 'baseline':
        return [joinLines(item.text), joinLines(item.baseline.text.replace(/^#+ /gm, ''))];
      default:
        return [];
    }
  }
}

/** Wraps lines into at most `height` rows, each line into at least one if possible; cut lines end in `…`. */
function fitLines(lines: readonly string[], width: number, height: number): string[] {
  let room = height;
  return lines.flatMap((line, index) => {
    const rows = wrapPlain(line, width);
    const others = lines.length - index - 1;
    const seen = rows.slice(0, Math.min(room, Math.max(1, room - others)));
    room -= seen.length;
    const last = seen.at(-1);
    return last === undefined || seen.length === rows.length
      ? seen
      : [...seen.slice(0, -1), `${truncateLine(last.replace(/\s\S*$/, ''), width - 2, '')} …`];
  });
}

function seatCells(seats: number, columns: number): number {
  const each = Math.floor((columns * SEAT.share) / Math.max(1, seats));
  return Math.max(SEAT.least, Math.min(SEAT.most, each));
}
