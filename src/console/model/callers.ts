/**
 * Columns where seats come and go: one for every call that streams now. A column goes when its call has
 * ended and another one begins.
 */
import type { Seat } from '../../kernel/model.ts';
import type { Column } from './run-model.ts';
import { Voice } from './voice.ts';

export class Callers {
  columns: readonly Column[] = [];
  /** By step, of the columns. */
  #voices = new Map<string, Voice>();

  /** A call of the seat begins: its column stands last. */
  begin(step: string, seat: Seat): void {
    const voice = new Voice(seat.id);
    const speaking = [...this.#voices].filter(([known, one]) => one.running && known !== step);
    const shown = new Set(speaking.map(([, one]) => one));
    this.#voices = new Map([...speaking, [step, voice]]);
    this.columns = [
      ...this.columns.filter((column) => shown.has(column.voice)),
      { seat, name: seat.title || seat.id, voice },
    ];
  }

  voiceOf(step: string): Voice | undefined {
    return this.#voices.get(step);
  }
}
