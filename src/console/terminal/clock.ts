/**
 * Decides when the console draws. Each frame takes milliseconds whatever has changed, so changes are collected
 * into at most 15 frames a second, fewer if frames are slow, and none if nothing changes.
 */

const FRAME_MS = 1000 / 15;
/** If a frame takes longer than the first number of milliseconds, frames are drawn at the second interval. */
const SLOWER: readonly (readonly [number, number])[] = [
  [40, 200],
  [20, 100],
];
/** If more bytes than this wait for the terminal, no frame is drawn. */
const CROWDED_BYTES = 64_000;
/** The interval at which seconds (elapsed time, waiting, retry) advance on the screen while the run is live. */
const BEAT_MS = 1000;
/**
 * A key's frame is drawn at once, but at most at this interval, so that keys held down do not outrun the
 * terminal.
 */
const URGENT_MS = 12;

interface ClockParts {
  /** Draws one frame synchronously. */
  readonly draw: () => void;
  /** Returns the bytes that the terminal has not taken yet. */
  readonly pending: () => number;
  /** Returns whether seconds advance on the screen. */
  readonly ticking: () => boolean;
}

/** Decides when the next frame is drawn. */
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

  /** Requests a frame after a change. The frame is drawn as soon as the pace allows. */
  wake(): void {
    this.#schedule(this.#last + this.interval);
  }

  /** Requests a frame at once, for example after a key. */
  hurry(): void {
    this.#schedule(this.#last + URGENT_MS);
  }

  /** Milliseconds between frames; longer if the last frames took long. */
  get interval(): number {
    return SLOWER.find(([cost]) => this.#cost > cost)?.[1] ?? FRAME_MS;
  }

  /** Draws no more frames. */
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
