/**
 * The output of one call as it arrives: its text laid out in rows, its thinking, and what the call is doing.
 * Independent of React, and cheap to keep while it is not shown.
 */

import type { LiveEvent } from '../../kernel/bus.ts';
import { failureLabel } from '../../kernel/errors.ts';
import { WAITS_AFTER_MS } from '../../kernel/providers/waiting.ts';
import type { CallView } from '../../kernel/view.ts';
import { type AnswerWords, formatAnswer, formatValue } from '../../text/answers/answer.ts';
import { beginsJson, PartialJson } from '../../text/answers/partial-json.ts';
import { toLine } from '../../text/line.ts';
import { ColumnBuffer } from '../../text/rows/column-buffer.ts';
import { Sanitiser } from '../../text/sanitise.ts';
import { Thinking } from './thinking.ts';

/**
 * What a call is doing, or how it ended. `idle`: the seat was not asked yet. `queued`: the call waits
 * for its turn at the provider `behind`. `waiting`: it was sent, and nothing has arrived. `speaking`:
 * the answer is arriving. Times are milliseconds of the console's clock.
 */
export type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'queued'; readonly behind: string }
  | { readonly kind: 'waiting'; readonly since: number }
  | { readonly kind: 'thinking'; readonly since: number }
  | { readonly kind: 'speaking' }
  | {
      readonly kind: 'retrying';
      /** The number of the failed attempt. */
      readonly attempt: number;
      readonly until: number;
      readonly reason: string;
      /** Whether the server is loading the model and is asked again until it has. */
      readonly loading?: boolean | undefined;
      /** Whether the server does not answer and is asked again until it does. */
      readonly away?: boolean | undefined;
    }
  /**
   * The call has ended. `latencyMs` is absent if its duration is unknown, as for a text from a fork's
   * parent.
   */
  | { readonly kind: 'done'; readonly latencyMs?: number | undefined }
  | {
      readonly kind: 'failed';
      readonly label: string;
      readonly message: string;
      readonly next: string | undefined;
    }
  | { readonly kind: 'stopped' }
  /** The program ended while the call ran. */
  | { readonly kind: 'lost' };

/** Average characters of a token in prose. Used only for figures marked with `~`. */
const CHARS_PER_TOKEN = 4;
/** Milliseconds over which the speed is measured; and after how many without output a call counts as silent. */
const RATE_MS = 3000;
/** Milliseconds without output after which a call counts as silent. */
export const SILENT_MS = 4000;
/** The width for which text is laid out before it is shown. */
const UNSEEN_WIDTH = 80;

/**
 * A JSON answer is parsed from its beginning each time. Before it is parsed again, 1/200 of its length must
 * have arrived, so that reading a long answer costs at most a few hundred times as much as parsing it once.
 */
const UNSEEN_SHARE = 200;

/** How the prompt and the answer of a call are formatted for people. */
export interface CallWording {
  /** Formats answers that have a JSON schema. */
  readonly words: AnswerWords;
  /**
   * Replaces the letters that stand for seats in a prompt by names; absent if the prompt has no
   * such letters. If `isWhole` is false, more text may follow, so an end of the text that may be the
   * beginning of such a letter's mention is dropped.
   */
  readonly named?: ((text: string, isWhole: boolean) => string) | undefined;
}

/** Presents the output unchanged. */
const PROSE: CallWording = { words: () => undefined };

/**
 * Collects the output of a seat's call while it arrives. If the seat is called again, the same object
 * can collect the new output.
 */
export class CallStream {
  /** The id of the seat. */
  readonly seat: string;
  readonly #text = new ColumnBuffer(UNSEEN_WIDTH);
  /** The text that the model writes before its answer. */
  readonly thinking = new Thinking();
  /** What the call is doing. */
  phase: Phase = { kind: 'idle' };
  /** The model that was asked. */
  model = '';
  /** The seat that the server answers before this call, by name; undefined if the call waits for none. */
  behind: string | undefined;
  /** Lines to show below the output. */
  notes: readonly string[] = [];
  /** The id of the latest attempt. */
  attempt = '';
  #door = new Sanitiser();
  #task: string | undefined;
  #reading = PROSE;
  /** The text as it arrived, until it is known whether it is JSON; after that kept only for JSON. */
  #raw = '';
  /** The parser of a JSON answer; undefined if the answer is prose or has not begun. */
  #record: PartialJson | undefined;
  /** The whole clean prose, if it is presented differently from how it arrived. */
  #prose = '';
  /** How many characters have arrived in `#record` or `#prose`. */
  #came = 0;
  /** How many of these characters `#text` shows. */
  #shown = 0;
  #begun = false;
  #thoughtDoor = new Sanitiser();
  #chars = 0;
  #samples: { at: number; chars: number }[] = [];

