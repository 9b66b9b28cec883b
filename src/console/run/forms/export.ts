/** The list of formats that a run can be exported in. Each can be chosen by a letter. */
import { toLine } from '../../../text/line.ts';

import { messageOf } from '../../terminal/door.ts';
import type { Dialog, Hints } from '../../ui/component.ts';
import { chosenItem, type List, listOf, moveCursor } from '../../ui/list.ts';
import type { ExportOffer } from '../ports.ts';

/**
 * Creates the form in which a person chooses the format of an export. The choice starts the export and
 * closes the form.
 *
 * @param tell shows a message, at the beginning and at the end of the export; `bad`: the export failed
 */
export function exportForm(
  offers: readonly ExportOffer[],
  tell: (text: string, bad: boolean) => void,
  title = 'Export this run',
): Dialog {
  return new ExportForm(title, offers, ({ label, write }) => {
    tell(`Writing: ${label} …`, false);
    write().then(
      (path) => tell(`Exported to ${toLine(path)}`, false),
      (error: unknown) => tell(`Not exported: ${messageOf(error)}`, true),
    );
  });
}

class ExportForm implements Dialog {
  readonly title: string;
  readonly hints: Hints = { 'previous next': 'choose', accept: 'write', cancel: 'cancel' };
  readonly width = 70;
  readonly #offers: readonly ExportOffer[];
  readonly #write: (offer: ExportOffer) => void;
  #list: List;

  constructor(title: string, offers: readonly ExportOffer[], write: (offer: ExportOffer) => void) {
    this.title = title;
    this.#offers = offers;
    this.#write = write;
    this.#list = listOf(
      offers.map(({ key, label, about }) => ({
        value: key,
        label: `${key} ${label}`,
        note: about,
      })),
    );
  }

  key(key: string): boolean {
    const wanted = key === 'enter' ? chosenItem(this.#list)?.value : key;
    const offer = this.#offers.find((offer) => offer.key === wanted);
    if (offer !== undefined) this.#write(offer);
    else this.#list = moveCursor(this.#list, key);
    return offer === undefined;
  }

  render(): string[] {
    return [''];
  }

  list(height: number): { list: List; height: number } {
    return { list: this.#list, height: Math.min(height, this.#offers.length) };
  }
}
