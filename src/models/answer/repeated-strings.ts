/**
 * Detects a structured answer that goes on without saying anything new: a list whose entries repeat the same
 * sentences under new ids, long texts that go round among the same words, a number or white space without end.
 * A server that enforces a schema ends none of them before its own limits of texts and lists.
 */

/** Characters of repeated sentences before a structured answer is cut, about 500 tokens of English. */
const MIN_REPEATED = 2_000;
/** How often a sentence must have been written before it counts as repeated. */
const MIN_TIMES = 4;
/** The fewest words of a string whose return counts as repetition: ids and verdicts may come often. */
const MIN_WORDS = 4;
/** The fewest words of a text that is searched for words going round. */
const MIN_LONG_WORDS = 25;
/** Words at the end of the long texts of which nearly none may be new, about 270 tokens. */
const STALE_WORDS = 200;
/** The number of consecutive words (a run) that are compared with earlier text. */
const RUN = 4;
/** The share of the runs at the end that must have been written before, each `MIN_TIMES` times. */
const STALE_SHARE = 0.9;
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
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Returns whether the end of a structured answer says nothing new. Takes time linear in the length of the text.
 *
 * @param json the end of the answer, which may begin and end anywhere
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
    if (countWords(value) < MIN_WORDS) continue;
    const before = times.get(value) ?? 0;
    times.set(value, before + 1);
    repeated = before < MIN_TIMES ? 0 : repeated + value.length;
  }
  return repeated >= MIN_REPEATED;
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
      isStale.push(before >= MIN_TIMES);
    }
  }
  if (isStale.length < STALE_WORDS) return false;
  const stale = isStale.slice(-STALE_WORDS).filter(Boolean).length;
  return stale >= STALE_SHARE * STALE_WORDS;
}

function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}
