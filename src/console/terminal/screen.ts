/** A terminal to draw on whose writes never block. */
export interface Screen extends NodeJS.EventEmitter {
  readonly columns: number;
  readonly rows: number;
  /** Ink draws on the alternate screen of a terminal only. */
  readonly isTTY: boolean;
  /** Bytes not yet taken by the terminal: while there are many, frames are skipped. */
  readonly pending: number;
  write(text: string): boolean;
  /** Past everything that waits. */
  writeNow(text: string): void;
}
