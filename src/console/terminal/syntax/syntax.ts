/**
 * Colors finished blocks of code by highlight.js, which is loaded with the first of them that is drawn; a
 * language is loaded with its first block. A block is read once, between two frames; its text is the key,
 * so that another width costs nothing. Whatever goes wrong, the code stays in one color.
 */

import type { CodeBlock } from '../../../text/markdown/code-block.ts';
import type { Reader } from './core.d.ts';
import { marksOf } from './kinds.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { withinTime } from './time-limit.ts';

/** Text can be written that takes a grammar's expressions minutes; a block of the longest takes 50 ms. */
const PATIENCE_MS = 300;
/** So many texts that take too long are believed to be chance; after them nothing is colored any more. */
const MOST_SLOW = 5;
/** Texts whose marks are kept. */
const MOST_TEXTS = 200;

type Marks = Uint8Array | 'plain';

export class Syntax {
  readonly #changed: () => void;
  readonly #patienceMs: number;
  readonly #byText = new Map<string, Marks | 'waiting'>();
  readonly #byBlock = new WeakMap<CodeBlock, Marks>();
  /** Undefined for a language that could not be loaded. */
  readonly #readers = new Map<Language, Promise<Reader | undefined>>();
  #slow = 0;
  #queue: Promise<void> = Promise.resolve();

  /**
   * @param changed called when a block that was drawn plain has its colors
   * @param patienceMs how long one block may take; then it stays plain
   */
  constructor(changed: () => void, patienceMs = PATIENCE_MS) {
    this.#changed = changed;
    this.#patienceMs = patienceMs;
  }

  /** The kind of each character, as in `KINDS`; undefined where there are none, or none yet. */
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
      // A frame comes before the next block.
      await new Promise((resolve) => setImmediate(resolve));
    });
  }

  async #read(language: Language, text: string): Promise<Marks> {
    if (this.#slow >= MOST_SLOW) return 'plain';
    const loading = this.#readers.get(language) ?? load(language).catch(() => undefined);
    this.#readers.set(language, loading);
    const reader = await loading;
    if (reader === undefined) return 'plain';
    try {
      const { value } = withinTime(this.#patienceMs, () =>
        reader.highlight(text, { language: language.name, ignoreIllegals: true }),
      );
      return marksOf(value, text) ?? 'plain';
    } catch {
      // It was stopped in the middle: the next text gets another reader.
      this.#readers.delete(language);
      this.#slow += 1;
      return 'plain';
    }
  }

  /** The oldest text whose marks are known. */
  #forget(): void {
    for (const [key, marks] of this.#byText) {
      if (marks === 'waiting') continue;
      this.#byText.delete(key);
      return;
    }
  }
}

async function load(language: Language): Promise<Reader> {
  const { default: core } = await import('highlight.js/lib/core');
  // Of its own, so that what a block looks like does not depend on what else was loaded.
  const reader = core.newInstance();
  for (const one of [language, ...(language.within ?? [])])
    reader.registerLanguage(one.name, (await one.load()).default);
  // Its expressions are compiled with the first text, which the time limit must not cut off.
  reader.highlight(' ', { language: language.name });
  return reader;
}
