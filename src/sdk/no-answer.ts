/**
 * Thrown if a seat gives no answer, because its call failed, a person stopped it, or its answer was rejected
 * twice. A protocol may catch the error and continue.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The key of the step. */
  readonly key: string;
  /** The display name of the seat. */
  readonly seat: string;
  /** The reason as a sentence, in the provider's own words if there are some. */
  readonly reason: string;
  /** What a person can do about it. */
  readonly next: string | undefined;

  constructor(key: string, seat: string, reason: string, next?: string) {
    super(`${seat} has no answer at ${key}: ${reason}`);
    this.key = key;
    this.seat = seat;
    this.reason = reason;
    this.next = next;
  }
}

/**
 * Thrown if too few seats have answered. The run then ends, and its result is only these answers.
 */
export class TooFew extends Error {
  override readonly name = 'TooFew';
  /** The answers that there are. */
  readonly heard: readonly { readonly title: string; readonly text: string }[];

  /**
   * `asked` is the number of seats that were asked, `least` the number of answers that were needed.
   */
  constructor(
    heard: readonly { readonly title: string; readonly text: string }[],
    asked: number,
    least: number,
  ) {
    super(
      `${heard.length} of ${asked} ${asked === 1 ? 'seat was' : 'seats were'} heard, and ${least} ${least === 1 ? 'is' : 'are'} needed`,
    );
    this.heard = heard;
  }
}
