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
