/**
 * The console's state of a run: the kernel's fold of its facts, and a stream for every seat and every
 * synthesis. It listens to the feed and is plain state that screens read once for each frame.
 */

import {
  answerWords as decisionAnswer,
  formatDecisionFact as decisionSays,
} from '../../decisions/says.ts';
import type { Listener, LiveEvent } from '../../kernel/bus.ts';
import { entryOf } from '../../kernel/entry.ts';
import { type Fact, type FactOf, KERNEL } from '../../kernel/facts.ts';
import { findAhead } from '../../kernel/providers/waiting.ts';
import { formatSource } from '../../kernel/tools/sources.ts';
import { stepOf, turnKey } from '../../kernel/tools/tools.ts';
import { callAt, EMPTY_VIEW, foldRun, type RunView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { formatAnswer, formatValue } from '../../text/answers/answer.ts';
import { type Attachment, attachmentsOf } from '../../text/documents/attachment.ts';
import { joinLines, toLine } from '../../text/line.ts';
import { sanitiseAll } from '../../text/sanitise.ts';
import { cleanFact } from '../terminal/door.ts';
import type { CallStream, CallWording } from './call-stream.ts';
import { DECISIONS_PART } from './decisions.ts';
import { formatLogLine } from './log-line.ts';
import { type Part, Parts } from './part.ts';
import type { Column, LogLine, Question, RunModel, RunShape, Synthesis } from './run-model.ts';
import { Spending } from './spending.ts';
import { Steps } from './steps.ts';
import { Streams } from './streams.ts';
import { SYNTHESIZER, Syntheses, versionOf } from './syntheses.ts';

/** The state of a run, updated with each fact and each live event. */
export class LiveRun implements Listener, RunModel {
  /** The state that all protocols have. */
  view: RunView = EMPTY_VIEW;
  /** The questions so far, the first one first. */
  questions: readonly Question[] = [];
  /** The costs by round. */
  readonly spending = new Spending();
  /** The steps, with times and costs. */
  readonly steps = new Steps();
  /** The log, a line for each fact. */
  readonly log: LogLine[] = [];
  /** The texts attached to the question. They may contain control characters. */
  attachments: readonly Attachment[] = [];
  /** Whether the person has stopped the run and it has not ended yet. */
  stopping = false;
  /** Whether the run is paused: running calls may end, and no others begin. */
  paused = false;
  /** Whether this attempt has begun its synthesis, which reads no later notes. */
  drafting = false;
  readonly #shape: RunShape;
  readonly #parts: Parts;
  readonly #syntheses: Syntheses;
  readonly #streams: Streams;
  readonly #now: () => number;
  readonly #changed: () => void;

  /**
   * Computes the state from the recorded facts.
   *
   * @param shape how runs of the protocol are followed
   * @param changed called after every change that may be visible
   */
  constructor(facts: readonly AnyFact[], shape: RunShape, now: () => number, changed: () => void) {
    this.#shape = {
      ...shape,
      answer: (task, value) => decisionAnswer(task, value) ?? shape.answer(task, value),
      says: (fact, run) => decisionSays(fact) ?? shape.says(fact, run),
    };
    this.#parts = new Parts([...shape.parts, DECISIONS_PART]);
    this.#syntheses = new Syntheses(this, shape);
    this.#streams = new Streams(shape.columns, this.#syntheses);
    this.#now = now;
    this.#changed = changed;
    for (const fact of facts) this.#hear(fact);
  }

  /** Whether the run is going on, in this process or another one. */
  get isLive(): boolean {
    return this.view.id !== '' && this.view.status === 'running';
  }

  /** The number of the latest question. */
  get question(): number {
    return this.questions.at(-1)?.number ?? 1;
  }

  /** Returns a question as it was asked, with its line breaks. */
  asked(number: number): string {
    return (
      this.questions.find((question) => question.number === number)?.text ?? this.view.question
    );
  }

  /** The seats with their answers to the latest question or, in some protocols, their latest calls. */
  get columns(): readonly Column[] {
    return this.columnsOf(this.question);
  }

  /** Returns the seats with their answers to a question or, in some protocols, their latest calls. */
  columnsOf(question: number): readonly Column[] {
    return this.#streams.columnsOf(question, this.isLive);
  }

  /**
   * The column of the latest output, once the run has ended. Only for protocols in which seats come
   * and go and that write no synthesis.
   */
  get lastWord(): Column | undefined {
    const { by } = this.#shape.columns;
    return by === 'calls' && !this.isLive && this.syntheses.length === 0
      ? this.columns.at(-1)
      : undefined;
  }

  /** All syntheses of the run. */
  get syntheses(): readonly Synthesis[] {
    return this.#syntheses.all;
  }

  /** Returns the syntheses of a question, including ablations (those written without a seat). */
  synthesesOf(question: number): readonly Synthesis[] {
    return this.syntheses.filter((synthesis) => synthesis.question === question);
  }

  /** Returns the state of a protocol's part. */
  read<S>(part: Part<S>): S {
    return this.#parts.read(part);
  }

  /**
   * Returns the milliseconds until the protocol stops waiting for a seat or the seat's call times out,
   * whichever comes first. A timeout counts only once half of its time is over. Undefined if no limit
   * is known or the seat's call is not running.
   */
  leftOf({ seat, stream }: Column, question: number, now: number): number | undefined {
    if (!stream.running) return undefined;
    const { until: ofProtocol, columns } = this.#shape;
    const waited = ofProtocol?.(this, seat.id, question) ?? Infinity;
    const call =
      columns.by === 'answers'
        ? callAt(this.view.calls, columns.stepOf(seat.id, question))
        : Object.values(this.view.calls).findLast((call) => call.seat === seat.id);
    const deadline = call?.deadline === undefined ? Infinity : Date.parse(call.deadline);
    const half = (Date.parse(call?.startedAt ?? '') + deadline) / 2;
    const until = Math.min(waited, now >= half ? deadline : Infinity);
    return until === Infinity ? undefined : Math.max(0, until - now);
  }

  /** Whether a seat is being asked, so that failed seats can be asked again now. */
  get asking(): boolean {
    return this.columns.some(({ stream }) => stream.running);
  }

  /** How many calls are running. Calls that write syntheses count only where columns show latest calls. */
  get running(): number {
    const { columns } = this;
    const others = this.streams('').filter(
      ([, stream]) => stream.running && !columns.some((column) => column.stream === stream),
    );
    return columns.filter(({ stream }) => stream.running).length + others.length;
  }

  /**
   * Returns the streams of running steps whose keys begin with the prefix, in the order in which they
   * began. Left out are steps that only a column or a synthesis shows.
   */
  streams(prefix: string): [step: string, stream: CallStream][] {
    return this.#streams.below(prefix);
  }

  /** How many seats have an answer to the latest question; 0 in protocols whose columns are calls. */
  get answers(): number {
    if (this.#shape.columns.by === 'calls') return 0;
    return this.columns.filter(({ stream }) => stream.phase.kind === 'done').length;
  }

  /**
   * How many seats have contributed, and of how many. Both are 0 for protocols in which seats come and
   * go. Where a seat has many calls, the seats in the latest synthesis count or, before there is one,
   * those whose latest call has not failed.
   */
  get turnout(): { readonly answered: number; readonly of: number } {
    const { columns, answers } = this;
    const shape = this.#shape.columns;
    const last = this.view.syntheses.findLast(({ conclusion }) => conclusion !== true);
    if (shape.by === 'calls') return { answered: 0, of: 0 };
    if (shape.by === 'answers') return { answered: answers, of: columns.length };
    if (last !== undefined)
      return {
        answered: last.included.length,
        of: last.included.length + last.excluded.length,
      };
    const lost = columns.filter(({ stream }) => stream.canRetry).length;
    return { answered: columns.length - lost, of: columns.length };
  }

  /** Returns a seat's name by its id. */
  nameOf(seat: string): string {
    return this.columns.find((column) => column.seat.id === seat)?.name ?? seat;
  }

  /**
   * Formats the structured answer of a step's call for people.
   * @param value the answer, parsed by its JSON schema
   */
  reads(step: string, value: unknown): string {
    const read = formatValue(entryOf(this.view.calls, step)?.task, value, this.#shape.answer);
    return this.#namedIn(step)?.(read, true) ?? read;
  }

  /** Returns the word that stands for a part of a step's key on the screen. */
  partWords(part: string): string {
    return this.#shape.partWords?.(part) ?? part;
  }

  /** Returns the output of a step's call, formatted for people. */
  said(step: string): string {
    const call = entryOf(this.view.calls, step);
    if (call === undefined) return '';
    const said = formatAnswer(call, this.#shape.answer);
    return this.#namedIn(step)?.(said, true) ?? said;
  }

  /**
   * Returns the function that replaces the letters of a step's prompt by names; undefined if the prompt has
   * none.
   */
  #namedIn(step: string): CallWording['named'] {
    const { named } = this.#shape;
    const version = versionOf(step);
    // Older logs record the letters of the seats with the synthesis only, and not with the call.
    const labels =
      entryOf(this.view.calls, step)?.labels ??
      this.view.syntheses.find((synthesis) => synthesis.version === version)?.labels;
    if (named === undefined || labels === undefined) return undefined;
    return (text, isWhole) => named(text, labels, (seat) => this.nameOf(seat), isWhole);
  }

  /** Returns the stream of a step's call while the call runs; otherwise undefined. */
  speaking(step: string): CallStream | undefined {
    const seat = entryOf(this.view.calls, step)?.seat;
    const stream = seat === undefined ? undefined : this.#streams.of(seat, step);
    // Return the seat's stream only if it still shows this call: the seat may already be answering a later one.
    return stream?.running && stream.attempt === entryOf(this.view.calls, step)?.attempt
      ? stream
      : undefined;
  }

  /** Returns the tokens of the run so far, and whether a part of them is estimated. */
  tokens(): { count: number; estimated: boolean } {
    const { input, output, estimated } = this.view.usage;
    let running = 0;
    for (const stream of this.#streams.all()) if (stream.running) running += stream.tokens;
    return {
      count: Math.round(input + output + running),
      estimated: running > 0 || estimated === true,
    };
  }

  /** Returns the approximate tokens of running calls of a step and the steps below it. */
  spokenBelow(key: string): number {
    let tokens = 0;
    for (const step of this.steps.running)
      if (step === key || step.startsWith(`${key}/`)) tokens += this.speaking(step)?.tokens ?? 0;
    return Math.round(tokens);
  }

  /** Updates the state by a new fact. */
  fact(fact: AnyFact): void {
    this.#hear(fact);
    this.#findWhoWaits();
    this.#changed();
  }

  /** Updates the state by live news of a call. */
  live(news: LiveEvent): void {
    if (!this.#streams.of(news.seat, news.step)?.hear(news, this.#now())) return;
    this.#findWhoWaits();
    this.#changed();
  }

  #findWhoWaits(): void {
    const streams = this.#streams.all();
    for (const stream of streams) {
      const ahead = findAhead(stream, streams);
      stream.behind = ahead && this.nameOf(ahead.seat);
    }
  }

  #hear(fact: AnyFact): void {
    // Keep attachments before the fact is cleaned. Texts cite attachments by line numbers, and removing control
    // characters could change the lines.
    if (isOpening(fact))
      this.attachments = attachmentsOf(fact.config).map(({ name, text, source }) => ({
        name: toLine(name),
        text,
        source: sanitiseAll(source) as Attachment['source'],
      }));
    this.#take(cleanFact(fact));
  }

  #take(any: AnyFact): void {
    this.view = foldRun(this.view, any);
    this.#parts.take(any);
    this.spending.take(any);
    this.steps.take(any);
    this.log.push(formatLogLine(any, (fact) => this.#shape.says(fact, this)));
    this.#streams.endPhase(any.type);
    const fact = KERNEL.own(any);
    switch (fact?.type) {
      case 'run.started':
        this.questions = [{ number: 1, text: fact.question }];
        this.#streams.addColumns(1, this.view.seats);
        break;
      case 'question.asked':
        this.questions = [
          ...this.questions.filter(({ number }) => number !== fact.number),
          { number: fact.number, text: fact.text },
        ];
        this.#streams.addColumns(fact.number, this.view.seats);
        break;
      case 'seat.changed':
        this.#streams.changeModel(this.question, this.columns, fact.seat, fact.model);
        break;
      case 'run.resumed':
      case 'run.ended':
        this.stopping = false;
        this.paused = false;
        this.drafting = false;
        for (const stream of this.#streams.all()) if (stream.running) stream.markLost();
        break;
      case 'step.started':
        if (fact.kind === 'call') this.#begin(fact);
        break;
      case 'tool.called': {
        const stream = this.#streams.of(fact.seat, fact.step.replace(/\/tool-\d+$/, ''));
        if (stream !== undefined) stream.looked = [...stream.looked, joinLines(formatSource(fact))];
        break;
      }
      case 'call.completed':
      case 'call.failed':
      case 'call.stopped': {
        const call = entryOf(this.view.calls, fact.step);
        if (call !== undefined) this.#streams.of(fact.seat, fact.step)?.end(call);
        this.#streams.end(fact.step);
        break;
      }
      case 'synthesis.completed':
        this.#syntheses.finish(fact.version);
        break;
      default:
        break;
    }
  }

  #begin(fact: Fact & FactOf<'step.started'>): void {
    const seat = fact.seat ?? '';
    if (seat === SYNTHESIZER && versionOf(fact.step) !== undefined) this.drafting = true;
    const speaker = this.view.seats.find(({ id }) => id === seat);
    const { columns } = this.#shape;
    const subject =
      columns.by === 'calls' ? columns.subjectOf?.(stepOf(fact.step), this) : undefined;
    const stream = this.#streams.begin(seat, fact.step, speaker, subject);
    const reading = { words: this.#shape.answer, named: this.#namedIn(fact.step) };
    const isFirst = stepOf(fact.step) === fact.step || fact.step === turnKey(stepOf(fact.step), 1);
    if (stream !== undefined && isFirst) stream.looked = [];
    stream?.begin(fact.attempt, fact.model ?? '', Date.parse(fact.at), fact.task, reading);
  }
}

const isOpening = KERNEL.is('run.started');
