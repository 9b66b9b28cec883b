/** A yes or no before something that costs, or cannot be taken back. */
import { wrapPlain } from '../../../text/wrap.ts';
import { type Dialog, type Hint, hintWords, type Room } from '../component.ts';

interface Parts {
  readonly title: string;
  readonly text: string;
  readonly confirmed: () => void;
}

export class ConfirmForm implements Dialog {
  readonly title: string;
  readonly hints: readonly Hint[] = [
    ['accept', 'start'],
    ['cancel', 'cancel'],
  ];
  readonly width = 64;
  readonly #text: string;
  readonly #confirmed: () => void;

  constructor({ title, text, confirmed }: Parts) {
    this.title = title;
    this.#text = text;
    this.#confirmed = confirmed;
  }

  key(key: string): boolean {
    if (key === 'enter' || key === 'y') this.#confirmed();
    return key !== 'enter' && key !== 'y' && key !== 'n' && key !== 'q';
  }

  render({ theme, keymap, cells, height }: Room): string[] {
    const text = this.#text.split('\n').flatMap((line) => wrapPlain(line, cells));
    const keys = hintWords(keymap, [
      ['accept', 'starts it'],
      ['cancel', 'cancels'],
    ]);
    return ['', ...text.slice(0, Math.max(1, height - 3)), '', theme.dim(keys.join(' · '))];
  }
}

/** Before a run that is live is left. Enter is no yes here: it is too easily pressed. */
export class QuitForm implements Dialog {
  readonly title = 'Quit?';
  readonly hints: readonly Hint[] = ['y quit', 'n stay'];
  readonly width = 34;
  readonly #quit: () => void;
  readonly #live: () => boolean;

  constructor(quit: () => void, live: () => boolean) {
    this.#quit = quit;
    this.#live = live;
  }

  /** A run that has ended meanwhile is no longer asked about. */
  moot(): boolean {
    return !this.#live();
  }

  key(key: string): boolean {
    if (key === 'y' || key === 'Y') this.#quit();
    return !['y', 'Y', 'n', 'N', 'q'].includes(key);
  }

  render(): string[] {
    return ['The run stops and can be resumed.', '', 'y quit · n stay'];
  }
}
