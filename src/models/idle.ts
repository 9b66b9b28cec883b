/**
 * Ends a request that receives nothing. It counts ticks of a timer instead of reading the clock: a process
 * that slept for an hour (Ctrl-Z, a closed lid) gets one late tick when it wakes up, so its streams go on.
 */

/** Ticks per idle timeout. More ticks make the limit more exact, at the cost of a wake-up each. */
const TICKS = 8;

/** Watches a request and calls back when no data has arrived for too long. */
export class IdleWatch {
  private readonly onIdle: (idles: number) => void;
  private readonly keepAlive: (() => Promise<boolean>) | undefined;
  private readonly timer: NodeJS.Timeout;
  private ticks = 0;
  private excused = 0;
  private asking = false;
  private touched = false;

  /**
   * @param idleMs milliseconds that the request may receive nothing; the watch may take up to an
   * eighth longer to notice it
   * @param onIdle called once when `idleMs` milliseconds have passed without a call of `touch` or
   * `restart`; gets 1, or more if `keepAlive` has prolonged the wait: how often `idleMs` has passed
   * @param keepAlive called before `onIdle` as long as `touch` was never called; if it resolves to
   * true, another `idleMs` milliseconds are waited
   */
  constructor(idleMs: number, onIdle: (idles: number) => void, keepAlive?: () => Promise<boolean>) {
    this.onIdle = onIdle;
    this.keepAlive = keepAlive;
    this.timer = setInterval(() => this.tick(), Math.max(1, idleMs / TICKS));
  }

  /** Notes that a part of the answer arrived; the wait begins anew. */
  touch(): void {
    this.touched = true;
    this.restart();
  }

  /** Begins the wait anew after a sign of life of the server that is not part of the answer. */
  restart(): void {
    this.ticks = 0;
    this.excused = 0;
  }

  /** Ends the watch; `onIdle` is not called any more. */
  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Returns whether the idle timeout has passed. The first tick counts for nothing, since it may come right
   * after the last byte.
   */
  private hasIdled(): boolean {
    return this.ticks - 1 >= TICKS;
  }

  private tick(): void {
    this.ticks += 1;
    if (!this.hasIdled() || this.asking) return;
    if (this.keepAlive && !this.touched) {
      this.asking = true;
      this.keepAlive().then(
        (keptAlive) => this.answered(keptAlive),
        () => this.answered(false),
      );
    } else {
      this.expire();
    }
  }

  private answered(keptAlive: boolean): void {
    this.asking = false;
    if (keptAlive) {
      this.ticks = 0;
      this.excused += 1;
    } else if (this.hasIdled()) {
      this.expire();
    }
  }

  private expire(): void {
    this.stop();
    this.onIdle(this.excused + 1);
  }
}
