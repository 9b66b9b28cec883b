/**
 * Separates thinking from an answer while it streams: some models write their thinking as one
 * `<think>…</think>` block at the start. Chunks may be cut anywhere.
 */

/** The tag that begins a block of thinking. */
const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Characters of leading white space after which the text counts as the answer, since they are examined with
 * every chunk.
 */
const MOST_BLANK = 1_000;

interface Split {
  readonly text: string;
  readonly thinking: string;
}

/** Splits one stream of text into thinking, marked by tags such as `<think>`, and answer. */
export class ThinkSplitter {
  private state: 'start' | 'thinking' | 'after' | 'answer' = 'start';
  /** Text that cannot be assigned yet: leading white space, or part of a tag. */
  private held = '';

  /**
   * Adds a piece of text. Returns its thinking and its answer; text that may be part of a tag is
   * held back.
   */
  push(chunk: string): Split {
    if (this.state === 'answer') return { text: chunk, thinking: '' };
    this.held += chunk;
    let thinking = '';
    if (this.state === 'start') {
      const begun = this.held.trimStart();
      const undecided = OPEN.startsWith(begun) && begun.length < OPEN.length;
      if (undecided && this.held.length < MOST_BLANK) return { text: '', thinking: '' };
      if (!begun.startsWith(OPEN)) {
        this.state = 'answer';
        return { text: this.release(), thinking: '' };
      }
      this.state = 'thinking';
      this.held = begun.slice(OPEN.length);
    }
    if (this.state === 'thinking') {
      const end = this.held.indexOf(CLOSE);
      if (end < 0) {
        const safe = this.held.length - tagPrefixAtEnd(this.held);
        thinking = this.held.slice(0, safe);
        this.held = this.held.slice(safe);
        return { text: '', thinking };
      }
      thinking = this.held.slice(0, end);
      this.held = this.held.slice(end + CLOSE.length);
      this.state = 'after';
    }
    // Drop the white space between thinking and answer.
    this.held = this.held.trimStart();
    if (this.held === '') return { text: '', thinking };
    this.state = 'answer';
    return { text: this.release(), thinking };
  }

  /** Ends the stream. Returns the text that was held back. */
  end(): Split {
    const held = this.release();
    if (this.state === 'thinking') return { text: '', thinking: held };
    return { text: this.state === 'after' ? '' : held, thinking: '' };
  }

  private release(): string {
    const held = this.held;
    this.held = '';
    return held;
  }
}

/** Returns how many characters at the end of `text` may be the beginning of the closing tag. */
function tagPrefixAtEnd(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
