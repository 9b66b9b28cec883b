/** A terminal to draw on. Its method `write` never blocks. */
export interface Screen extends NodeJS.EventEmitter {
  readonly columns: number;
  readonly rows: number;
  /** Must be true for Ink to use the alternate screen. */
  readonly isTTY: boolean;
  /** How many bytes the terminal has not taken yet. While there are many, frames are skipped. */
  readonly pending: number;
  write(text: string): boolean;
  /** Writes a text at once, ahead of everything pending. */
  writeNow(text: string): void;
}
