/** The tab Rounds: the list of rounds on the left, the text of the selected item on the right. */

import type { Command } from '../../../console/keys/keymap.ts';
import type { CallStream } from '../../../console/model/call-stream.ts';
import type { Copyable } from '../../../console/run/copyable.ts';
import type { PageScene } from '../../../console/run/page-scene.ts';
import { blankPage } from '../../../console/run/tabs/blank.ts';
import type { Page, PageAround } from '../../../console/run/tabs/page.ts';
import { streamRows } from '../../../console/run/tabs/streams.ts';
import { Reader } from '../../../console/ui/reader.ts';
import { formatCount } from '../../../text/numbers.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import {
  countRailLines,
  drawRailItem,
  getCurrentId,
  getPhaseState,
  listRailItems,
  type RailItem,
} from './rounds-rail.ts';
import { getHeading, getItemText, getShownText, getStreamedText } from './rounds-text.ts';

const RAIL = { least: 26, most: 36, share: 0.3 } as const;
const STEPS: ReadonlySet<Command> = new Set(['down', 'up', 'top', 'bottom']);

/**
 * The page of the tab Rounds: a list of rounds, phases and artifacts, with the text of the selected
 * item beside it.
 */
export class RoundsPage implements Page {
  readonly #around: PageAround;
  readonly #reader = new Reader();
  /** The selected item. If undefined, the cursor follows the running work. */
  #id: string | undefined;
  #inText = false;
  #zoomed = false;
  #shown = { id: '', seq: -1 };
  #railTop = 0;

  constructor(around: PageAround) {
    this.#around = around;
  }

