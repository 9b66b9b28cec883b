/**
 * The display for pipes and scripts: prints each answer under its heading as soon as it is complete and all
 * earlier ones are printed.
 */

import { isPredictionStep, predictionPurpose } from '../decisions/predictions.ts';
import { estimateTimeLeft } from '../kernel/attempt/time-left.ts';
import type { Listener, LiveEvent } from '../kernel/bus.ts';
import { isCall } from '../kernel/call.ts';
import { entryOf } from '../kernel/entry.ts';
import { isExample } from '../kernel/example.ts';
import { type FactOf, KERNEL } from '../kernel/facts.ts';
import { formatHint } from '../kernel/hints.ts';
import { formatSource } from '../kernel/tools/sources.ts';
import { stepOf, turnKey } from '../kernel/tools/tools.ts';
import { EMPTY_VIEW, foldRun, type RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { toLine } from '../text/line.ts';
import { formatCount, formatMs, formatTimeLeft, formatUsd } from '../text/numbers.ts';
import { sanitiseText } from '../text/sanitise.ts';
import { DecisionTeller } from './decisions.ts';
import {
  EXAMPLE,
  formatSeatHeading,
  formatSynthesisHeading,
  getSeatTitle,
  REHEARSAL,
  whyNoAnswer,
} from './naming.ts';
import type { ProtocolText, Teller } from './protocol-text.ts';
import { WaitingCalls } from './waiting-calls.ts';

interface Sink {
  write(text: string): unknown;
}

/**
 * A function that returns a sentence on how to answer a run's question to a person; undefined if there is
 * nothing to say.
 */
export type HowToAnswer = (gate: FactOf<'gate.opened'>) => string | undefined;

/** Prints a run as plain text: results to `out`, progress to `err`. */
export class PlainLines implements Listener {
  readonly #out: Sink;
  readonly #err: Sink;
  readonly #text: ProtocolText;
  readonly #teller: Teller;
  readonly #decisions = new DecisionTeller();
  readonly #howToAnswer: HowToAnswer;
  #view: RunView = EMPTY_VIEW;
  #warned = false;
  /** Answers to print, by step in the order in which they were begun; undefined while they are missing. */
  readonly #waiting = new Map<string, string | undefined>();
  /** Open gates by step. */
  readonly #gates = new Map<string, FactOf<'gate.opened'>>();
  /** Calls for which it was printed that a server is being waited for, each with the reason. */
  readonly #absent = new Set<string>();
  readonly #calls = new WaitingCalls();
  #isQuiet = false;
  /** When the time that is left was printed last, or the first fact was; in milliseconds of `now`. */
  #leftToldAt: number | undefined;
  /** Milliseconds that the last ended call waited for other calls. */
  #waitedMs = 0;
  readonly #now: () => number;

  /**
   * Prepares the output.
   *
   * @param text the texts of the run's protocol
   * @param howToAnswer returns the sentence to print below a question to a person
   * @param now returns milliseconds, to measure how long calls wait
   */
  constructor(
    out: Sink,
    err: Sink,
    text: ProtocolText,
    howToAnswer: HowToAnswer = () => undefined,
    now: () => number = () => Date.now(),
  ) {
    this.#now = now;
    this.#out = out;
    this.#err = err;
    this.#text = text;
    this.#teller = text.teller();
    this.#howToAnswer = howToAnswer;
  }

  /**
   * Prints facts that were recorded earlier: all results, but of the progress only open questions
   * to a person and the number of answers.
   */
  known(facts: readonly AnyFact[]): void {
    this.#isQuiet = true;
    for (const fact of facts) this.fact(fact);
    this.#isQuiet = false;
    const answered = new Set(facts.filter(KERNEL.is('gate.answered')).map(({ step }) => step));
    for (const gate of this.#gates.values()) if (!answered.has(gate.step)) this.#tellGate(gate);
    const calls = facts.filter(KERNEL.is('call.completed')).length;
    if (calls > 0) this.#progress(`${formatCount(calls, 'answer')} on record already`);
  }

  /** Prints a new fact. */
  fact(fact: AnyFact): void {
    this.#view = foldRun(this.#view, fact);
    const call = KERNEL.own(fact);
    this.#waitedMs = call?.type === 'call.completed' ? this.#calls.waitOf(call.step) : 0;
    this.#calls.take(fact);
    const getTitle = (seat: string): string => this.#title(seat);
    // Give the new fact to the protocol's own printer first, so that it knows the fact when a synthesis is printed.
    const told = this.#teller.tell(fact, { view: this.#view, title: getTitle });
    this.#shared(fact);
    for (const text of this.#decisions.tell(fact, this.#view)) this.#print(text);
    for (const { to, text } of told)
      if (to === 'out') this.#print(text);
      else this.#progress(text);
    if (isCall(fact)) this.#tellTimeLeft();
  }

  /** Prints how much time is left, at most once in `TIME_LEFT_EVERY_MS`. */
  #tellTimeLeft(): void {
    const now = this.#now();
    this.#leftToldAt ??= now;
    if (this.#isQuiet || now - this.#leftToldAt < TIME_LEFT_EVERY_MS) return;
    const calls = this.#text.callsLeft(this.#view);
    const left = calls && estimateTimeLeft(this.#view, calls, now);
    const told = left && formatTimeLeft(left.low, left.high);
    if (told === undefined) return;
    this.#leftToldAt = now;
    this.#progress(told);
  }

  /** Prints what every run has. */
  #shared(any: AnyFact): void {
    const fact = KERNEL.own(any);
    switch (fact?.type) {
      case 'run.started':
        if (isExample(this.#view)) this.#print(`${EXAMPLE}\n`);
        return;
      case 'step.started':
        if (fact.kind === 'call' && fact.seat !== undefined && !isLaterTurn(fact.step))
          this.#progress(
            `${this.#title(fact.seat)} is asked${predictionPurpose(fact.step) || this.#text.purpose(fact.step)} (${toLine(fact.model ?? '')})`,
          );
        if (fact.kind === 'call') this.#await(fact.step);
        return;
      case 'run.resumed':
      case 'run.ended':
        // A call that is still running when a run is resumed or ends gets no answer any more, so
        // stop waiting for it.
        for (const [step, text] of this.#waiting)
          if (text === undefined) this.#waiting.delete(step);
        this.#tellInTurn();
        return;
      case 'tool.called':
        // Refused lookups are printed. A protocol's own lookup, which has no id although it was not refused, is not.
        if (fact.id === undefined && !fact.refused) return;
        this.#progress(`${this.#title(fact.seat)}: ${toLine(formatSource(fact))}`);
        return;
      case 'call.completed':
        // A call whose answer asks for tools is continued by a further call, so it is not printed as
        // an answer.
        if (fact.calls !== undefined) {
          this.#note(fact);
          this.#waiting.delete(fact.step);
          return;
        }
        this.#progress(
          fact.inherited
            ? `${this.#title(fact.seat)}'s answer is reused`
            : `${this.#title(fact.seat)} has answered (${this.#formatTime(fact)}${costOf(fact)})`,
        );
        this.#note(fact);
        this.#answer(fact);
        return;
      case 'call.failed':
      case 'call.stopped': {
        const why = formatHint(
          whyNoAnswer(entryOf(this.#view.calls, fact.step), this.#text.synthesizes) ?? '',
        );
        this.#progress(`${this.#title(fact.seat)}: ${why}`);
        this.#note(fact);
        this.#answer(fact, `[${why}]`);
        return;
      }
      case 'synthesis.completed': {
        const above = this.#teller.above(fact, this.#view);
        const text = sanitiseText(this.#teller.reads?.(fact, this.#view) ?? fact.text).trim();
        this.#print(
          `${[`# ${formatSynthesisHeading(fact, this.#view, this.#text.members)}`, ...above, text].join('\n\n')}\n`,
        );
        return;
      }
      case 'question.asked':
        this.#print(`# Question ${fact.number}: ${toLine(fact.text)}\n`);
        return;
      case 'seat.changed':
        this.#progress(`${this.#title(fact.seat)} now uses ${toLine(fact.model)}`);
        return;
      case 'iteration.noted':
        this.#progress(`iteration log: ${toLine(fact.text)}`);
        return;
      case 'gate.opened':
        this.#gates.set(fact.step, fact);
        this.#tellGate(fact);
        return;
      case 'gate.answered':
        // Print only an answer that was taken by default, together with the first line of its question. Whoever
        // gave another answer, a person or a program, knows it.
        if (fact.by === 'default') this.#progress(byDefault(fact, this.#gates.get(fact.step)));
    }
  }

  /** Prints news of a running call, such as that it waits for another. */
  live(news: LiveEvent): void {
    for (const { seat, ahead } of this.#calls.hear(news, this.#now()))
      this.#progress(
        seat === ahead
          ? `${this.#title(seat)} has another question waiting: the model is answering the one before`
          : `${this.#title(seat)} is waiting: the same model is answering ${this.#title(ahead)}`,
      );
    if (news.type === 'queued')
      this.#progress(`${this.#title(news.seat)} is queued behind ${toLine(news.behind)}`);
    if (news.type === 'retrying' && (news.loading || news.away)) {
      // For each call, print once that the server is loading a model, and once that the server is away. The server is
      // asked again every few seconds for minutes.
      const until = news.loading ? 'the model is loaded' : 'the server is back';
      if (this.#absent.has(`${news.call} ${until}`)) return;
      this.#absent.add(`${news.call} ${until}`);
      this.#progress(
        `${this.#title(news.seat)}: ${toLine(news.reason)}; asking again until ${until}`,
      );
    } else if (news.type === 'retrying')
      this.#progress(
        `${this.#title(news.seat)}: ${toLine(news.reason)}; trying again${news.delayMs > 0 ? ` in ${formatMs(news.delayMs)}` : ''}`,
      );
  }

  /** Stores the answer of a seat for printing. The text of a synthesis is printed with its own fact. */
  #answer(endedCall: EndedCall, why = ''): void {
    // Skip an answer that contains predictions or their probabilities: all of these are printed together, as a
    // table.
    if (isPredictionStep(endedCall.step)) return;
    const seat = this.#view.seats.find(({ id }) => id === endedCall.seat);
    const call = entryOf(this.#view.calls, endedCall.step);
    const spoken = call === undefined ? undefined : this.#text.spoken(call);
    if (endedCall.rehearsal && seat !== undefined && spoken !== undefined && !this.#warned) {
      this.#warned = true;
      this.#print(`${REHEARSAL}\n`);
    }
    const text = why === '' ? spoken : [spoken, why].filter(Boolean).join('\n\n');
    this.#waiting.set(
      endedCall.step,
      seat === undefined || spoken === undefined
        ? ''
        : `## ${formatSeatHeading(seat)}\n\n${sanitiseText(text ?? '').trim()}\n`,
    );
    this.#tellInTurn();
  }

  /** Notes that a call begins, or begins again, so that its answer is printed after all earlier ones. */
  #await(step: string): void {
    this.#waiting.delete(step);
    if (this.#text.inOrder) this.#waiting.set(step, undefined);
  }

  #tellInTurn(): void {
    for (const [step, text] of this.#waiting) {
      if (text === undefined) return;
      this.#waiting.delete(step);
      if (text !== '') this.#print(text);
    }
  }

  /** Prints notes on an answer. That the stand-in answered is printed once, elsewhere. */
  #note({ seat, notes, rehearsal }: EndedCall): void {
    for (const note of notes)
      if (!rehearsal || !note.startsWith('rehearsal:'))
        this.#progress(`${this.#title(seat)}: note: ${toLine(note)}`);
  }

  #tellGate(gate: FactOf<'gate.opened'>): void {
    // A gate's question is printed without its blank lines, which only separate parts of the question.
    for (const row of gate.prompt.split('\n'))
      if (row.trim() !== '') this.#progress(`${/^ */.exec(row)?.[0] ?? ''}${toLine(row)}`);
    const how = this.#howToAnswer(gate);
    if (how !== undefined) this.#progress(formatHint(how));
  }

  /** Formats the time of a call without the time in which its model answered others. */
  #formatTime({ latencyMs }: FactOf<'call.completed'>): string {
    const waited = Math.min(this.#waitedMs, latencyMs);
    if (waited === 0) return formatMs(latencyMs);
    return `${formatMs(latencyMs - waited)} after waiting ${formatMs(waited)}`;
  }

  #title(seat: string): string {
    return this.#text.outside.get(seat) ?? getSeatTitle(seat, this.#view);
  }

  #print(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #progress(text: string): void {
    if (this.#isQuiet) return;
    this.#err.write(`${text}\n`);
  }
}

/** Milliseconds between two lines about the time that is left. */
const TIME_LEFT_EVERY_MS = 30_000;

type EndedCall = FactOf<'call.completed' | 'call.failed' | 'call.stopped'>;

/** Returns whether a step continues after a tool call. */
function isLaterTurn(step: string): boolean {
  return stepOf(step) !== step && step !== turnKey(stepOf(step), 1);
}

function byDefault(
  { step, answer }: FactOf<'gate.answered'>,
  asked: FactOf<'gate.opened'> | undefined,
): string {
  const chosen = asked?.options.find(({ value }) => value === answer)?.label ?? answer;
  return `Answered by default: ${firstLine(asked?.prompt ?? step)} ${toLine(chosen)}.`;
}

/** Returns the first line of a question; the others have been printed already. */
function firstLine(prompt: string): string {
  return toLine(prompt.split('\n', 1)[0] ?? '');
}

/** Formats the cost of a call; empty if it is free. */
function costOf({ costUsd, usage }: FactOf<'call.completed'>): string {
  if (costUsd === undefined) return ', price unknown';
  return costUsd > 0 ? `, ${formatUsd(costUsd, usage.estimated)}` : '';
}
