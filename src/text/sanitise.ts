/**
 * Makes untrusted text harmless. Model output, provider errors, model names and presets may contain
 * anything that a terminal obeys: clipboard writes (OSC 52), hidden or overprinted text, reordered text,
 * cursor moves. Answers are recorded unchanged, and text is cleaned on its way out:
 * - in the console by `console/terminal/door.ts`, which says what is already clean behind it;
 * - in plain text, reports, pages and messages by the code that writes them: with `line` (`text/line.ts`),
 * with `plain/markdown.ts` and `html-report/html.ts`, or with `sanitiseText` itself;
 * - in a folder of records as each file is written (`protocols/rounds/desk/folder.ts`), except for copies
 * of what was attached or looked up.
 *
 * Only in JSON it is not removed but written as a JSON escape (`plain/json-lines.ts`). Briefs and messages
 * are cleaned when they are sent (`models/call.ts`), so that models read what a person reads.
 *
 * Invisible characters are removed, except for spelling: a joiner between letters of a script that joins or
 * between the parts of an emoji, and one selector after a character that has variants.
 *
 * Three promises, each a property in test/text/sanitise.test.ts:
 * 1. The result has no ESC, no C1, no C0 but newline and tab, and nothing invisible.
 * 2. Readable text is never lost. Only a *complete* sequence is removed; one that does not end (before the
 * next newline, ESC or C1, within the lengths below, or at all) is shown as text behind a visible ␛.
 * 3. The result does not depend on how the text was cut into chunks. Time is linear, state bounded.
 */
import {
  BREAK,
  CONTROL,
  classOf,
  HIDDEN,
  isJoiningScript,
  isPictograph,
  isSkinTone,
  JOINER,
  MARK,
  SELECTOR,
  takesSelector,
  ZWJ,
} from './characters.ts';

/** The longest string sequence that is removed: the 2,083 characters that VTE allows in an OSC 8. */
const MAX_STRING = 2083;

/** The longest CSI that is removed: xterm.js takes 32 parameters; 128 characters hold those. */
const MAX_CSI = 128;

/**
 * The most combining marks on one base. The largest number in use is in pointed and accented biblical
 * Hebrew (dagesh, shin dot, vowel, meteg, accent: 5); Thai and Vietnamese need 2, Arabic 3, Tibetan and
 * Devanagari 4. More could paint over neighbouring rows.
 */
const MAX_MARKS = 5;

/** Shown instead of an escape that is not part of a complete sequence. */
const SHOWN_ESCAPE = '␛';
const REPLACEMENT = '\ufffd';

const ESC = 0x1b;
const CSI_C1 = 0x9b;
const ST_C1 = 0x9c;
const BEL = 0x07;
const BACKSLASH = 0x5c;

/** The 8-bit introducers of string sequences, and the letter after ESC in their 7-bit form. */
const STRING_C1: ReadonlyMap<number, string> = new Map([
  [0x90, 'P'], // DCS, device control string
  [0x98, 'X'], // SOS, start of string
  [0x9d, ']'], // OSC, operating system command
  [0x9e, '^'], // PM, privacy message
  [0x9f, '_'], // APC, application program command
]);
const STRING_LETTERS: ReadonlySet<number> = new Set(
  [...STRING_C1.values()].map((letter) => letter.charCodeAt(0)),
);

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

/**
 * Removes escape sequences, controls and invisible characters from a stream of text. Every stream
 * needs an instance of its own.
 */
export class Sanitiser {
  #state: State = 'text';
  /** The sequence being read: its letter and the text after it, to be shown if it never ends. */
  #letter = '';
  #held = '';
  /** The first half of a surrogate pair that a chunk boundary has cut. */
  #high = '';
  #afterCarriageReturn = false;
  #marks = 0;
  /** The last code point that passed: the base of marks and the left neighbour of joiners. */
  #last = 0;
  /** A joiner that waits for its right neighbour. */
  #joiner = 0;

