/**
 * The agents of a run as the console follows them: the tree of who works for whom, and a column for
 * every call that streams now. A column goes when its call has ended and another one begins.
 */

import type { Column } from '../../../console/model/desk.ts';
import { Voice } from '../../../console/model/voice.ts';
import type { Seat } from '../../../kernel/model.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import type { FactOf } from '../facts.ts';
import { type AgentsView, EMPTY_AGENTS, foldAgents } from '../fold.ts';

export class Company {
  view: AgentsView = EMPTY_AGENTS;
  columns: readonly Column[] = [];
  /** Another number whenever the tree looks different. */
  version = 0;
  /** By step, of the columns. */
  #voices = new Map<string, Voice>();

  take(one: AnyFact): void {
    const view = foldAgents(this.view, one);
    if (view === this.view) return;
    this.view = view;
    this.version += 1;
  }

  /** A call of the seat begins: its column stands last. */
  begin({ step }: FactOf<'step.started'>, seat: Seat): void {
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
