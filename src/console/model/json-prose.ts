/**
 * Answers that were asked for as JSON, made readable while they stream: names become headings and list
 * items, texts are unescaped, brackets and quotes go. It is a way to read, nothing is decided by it.
 *
 * What comes out has to pass the door afterwards: an escape in a JSON string may stand for any character.
 */
import { entryOf } from '../../kernel/entry.ts';
export class JsonProse {
  readonly #open: ('{' | '[')[] = [];
  #inString = false;
  #isName = false;
  #expectsName = false;
  /** What of an escape has come so far: `\`, `\u00`. */
  #escape = '';
  #name = '';
  #over = false;

  push(text: string): string {
    let out = '';
    for (const character of text) {
      if (this.#over) out += character;
      else if (this.#inString) out += this.#inside(character);
      else out += this.#outside(character);
    }
    return out;
  }

  #outside(character: string): string {
    const top = this.#open.at(-1);
    switch (character) {
      case '{':
      case '[':
        this.#open.push(character);
        this.#expectsName = character === '{';
        return '';
      case '}':
      case ']':
        this.#open.pop();
        this.#expectsName = false;
        this.#over = this.#open.length === 0;
        return this.#over ? '\n' : '';
      case '"':
        this.#inString = true;
        this.#isName = top === '{' && this.#expectsName;
        this.#name = '';
        return !this.#isName && top === '[' ? this.#item() : '';
      case ',':
        this.#expectsName = top === '{';
        return '';
      case ':':
        return '';
      default:
        return /\s/.test(character) ? '' : character;
    }
  }

  #inside(character: string): string {
    if (this.#escape !== '') {
      this.#escape += character;
      const isCode = this.#escape[1] === 'u';
      if (isCode && this.#escape.length < 6) return '';
      const meant = isCode
        ? String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16) || 0x20)
        : (entryOf(ESCAPES, character) ?? character);
      this.#escape = '';
      return this.#say(meant);
    }
    if (character === '\\') {
      this.#escape = character;
      return '';
    }
    if (character !== '"') return this.#say(character);
    this.#inString = false;
    if (!this.#isName) return '';
    this.#expectsName = false;
    const name = this.#name.replaceAll('_', ' ');
    return this.#open.length <= 1 ? `\n\n**${name}** ` : `${this.#item()}${name}: `;
  }

  #say(text: string): string {
    if (!this.#isName) return text;
    this.#name += text;
    return '';
  }

  /** The beginning of a list item, as deep as it stands. */
  #item(): string {
    return `\n${'  '.repeat(Math.max(0, this.#open.length - 2))}- `;
  }
}

/** Line ends become blanks, so that a text stays in its list item. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: ' ',
  r: ' ',
  t: ' ',
  b: ' ',
  f: ' ',
};

/** Whether an answer that begins so is JSON: undefined while nothing but blanks has come. */
export function beginsJson(text: string): boolean | undefined {
  const start = text.trimStart();
  return start === '' ? undefined : /^\{\s*("|$)/.test(start);
}
