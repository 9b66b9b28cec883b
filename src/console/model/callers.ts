/**
 * Columns for protocols whose seats come and go. During a run there is a column for each call that is
 * streaming; a column is dropped when its call has ended and another begins. The latest output of each seat is
 * kept and gets columns again when the run is at rest.
 */
import type { Seat } from '../../kernel/model.ts';
import { joinLines } from '../../text/line.ts';
import { CallStream } from './call-stream.ts';
import type { Column } from './run-model.ts';

/**
 * The columns of protocols whose seats are not known at the beginning. While the run goes on, a
 * column is dropped when its call has ended and another call begins; afterwards every seat has a
 * column again.
 */
export class Callers {
  /** The columns of running calls; that of a call that has ended stays until another call begins. */
  columns: readonly Column[] = [];
  /** The streams of the columns, by step. */
  #streams = new Map<string, CallStream>();
  /** The column of each seat's latest call, by seat; the seat asked last is last. */
  readonly #latest = new Map<string, Column>();

  /**
   * Adds a column for a call of a seat. Columns of calls that have ended are dropped.
   *
   * @param subject the question that the call is about, if its column should show one
   */
  begin(step: string, seat: Seat, subject: string | undefined): void {
    const stream = new CallStream(seat.id);
    const name = seat.title || seat.id;
    if (subject !== undefined) stream.about = joinLines(`${name}: ${subject}`);
    const speaking = [...this.#streams].filter(
      ([known, stream]) => stream.running && known !== step,
    );
    const shown = new Set(speaking.map(([, stream]) => stream));
    const column = { seat, name, subject, stream };
    this.#streams = new Map([...speaking, [step, stream]]);
    this.columns = [...this.columns.filter((column) => shown.has(column.stream)), column];
    this.#latest.delete(seat.id);
    this.#latest.set(seat.id, column);
  }

  /** A column for each seat with its latest output, ordered by when the seat was last asked. */
  get latest(): readonly Column[] {
    return [...this.#latest.values()];
  }

  /** Returns the stream of a step's call while the call has a column; otherwise undefined. */
  streamOf(step: string): CallStream | undefined {
    return this.#streams.get(step);
  }
}
