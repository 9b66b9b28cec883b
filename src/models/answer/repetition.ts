/**
 * Detects an answer that repeats itself without end, as small models do until their context is full. The
 * text is compared with itself, shifted by a period: once exactly, and once with every number replaced by
 * 0, so that "4. Yes. 5. Yes. 6. Yes." is found too. Tables and lists with different numbers are not
 * affected. Prose that goes round among a handful of sentences, in any order, is detected by sentences that were
 * all said several times before; prose that repeats its paragraphs with single words changed, by how little of
 * it is new.
 */

/** Characters that must repeat before an answer is cut, about 500 tokens of English. */
const MIN_REPEATED = 2_000;
/**
 * Characters that must repeat within one string of a structured answer, where the repeated piece
 * contains a letter. The number is smaller than `MIN_REPEATED` because a server that enforces the
 * schema ends the string at its maximal length, and the next string then repeats itself too.
 */
const MIN_REPEATED_IN_STRING = 600;
/** How often the same piece must follow itself. */
const MIN_TIMES = 5;
/**
 * The number of characters at the end of an answer that are searched for repetition. Repeated
 * pieces of up to 2,400 characters can be found.
 */
export const WINDOW = 12_000;
/** The fewest letters of a piece that repeats only without its numbers. */
const MIN_LETTERS = 10;
/** The fewest words of a sentence whose return counts as repetition: "Yes." and "}" may come often. */
const MIN_SENTENCE_WORDS = 4;
/** Words at the end of prose that must say hardly anything new before it is cut: about 530 tokens. */
const STALE_WORDS = 400;
/** The number of consecutive words (a run) that are compared with earlier text. */
const RUN = 4;
/** A word, or a number. */
const WORD = /[\p{L}\p{N}]+/gu;
/** Where a sentence, a line or an entry of a list ends. */
const SENTENCE_END = /(?<=[.!?:;])\s+|\n|\\n/u;
/**
 * The share of runs at the end of the answer that must also occur earlier in it. In documents and
 * reports the share is up to 0.3.
 */
const STALE_SHARE = 0.75;

/** Characters of repeated sentences before a structured answer is cut, about 500 tokens of English. */
const MIN_REPEATED_VALUES = 2_000;
/** How often a sentence must have been written before it counts as repeated. */
const MIN_VALUE_TIMES = 4;
/** The fewest words of a string whose return counts as repetition: ids and verdicts may come often. */
const MIN_VALUE_WORDS = 4;
/** The fewest words of a text that is searched for words going round. */
const MIN_LONG_WORDS = 25;
/** Words at the end of the long texts of which nearly none may be new, about 270 tokens. */
const STALE_STRING_WORDS = 200;
/** The share of the runs at the end that must have been written before, each `MIN_VALUE_TIMES` times. */
const STALE_STRING_SHARE = 0.9;
/** The most characters of a number, or of white space between two values. */
const [MAX_NUMBER, MAX_SPACE] = [60, 400];

/**
 * Matches a string of JSON, also one without an end. The second group is empty or a colon behind the string, which
 * is then the name of a field; it is undefined for a string without an end.
 */
