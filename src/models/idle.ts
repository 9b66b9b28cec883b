/**
 * Ends a request that has gone quiet. It counts ticks of a timer, not the clock: a process that
 * slept for an hour (Ctrl-Z, a closed lid) gets one late tick when it wakes up and not an hour of
 * them, so its streams live on.
 */

/** Ticks in one idle time. More make the limit more exact, and cost a wake-up each. */
const TICKS = 8;

export class IdleWatch {
  private readonly onIdle: () => void;
  private readonly keepAlive: (() => Promise<boolean>) | undefined;
  private readonly timer: NodeJS.Timeout;
  private ticks = 0;
  private asking = false;
  private touched = false;

  /**
   * `onIdle` is called once, between `idleMs` and 1⅛ of it after the last `touch`. As long as there
   * was no touch at all, `keepAlive` is asked first; if it says yes the wait begins anew.
   */
  constructor(idleMs: number, onIdle: () => void, keepAlive?: () => Promise<boolean>) {
    this.onIdle = onIdle;
    this.keepAlive = keepAlive;
    this.timer = setInterval(() => this.tick(), Math.max(1, idleMs / TICKS));
  }

  /** Part of the answer arrived. */
  touch(): void {
    this.touched = true;
    this.ticks = 0;
  }

  /** A sign of life that is not part of the answer yet: the time begins anew. */
  restart(): void {
    this.ticks = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    this.ticks += 1;
    // One more than the idle time has: the first tick may follow the last byte at once.
    if (this.ticks <= TICKS || this.asking) return;
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
    if (keptAlive) this.ticks = 0;
    else if (this.ticks > TICKS) this.expire();
  }

  private expire(): void {
    this.stop();
    this.onIdle();
  }
}
