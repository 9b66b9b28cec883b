/**
 * What one call says, as it says it: the words laid out in rows, the thinking apart from them, and what
 * the call is doing. It lives outside React and costs nothing to keep while nobody looks at it.
 */

import type { LiveEvent } from '../../kernel/bus.ts';
import { failureLabel } from '../../kernel/model.ts';
import { WAITS_AFTER_MS } from '../../kernel/providers/waiting.ts';
import type { CallView } from '../../kernel/view.ts';
import { type AnswerWords, formatAnswer, formatValue } from '../../text/answers/answer.ts';
import { beginsJson, PartialJson } from '../../text/answers/partial-json.ts';
import { ColumnBuffer } from '../../text/column-buffer.ts';
import { line } from '../../text/line.ts';
import { Sanitiser } from '../../text/sanitise.ts';
import { Thinking } from './thinking.ts';

/** What a call is doing, or how it ended. Times are milliseconds of the console's clock. */
export type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'queued'; readonly behind: string }
  | { readonly kind: 'waiting'; readonly since: number }
  | { readonly kind: 'thinking'; readonly since: number }
  | { readonly kind: 'speaking' }
  | {
      readonly kind: 'retrying';
      /** The attempt that failed. */
      readonly attempt: number;
      readonly until: number;
      readonly reason: string;
      /** The server is loading the model, and is asked again until it has. */
      readonly loading?: boolean | undefined;
      /** Nobody listens where the server was, and it is asked again until somebody does. */
      readonly away?: boolean | undefined;
    }
  /** Without a time where it is not known who said it. */
  | { readonly kind: 'done'; readonly latencyMs?: number | undefined }
  | {
      readonly kind: 'failed';
      readonly label: string;
      readonly message: string;
      readonly next: string | undefined;
    }
  | { readonly kind: 'stopped' }
  /** The program ended while it ran. */
  | { readonly kind: 'lost' };

/** Prose of the models seen: about four characters a token. Only for figures marked with `~`. */
const CHARS_PER_TOKEN = 4;
/** Over how long the speed is measured, and after which silence the screen says so. */
const RATE_MS = 3000;
export const SILENT_MS = 4000;
/** A width to lay text out in before anybody looks at it. */
const UNSEEN_WIDTH = 80;

/**
 * A record is read as a whole each time. The longer it is, the more must have come: a few words of a page,
 * so that reading all of a long answer costs no more than a few hundred times reading it once.
 */
const UNSEEN_SHARE = 200;

/** How what a call says reads to people. */
export interface CallWording {
  readonly words: AnswerWords;
  /** Names in place of letters; absent where the prompt had none. */
  readonly named?: ((text: string, isWhole: boolean) => string) | undefined;
}

/** As it is. */
const PROSE: CallWording = { words: () => undefined };

export class CallStream {
  readonly seat: string;
  readonly #text = new ColumnBuffer(UNSEEN_WIDTH);
  readonly thinking = new Thinking();
  phase: Phase = { kind: 'idle' };
  model = '';
  /** While it waits: the name of the seat that the same model is answering. Its run keeps it up to date. */
  behind: string | undefined;
  notes: readonly string[] = [];
  /** The call that speaks or spoke last. */
  attempt = '';
  #door = new Sanitiser();
  #task: string | undefined;
  #reading = PROSE;
  /** What was said so far, as it came, until it is known whether it is JSON; then only of that. */
  #raw = '';
  /** An answer that is JSON; undefined: it is prose, or has not begun. */
  #record: PartialJson | undefined;
  /** Prose that reads otherwise than it came, whole and clean. */
  #prose = '';
  /** Characters of either that have come, and that `text` shows. */
  #came = 0;
  #shown = 0;
  #begun = false;
  #thoughtDoor = new Sanitiser();
  #chars = 0;
  #samples: { at: number; chars: number }[] = [];

  constructor(seat: string) {
    this.seat = seat;
  }

  /** What was said, laid out. What reads otherwise than it came is read when somebody looks. */
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

  /** A record as far as it has come; undefined before any of it can be read. */
  get #recorded(): string | undefined {
    const value = this.#record?.value;
    return value === undefined ? undefined : formatValue(this.#task, value, this.#reading.words);
  }

