/**
 * The console's one clock. A frame costs milliseconds whatever changed in it, so changes are gathered
 * into at most 15 frames a second, fewer where frames are slow, and none while nothing changes.
 */

const FRAME_MS = 1000 / 15;
/** What a frame may take before the clock slows down, and to what. */
const SLOWER: readonly (readonly [number, number])[] = [
  [40, 200],
  [20, 100],
];
/** Bytes that the terminal has not taken yet beyond which a frame would only queue up behind them. */
const CROWDED_BYTES = 64_000;
/** Seconds on the screen (elapsed time, waiting, retry) move at this pace while the run is live. */
const BEAT_MS = 1000;
/** A key's frame is drawn at once, but keys held down must not outrun the terminal. */
const URGENT_MS = 12;

interface ClockParts {
  /** Draws one frame, synchronously. */
  readonly draw: () => void;
  /** Bytes still on their way to the terminal. */
  readonly pending: () => number;
  /** Whether seconds pass on the screen. */
  readonly ticking: () => boolean;
}

export class FrameClock {
  readonly #parts: ClockParts;
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #cost = 0;
  #stopped = false;

  constructor(parts: ClockParts) {
    this.#parts = parts;
  }

  /** Something changed: a frame is drawn when the pace allows. */
  wake(): void {
    this.#schedule(this.#last + this.interval);
  }

  /** A person did something: they should see it now. */
  hurry(): void {
    this.#schedule(this.#last + URGENT_MS);
  }

  /** Milliseconds between frames, by what the last ones took. */
  get interval(): number {
    return SLOWER.find(([cost]) => this.#cost > cost)?.[1] ?? FRAME_MS;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(at: number): void {
    if (this.#stopped || at >= this.#due) return;
    this.#due = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#frame(), Math.max(0, at - performance.now()));
  }

  #frame(): void {
    this.#due = Number.POSITIVE_INFINITY;
    const start = performance.now();
    if (this.#parts.pending() > CROWDED_BYTES) {
      this.#schedule(start + this.interval);
      return;
    }
    this.#last = start;
    this.#parts.draw();
    const took = performance.now() - start;
    this.#cost += (took - this.#cost) / 8;
    if (this.#parts.ticking()) this.#schedule(start + BEAT_MS);
  }
}
