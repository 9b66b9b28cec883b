/**
 * Columns for protocols whose seats come and go. During a run there is a column for each call that is
 * streaming; a column is dropped when its call has ended and another begins. The latest output of each seat is
 * kept and gets columns again when the run is at rest.
 */
import type { Seat } from '../../kernel/model.ts';
import { CallStream } from './call-stream.ts';
import type { Column } from './run-model.ts';

/** Keeps the columns of the streaming calls, and each seat's latest output. */
export class Callers {
  /** The columns of the calls that are streaming. */
  columns: readonly Column[] = [];
  /** The streams of the columns, by step. */
  #streams = new Map<string, CallStream>();
  /** The column of each seat's latest call, by seat; the seat asked last is last. */
  readonly #latest = new Map<string, Column>();

  /** Adds a column for a call of the seat, at the end. */
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

  /** The latest output of each seat. */
  get latest(): readonly Column[] {
    return [...this.#latest.values()];
  }

  streamOf(step: string): CallStream | undefined {
    return this.#streams.get(step);
  }
}