  #named(text: string, isWhole: boolean): string {
    return this.#reading.named?.(text, isWhole) ?? text;
  }

  get running(): boolean {
    return RUNNING.has(this.phase.kind);
  }

  /** Whether it was sent and nothing of its answer has come. */
  get isWaiting(): boolean {
    return this.phase.kind === 'waiting' && this.looked.length === 0;
  }

  /** Whether its answer, or the thinking before it, is coming. */
  get isAnswered(): boolean {
    return this.phase.kind === 'speaking' || this.phase.kind === 'thinking';
  }

  /** The name of the seat that it waits for, once it has waited long enough to say so. */
  aheadOf(now: number): string | undefined {
    const { phase } = this;
    return phase.kind === 'waiting' && now - phase.since >= WAITS_AFTER_MS
      ? this.behind
      : undefined;
  }

  get canRetry(): boolean {
    return CAN_RETRY.has(this.phase.kind);
  }

  /** What the seat has looked up for this answer, a clean line each. */
  looked: readonly string[] = [];

  /** A call begins: what an earlier one said no longer counts. */
  begin(attempt: string, model: string, at: number, task?: string, reading = PROSE): void {
    this.attempt = attempt;
    this.model = model;
    this.#task = task;
    this.#reading = reading;
    this.notes = [];
    this.#reset();
    this.phase = { kind: 'waiting', since: at };
  }

  /** News of the running call. False where it belongs to an earlier one. */
  hear(news: LiveEvent, now: number): boolean {
    if (news.call !== this.attempt || !this.running) return false;
    switch (news.type) {
      case 'queued':
        this.phase = { kind: 'queued', behind: line(news.behind) };
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
          reason: line(news.reason),
          loading: news.loading,
          away: news.away,
        };
        break;
    }
    return true;
  }

  /** The call ended as the log says. `call` is clean already. */
  end(call: CallView): void {
    this.attempt = call.attempt;
    this.model = call.model;
    this.notes = call.notes;
    this.#shown = this.#came;
    if (this.#record === undefined && this.#reading.named === undefined)
      this.#text.push(this.#door.end());
    // Live news is lossy; the fact has all of it. Mostly they are the same and nothing is laid out again.
    this.#text.turnInto(this.#named(formatAnswer(call, this.#reading.words), true));
    this.#text.end();
    this.thinking.settle(call.thinking);
    // It looks something up and goes on.
    this.phase =
      call.calls === undefined
        ? phaseOf(call)
        : { kind: 'waiting', since: Date.parse(call.startedAt) };
  }

  /** Words that were not heard here: taken over from another run, or made of what a call has said. */
  recite(text: string, model: string, latencyMs?: number): void {
    this.reword(text);
    this.thinking.clear();
    this.model = model;
    this.phase = { kind: 'done', latencyMs };
  }

  /** The same in other words: what a person reads of what was said. */
  reword(text: string): void {
    this.#shown = this.#came;
    this.#text.turnInto(text);
    this.#text.end();
  }

  /** The program that ran the call is gone. */
  lose(): void {
    this.text.end();
    this.phase = { kind: 'lost' };
  }

  /** Tokens a second in the last seconds, estimated; undefined before there is something to measure. */
  rate(now: number): number | undefined {
    const since = now - RATE_MS;
    const recent = this.#samples.filter(({ at }) => at > since && at <= now);
    const first = recent[0];
    if (first === undefined || recent.length < 2) return undefined;
    const chars = recent.slice(1).reduce((sum, one) => sum + one.chars, 0);
    return chars / CHARS_PER_TOKEN / ((now - first.at) / 1000);
  }

  /** Milliseconds since anything was heard of a call that speaks; 0 for others. */
  silence(now: number): number {
    const last = this.#samples.at(-1);
    const open = this.phase.kind === 'speaking' || this.phase.kind === 'thinking';
    return open && last !== undefined ? now - last.at : 0;
  }

  /** Tokens said so far, thinking included, estimated. */
  get tokens(): number {
    return this.#chars / CHARS_PER_TOKEN;
  }

  /** Prose is laid out as it comes; a record, and prose that reads otherwise, when somebody looks. */
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

  /** A record was asked for: whatever is said before it begins is not the answer. */
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
