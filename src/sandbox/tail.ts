/** The end of an output, read as it comes: its start is given up, so that no program can fill the memory. */
import { sanitise } from '../text/sanitise.ts';

export class Tail {
  readonly #room: number;
  #parts: Buffer[] = [];
  #held = 0;
  #bytes = 0;

  /** @param room how many bytes are kept. */
  constructor(room: number) {
    this.#room = room;
  }

  /** All that came, kept or not. */
  get bytes(): number {
    return this.#bytes;
  }

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

  /** As text a terminal may be shown. */
  text(): string {
    const text = Buffer.concat(this.#parts).toString('utf8');
    // The first line may begin in the middle of a letter or of an escape.
    return sanitise(this.#bytes > this.#held ? text.slice(text.indexOf('\n') + 1) : text);
  }
}

/** The last characters of a text, from the beginning of a line where one begins among them. */
export function lastOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const line = end.indexOf('\n') + 1;
  const cut = line > 0 && line < most / 2 ? end.slice(line) : end;
  return `[${text.length - cut.length} characters left out]\n${cut}`;
}