  get status(): string | undefined {
    const { runModel, keymap } = this.#around;
    const search = this.#reader.searchWords(keymap);
    if (search !== undefined) return search;
    if (this.#id === undefined || this.#inText) return undefined;
    const behind = this.#id !== getCurrentId(runModel) && runModel.isLive;
    return behind ? 'The run has moved on; Esc goes to its current step.' : undefined;
  }

  render(scene: PageScene): string[] {
    const { columns, rows: height } = this.#around.size();
    const { items, at } = this.#rail();
    const item = items[at];
    if (item === undefined) return blankPage('No rounds yet.', columns, height, scene);
    const width = this.#zoomed ? 0 : this.#railWidth(columns);
    const pane = this.#pane(scene, item, columns - (width === 0 ? 0 : width + 1), height);
    if (width === 0) return pane;
    const rail = this.#railRows(scene, items, at, width, height);
    return pane.map((row, index) => `${rail[index] ?? ''} ${row}`.trimEnd());
  }

  move(command: Command): void {
    const height = this.#around.size().rows - 1;
    if (this.#inText || this.#zoomed || !STEPS.has(command)) {
      this.#reader.move(command, height);
      return;
    }
    const { items, at } = this.#rail();
    if (command === 'bottom') {
      this.#id = undefined;
      return;
    }
    const to = command === 'top' ? 0 : at + (command === 'down' ? 1 : -1);
    this.#id = items[Math.max(0, Math.min(to, items.length - 1))]?.id;
  }

  /**
   * Moves the focus from the list to the text beside it; undefined if the text has the focus, or if
   * the list is empty.
   */
  get open(): (() => void) | undefined {
    if (this.#inText || this.#rail().items.length === 0) return undefined;
    return () => {
      this.#inText = true;
      this.#id ??= getCurrentId(this.#around.runModel);
    };
  }

  /** Returns the shown text for the clipboard. */
  copyable(): Copyable | undefined {
    const { items, at } = this.#rail();
    const item = items[at];
    if (item === undefined) return undefined;
    const { runModel } = this.#around;
    const spoken = getStreamedText(this.#speaking(item), runModel);
    const markdown = spoken ?? getItemText(item, runModel);
    return { name: item.id, title: getHeading(item, runModel), markdown };
  }

  /**
   * Undoes one step: the search, the whole width, the focus on the text, or the selection. Returns
   * false if there is nothing to undo.
   */
  back(): boolean {
    if (this.#reader.endSearch()) return true;
    if (this.#zoomed) this.#zoomed = false;
    else if (this.#inText) this.#inText = false;
    else if (this.#id !== undefined) this.#id = undefined;
    else return false;
    return true;
  }

  /** Whether the text takes the whole width. */
  get zoomed(): boolean {
    return this.#zoomed;
  }

  /** Switches between the whole width and both panes. */
  zoom(): void {
    this.#zoomed = !this.#zoomed;
  }

  /** Searches in the shown text. Returns false if there is no match. */
  find(query: string): boolean {
    return this.#reader.find(query);
  }

  /** Moves to the next or previous match of the search; undefined without a search. */
  get match(): ((by: 1 | -1) => void) | undefined {
    return this.#reader.match;
  }

  #rail(): { items: RailItem[]; at: number } {
    const { runModel } = this.#around;
    const id = this.#id ?? getCurrentId(runModel);
    const items = listRailItems(runModel, this.#unfolded(id));
    const at = items.findIndex((item) => item.id === id);
    // If the selected item no longer exists, because its round was started again, select the last item.
    return { items, at: at < 0 ? items.length - 1 : at };
  }

  /** Returns the round of an item. Only this round's phases are listed. */
  #unfolded(id: string): number | undefined {
    const found =
      /^round-(\d+)/.exec(id)?.[1] ??
      /^artifacts\/round_(\d+)\//.exec(id)?.[1] ??
      /^V-(\d+)-/.exec(id)?.[1];
    return found === undefined ? undefined : Number(found);
  }

  #railWidth(columns: number): number {
    return Math.max(RAIL.least, Math.min(RAIL.most, Math.floor(columns * RAIL.share)));
  }

  #railRows(
    { runModel, theme }: PageScene,
    items: readonly RailItem[],
    at: number,
    width: number,
    height: number,
  ): string[] {
    const starts: number[] = [];
    let length = 0;
    for (const item of items) {
      starts.push(length);
      length += countRailLines(item);
    }
    const row = starts[at] ?? 0;
    this.#railTop = Math.max(Math.min(this.#railTop, row - 1), row - height + 2);
    this.#railTop = Math.max(0, Math.min(this.#railTop, length - height));
    const seen: string[] = [];
    // Draw only visible items, so that many rounds cost no more time.
    for (const [index, item] of items.entries()) {
      const start = (starts[index] ?? 0) - this.#railTop;
      if (start >= height || start + countRailLines(item) <= 0) continue;
      for (const [line, text] of drawRailItem(item, runModel, theme, width - 2).entries()) {
        const chosen = index === at && line === 0;
        if (start + line < 0 || start + line >= height) continue;
        seen.push(chosen ? `> ${this.#inText ? text : theme.inverse(text)}` : `  ${text}`);
      }
    }
    while (seen.length < height) seen.push(' '.repeat(width));
    return seen;
  }

  #pane(scene: PageScene, item: RailItem, cells: number, height: number): string[] {
    const { runModel, theme, painter } = scene;
    const voices = this.#speaking(item);
    const heading = `${this.#inText ? '>' : ' '} ${getHeading(item, runModel)}${voices.length > 0 ? ` · ${formatCount(voices.length, 'call')}` : ''}`;
    const top = theme.bold(padEnd(truncateLine(heading, cells), cells));
    if (voices.length > 0) return [top, ...streamRows(scene, voices, cells, height - 1)];
    // Format the text again only after a new fact, or if another item is selected.
    const { seq } = runModel.view;
    const { id } = item;
    if (id !== this.#shown.id || seq !== this.#shown.seq) {
      this.#shown = { id, seq };
      this.#reader.show(id, getShownText(item, runModel));
    }
    const { keymap } = this.#around;
    const rows = this.#reader.rows({ painter, theme, keymap, cells, height: height - 1 });
    return [top, ...rows];
  }

  /** Returns the running calls of a phase or a synthesis. */
  #speaking(item: RailItem): CallStream[] {
    const { runModel } = this.#around;
    if (item.kind === 'synthesis')
      return item.synthesis.stream.running ? [item.synthesis.stream] : [];
    if (item.kind !== 'phase' || getPhaseState(runModel, item.round, item.phase) !== 'running')
      return [];
    const streams = runModel.streams(`round-${item.round.round}/${item.phase}/`);
    const voices = [...new Set(streams.map(([, stream]) => stream))];
    return voices.some(({ running }) => running) ? voices : [];
  }
}
