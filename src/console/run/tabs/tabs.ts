/**
 * Which tab is open, its page, and what covers it: two texts side by side. Pages lead to each other
 * here; the viewer only asks what there is.
 */

import { aloneOf, took } from '../../../protocols/board/view/vote-items.ts';
import type { Keymap } from '../../keys/keymap.ts';
import type { Desk } from '../../model/desk.ts';
import type { Reading, Size } from '../reading.ts';
import { Comparison, sideOf, versionsCompared } from './compare.ts';
import type { Page, PageAround, Place } from './page.ts';
import { firstTab, TABS, type Tab, type TabId } from './table.ts';

interface TabsAround {
  readonly desk: Desk;
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
  readonly #pages: ReadonlyMap<TabId, Page>;
  /** The tab the person chose; undefined: the one that the run opens with. */
  #chosen: TabId | undefined;
  #comparison: Comparison | undefined;

  constructor(around: TabsAround) {
    this.#around = around;
    const { desk, keymap, reading, size } = around;
    const pageAround: PageAround = {
      desk,
      keymap,
      size,
      shown: () => ({ question: reading.question, draft: reading.draft }),
      go: (place) => this.#go(place),
    };
    this.#pageAround = pageAround;
    this.#pages = new Map(
      TABS.flatMap(({ id, page }) => (page ? [[id, page(pageAround)] as const] : [])),
    );
  }

  get shown(): readonly Tab[] {
    return TABS.filter((tab) => tab.shown(this.#around.desk));
  }

  get open(): Tab | undefined {
    const wanted = this.#chosen ?? firstTab(this.#around.desk);
    return this.shown.find(({ id }) => id === wanted) ?? this.shown[0];
  }

  /** The page of the tab, or what covers it; undefined in the Columns tab. */
  get page(): Page | undefined {
    if (this.#comparison !== undefined) return this.#comparison;
    return this.open === undefined ? undefined : this.#pages.get(this.open.id);
  }

  choose(id: TabId | undefined): void {
    this.#comparison = undefined;
    if (id !== undefined) this.#chosen = id;
  }

  /** The tab that was chosen on another view of the same run. */
  standAs(other: Tabs): void {
    this.#chosen = other.#chosen;
  }

  /** Goes to a tab, or from it to the one the run opens with. */
  toggle(id: TabId): void {
    this.#comparison = undefined;
    this.#chosen = this.open?.id === id ? undefined : id;
  }

  /** Lays the shown synthesis beside another one, or ends that. */
  compare(): void {
    this.#comparison =
      this.#comparison === undefined
        ? versionsCompared(this.#pageAround, this.#around.reading.draft)
        : undefined;
  }

  /** False where nothing covered the tab. */
  uncover(): boolean {
    const was = this.#comparison !== undefined;
    this.#comparison = undefined;
    return was;
  }

  /** An older or newer synthesis: in the comparison, the one at the right. */
  turn(by: 1 | -1): void {
    if (this.#comparison === undefined) this.#around.reading.turn(by);
    else this.#comparison.turn?.(by);
  }

  /** Where a page's Enter leads. */
  #go(place: Place): void {
    const { desk, reading, say } = this.#around;
    switch (place.kind) {
      case 'version':
        this.#chosen = 'columns';
        reading.showVersion(place.version);
        break;
      case 'quote':
        this.#chosen = 'columns';
        if (!reading.showQuote(place.seat, place.quote))
          say('The quote is not in what this seat says now.');
        break;
      case 'baseline': {
        const { baseline } = place;
        const { panelTokens, panelCostUsd, panelEstimated } = baseline;
        const panel = `the panel: ${took(panelTokens, panelCostUsd, panelEstimated)}`;
        const none = { heading: 'No synthesis yet', detail: '', markdown: '' };
        this.#comparison = new Comparison(this.#pageAround, () => {
          const { draft } = reading;
          return [draft === undefined ? none : sideOf(draft, desk, panel), aloneOf(baseline)];
        });
        break;
      }
    }
  }
}
