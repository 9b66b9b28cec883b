/** The display for programs: one fact a line. With deltas, lines of streamed text that may be missed. */
import type { Listener, Live } from '../kernel/bus.ts';
import type { Fact } from '../kernel/facts.ts';

/** While the reader is this many bytes behind, deltas are dropped; facts never are. */
const BEHIND = 1 << 20;

export interface JsonSink {
  readonly pending: number;
  write(text: string): unknown;
}

export class JsonLines implements Listener {
  readonly #out: JsonSink;
  readonly #run: string;
  readonly #deltas: boolean;
  #dropped = 0;

  constructor(out: JsonSink, run: string, deltas: boolean) {
    this.#out = out;
    this.#run = run;
    this.#deltas = deltas;
  }

  fact(one: Fact): void {
    this.#out.write(jsonLine(one));
  }

  live(news: Live): void {
    if (!this.#deltas || (news.type !== 'text' && news.type !== 'thinking')) return;
    if (this.#out.pending > BEHIND) {
      this.#dropped += news.text.length;
      return;
    }
    const { step, seat, type: kind, text } = news;
    const dropped = this.#dropped > 0 ? { dropped: this.#dropped } : {};
    this.#dropped = 0;
    this.#out.write(
      jsonLine({ v: 1, type: 'delta', run: this.#run, step, seat, kind, text, ...dropped }),
    );
  }
}

/**
 * Characters that a terminal may obey or a reader cannot see, and that JSON leaves as they are: DEL, C1
 * controls, bidi controls, zero-width characters, tags and selectors of the plane for them.
 */
const LOOSE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/** JSON on one line, safe to look at in a terminal; the value reads back unchanged. */
export function jsonLine(value: unknown): string {
  return `${escapeLoose(JSON.stringify(value))}\n`;
}

/** Escapes what JSON leaves loose, in text that is already JSON. */
export function escapeLoose(json: string): string {
  return json.replace(LOOSE, (one) =>
    one.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
