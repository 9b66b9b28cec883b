/** Keeps the end of an output as it arrives, so that no program can fill the memory. */
import { sanitiseText } from '../text/sanitise.ts';

/** Keeps the last bytes of an output that may be endless. */
export class OutputTail {
  readonly #room: number;
  #parts: Buffer[] = [];
  #held = 0;
  #bytes = 0;

  /** @param room the number of bytes to keep */
  constructor(room: number) {
    this.#room = room;
  }

  /** The number of bytes that were added, kept or not. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a piece of output. */
  push(part: Buffer): void {
    this.#bytes += part.length;
    this.#parts.push(part);
    this.#held += part.length;
    for (let first = this.#parts[0]; first !== undefined; first = this.#parts[0]) {
      const over = this.#held - this.#room;
      if (over <= 0) break;
      if (over >= first.length) this.#parts.shift();
      else this.#parts[0] = first.subarray(over);
      this.#held -= Math.min(over, first.length);
    }
  }

  /**
   * Returns the kept bytes as sanitised text. If earlier bytes were dropped, everything up to the first line
   * end is left out.
   */
  text(): string {
    const text = Buffer.concat(this.#parts).toString('utf8');
    // If the beginning of the output was dropped, the kept part may begin inside a character or an escape
    // sequence. So leave out the kept part's first line, which is incomplete.
    return sanitiseText(this.#bytes > this.#held ? text.slice(text.indexOf('\n') + 1) : text);
  }
}

/**
 * Returns the last `most` characters of a text, below a line that says how many characters were left out. If a
 * line begins in the first half of these characters, the part before it is left out too. A text of at most
 * `most` characters is returned unchanged.
 */
export function takeEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const line = end.indexOf('\n') + 1;
  const cut = line > 0 && line < most / 2 ? end.slice(line) : end;
  return `[${text.length - cut.length} characters left out]\n${cut}`;
}
