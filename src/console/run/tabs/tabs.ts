/**
 * Which tab is open, its page, and what covers it: two texts side by side. Pages lead to each other
 * here; the viewer only asks what there is.
 */

import type { Keymap } from '../../keys/keymap.ts';
import type { RunModel } from '../../model/run-model.ts';
import type { Size } from '../../terminal/layout.ts';
import { attachmentWords } from '../../ui/citing.ts';
import type { ProtocolView } from '../protocol-view.ts';
import type { Reading } from '../reading.ts';
import { Comparison, sideOf, versionsCompared } from './compare.ts';
import type { NumberedTab, Page, PageAround, ReadText, Tab, Target } from './page.ts';
import { tabsOf } from './table.ts';
import { TextPage } from './text.ts';

interface TabsAround {
  readonly runModel: RunModel;
  readonly view: ProtocolView;
  readonly keymap: Keymap;
  readonly reading: Reading;
  /** Of a page. */
  readonly size: () => Size;
  /** A link led nowhere. */
  readonly say: (text: string) => void;
}

export class Tabs {
  readonly #around: TabsAround;
  readonly #pageAround: PageAround;
  readonly #all: readonly Tab[];
  readonly #pages: ReadonlyMap<string, Page>;
  /** The tab the person chose; undefined: the one that the run opens with. */
  #chosen: string | undefined;
  /** The tab that `toggle` was last done in. */
  #left: string | undefined;
  #comparison: Comparison | undefined;
  /** What is read over it. */
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

  /** Numbered without a gap. */
  get shown(): readonly NumberedTab[] {
    return this.#all
      .filter((tab) => tab.shown(this.#around.runModel))
      .map((tab, index) => ({ ...tab, number: index + 1 }));
  }

  get open(): NumberedTab | undefined {
    const wanted = this.#chosen ?? this.#around.view.opensWith ?? 'columns';
    return this.shown.find(({ id }) => id === wanted) ?? this.shown[0];
  }

  /** The page of the tab, or what covers it; undefined in the Columns tab. */
  get page(): Page | undefined {
    if (this.#text !== undefined) return this.#text;
    if (this.#comparison !== undefined) return this.#comparison;
    return this.open === undefined ? undefined : this.#pages.get(this.open.id);
  }

  choose(id: string | undefined): void {
    this.#clear();
    this.#left = undefined;
    if (id !== undefined) this.#chosen = id;
  }

  /** The tab that was chosen on another view of the same run. */
  standAs(other: Tabs): void {
    this.#chosen = other.#chosen;
  }

  /** Goes to a tab, or from it back to the one that this was done in: else to the one the run opens with. */
  toggle(id: string): void {
    this.#clear();
    const { open } = this;
    const isThere = open?.id === id;
    this.#chosen = isThere ? this.#left : id;
    this.#left = isThere ? undefined : open?.id;
  }

  /** `toggle` goes back from the open tab to where it was done. */
  get leadsBack(): boolean {
    return this.#left !== undefined;
  }

  /** Lays the shown synthesis beside another one, or ends that. */
  compare(): void {
    this.#comparison =
      this.#comparison === undefined
        ? versionsCompared(this.#pageAround, this.#around.reading.synthesis)
        : undefined;
  }

  /** The question as it was asked, with all its lines, and what lies beside it. */
  readQuestion(): void {
    const { runModel, reading } = this.#around;
    this.#read(() => {
      const { attachments } = runModel;
      const asked = runModel.asked(reading.question);
      const question = { name: 'question', title: 'Question' };
      if (attachments.length === 0) return { ...question, markdown: asked };
      // A name is no Markdown, whatever it is made of.
      const listed = attachments.map((one) => `- ${attachmentWords(one, '`')}`);
      const markdown = `${asked.trimEnd()}\n\n---\n\n**Attachments**\n\n${listed.join('\n')}`;
      return { ...question, markdown, hasAttachments: true };
    });
  }

  /** Over whatever is shown. */
  #read(text: () => ReadText): void {
    this.#text = new TextPage(this.#pageAround, text);
  }

  /** False where nothing covered the tab. */
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

  /** An older or newer synthesis: in the comparison, the one at the right. */
  turn(by: 1 | -1): void {
    if (this.#comparison === undefined) this.#around.reading.turn(by);
    else this.#comparison.turn?.(by);
  }

  /** Where a link leads: a page's Enter, or what a text names. */
  go(place: Target): void {
    const { reading, say } = this.#around;
    switch (place.kind) {
      case 'version':
        this.#chosen = 'columns';
        reading.showVersion(place.version);
        break;
      case 'quote':
        this.#chosen = 'columns';
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
        // Back to where it was named, unless the person has gone on elsewhere.
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
            synthesis === undefined ? none : sideOf(synthesis, this.#pageAround, detail),
            side,
          ];
        });
        break;
      }
    }
  }
}
