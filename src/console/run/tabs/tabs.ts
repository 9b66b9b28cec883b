/**
 * Knows which tab is open, its page, and what covers it (a text or a comparison). Pages open each other through
 * it.
 */

import type { Keymap } from '../../keys/keymap.ts';
import type { RunModel } from '../../model/run-model.ts';
import type { Size } from '../../terminal/layout.ts';
import { formatAttachment } from '../../ui/citing.ts';
import type { ProtocolView } from '../protocol-view.ts';
import type { Reading } from '../reading.ts';
import { Comparison, compareVersions, toSide } from './compare.ts';
import type { NumberedTab, Page, PageAround, ReadText, Tab, Target } from './page.ts';
import { tabsOf } from './table.ts';
import { TextPage } from './text.ts';

interface TabsAround {
  readonly runModel: RunModel;
  readonly view: ProtocolView;
  readonly keymap: Keymap;
  readonly reading: Reading;
  /** The size of a page. */
  readonly size: () => Size;
  /** Shows a message, for example when a link leads nowhere. */
  readonly say: (text: string) => void;
}

/** The tabs of one run's screen: which tab is open, and which page is shown over it. */
export class Tabs {
  readonly #around: TabsAround;
  readonly #pageAround: PageAround;
  readonly #all: readonly Tab[];
  readonly #pages: ReadonlyMap<string, Page>;
  /** The tab that the person chose; undefined: the one with which the run opens. */
  #chosen: string | undefined;
  /** The tab in which `toggle` was last called. */
  #left: string | undefined;
  #comparison: Comparison | undefined;
  /** The text that covers the tab. */
  #text: TextPage | undefined;

  constructor(around: TabsAround) {
    this.#around = around;
    const { runModel, view, keymap, reading, size } = around;
    const pageAround: PageAround = {
      runModel,
      says: view,
      keymap,
      size,
      shown: () => ({ question: reading.question, synthesis: reading.synthesis }),
      go: (place) => this.go(place),
    };
    this.#pageAround = pageAround;
    this.#all = tabsOf(view);
    this.#pages = new Map(
      this.#all.flatMap(({ id, page }) => (page ? [[id, page(pageAround)] as const] : [])),
    );
  }

  /** The tabs that the run has, numbered without gaps. */
  get shown(): readonly NumberedTab[] {
    return this.#all
      .filter((tab) => tab.shown(this.#around.runModel))
      .map((tab, index) => ({ ...tab, number: index + 1 }));
  }

  /** The open tab; undefined if there is none. */
  get open(): NumberedTab | undefined {
    const wanted = this.#chosen ?? this.#around.view.opensWith ?? 'columns';
    return this.shown.find(({ id }) => id === wanted) ?? this.shown[0];
  }

  /** The page that is shown; undefined in the tab Columns. */
  get page(): Page | undefined {
    if (this.#text !== undefined) return this.#text;
    if (this.#comparison !== undefined) return this.#comparison;
    return this.open === undefined ? undefined : this.#pages.get(this.open.id);
  }

  /** Opens a tab by its id and closes what covers it. If `id` is undefined, the open tab stays. */
  choose(id: string | undefined): void {
    this.#clear();
    this.#left = undefined;
    if (id !== undefined) this.#chosen = id;
  }

  /** Opens the tab that is open in another screen of the same run. */
  copyFrom(other: Tabs): void {
    this.#chosen = other.#chosen;
  }

  /**
   * Opens a tab. If it is open already, returns to the tab from which it was opened this way, or to the tab
   * with which the run opens if it was opened in another way.
   */
  toggle(id: string): void {
    this.#clear();
    const { open } = this;
    const isThere = open?.id === id;
    this.#chosen = isThere ? this.#left : id;
    this.#left = isThere ? undefined : open?.id;
  }

  /** Returns to the tab in which `toggle` was called. Returns false if the open tab was opened in another way. */
  leave(): boolean {
    const { open } = this;
    if (this.#left === undefined || open === undefined) return false;
    this.toggle(open.id);
    return true;
  }

  /** Whether `toggle` would return from the open tab to another one. */
  get leadsBack(): boolean {
    return this.#left !== undefined;
  }

  /** Compares the shown synthesis with another one, or ends the comparison. */
  compare(): void {
    this.#comparison =
      this.#comparison === undefined
        ? compareVersions(this.#pageAround, this.#around.reading.synthesis)
        : undefined;
  }

  /** Shows the question in full, with the list of attachments. */
  readQuestion(): void {
    const { runModel, reading } = this.#around;
    this.#read(() => {
      const { attachments } = runModel;
      const asked = runModel.asked(reading.question);
      const question = { name: 'question', title: 'Question' };
      if (attachments.length === 0) return { ...question, markdown: asked };
      // Write file names as code, because they may contain characters of Markdown.
      const listed = attachments.map((attachment) => `- ${formatAttachment(attachment, '`')}`);
      const markdown = `${asked.trimEnd()}\n\n---\n\n**Attachments**\n\n${listed.join('\n')}`;
      return { ...question, markdown, hasAttachments: true };
    });
  }

  /** Covers whatever is shown with a text. */
  #read(text: () => ReadText): void {
    this.#text = new TextPage(this.#pageAround, text);
  }

  /**
   * Handles Esc: ends a search in the text that covers the tab, or else closes that text or the
   * comparison. Returns false if nothing covers the tab.
   */
  uncover(): boolean {
    if (this.#text?.back() === true) return true;
    const was = this.#text ?? this.#comparison;
    if (this.#text === undefined) this.#comparison = undefined;
    this.#text = undefined;
    return was !== undefined;
  }

  #clear(): void {
    this.#text = undefined;
    this.#comparison = undefined;
  }

  /** Shows an older (-1) or newer (1) synthesis; in a comparison, on the right. */
  turn(by: 1 | -1): void {
    if (this.#comparison === undefined) this.#around.reading.turn(by);
    else this.#comparison.turn?.(by);
  }

  /** Opens what a link leads to. */
  go(place: Target): void {
    const { reading, say } = this.#around;
    switch (place.kind) {
      case 'version':
        this.choose('columns');
        reading.showVersion(place.version);
        break;
      case 'quote':
        this.choose('columns');
        if (!reading.showQuote(place.seat, place.quote))
          say("The quote is no longer in this seat's answer.");
        break;
      case 'text':
        this.#read(place.text);
        break;
      case 'record': {
        const { view } = this.#around;
        const from = this.open?.id;
        this.choose(view.records?.tab);
        // When the person closes the record (such as a claim or a conflict), return to the tab from which it
        // was opened, unless another tab was opened meanwhile.
        this.page?.show?.(place.id, () => {
          if (this.open?.id === view.records?.tab) this.choose(from);
        });
        break;
      }
      case 'beside': {
        const { side, detail } = place;
        const none = { heading: 'No synthesis yet', detail: '', markdown: '' };
        this.#comparison = new Comparison(this.#pageAround, () => {
          const { synthesis } = reading;
          return [
            synthesis === undefined ? none : toSide(synthesis, this.#pageAround, detail),
            side,
          ];
        });
        break;
      }
    }
  }
}
