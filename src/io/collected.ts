/** An output that is collected instead of shown, for commands that the program itself calls. */
import { Output } from './output.ts';

/** A number that no file descriptor has. */
const NONE = -1;

/** An output stream that collects everything written to it as text. */
export class CollectedOutput extends Output {
  /** Everything that was written so far. */
  text = '';

  constructor() {
    super(NONE);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += chunk.toString();
    done();
  }

  /** Returns the lines of the output, without blank lines. */
  lines(): string[] {
    return this.text.split('\n').filter((line) => line.trim() !== '');
  }
}
