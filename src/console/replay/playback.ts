/** Plays a recorded run back: its facts at their time, and what calls said as they said it. */

import { Bus } from '../../kernel/bus.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Timeline, Utterance } from './timeline.ts';

/** A recorded run being played, and the handles on it. Times are milliseconds of playing time. */
export interface Playback {
  readonly speed: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly position: number;
  readonly length: number;
  /** How long the silence was that is being shortened now; undefined where none is. */
  readonly gapMs: number | undefined;
  toggle(): void;
  faster(): void;
  slower(): void;
  step(by: 1 | -1): void;
  phase(by: 1 | -1): void;
  toEnd(): void;
  /** Told when it goes back: what had been recorded by then is all there is again. */
  onRewind(listener: (facts: readonly AnyFact[]) => void): void;
}

/** About two frames of the console: text flows, and little is done for it. */
const TICK_MS = 50;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;
/** Who goes back right after a place means the one before it. */
const AGAIN_MS = 1000;

export class Player implements Playback {
  readonly feed: Bus = new Bus();
  readonly #timeline: Timeline;
  readonly #monotonic: () => number;
  #position: number;
  #speed: number;
  #paused = false;
  /** How many facts have been played. */
  #played: number;
  /** By attempt, how many characters were said. */
  readonly #said = new Map<string, number>();
  #rewound: ((facts: readonly AnyFact[]) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `monotonic` counts milliseconds; tests turn it by hand. */
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

  /** The facts that lie before where it stands. */
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

  /** What the clock said in the run at the moment that is played. */
  now(): number {
    return this.#timeline.recordedAt(this.#position);
  }

  onRewind(listener: (facts: readonly AnyFact[]) => void): void {
    this.#rewound = listener;
  }

  start(): void {
    let last = this.#monotonic();
    this.#speak();
    this.#timer = setInterval(() => {
      const now = this.#monotonic();
      if (!this.#paused && !this.ended) this.#forward(this.#position + (now - last) * this.#speed);
      last = now;
    }, TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** At the end it plays once more from the beginning. */
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
    // What was on its way belongs to a moment that has not come yet.
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

  /** Lets every call that runs now say what it had said by now. */
  #speak(): void {
    for (const one of this.#timeline.utterances) {
      if (one.begun >= this.#played || one.ended < this.#played) continue;
      const before = this.#said.get(one.call) ?? 0;
      const share = (this.#position - one.from) / Math.max(1, one.to - one.from);
      const after = wholeCharacters(one, share);
      if (after <= before) continue;
      this.#said.set(one.call, after);
      const { step, seat, call, thinking, text } = one;
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

/** How much of it was said by then: thinking first, then the text; never half of a character. */
function wholeCharacters({ thinking, text }: Utterance, share: number): number {
  const all = thinking + text;
  const end = Math.floor(all.length * Math.max(0, Math.min(1, share)));
  const unit = all.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}
