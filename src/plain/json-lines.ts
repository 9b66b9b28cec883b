/**
 * The display for programs: one fact on each line. With deltas, there are also lines of streamed text, which
 * may be dropped.
 */

import type { Listener, LiveEvent } from '../kernel/bus.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { UNSEEN } from '../text/unseen.ts';

/** If the reader is this many bytes behind, streamed text is dropped. Facts are never dropped. */
const BEHIND = 1 << 20;

interface JsonSink {
  readonly pending: number;
  write(text: string): unknown;
}

/** Writes a run's facts to a program as JSON Lines, one fact per line. */
export class JsonLines implements Listener {
  readonly #out: JsonSink;
  readonly #run: string;
  readonly #deltas: boolean;
  #dropped = 0;

  /**
   * Prepares the output.
   *
   * @param run the run's id
   * @param deltas whether to write streamed text, too
   */
  constructor(out: JsonSink, run: string, deltas: boolean) {
    this.#out = out;
    this.#run = run;
    this.#deltas = deltas;
  }

  /** Writes a fact. */
  fact(fact: AnyFact): void {
    this.#out.write(jsonLine(fact));
  }

  /**
   * Writes streamed text, if deltas are wanted; other events are ignored. If the reader is far behind, the text is
   * dropped, and the next line of streamed text says how many characters were dropped.
   */
  live(news: LiveEvent): void {
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
 * Formats a value as one line of JSON. Invisible and control characters are escaped, so that the
 * line is safe in a terminal.
 */
export function jsonLine(value: unknown): string {
  return `${escapeLoose(JSON.stringify(value))}\n`;
}

/** Escapes control and invisible characters in JSON text. */
export function escapeLoose(json: string): string {
  return json.replace(UNSEEN, (match) =>
    match.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
