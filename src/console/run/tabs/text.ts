/**
 * A text to be read in full: covering the tab it was opened from (an answer, the question), or as a tab of its
 * own.
 */
import { toLine } from '../../../text/line.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import type { Command } from '../../keys/keymap.ts';
import { Reader } from '../../ui/reader.ts';
import type { Copyable } from '../copyable.ts';
import type { PageScene } from '../page-scene.ts';
import type { Page, PageAround, ReadText } from './page.ts';

/** Rows of a heading and its rule. */
const HEADED = 2;

/** A page that shows one text. */
export class TextPage implements Page {
  readonly #around: PageAround;
  readonly #text: () => ReadText;
  readonly #isTab: boolean;
  readonly #reader = new Reader();
  #isRaw = false;
  #made: { readonly key: string; readonly text: ReadText } | undefined;

  /**
   * Creates the page.
   *
   * @param text returns the text; called again whenever it may have grown
   * @param isTab whether the page is a tab of its own, so that Esc does not close it
   */
  constructor(around: PageAround, text: () => ReadText, isTab = false) {
    this.#around = around;
    this.#text = text;
    this.#isTab = isTab;
  }

  get status(): string | undefined {
    const { keymap } = this.#around;
    const back = keyOf(keymap, 'back');
    const search = this.#reader.searchWords(keymap);
    if (search !== undefined) return search;
    if (this.hasAttachments)
      return `${keyOf(keymap, 'citations')} opens the attachments · ${back} goes back`;
    if (this.#isTab) return undefined;
    if (this.raw === undefined) return `${back} goes back`;
    const key = keyOf(keymap, 'raw');
    const how = this.#isRaw
      ? `Raw text · ${key} shows it formatted`
      : `Formatted · ${key} shows it raw`;
    return `${how} · ${back} goes back`;
  }

  /**
   * Switches between the text as it arrived and its formatted form. Absent if both are the same.
   */
  get raw(): (() => void) | undefined {
    if (this.#now().raw === undefined) return undefined;
    return () => {
      this.#isRaw = !this.#isRaw;
    };
  }

  get hasAttachments(): boolean {
    return this.#now().hasAttachments === true;
  }

  get isRaw(): boolean {
    return this.#isRaw;
  }

  render({ theme, painter, pulse }: PageScene): string[] {
    const { keymap } = this.#around;
    const { columns, rows } = this.#around.size();
    const { title } = this.#now(pulse);
    const markdown = this.#shown();
    this.#reader.show(this.#isRaw ? 'raw' : 'laid out', markdown);
    const height = rows - HEADED;
    return [
      ` ${theme.bold(padEnd(truncateLine(toLine(title), columns - 2), columns - 2))}`,
      ` ${theme.rule(columns - 2, true)}`,
      ...this.#reader
        .rows({ painter, theme, keymap, cells: columns, height })
        .map((row) => row.trimEnd()),
    ];
  }

  move(command: Command): void {
    this.#reader.move(command, this.#around.size().rows - HEADED);
  }

  back(): boolean {
    return this.#reader.endSearch();
  }

  find(query: string): boolean {
    return this.#reader.find(query);
  }

  get match(): ((by: 1 | -1) => void) | undefined {
    return this.#reader.match;
  }

  copyable(): Copyable {
    const { name, title } = this.#now();
    return { name, title, markdown: this.#shown() };
  }

  #shown(): string {
    const { markdown, raw = markdown } = this.#now();
    return this.#isRaw ? raw : markdown;
  }

  /**
   * Returns the text; requested again when the run or the width has changed, and twice a second while its call
   * runs.
   */
  #now(pulse?: number): ReadText {
    const { runModel } = this.#around;
    const beat = runModel.isLive ? pulse : 0;
    const key = `${runModel.view.seq} ${beat} ${this.#around.size().columns}`;
    const known = this.#made;
    if (known !== undefined && (pulse === undefined || known.key === key)) return known.text;
    const text = this.#text();
    this.#made = { key, text };
    return text;
  }
}
