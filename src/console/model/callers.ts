/**
 * Columns where seats come and go: one for every call that streams now. A column goes when its call has
 * ended and another one begins.
 */
import type { Seat } from '../../kernel/model.ts';
import { CallStream } from './call-stream.ts';
import type { Column } from './run-model.ts';

export class Callers {
  columns: readonly Column[] = [];
  /** By step, of the columns. */
  #streams = new Map<string, CallStream>();

  /** A call of the seat begins: its column stands last. */
  begin(step: string, seat: Seat): void {
    const stream = new CallStream(seat.id);
    const speaking = [...this.#streams].filter(([known, one]) => one.running && known !== step);
    const shown = new Set(speaking.map(([, one]) => one));
    this.#streams = new Map([...speaking, [step, stream]]);
    this.columns = [
      ...this.columns.filter((column) => shown.has(column.stream)),
      { seat, name: seat.title || seat.id, stream },
    ];
  }

  streamOf(step: string): CallStream | undefined {
    return this.#streams.get(step);
  }
}
