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

/**
 * Returns whether the end of the text is one piece repeated many times. Takes time linear in
 * `WINDOW`.
 *
 * @param isForm whether the text is JSON: its lists may have equal entries, so only a repetition
 * within one string counts
 */
export function endsInRepetition(text: string, isForm = false): boolean {
  const tail = text.slice(-WINDOW);
  if (isForm) {
    const piece = repeatedPiece(lastString(tail), MIN_REPEATED_IN_STRING);
    if (piece !== undefined && /\p{L}/u.test(piece)) return true;
  }
  const counts = (piece: string): boolean => !isForm || !piece.includes('"');
  const exact = repeatedPiece(tail);
  if (exact !== undefined) return counts(exact);
  const piece = repeatedPiece(tail.replace(/\d+/g, '0'));
  if (piece === undefined || !counts(piece)) return false;
  return (piece.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS;
}

/**
 * Returns whether the end of the text consists of sentences that each occurred several times before,
 * in any order: "I am the judge. You are the judge. You are the judge. I am the judge." Rows of tables
 * do not count, and a text with a block of code never counts as repeating.
 *
 * @param isForm whether the text is JSON: then only its last string is searched, the one being written
 */
export function repeatsSentences(text: string, isForm = false): boolean {
  const tail = text.slice(-WINDOW);
  const prose = isForm ? lastString(tail) : tail;
  if (prose.includes('```')) return false;
  const times = new Map<string, number>();
  let repeated = 0;
  // Leave the last piece out, since it may be half a sentence.
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
