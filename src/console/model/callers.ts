/**
 * Columns where seats come and go: while the run goes on, one for every call that streams now. A column
 * goes when its call has ended and another one begins; what each seat said last is kept, and stands in
 * columns again when the run rests.
 */
import type { Seat } from '../../kernel/model.ts';
import { CallStream } from './call-stream.ts';
import type { Column } from './run-model.ts';

export class Callers {
  /** By the calls that stream now. */
  columns: readonly Column[] = [];
  /** By step, of the columns. */
  #streams = new Map<string, CallStream>();
  /** By seat, the column of its latest call; whoever was asked last stands last. */
  readonly #latest = new Map<string, Column>();

  /** A call of the seat begins: its column stands last. */
  begin(step: string, seat: Seat, name = seat.title || seat.id): void {
    const stream = new CallStream(seat.id);
    const speaking = [...this.#streams].filter(([known, one]) => one.running && known !== step);
    const shown = new Set(speaking.map(([, one]) => one));
    const column = { seat, name, stream };
    this.#streams = new Map([...speaking, [step, stream]]);
    this.columns = [...this.columns.filter((one) => shown.has(one.stream)), column];
    this.#latest.delete(seat.id);
    this.#latest.set(seat.id, column);
  }

  /** What each seat said last. */
  get latest(): readonly Column[] {
    return [...this.#latest.values()];
  }

  streamOf(step: string): CallStream | undefined {
    return this.#streams.get(step);
  }
}