const STRING = /"((?:[^"\\]|\\.)*)(?:"(\s*:|)|\\?$)/gsu;
/** Matches the end of a string, with which a text that begins anywhere is brought into step. */
const STRING_END = /(?<!\\)"\s*[,:\]}]/u;
/** Matches a number or white space at the end of a text, outside of strings. */
const ENDLESS = new RegExp(`(?:[-+.\\deE]{${MAX_NUMBER},}|\\s{${MAX_SPACE},})$`, 'u');

/**
 * Returns whether the end of the text is one piece repeated many times. The running time grows linearly
 * with `WINDOW`.
 *
 * @param isForm whether the text is JSON: its lists may have equal entries, so a piece that contains the
 * beginning or the end of a string does not count
 */
export function endsInRepetition(text: string, isForm = false): boolean {
  const tail = text.slice(-WINDOW);
  if (isForm) {
    const piece = repeatedPiece(lastString(tail), MIN_REPEATED_IN_STRING);
    if (piece !== undefined && /\p{L}/u.test(piece)) return true;
  }
  const isRelevant = (piece: string): boolean => !isForm || !piece.includes('"');
  const exact = repeatedPiece(tail);
  if (exact !== undefined) return isRelevant(exact);
  const piece = repeatedPiece(tail.replace(/\d+/g, '0'));
  if (piece === undefined || !isRelevant(piece)) return false;
  return (piece.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS;
}

/**
 * Returns whether the end of the text consists of sentences that each occurred several times before,
 * in any order: "I am the judge. You are the judge. You are the judge. I am the judge." Rows of tables
 * do not count, and a text with a block of code never counts as repeating.
 *
 * @param isForm whether the text is JSON: then only its last string, which is still being written, is searched
 */
export function repeatsSentences(text: string, isForm = false): boolean {
  const tail = text.slice(-WINDOW);
  const prose = isForm ? lastString(tail) : tail;
  if (prose.includes('```')) return false;
  const times = new Map<string, number>();
  let repeated = 0;
  // Leave the last sentence out, since it may still be incomplete.
  for (const piece of prose.split(SENTENCE_END).slice(0, -1)) {
    const sentence = piece.trim();
    if (sentence === '') continue;
    const before = times.get(sentence) ?? 0;
    times.set(sentence, before + 1);
    const isRow = sentence.startsWith('|');
    if (isRow || before < MIN_TIMES - 1) repeated = 0;
    else if ((sentence.match(WORD)?.length ?? 0) >= MIN_SENTENCE_WORDS) repeated += piece.length;
  }
  return repeated >= MIN_REPEATED;
}

/**
 * Returns whether the end of a prose text repeats earlier paragraphs in nearly the same words.
 * Tables are ignored, and a text with a block of code never counts as repeating.
 */
export function repeatsParagraphs(text: string): boolean {
  const tail = text.slice(-WINDOW);
  if (tail.includes('```')) return false;
  const prose = tail.replace(/^\s*\|.*$/gm, ' ').toLowerCase();
  const words = prose.match(WORD) ?? [];
  const runs = words.length - RUN + 1;
  if (runs <= STALE_WORDS) return false;
  const seen = new Set<string>();
  let stale = 0;
  for (let at = 0; at < runs; at += 1) {
    const run = words.slice(at, at + RUN).join(' ');
    if (at >= runs - STALE_WORDS && seen.has(run)) stale += 1;
    seen.add(run);
  }
  return stale >= STALE_SHARE * STALE_WORDS;
}

/** Returns the text after the last quotation mark of a JSON text that begins or ends a string. */
function lastString(json: string): string {
  let mark = json.lastIndexOf('"');
  while (mark > 0 && json[mark - 1] === '\\') mark = json.lastIndexOf('"', mark - 1);
  return json.slice(mark + 1);
}

/**
 * Returns the shortest piece that fills a long enough end of the text, or undefined if there is none. The
 * text is read backwards by the prefix function of Knuth, Morris and Pratt: for each length of the end it
 * gives the longest part that is both its beginning and its end, and so the shortest period.
 */
function repeatedPiece(text: string, least = MIN_REPEATED): string | undefined {
  const { length } = text;
  const charAt = (index: number): number => text.charCodeAt(length - 1 - index);
  const borders = new Uint16Array(length);
  for (let end = 1, border = 0; end < length; end += 1) {
    while (border > 0 && charAt(end) !== charAt(border)) border = borders[border - 1] ?? 0;
    if (charAt(end) === charAt(border)) border += 1;
    borders[end] = border;
    const size = end + 1;
    const period = size - border;
    if (size >= least && size >= MIN_TIMES * period) return text.slice(-period);
  }
  return undefined;
}

/**
 * Returns whether the end of a structured answer only repeats itself, or consists of an endless number or
 * white space. The running time grows linearly with the length of the text.
 *
 * @param json the last part of the answer's JSON, cut off at any place on both sides
 */
export function saysNothingNew(json: string): boolean {
  const strings = stringsOf(json);
  const isEndless = ENDLESS.test(json.slice(-MAX_SPACE));
  if (strings === undefined) return isEndless;
  const { values, isOpen } = strings;
  if (!isOpen && isEndless) return true;
  return repeatsValues(isOpen ? values.slice(0, -1) : values) || goesRound(values);
}

/**
 * Returns the strings that are values, without names of fields; `isOpen` says whether the last one is
 * unfinished. Returns undefined if no string ends in the text.
 */
function stringsOf(json: string): { values: string[]; isOpen: boolean } | undefined {
  const start = json.startsWith('{') ? 0 : json.search(STRING_END) + 1;
  if (start === 0 && !json.startsWith('{')) return undefined;
  const values: string[] = [];
  let isOpen = false;
  for (const [, text = '', end] of json.slice(start).matchAll(STRING)) {
    isOpen = end === undefined;
    if (isOpen || end === '') values.push(text);
  }
  return { values, isOpen };
}

/** Returns whether the last sentences among the values were all written several times before. */
function repeatsValues(values: readonly string[]): boolean {
  const times = new Map<string, number>();
  let repeated = 0;
  for (const value of values) {
    if (countWords(value) < MIN_VALUE_WORDS) continue;
    const before = times.get(value) ?? 0;
    times.set(value, before + 1);
    repeated = before < MIN_VALUE_TIMES ? 0 : repeated + value.length;
  }
  return repeated >= MIN_REPEATED_VALUES;
}

/** Returns whether the last words of the long texts among the values go round among the same words. */
function goesRound(values: readonly string[]): boolean {
  const times = new Map<string, number>();
  const isStale: boolean[] = [];
  for (const value of values) {
    const words = value.toLowerCase().match(WORD) ?? [];
    if (words.length < MIN_LONG_WORDS) continue;
    for (let at = 0; at + RUN <= words.length; at += 1) {
      const run = words.slice(at, at + RUN).join(' ');
      const before = times.get(run) ?? 0;
      times.set(run, before + 1);
      isStale.push(before >= MIN_VALUE_TIMES);
    }
  }
  if (isStale.length < STALE_STRING_WORDS) return false;
  const stale = isStale.slice(-STALE_STRING_WORDS).filter(Boolean).length;
  return stale >= STALE_STRING_SHARE * STALE_STRING_WORDS;
}

function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}
