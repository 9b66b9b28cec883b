/**
 * Cuts a byte stream into records: lines (NDJSON) or server-sent events. The libraries do this too,
 * but they replace bad UTF-8, drop what they cannot read, and buffer a line without end.
 */

/**
 * The longest record of a stream, in bytes. This is much more than needed: a normal record holds a
 * few tokens, and even a whole answer in one record is far smaller.
 */
export const MAX_RECORD = 8 * 1024 * 1024;

type FramingProblem = 'too-long' | 'not-utf8';

/** Thrown for a record of a stream that is too long or is not UTF-8. */
export class FramingError extends Error {
  readonly problem: FramingProblem;

  constructor(problem: FramingProblem) {
    super(problem);
    this.problem = problem;
  }
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Splits a stream of bytes into lines. The running time grows linearly with the input; at most `MAX_RECORD`
 * bytes of a line are kept in memory.
 */
export class LineCutter {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private pending: Uint8Array[] = [];
  private pendingLength = 0;

  /**
   * Yields the lines that `chunk` completes, without their line ends.
   * @throws FramingError if a line is too long or is not UTF-8
   */
  *push(chunk: Uint8Array): Generator<string> {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      this.hold(chunk.subarray(from, to));
      from = to + 1;
      yield this.take();
    }
    this.hold(chunk.subarray(from));
  }

  /** Returns the text after the last line end, which may be empty. */
  rest(): string {
    return this.take();
  }

  private hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.pendingLength += bytes.length;
    if (this.pendingLength > MAX_RECORD) {
      this.pending = [];
      throw new FramingError('too-long');
    }
    this.pending.push(bytes);
  }

  private take(): string {
    const [only] = this.pending;
    if (!only) return '';
    const line = this.pending.length === 1 ? only : Buffer.concat(this.pending, this.pendingLength);
    this.pending = [];
    this.pendingLength = 0;
    const end = line[line.length - 1] === RETURN ? line.length - 1 : line.length;
    try {
      return this.decoder.decode(line.subarray(0, end));
    } catch (error) {
      // With the option `fatal`, the decoder throws a TypeError only for invalid bytes.
      if (error instanceof TypeError) throw new FramingError('not-utf8');
      throw error;
    }
  }
}

/**
 * One record of a stream. `raw` is the text for the provider's library to parse; `data` is the
 * payload, which is empty for a record without data, such as a comment.
 */
export interface Frame {
  readonly raw: string;
  readonly data: string;
}

/** Splits a stream of bytes into records. */
export interface Framer {
  /** Yields the records that `chunk` completes. */
  push(chunk: Uint8Array): Generator<Frame>;
  /** Returns the incomplete record at the end of the stream; undefined if there is none. */
  rest(): Frame | undefined;
}

/** Splits a stream of newline-delimited JSON, as Ollama sends it. */
export class NdjsonFramer implements Framer {
  private readonly lines = new LineCutter();

  *push(chunk: Uint8Array): Generator<Frame> {
    for (const line of this.lines.push(chunk)) {
      // Drop blank lines: the ollama package would print a warning about each of them.
      if (line.trim() !== '') yield { raw: `${line}\n`, data: line };
    }
  }

  rest(): Frame | undefined {
    const line = this.lines.rest();
    return line.trim() === '' ? undefined : { raw: `${line}\n`, data: line };
  }
}

/** Splits a stream of server-sent events. */
export class SseFramer implements Framer {
  private readonly lines = new LineCutter();
  private raw = '';
  private data: string[] = [];

  *push(chunk: Uint8Array): Generator<Frame> {
    for (const line of this.lines.push(chunk)) {
      const frame = this.line(line);
      if (frame) yield frame;
    }
  }

  rest(): Frame | undefined {
    const line = this.lines.rest();
    if (line !== '') this.line(line);
    return this.raw === '' ? undefined : this.line('');
  }

  private line(line: string): Frame | undefined {
    if (line !== '') {
      this.raw += `${line}\n`;
      if (this.raw.length > MAX_RECORD) throw new FramingError('too-long');
      if (line.startsWith('data:')) this.data.push(line.slice(5).trimStart());
      return undefined;
    }
    if (this.raw === '') return undefined;
    const frame = { raw: `${this.raw}\n`, data: this.data.join('\n') };
    this.raw = '';
    this.data = [];
    return frame;
  }
}
