/**
 * Colors finished blocks of code with highlight.js. The library is loaded when the first block is drawn, each
 * language with its first block. A block is parsed once, between two frames, and cached by its text, so that a
 * new width costs nothing. If anything fails, the code stays in one color.
 */

import type { CodeBlock } from '../../../text/markdown/code-block.ts';
import type { Reader } from './core.d.ts';
import { marksOf } from './kinds.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { runWithTimeLimit } from './time-limit.ts';

/**
 * Milliseconds for one block. The longest useful blocks take 50 ms, but hostile text can make a grammar's
 * expressions take minutes.
 */
const PATIENCE_MS = 300;
/** After so many texts that took too long, nothing is colored any more. */
const MOST_SLOW = 5;
/** How many texts' marks are cached. */
const MOST_TEXTS = 200;

type Marks = Uint8Array | 'plain';

/** Finds the colors of blocks of code, and remembers them. */
export class Syntax {
  readonly #changed: () => void;
  readonly #patienceMs: number;
  readonly #byText = new Map<string, Marks | 'waiting'>();
  readonly #byBlock = new WeakMap<CodeBlock, Marks>();
  /** The reader of each language; undefined if the language could not be loaded. */
  readonly #readers = new Map<Language, Promise<Reader | undefined>>();
  #slow = 0;
  #queue: Promise<void> = Promise.resolve();

  /**
   * Creates the cache.
   *
   * @param changed called when a block that was drawn without colors has got its colors
   * @param patienceMs milliseconds for one block; a block that takes longer gets no colors
   */
  constructor(changed: () => void, patienceMs = PATIENCE_MS) {
    this.#changed = changed;
    this.#patienceMs = patienceMs;
  }

  /**
   * Returns the kind of each character of a block, as an index into `KINDS`. Returns undefined if the
   * block has no colors, or if its colors are not known yet.
   */
  marks(block: CodeBlock): Uint8Array | undefined {
    const marks = this.#byBlock.get(block) ?? this.#find(block);
    return marks === 'plain' ? undefined : marks;
  }

  #find(block: CodeBlock): Marks | undefined {
    const { text } = block;
    if (text === undefined) return undefined;
    const language = LANGUAGES.get(block.language);
    const key = `${language?.name}\n${text}`;
    const known = language === undefined ? 'plain' : this.#byText.get(key);
    if (known === 'waiting') return undefined;
    if (known !== undefined) this.#byBlock.set(block, known);
    else if (language !== undefined) this.#enqueue(language, key, text);
    return known;
  }

  #enqueue(language: Language, key: string, text: string): void {
    this.#byText.set(key, 'waiting');
    this.#queue = this.#queue.then(async () => {
      const marks = await this.#read(language, text);
      this.#byText.delete(key);
      this.#byText.set(key, marks);
      if (this.#byText.size > MOST_TEXTS) this.#forget();
      if (marks === 'plain') return;
      this.#changed();
      // Let the terminal draw a frame before the next code block is highlighted.
      await new Promise((resolve) => setImmediate(resolve));
    });
  }

  async #read(language: Language, text: string): Promise<Marks> {
    if (this.#slow >= MOST_SLOW) return 'plain';
    const loading = this.#readers.get(language) ?? loadLanguage(language).catch(() => undefined);
    this.#readers.set(language, loading);
    const reader = await loading;
    if (reader === undefined) return 'plain';
    try {
      const { value } = runWithTimeLimit(this.#patienceMs, () =>
        reader.highlight(text, { language: language.name, ignoreIllegals: true }),
      );
      return marksOf(value, text) ?? 'plain';
    } catch {
      // A highlighter that was interrupted may be inconsistent, so create another one for the next
      // text.
      this.#readers.delete(language);
      this.#slow += 1;
      return 'plain';
    }
  }

  /** Removes the oldest text from the cache. */
  #forget(): void {
    for (const [key, marks] of this.#byText) {
      if (marks === 'waiting') continue;
      this.#byText.delete(key);
      return;
    }
  }
}

async function loadLanguage(language: Language): Promise<Reader> {
  const { default: core } = await import('highlight.js/lib/core');
  // Create a highlighter for each language, so that the result does not depend on other languages.
  const reader = core.newInstance();
  for (const grammar of [language, ...(language.within ?? [])])
    reader.registerLanguage(grammar.name, (await grammar.load()).default);
  // Highlight an almost empty text first, outside the time limit, because the first text also compiles the regular
  // expressions.
  reader.highlight(' ', { language: language.name });
  return reader;
}
