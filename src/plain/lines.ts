/** The display for pipes and scripts: each answer under its heading as soon as it is complete. */

import type { Listener, Live } from '../kernel/bus.ts';
import type { Fact, FactOf } from '../kernel/facts.ts';
import { EMPTY_VIEW, foldRun, type RunView } from '../kernel/view.ts';
import { isBallot, readVote } from '../records/votes.ts';
import { formatMs, formatUsd } from '../text/figures.ts';
import { sanitise } from '../text/sanitise.ts';
import {
  absence,
  legend,
  line,
  REHEARSAL,
  seatHeading,
  synthesisHeading,
  titleOf,
} from './naming.ts';
import { shiftLine, stanceLine, voteLine } from './votes.ts';

export interface Sink {
  write(text: string): unknown;
}

/** Results go to `out`, progress to `err`. Facts that are already known can be fed in first. */
export class PlainLines implements Listener {
  readonly #out: Sink;
  readonly #err: Sink;
  #view: RunView = EMPTY_VIEW;
  #warned = false;

  constructor(out: Sink, err: Sink) {
    this.#out = out;
    this.#err = err;
  }

  fact(one: Fact): void {
    this.#view = foldRun(this.#view, one);
    switch (one.type) {
      case 'step.started':
        if (one.kind === 'call' && one.seat !== undefined)
          this.#progress(`${this.#title(one.seat)} is asked (${line(one.model ?? '')})`);
        return;
      case 'call.completed':
        this.#progress(
          one.inherited
            ? `${this.#title(one.seat)}'s answer is taken over`
            : `${this.#title(one.seat)} has answered (${formatMs(one.latencyMs)}${costOf(one)})`,
        );
        // A stance is told by its own fact: the form it came in is for nobody to read.
        if (!isBallot(one.step)) this.#answer(one.seat, one.text, one.rehearsal);
        return;
      case 'stance.taken':
        this.#progress(stanceLine(one, (seat) => this.#title(seat)));
        return;
      case 'vote.counted':
        this.#progress(voteLine(readVote(one)));
        return;
      case 'stance.compared':
        this.#progress(shiftLine(one, (seat) => this.#title(seat)));
        return;
      case 'call.failed':
      case 'call.stopped': {
        const why = absence(this.#view.calls[one.step]) ?? '';
        this.#progress(`${this.#title(one.seat)}: ${why}`);
        if (!isBallot(one.step))
          this.#answer(
            one.seat,
            [one.text, `[${why}]`].filter(Boolean).join('\n\n'),
            one.rehearsal,
          );
        return;
      }
      case 'synthesis.completed': {
        const heading = synthesisHeading(one, this.#view);
        const names = legend(one, this.#view);
        this.#print(`# ${heading}\n\n${names ? `${names}\n\n` : ''}${sanitise(one.text).trim()}\n`);
        return;
      }
      case 'gate.opened':
        this.#progress(line(one.prompt));
        return;
      default:
        return;
    }
  }

  live(news: Live): void {
    if (news.type === 'queued')
      this.#progress(`${this.#title(news.seat)} is queued behind ${line(news.behind)}`);
    if (news.type === 'retrying')
      this.#progress(
        `${this.#title(news.seat)}: ${line(news.reason)}; trying again in ${formatMs(news.delayMs)}`,
      );
  }

  /** Seats only: the synthesizer's text comes with its fact, under its own heading. */
  #answer(id: string, text: string, rehearsal: boolean): void {
    const seat = this.#view.seats.find((one) => one.id === id);
    if (seat === undefined) return;
    if (rehearsal && !this.#warned) {
      this.#warned = true;
      this.#print(`${REHEARSAL}\n`);
    }
    this.#print(`## ${seatHeading(seat)}\n\n${sanitise(text).trim()}\n`);
  }

  #title(seat: string): string {
    return seat === 'synthesizer' ? 'Synthesizer' : titleOf(seat, this.#view);
  }

  #print(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #progress(text: string): void {
    this.#err.write(`${text}\n`);
  }
}

/** What somebody is paid for it; nothing where nobody is. */
function costOf({ costUsd }: FactOf<'call.completed'>): string {
  if (costUsd === undefined) return ', price unknown';
  return costUsd > 0 ? `, ${formatUsd(costUsd)}` : '';
}
