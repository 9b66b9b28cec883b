/** The display for pipes and scripts: each answer under its heading as soon as it is complete. */

import type { Listener, Live } from '../kernel/bus.ts';
import { entryOf } from '../kernel/entry.ts';
import type { FactOf } from '../kernel/facts.ts';
import { EMPTY_VIEW, foldRun, type RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { agentNews, spokenText } from '../protocols/agents/view/lines.ts';
import { type BoardView, EMPTY_BOARD, foldBoard } from '../protocols/board/fold.ts';
import { weighingOf } from '../protocols/board/requests.ts';
import {
  agreementTable,
  baselineLine,
  influenceTable,
  tallyLine,
} from '../protocols/board/view/report.ts';
import { shiftLine, stanceLine, voteLine } from '../protocols/rounds/view/votes.ts';
import { isBallot, readVote } from '../protocols/rounds/votes.ts';
import { ownEvery } from '../protocols/vocabulary.ts';
import { formatMs, formatUsd } from '../text/figures.ts';
import { line } from '../text/line.ts';
import { sanitise } from '../text/sanitise.ts';
import { absence, legend, REHEARSAL, seatHeading, synthesisHeading, titleOf } from './naming.ts';

export interface Sink {
  write(text: string): unknown;
}

/** Those who speak and sit on no panel. */
const OUTSIDE: Readonly<Record<string, string>> = {
  synthesizer: 'Synthesizer',
  baseline: 'Baseline',
};

/** What a call is for, where its seat does not already say so. */
function purposeOf(step: string): string {
  const [kind, , version] = step.split('/');
  if (kind === 'agreement') return ' who holds what';
  if (kind === 'influence') return ` what v${version} changes`;
  return '';
}

/** Results go to `out`, progress to `err`. Facts that are already known can be fed in first. */
export class PlainLines implements Listener {
  readonly #out: Sink;
  readonly #err: Sink;
  #view: RunView = EMPTY_VIEW;
  #board: BoardView = EMPTY_BOARD;
  #warned = false;
  /** Calls of which it was said that their model is being loaded. */
  readonly #loading = new Set<string>();

  constructor(out: Sink, err: Sink) {
    this.#out = out;
    this.#err = err;
  }

  fact(any: AnyFact): void {
    this.#view = foldRun(this.#view, any);
    this.#board = foldBoard(this.#board, any);
    const one = ownEvery(any);
    switch (one?.type) {
      case 'step.started':
        if (one.kind === 'call' && one.seat !== undefined)
          this.#progress(
            `${this.#title(one.seat)} is asked${purposeOf(one.step)} (${line(one.model ?? '')})`,
          );
        return;
      case 'call.completed':
        this.#progress(
          one.inherited
            ? `${this.#title(one.seat)}'s answer is taken over`
            : `${this.#title(one.seat)} has answered (${formatMs(one.latencyMs)}${costOf(one)})`,
        );
        // A stance is told by its own fact: the form it came in is for nobody to read.
        if (!isBallot(one.step)) this.#answer(one.seat, spokenText(one, this.#view), one.rehearsal);
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
        const why = absence(entryOf(this.#view.calls, one.step), this.#view.protocol) ?? '';
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
        const question = this.#board.questions.find(({ number }) => number === (one.question ?? 1));
        const tally = question === undefined ? undefined : tallyLine(question, this.#view);
        const above = [names, tally ?? ''].filter(Boolean).map((text) => `${text}\n\n`);
        this.#print(`# ${heading}\n\n${above.join('')}${sanitise(one.text).trim()}\n`);
        return;
      }
      case 'question.asked':
        this.#print(`# Question ${one.number}: ${line(one.text)}\n`);
        return;
      case 'seat.changed':
        this.#progress(`${this.#title(one.seat)} is now played by ${line(one.model)}`);
        return;
      case 'ballot.cast':
        this.#progress(
          `${this.#title(one.seat)}'s ballot: "${line(one.option)}" (${one.confidence})`,
        );
        return;
      case 'patience.began':
        this.#progress(
          `${one.answered.length} have answered; ${this.#titles(one.waitingFor)} may take another ${formatMs(Date.parse(one.until) - Date.parse(one.at))}`,
        );
        return;
      case 'quorum.reached':
        this.#progress(
          `Quorum: ${one.answered.length} of ${one.of} have answered (${one.quorum} were asked for)${one.stopped.length === 0 ? '' : `; ${this.#titles(one.stopped)} stopped`}`,
        );
        return;
      case 'agreement.mapped': {
        const synthesis = this.#view.syntheses.find(({ version }) => version === one.version);
        const question = this.#board.questions.find(({ number }) => number === one.question);
        const tally = question === undefined ? undefined : tallyLine(question, this.#view, one);
        this.#print(
          `## Who holds what (v${one.version})\n\n${[...(tally === undefined ? [] : [tally]), ...agreementTable(one, synthesis, this.#view)].join('\n\n')}\n`,
        );
        return;
      }
      case 'influence.weighed':
        this.#progress(
          `Without ${one.without === null ? 'anybody left out' : this.#title(one.without)}: ${one.change}. ${line(one.how)}`,
        );
        return;
      case 'baseline.completed':
        this.#print(
          `## Baseline: ${one.kind}\n\n${baselineLine(one)}\n\n${sanitise(one.text).trim()}\n`,
        );
        return;
      case 'run.ended': {
        const request = weighingOf(this.#view.request);
        const weighed = request && (this.#board.influences[request.base] ?? []);
        if (request && weighed && weighed.length > 0)
          this.#print(
            `## What v${request.base} becomes without each seat\n\n${influenceTable(weighed, this.#view).join('\n\n')}\n`,
          );
        return;
      }
      case 'gate.opened':
        this.#progress(line(one.prompt));
        return;
      default: {
        const news = agentNews(any, (seat) => this.#title(seat));
        if (news !== undefined) this.#progress(news);
        return;
      }
    }
  }

  live(news: Live): void {
    if (news.type === 'queued')
      this.#progress(`${this.#title(news.seat)} is queued behind ${line(news.behind)}`);
    if (news.type === 'retrying' && news.loading) {
      // It is asked every few seconds, for minutes: one line says so.
      if (this.#loading.has(news.call)) return;
      this.#loading.add(news.call);
      this.#progress(
        `${this.#title(news.seat)}: ${line(news.reason)}; asking again until the model is loaded`,
      );
    } else if (news.type === 'retrying')
      this.#progress(
        `${this.#title(news.seat)}: ${line(news.reason)}; trying again${news.delayMs > 0 ? ` in ${formatMs(news.delayMs)}` : ''}`,
      );
  }

  /** Seats only: the synthesizer's text comes with its fact, under its own heading. */
  #answer(id: string, text: string | undefined, rehearsal: boolean): void {
    const seat = this.#view.seats.find((one) => one.id === id);
    if (seat === undefined || text === undefined) return;
    if (rehearsal && !this.#warned) {
      this.#warned = true;
      this.#print(`${REHEARSAL}\n`);
    }
    this.#print(`## ${seatHeading(seat)}\n\n${sanitise(text).trim()}\n`);
  }

  #title(seat: string): string {
    return entryOf(OUTSIDE, seat) ?? titleOf(seat, this.#view);
  }

  #titles(seats: readonly string[]): string {
    return seats.map((seat) => this.#title(seat)).join(', ');
  }

  #print(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #progress(text: string): void {
    this.#err.write(`${text}\n`);
  }
}

/** What somebody is paid for it; nothing where nobody is. */
function costOf({ costUsd, usage }: FactOf<'call.completed'>): string {
  if (costUsd === undefined) return ', price unknown';
  return costUsd > 0 ? `, ${formatUsd(costUsd, usage.estimated)}` : '';
}