  /** Returns the cleaned text of `chunk`. An end that depends on the next chunk is held back. */
  push(chunk: string): string {
    let text = this.#high + chunk;
    this.#high = '';
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#high = text.slice(-1);
      text = text.slice(0, -1);
    }
    return this.#read(text);
  }

  /** Returns the text that was held back, and resets the sanitiser. */
  end(): string {
    let out = '';
    if (this.#high !== '') {
      out = this.#read(REPLACEMENT);
      this.#high = '';
    }
    if (this.#state === 'string-escape') out += this.#showHeld() + SHOWN_ESCAPE;
    else if (this.#state !== 'text') out += this.#showHeld();
    this.#afterCarriageReturn = false;
    this.#marks = 0;
    this.#last = 0;
    this.#joiner = 0;
    return out;
  }

  #read(text: string): string {
    let out = '';
    let at = 0;
    while (at < text.length) {
      if (this.#state === 'text') {
        const end = plainEnd(text, at);
        if (end > at && !this.#afterCarriageReturn) {
          out += text.slice(at, end);
          this.#last = text.charCodeAt(end - 1);
          this.#marks = 0;
          this.#joiner = 0;
          at = end;
          continue;
        }
      }
      const point = text.codePointAt(at) as number;
      at += point > 0xffff ? 2 : 1;
      out += this.#take(point);
    }
    return out;
  }

  /** Advances the state by one code point and returns what becomes visible. */
  #take(point: number): string {
    switch (this.#state) {
      case 'text':
        return this.#text(point);
      case 'escape':
        return this.#escape(point);
      case 'csi':
        if (point >= 0x40 && point <= 0x7e) return this.#drop();
        if (point >= 0x20 && point <= 0x3f && this.#held.length < MAX_CSI) return this.#hold(point);
        return this.#showHeld() + this.#text(point);
      case 'string':
        return this.#string(point);
      case 'string-escape': {
        if (point === BACKSLASH) return this.#drop();
        // The text is inside a string of an escape sequence. At an ESC without a following backslash, a terminal
        // ends this string and begins another escape sequence, so do the same.
        const shown = this.#showHeld();
        this.#state = 'escape';
        return shown + this.#escape(point);
      }
    }
  }

  #text(point: number): string {
    const newlineOfPair = point === 0x0a && this.#afterCarriageReturn;
    this.#afterCarriageReturn = point === 0x0d;
    if (newlineOfPair) return '';
    if (point === ESC) this.#state = 'escape';
    else if (point === CSI_C1) this.#begin('csi', '[');
    else if (STRING_C1.has(point)) this.#begin('string', STRING_C1.get(point) as string);
    else return this.#show(point);
    return '';
  }

  #escape(point: number): string {
    if (point === BACKSLASH) return this.#drop();
    if (point === 0x5b) this.#begin('csi', '[');
    else if (STRING_LETTERS.has(point)) this.#begin('string', String.fromCharCode(point));
    else {
      // After ESC comes an ordinary character, as in `ESC c`. Show a sign for ESC and then the character: the
      // character alone is harmless, and it may be the beginning of a word.
      return this.#showHeld() + this.#text(point);
    }
    return '';
  }

  #string(point: number): string {
    if (point === BEL || point === ST_C1) return this.#drop();
    if (point === ESC) {
      this.#state = 'string-escape';
      return '';
    }
    const cancelled = point === 0x18 || point === 0x1a || (point >= 0x80 && point <= 0x9f);
    const lineEnd = point === 0x0a || point === 0x0d || classOf(point) === BREAK;
    if (cancelled || lineEnd || this.#held.length >= MAX_STRING) {
      return this.#showHeld() + this.#text(point);
    }
    return this.#hold(point);
  }

  #begin(state: State, letter: string): void {
    this.#state = state;
    this.#letter = letter;
  }

  #hold(point: number): string {
    this.#held += String.fromCodePoint(point);
    return '';
  }

  /** Forgets a complete sequence. */
  #drop(): string {
    this.#state = 'text';
    this.#letter = '';
    this.#held = '';
    return '';
  }

  /** Turns an incomplete sequence into text. It contains no ESC, C1 or line end. */
  #showHeld(): string {
    const content = SHOWN_ESCAPE + this.#letter + this.#held;
    this.#drop();
    let out = '';
    for (const char of content) out += this.#show(char.codePointAt(0) as number);
    return out;
  }

  /** Returns a code point of text: itself, a replacement, or nothing. */
  #show(point: number): string {
    if (point >= 0xd800 && point <= 0xdfff) return this.#show(0xfffd);
    switch (classOf(point)) {
      case CONTROL:
        if (point !== 0x0a && point !== 0x0d && point !== 0x09) return '';
        this.#marks = 0;
        return this.#keep(point === 0x09 ? 0x09 : 0x0a);
      case BREAK:
        this.#marks = 0;
        return this.#keep(0x0a);
      case HIDDEN:
        return '';
      case JOINER:
        if (this.#joiner === 0) this.#joiner = point;
        return '';
      case SELECTOR:
        // Remove a Unicode variation selector after a character that takes none, such as an ASCII letter or
        // another selector. There it changes nothing visible, and a row of different selectors could hide data.
        return takesSelector(this.#last) ? this.#mark(point) : '';
      case MARK:
        return this.#mark(point);
      default:
        this.#marks = 0;
        return this.#keep(point);
    }
  }

  #mark(point: number): string {
    if (this.#marks >= MAX_MARKS) return '';
    this.#marks += 1;
    return this.#keep(point);
  }

  #keep(point: number): string {
    const char = String.fromCodePoint(point);
    const joiner = this.#joiner;
    const joined = joiner !== 0 && isJoinerKept(joiner, this.#last, point);
    this.#joiner = 0;
    this.#last = point;
    return joined ? String.fromCodePoint(joiner) + char : char;
  }
}

/**
 * Removes escape sequences, controls and invisible characters from a whole text. LF, CR, CRLF,
 * U+2028 and U+2029 become a newline, and tabs stay.
 */
export function sanitiseText(text: string): string {
  const sanitiser = new Sanitiser();
  return sanitiser.push(text) + sanitiser.end();
}

/** Returns a copy of a JSON value in which every string is sanitised, keys included. */
export function sanitiseAll(value: unknown): unknown {
  if (typeof value === 'string') return sanitiseText(value);
  if (Array.isArray(value)) return value.map(sanitiseAll);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [sanitiseText(key), sanitiseAll(field)]),
  );
}

/**
 * Returns whether a joiner is kept: as spelling (Persian, Indic scripts) or in an emoji. Elsewhere it could
 * only hide differences between words.
 */
function isJoinerKept(joiner: number, left: number, right: number): boolean {
  if (isJoiningScript(left) && isJoiningScript(right)) return true;
  if (joiner !== ZWJ || !isPictograph(right)) return false;
  return isPictograph(left) || isSkinTone(left) || left === 0xfe0f;
}

/** Returns the end of the run of printable ASCII, newlines and tabs that begins at `from`. */
function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x0a && code !== 0x09) || code >= 0x7f) break;
    at += 1;
  }
  return at;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
