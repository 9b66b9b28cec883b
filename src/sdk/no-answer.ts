/**
 * Thrown if a seat has no answer, since its call failed or a person stopped it. A protocol may catch it and
 * continue.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly key: string;
  readonly seat: string;
  /** One sentence: the provider's own message if there is one. */
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

/** Thrown if too few seats have answered. The run ends with the answers alone. */
export class TooFew extends Error {
  override readonly name = 'TooFew';
  readonly heard: readonly { readonly title: string; readonly text: string }[];

  constructor(
    heard: readonly { readonly title: string; readonly text: string }[],
    asked: number,
    least: number,
  ) {
    super(`${heard.length} of ${asked} seats were heard, and ${least} are needed`);
    this.heard = heard;
  }
}
