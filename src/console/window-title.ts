/** What stands in the window's title and in the terminal's list of tabs: how the run is, and what it is about. */
import { truncate } from '../text/width.ts';
import type { Desk } from './desk.ts';
import { cleanLine } from './door.ts';

const LONGEST = 80;

/** `● 2/3 · question` while it is live, `✓ question` when it is done, `? question` while it waits. */
export function windowTitle(desk: Desk): string {
  const question = cleanLine(desk.view.question);
  return truncate([stateOf(desk), question || 'deliberate'].join(''), LONGEST);
}

function stateOf(desk: Desk): string {
  const { id, status, gate } = desk.view;
  if (id === '') return '';
  if (gate !== undefined) return '? ';
  switch (status) {
    case 'done':
      return '✓ ';
    case 'failed':
      return '✗ ';
    case 'stopped':
      return '■ ';
    case 'running': {
      const round = desk.rounds.rounds.at(-1);
      if (round !== undefined) return `● round ${round.round} · `;
      return `● ${desk.answers}/${desk.columns.length} · `;
    }
  }
}

const SAVE = '\u001b[22;2t';
const RESTORE = '\u001b[23;2t';

/** Sets the title whenever it would be another one, and puts back what it was. */
export class WindowTitle {
  readonly #write: (text: string) => unknown;
  #shown = '';

  constructor(write: (text: string) => unknown) {
    this.#write = write;
    write(SAVE);
  }

  show(desk: Desk): void {
    const title = windowTitle(desk);
    if (title === this.#shown) return;
    this.#shown = title;
    this.#write(`\u001b]2;${title}\u0007`);
  }

  restore(): void {
    this.#write(RESTORE);
  }
}
