/** A diff in a dialog, scrolled with the keys of lists. */

import { formatCodeBlock } from '../../../text/markdown/blocks.ts';
import { ColumnBuffer } from '../../../text/rows/column-buffer.ts';
import { truncateLine } from '../../../text/width.ts';
import { commandIn, keyIn } from '../../keys/key-lookup.ts';
import { KEYMAP } from '../../keys/keymap.ts';
import { Painter } from '../../terminal/paint.ts';
import type { DialogArea } from '../../ui/component.ts';
import { rowAfterMove } from '../../ui/scroll.ts';

/**
 * The diff of files that a run's question to a person is about, as a text that scrolls inside the
 * question's form.
 */
export class DiffPage {
  readonly #text: string;
  readonly #rows = new ColumnBuffer(80);
  #painter: Painter | undefined;
  #top = 0;
  #end = 0;
  #height = 1;

  /** Expects the output of `git diff`. A model may have written the changed text. */
  constructor(diff: string) {
    // Leave out the lines with the hashes of files, which mean nothing to a person.
    const told = diff.replace(/^index [0-9a-f]+\.\.[0-9a-f]+.*\n/gm, '');
    this.#text = told.trim() === '' ? 'Nothing changes.' : formatCodeBlock(told, 'diff');
  }

  key(key: string): void {
    const command = commandIn(KEYMAP, 'dialogs', key, 'list');
    if (command === 'next' || key === 'j') this.#scroll(1);
    else if (command === 'previous' || key === 'k') this.#scroll(-1);
    else if (command === 'first') this.#top = 0;
    else if (command === 'last') this.#top = this.#end;
    else if (command === 'page-down' || command === 'page-up')
      this.#top = rowAfterMove(this.#top, command, this.#end, this.#height);
  }

  #scroll(by: 1 | -1): void {
    this.#top = Math.max(0, Math.min(this.#top + by, this.#end));
  }

  render({ theme, keymap, cells, height }: DialogArea): string[] {
    this.#painter ??= new Painter(theme);
    const painter = this.#painter;
    // Parse and style the diff only once, at the first drawing. For another width it is only wrapped again.
    if (this.#rows.text === '') {
      this.#rows.push(this.#text);
      this.#rows.end();
    }
    this.#rows.resize(cells - 1);
    this.#height = Math.max(1, height - 2);
    this.#end = Math.max(0, this.#rows.length - this.#height);
    this.#top = Math.min(this.#top, this.#end);
    const rows = this.#rows
      .slice(this.#top, this.#top + this.#height)
      .map((row) => painter.cell(row, cells));
    const rest = this.#rows.length - this.#top - rows.length;
    const place =
      rest > 0
        ? `${rest} more below (${keyIn(keymap, 'dialogs', 'page-down')})`
        : `the end, ${this.#top} above (${keyIn(keymap, 'dialogs', 'page-up')})`;
    return ['', ...rows, theme.inverse(` ${truncateLine(place, cells - 2)} `)];
  }
}
