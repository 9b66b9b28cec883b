/** An output that nobody sees: what a command says while it is called from inside the program. */
import { Output } from './output.ts';

/** No descriptor has this number. */
const NONE = -1;

export class Collected extends Output {
  text = '';

  constructor() {
    super(NONE);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += chunk.toString();
    done();
  }

  /** What was said, a line each. */
  lines(): string[] {
    return this.text.split('\n').filter((line) => line.trim() !== '');
  }
}
