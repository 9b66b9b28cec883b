/** A seat has no answer: its call failed, or a person stopped it. A protocol may catch it and go on. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly key: string;
  readonly seat: string;
  /** One sentence, in the provider's words where it spoke. */
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

/** Too few seats were heard for anything to be made of it. The run ends with the answers alone. */
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
