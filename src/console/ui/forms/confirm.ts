/** A form that asks yes or no before something that costs money or cannot be undone. */
import { wrapPlain } from '../../../text/wrap.ts';
import { type Dialog, type DialogArea, formatHints, type Hints } from '../component.ts';

interface Parts {
  readonly title: string;
  readonly text: string;
  readonly confirmed: () => void;
  /**
   * If given, only the letters answer, because Enter is pressed too easily; `moot` returns whether the question
   * no longer applies.
   */
  readonly letters?: { readonly hints: Hints; readonly moot: () => boolean };
}

/** A dialog that asks for a confirmation. */
export class ConfirmForm implements Dialog {
  readonly title: string;
  readonly hints: Hints;
  readonly width: number;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.title = parts.title;
    this.hints = parts.letters?.hints ?? { accept: 'start', cancel: 'cancel' };
    this.width = parts.letters === undefined ? 64 : 34;
  }

  /** Returns whether the question has become pointless, so that the dialog closes. */
  moot(): boolean {
    return this.#parts.letters?.moot() ?? false;
  }

  key(key: string): boolean {
    const entered = key === 'enter' && this.#parts.letters === undefined;
    if (entered || key.toLowerCase() === 'y') this.#parts.confirmed();
    return !entered && !['y', 'n', 'q'].includes(key.toLowerCase());
  }

  render({ theme, keymap, cells, height }: DialogArea): string[] {
    const { text, letters } = this.#parts;
    const rows = text.split('\n').flatMap((line) => wrapPlain(line, cells));
    const keys = formatHints(keymap, letters?.hints ?? { accept: 'starts', cancel: 'cancels' });
    const last = theme.dim(keys.join(' · '));
    return ['', ...rows.slice(0, Math.max(1, height - 3)), '', last];
  }
}
