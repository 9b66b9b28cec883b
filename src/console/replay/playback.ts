/** Plays back a recorded run: publishes its facts at their times, and the calls' texts as they arrived. */

import { Bus } from '../../kernel/bus.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Timeline, Utterance } from './timeline.ts';

/**
 * The controls of a run that is played back. Times are milliseconds of playing time, in which long
 * silences are shortened.
 */
export interface Playback {
  /** How many times faster than recorded. */
  readonly speed: number;
  readonly paused: boolean;
  /** Whether the end is reached. */
  readonly ended: boolean;
  /** The present position, as playing time. */
  readonly position: number;
  /** The playing time of the whole run. */
  readonly length: number;
  /**
   * The recorded length, in milliseconds, of the long silence that is being played back in shortened
   * form; undefined if no silence is being shortened now.
   */
  readonly gapMs: number | undefined;
  /** Pauses or continues; at the end, begins again. */
  toggle(): void;
  /** Raises the speed to the next of 0.25, 0.5, 1, 2, 4, 8, 16, 32 and 64. */
  faster(): void;
  /** Lowers the speed to the previous of these values. */
  slower(): void;
  /**
   * With 1, jumps to the next beginning of a step, such as a call; after the last one, to the end. With
   * -1, jumps back to the latest beginning, or to the one before it if the latest has only just passed.
   */
  step(by: 1 | -1): void;
  /**
   * With 1, jumps to the next beginning of a phase, such as a round; after the last one, to the end. With
   * -1, jumps back to the latest beginning, or to the one before it if the latest has only just passed.
   */
  phase(by: 1 | -1): void;
  /** Jumps to the end. */
  toEnd(): void;
  /** Sets the only listener for jumps backwards. The listener gets the facts up to the new position. */
  onRewind(listener: (facts: readonly AnyFact[]) => void): void;
}

/** Milliseconds between two updates, about two frames of the console. */
const TICK_MS = 50;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;
/** Within so many milliseconds after a place, going back means the place before it. */
const AGAIN_MS = 1000;

/** Plays back one run: publishes its facts and texts as the position passes their playing times. */
export class Player implements Playback {
  /** Where facts and texts are published. */
  readonly feed: Bus = new Bus();
  readonly #timeline: Timeline;
  readonly #monotonic: () => number;
  #position: number;
  #speed: number;
  #paused = false;
  /** How many facts have been published. */
  #played: number;
  /** How many characters of each call were published, by attempt. */
  readonly #said = new Map<string, number>();
  #rewound: ((facts: readonly AnyFact[]) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Prepares the playback.
   *
   * @param options `speed`: how many times faster than recorded; `from`: the playing time to begin at,
   *   in milliseconds; `monotonic`: a clock in milliseconds that is never set back
   */
  constructor(
    timeline: Timeline,
    {
      speed = 1,
      from = 0,
      monotonic = () => performance.now(),
    }: {
      speed?: number;
      from?: number;
      monotonic?: () => number;
    } = {},
  ) {
    this.#timeline = timeline;
    this.#speed = speed;
    this.#position = from;
    this.#monotonic = monotonic;
    this.#played = this.#countAt(from);
  }

  /** The facts up to the present position. */
  get facts(): readonly AnyFact[] {
    return this.#timeline.facts.slice(0, this.#played);
  }

  get speed(): number {
    return this.#speed;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get ended(): boolean {
    return this.#position >= this.#timeline.length;
  }

  get position(): number {
    return this.#position;
  }

  get length(): number {
    return this.#timeline.length;
  }

  get gapMs(): number | undefined {
    return this.ended ? undefined : this.#timeline.gapAt(this.#position);
  }

  /** Returns the recorded time at the present position, in milliseconds since 1970. */
  now(): number {
    return this.#timeline.recordedAt(this.#position);
  }

  onRewind(listener: (facts: readonly AnyFact[]) => void): void {
    this.#rewound = listener;
  }

  /** Begins to play back. */
  start(): void {
    let last = this.#monotonic();
    this.#speak();
    this.#timer = setInterval(() => {
      const now = this.#monotonic();
      if (!this.#paused && !this.ended) this.#forward(this.#position + (now - last) * this.#speed);
      last = now;
    }, TICK_MS);
  }

  /** Ends the playback. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Pauses or continues; at the end, begins again. */
  toggle(): void {
    if (this.ended) {
      this.#paused = false;
      this.#seek(0);
    } else this.#paused = !this.#paused;
  }

  faster(): void {
    this.#speed = SPEEDS.find((speed) => speed > this.#speed) ?? this.#speed;
  }

  slower(): void {
    this.#speed = SPEEDS.findLast((speed) => speed < this.#speed) ?? this.#speed;
  }

  step(by: 1 | -1): void {
    this.#jump(this.#timeline.steps, by);
  }

  phase(by: 1 | -1): void {
    this.#jump(this.#timeline.phases, by);
  }

  toEnd(): void {
    this.#seek(this.#timeline.length);
  }

  #jump(places: readonly number[], by: 1 | -1): void {
    const here = this.#position;
    if (by === 1) this.#seek(places.find((place) => place > here) ?? this.#timeline.length);
    else this.#seek(places.findLast((place) => place < here - AGAIN_MS * this.#speed) ?? 0);
  }

  #seek(to: number): void {
    if (to >= this.#position) {
      this.#forward(to);
      return;
    }
    this.#position = to;
    this.#played = this.#countAt(to);
    this.#said.clear();
    // Before a replay jumps back, deliver the text that the feed has collected and not passed on yet, so that it
    // does not appear after the jump.
    this.feed.flush();
    this.#rewound?.(this.facts);
    this.#speak();
  }

  #forward(to: number): void {
    this.#position = Math.min(to, this.#timeline.length);
    const until = this.#countAt(this.#position);
    const facts = this.#timeline.facts.slice(this.#played, until);
    this.#played = until;
    this.feed.facts(facts);
    this.#speak();
  }

  /** Publishes the text of every running call up to the present position. */
  #speak(): void {
    for (const utterance of this.#timeline.utterances) {
      if (utterance.begun >= this.#played || utterance.ended < this.#played) continue;
      const before = this.#said.get(utterance.call) ?? 0;
      const share = (this.#position - utterance.from) / Math.max(1, utterance.to - utterance.from);
      const after = wholeCharacters(utterance, share);
      if (after <= before) continue;
      this.#said.set(utterance.call, after);
      const { step, seat, call, thinking, text } = utterance;
      const thought = thinking.slice(before, after);
      if (thought !== '') this.feed.live({ type: 'thinking', text: thought, step, seat, call });
      const said = text.slice(
        Math.max(0, before - thinking.length),
        Math.max(0, after - thinking.length),
      );
      if (said !== '') this.feed.live({ type: 'text', text: said, step, seat, call });
    }
  }

  #countAt(position: number): number {
    const next = this.#timeline.at.findIndex((at) => at > position);
    return next < 0 ? this.#timeline.facts.length : next;
  }
}

/**
 * Returns how many characters of an utterance belong to a share of it, first thinking and then text; does not
 * cut through a character.
 */
function wholeCharacters({ thinking, text }: Utterance, share: number): number {
  const all = thinking + text;
  const end = Math.floor(all.length * Math.max(0, Math.min(1, share)));
  const unit = all.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}
