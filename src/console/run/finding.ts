/** The search of a run's screen: in the page of a tab, or in all columns. */
import type { SearchField } from '../shell/overlay.ts';
import { fieldOf } from '../ui/text-input.ts';
import type { Reading } from './reading.ts';
import type { Page } from './tabs/page.ts';

/**
 * The search on a run's screen. It looks for the typed words in the page of the open tab, or in all
 * panes of the tab Columns, and shows a message if nothing is found.
 */
export class Finding {
  readonly #reading: Reading;
  readonly #page: () => Page | undefined;
  readonly #say: (text: string) => void;

  constructor(reading: Reading, page: () => Page | undefined, say: (text: string) => void) {
    this.#reading = reading;
    this.#page = page;
    this.#say = say;
  }

  /** Returns an empty field in which the person types the words. Enter starts the search. */
  field<State>(): SearchField<State> {
    return {
      kind: 'search',
      input: fieldOf(''),
      hints: { accept: 'search', cancel: 'cancel' },
      entered: (state, { text }) => {
        this.#find(text.trim());
        return state;
      },
      canceled: (state) => state,
    };
  }

  /** Goes to the next (1) or previous (-1) match of the latest search. */
  match(by: 1 | -1): void {
    const page = this.#page();
    if (page !== undefined) page.match?.(by);
    else this.#sayIfMissing(this.#reading.match(by));
  }

  #find(query: string): void {
    const page = this.#page();
    if (page === undefined) this.#sayIfMissing(this.#reading.find(query));
    else if (page.find?.(query) === false) this.#say(`"${query}" is not in this text.`);
  }

  #sayIfMissing(found: boolean): void {
    const { search } = this.#reading;
    if (!found && search !== undefined) this.#say(`"${search.query}" is not in any text.`);
  }
}
