/**
 * Parses a JSON object while it is being written: at every moment there is a value from everything that has
 * arrived. Each character is read once. It only serves to show an answer in progress; a complete answer is
 * parsed and checked elsewhere.
 *
 * No input makes it throw. Anything that is not JSON is skipped.
 */

/** A container. Objects have no prototype, since their names come from a model. */
type Container = Record<string, unknown> | unknown[];

interface Open {
  readonly container: Container;
  /** The name of the next value; in a list its index. */
  name: string;
  /** Whether a name comes next, in an object. */
  awaitsName: boolean;
}

/** The deepest nesting that is kept. */
const DEEP = 64;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
]);
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Parses one JSON object that arrives in pieces. */
export class PartialJson {
  /** The object as far as it has arrived; undefined until it has begun. */
  value: Record<string, unknown> | undefined;
  /** The text that has arrived after the end of the object. */
  rest = '';
  readonly #open: Open[] = [];
  #over = false;
  #inString = false;
  /** The current string so far; a name is not used until it is complete. */
  #said = '';
  /** The incomplete escape: `\`, `\u00`. */
  #escape = '';
  /** The incomplete number or literal, which is interpreted at its end. */
  #bare = '';

  /** Adds a piece of text and updates `value` and `rest`. */
  push(text: string): void {
    for (let at = 0; at < text.length; at++) {
      if (this.#over) {
        this.rest += text.slice(at);
        return;
      }
      const character = text[at] ?? '';
      if (!this.#inString) this.#outside(character);
      else if (this.#escape !== '' || character === '\\') this.#escaped(character);
      else if (character === '"') this.#endString();
      else {
        const end = plainEnd(text, at);
        this.#said += text.slice(at, end);
        at = end - 1;
      }
    }
    // A string is part of the value even before it is complete, so that people can read along.
    if (this.#inString && this.#top?.awaitsName === false) this.#set(this.#said);
  }

  get #top(): Open | undefined {
    return this.#open.at(-1);
  }

  #outside(character: string): void {
    const top = this.#top;
    // Skip text before the JSON object, such as the opening of a code block.
    if (top === undefined && character !== '{') return;
    switch (character) {
      case '{':
      case '[':
        this.#endBare();
        this.#begin(character);
        return;
      case '}':
      case ']':
        this.#endBare();
        this.#open.pop();
        this.#over = this.#open.length === 0;
        if (!this.#over) this.#next();
        return;
      case '"':
        this.#endBare();
        this.#inString = true;
        this.#said = '';
        return;
      case ',':
        this.#endBare();
        if (top !== undefined && !Array.isArray(top.container)) top.awaitsName = true;
        return;
      case ':':
        return;
      default:
        if (/\s/.test(character)) this.#endBare();
        else this.#bare += character;
    }
  }

  #begin(bracket: '{' | '['): void {
    const container: Container = bracket === '[' ? [] : Object.create(null);
    if (this.#open.length < DEEP) {
      if (this.value === undefined) this.value = container as Record<string, unknown>;
      else this.#set(container);
    }
    this.#open.push({ container, name: '', awaitsName: bracket === '{' });
  }

  #escaped(character: string): void {
    this.#escape += character;
    if (this.#escape.length < 2) return;
    const isCode = this.#escape[1] === 'u';
    if (isCode && this.#escape.length < 6) return;
    const code = Number.parseInt(this.#escape.slice(2), 16);
    this.#said += isCode
      ? String.fromCharCode(Number.isNaN(code) ? 0xfffd : code)
      : (ESCAPES.get(character) ?? character);
    this.#escape = '';
  }

  #endString(): void {
    this.#inString = false;
    const top = this.#top;
    if (top?.awaitsName) {
      top.name = this.#said;
      top.awaitsName = false;
      return;
    }
    this.#set(this.#said);
    this.#next();
  }

  #endBare(): void {
    if (this.#bare === '') return;
    const word = this.#bare;
    this.#bare = '';
    if (this.#top?.awaitsName !== false) return;
    const literal = LITERALS.get(word);
    const number = Number(word);
    if (literal === undefined && Number.isNaN(number)) return;
    this.#set(literal === undefined ? number : literal);
    this.#next();
  }

  #set(value: unknown): void {
    const top = this.#top;
    if (top === undefined) return;
    const { container, name } = top;
    if (Array.isArray(container)) container[Number(name)] = value;
    else container[name] = value;
  }

  /** Moves on after a complete value. */
  #next(): void {
    const top = this.#top;
    if (top !== undefined && Array.isArray(top.container)) top.name = String(top.container.length);
  }
}

/** Returns the end of the plain characters within a string. */
function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"' && text[at] !== '\\') at += 1;
  return at;
}

/** The beginning of an answer that is JSON, possibly in a code fence. */
const BEGINNING = /^(?:```[a-z]*\s+)?\{\s*("|$)/i;
const MAY_BEGIN = /^(?:`{0,3}|```[a-z]*\s*)$/i;

/**
 * Returns whether an answer seems to be a JSON object, judged by its beginning; undefined while the answer
 * is too short to tell.
 */
export function beginsJson(text: string): boolean | undefined {
  const start = text.trimStart();
  if (MAY_BEGIN.test(start)) return undefined;
  return BEGINNING.test(start);
}