  constructor(seat: string) {
    this.seat = seat;
  }

  /** The output, laid out in rows. */
  get text(): ColumnBuffer {
    const fresh = this.#came - this.#shown;
    if (fresh > this.#shown / UNSEEN_SHARE) {
      const said = this.#record === undefined ? this.#prose : this.#recorded;
      if (said !== undefined) {
        this.#shown = this.#came;
        this.#text.turnInto(this.#named(said, false));
      }
    }
    return this.#text;
  }

  /** The JSON answer so far as text for people; undefined until some of it can be read. */
  get #recorded(): string | undefined {
    const value = this.#record?.value;
    return value === undefined ? undefined : formatValue(this.#task, value, this.#reading.words);
  }

  #named(text: string, isWhole: boolean): string {
    return this.#reading.named?.(text, isWhole) ?? text;
  }

  /** Whether the call has begun and not ended. */
  get running(): boolean {
    return RUNNING.has(this.phase.kind);
  }

  /** Whether the call was sent, nothing has arrived yet, and the seat has looked nothing up. */
  get isWaiting(): boolean {
    return this.phase.kind === 'waiting' && this.looked.length === 0;
  }

  /** Whether the answer, or the thinking before it, has begun to arrive. */
  get isAnswered(): boolean {
    return this.phase.kind === 'speaking' || this.phase.kind === 'thinking';
  }

  /**
   * Returns the name of the seat that the server answers before this call, once the call has waited long
   * enough for this to be worth showing; otherwise undefined.
   */
  aheadOf(now: number): string | undefined {
    const { phase } = this;
    return phase.kind === 'waiting' && now - phase.since >= WAITS_AFTER_MS
      ? this.behind
      : undefined;
  }

  /** Whether the seat can be asked again, because the call failed, was stopped or was lost. */
  get canRetry(): boolean {
    return CAN_RETRY.has(this.phase.kind);
  }

  /** The seat and the question that the call is about; undefined if its column should not show them. */
  about: string | undefined;
  /** What the seat has looked up for this answer, one line each. */
  looked: readonly string[] = [];

  /**
   * Begins a call. The output of an earlier call is dropped.
   *
   * @param at the time of its start
   * @param task the kind of the call, which decides how a JSON answer is formatted
   * @param reading how the answer is formatted for people; default: unchanged
   */
  begin(attempt: string, model: string, at: number, task?: string, reading = PROSE): void {
    this.attempt = attempt;
    this.model = model;
    this.#task = task;
    this.#reading = reading;
    this.notes = [];
    this.#reset();
    this.phase = { kind: 'waiting', since: at };
  }

  /**
   * Applies live news of the running call. Returns false if the news belongs to another call or the
   * call is not running.
   */
  hear(news: LiveEvent, now: number): boolean {
    if (news.call !== this.attempt || !this.running) return false;
    switch (news.type) {
      case 'queued':
        this.phase = { kind: 'queued', behind: toLine(news.behind) };
        break;
      case 'sent':
        this.#reset();
        this.phase = { kind: 'waiting', since: now };
        break;
      case 'text':
        this.#chars += news.text.length;
        this.#sample(now, news.text.length);
        this.#take(news.text);
        if (this.phase.kind !== 'speaking') this.phase = { kind: 'speaking' };
        break;
      case 'thinking':
        this.#chars += news.text.length;
        this.#sample(now, news.text.length);
        this.thinking.push(this.#thoughtDoor.push(news.text), now);
        if (this.phase.kind !== 'thinking') this.phase = { kind: 'thinking', since: now };
        break;
      case 'retrying':
        this.phase = {
          kind: 'retrying',
          attempt: news.attempt,
          until: now + news.delayMs,
          reason: toLine(news.reason),
          loading: news.loading,
          away: news.away,
        };
        break;
    }
    return true;
  }

  /** Ends the call with its recorded result. */
  end(call: CallView): void {
    this.attempt = call.attempt;
    this.model = call.model;
    this.notes = call.notes;
    this.#shown = this.#came;
    if (this.#record === undefined && this.#reading.named === undefined)
      this.#text.push(this.#door.end());
    // Replace the text that arrived during the call by the recorded text, because parts may have been lost on the
    // way. If both texts are equal, nothing is laid out again.
    this.#text.turnInto(this.#named(formatAnswer(call, this.#reading.words), true));
    this.#text.end();
    this.thinking.settle(call.thinking);
    // If the model has asked for tools, the seat is not done: another call follows with their results.
    this.phase =
      call.calls === undefined
        ? phaseOf(call)
        : { kind: 'waiting', since: Date.parse(call.startedAt) };
  }

  /**
   * Shows a text that did not arrive as output of this call, such as one that a fork has from its
   * parent.
   */
  showText(text: string, model: string, latencyMs?: number): void {
    this.reword(text);
    this.thinking.clear();
    this.model = model;
    this.phase = { kind: 'done', latencyMs };
  }

  /** Replaces the text by another form of the same output. */
  reword(text: string): void {
    this.#shown = this.#came;
    this.#text.turnInto(text);
    this.#text.end();
  }

  /** Marks the call as lost, because the process that made it has ended. */
  markLost(): void {
    this.text.end();
    this.phase = { kind: 'lost' };
  }

  /**
   * Returns the approximate tokens per second of the last seconds; undefined if there is too little
   * output.
   */
  rate(now: number): number | undefined {
    const since = now - RATE_MS;
    const recent = this.#samples.filter(({ at }) => at > since && at <= now);
    const first = recent[0];
    if (first === undefined || recent.length < 2) return undefined;
    const chars = recent.slice(1).reduce((sum, sample) => sum + sample.chars, 0);
    return chars / CHARS_PER_TOKEN / ((now - first.at) / 1000);
  }

  /**
   * Returns the milliseconds since the last output of the running call; 0 if it is not answering.
   */
  silence(now: number): number {
    const last = this.#samples.at(-1);
    const open = this.phase.kind === 'speaking' || this.phase.kind === 'thinking';
    return open && last !== undefined ? now - last.at : 0;
  }

  /** The approximate output tokens so far, including thinking. */
  get tokens(): number {
    return this.#chars / CHARS_PER_TOKEN;
  }

  /**
   * Adds text. Prose is laid out at once; JSON and prose that is presented differently only when it is read.
   */
  #take(text: string): void {
    let fresh = text;
    if (!this.#begun) {
      this.#raw += text;
      const isJson = this.#isForm || beginsJson(this.#raw);
      if (isJson === undefined) return;
      this.#begun = true;
      fresh = this.#raw;
      this.#raw = '';
      if (isJson) this.#record = new PartialJson();
    }
    if (this.#record === undefined && this.#reading.named === undefined)
      this.#text.push(this.#door.push(fresh));
    else {
      if (this.#record === undefined) this.#prose += this.#door.push(fresh);
      else this.#record.push(fresh);
      this.#came += fresh.length;
    }
  }

  /** Whether JSON was asked for, so that text before it does not belong to the answer. */
  get #isForm(): boolean {
    return this.#reading.words(this.#task, {}) !== undefined;
  }

  #reset(): void {
    this.#text.clear();
    this.#raw = '';
    this.#record = undefined;
    this.#prose = '';
    this.#came = 0;
    this.#shown = 0;
    this.#begun = false;
    this.#door = new Sanitiser();
    this.#thoughtDoor = new Sanitiser();
    this.thinking.clear();
    this.#chars = 0;
    this.#samples = [];
  }

  #sample(at: number, chars: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < 100) last.chars += chars;
    else this.#samples.push({ at, chars });
    while ((this.#samples[0]?.at ?? at) < at - RATE_MS) this.#samples.shift();
  }
}

const RUNNING: ReadonlySet<Phase['kind']> = new Set([
  'queued',
  'waiting',
  'thinking',
  'speaking',
  'retrying',
]);
const CAN_RETRY: ReadonlySet<Phase['kind']> = new Set(['failed', 'stopped', 'lost']);

function phaseOf(call: CallView): Phase {
  switch (call.state) {
    case 'running':
      return { kind: 'waiting', since: Date.parse(call.startedAt) };
    case 'done':
      return { kind: 'done', latencyMs: call.latencyMs };
    case 'failed':
      return {
        kind: 'failed',
        label: failureLabel(call.code) ?? call.code ?? 'failed',
        message: call.message ?? '',
        next: call.next,
      };
    case 'stopped':
      return { kind: 'stopped' };
    case 'lost':
      return { kind: 'lost' };
  }
}
