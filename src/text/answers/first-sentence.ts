/** Finds the sentence that summarises a text: the first one under one of its headings. */

/** The most characters of a sentence; a longer one is cut. */
const MOST_CHARACTERS = 400;
/** Matches words between single asterisks or single underscores. */
const EMPHASIS = /(?<![\p{L}\p{N}_*])([_*])(?=\S)([^_*]*[^\s_*])\1(?![\p{L}\p{N}_*])/gu;

/**
 * Returns the first sentence of a Markdown text as one line, without list markers and marks of
 * emphasis. A sentence of more than 400 characters is cut and ends with `…`. Undefined if the text
 * begins with an empty paragraph.
 */
export function firstSentence(text: string): string | undefined {
  const [paragraph = ''] = text.split(/\n\s*\n|\n(?=\s*(?:[-+*]|\d+[.)])\s)/);
  const line = paragraph
    .replace(/^\s*(?:>\s*)*(?:[-+*]|\d+[.)])\s+/, '')
    .replace(/\*\*|__/g, '')
    .replace(EMPHASIS, '$2')
    .replace(/\s+/g, ' ')
    .trim();
  const said = [...cutFirstSentence(line).trim()];
  if (said.length === 0) return undefined;
  return said.length > MOST_CHARACTERS
    ? `${said.slice(0, MOST_CHARACTERS).join('')} …`
    : said.join('');
}

/** Matches a line of printable ASCII and tabs, whose first sentence `PLAIN_FIRST` can find. */
const PLAIN = /^[\t\x20-\x7e]*$/;
/** Matches the text up to its first `.`, `!` or `?`, if a capital letter or the end of the text follows. */
const PLAIN_FIRST = /^[^.!?]*(?:[.!?]["')\]]* +(?=[A-Z])|[.!?]?$)/;
/** Abbreviations that do not end a sentence. */
const GOES_ON = /\b(?:e\.g|i\.e|vs|etc|cf)\.\s*$/i;

function cutFirstSentence(line: string): string {
  const plain = PLAIN.test(line) ? PLAIN_FIRST.exec(line)?.[0] : undefined;
  if (plain !== undefined && !GOES_ON.test(plain)) return plain;
  let sentence = '';
  for (const { segment } of getSegmenter().segment(line)) {
    sentence += segment;
    if (!GOES_ON.test(sentence)) break;
  }
  return sentence;
}

/**
 * Returns the text under the first Markdown heading that begins with the words `heading`, in any
 * case, up to the next heading of any level. Undefined if there is no such heading, or no line end
 * after it.
 */
export function sectionIn(text: string, heading: string): string | undefined {
  const found = new RegExp(
    `^#{1,6}\\s+\\**${heading}\\b[^\\n]*\\n([\\s\\S]*?)(?=^#{1,6}\\s|(?![\\s\\S]))`,
    'im',
  ).exec(text);
  return found?.[1]?.trim();
}

/**
 * Returns the most important sentence of a text: the first under the heading "Recommendation",
 * otherwise under "Answer", otherwise the first after the headings with which the text begins.
 * Undefined if there is none.
 */
export function leadingSentence(text: string): string | undefined {
  const section = ['Recommendation', 'Answer'].map((name) => sectionIn(text, name)).find(Boolean);
  return firstSentence(section ?? text.replace(/^(?:\s*#{1,6}\s[^\n]*\n)+/, '').trimStart());
}

/** The longest title in characters. */
const LONGEST_TITLE = 120;

/** Characters at the beginning of a text that are searched for a question. */
const MOST_READ = 4_000;

/**
 * Returns a title of at most 120 characters for a question. The title is the heading with which the question
 * begins, or the whole question if it is short. Of a longer text, it is the first sentence of at most 120
 * characters that ends with a question mark, otherwise the first sentence, cut between words if it is too long.
 */
export function questionTitle(question: string): string {
  const heading = /^\s*#{1,6}[ \t]+(\S[^\n]*)\n/.exec(question)?.[1];
  const whole = (heading ?? question).replace(/\s+/g, ' ').trim();
  if (whole.length <= LONGEST_TITLE) return whole;
  const first = firstQuestion(whole) ?? firstSentence(whole) ?? whole;
  if (first.length <= LONGEST_TITLE) return first;
  const cut = first.slice(0, LONGEST_TITLE - 2);
  const word = cut.lastIndexOf(' ');
  // Do not cut a character that JavaScript stores as two units (a surrogate pair).
  const kept = word > LONGEST_TITLE / 2 ? cut.slice(0, word) : cut.replace(/[\ud800-\udbff]$/, '');
  return `${kept} …`;
}

/** Returns the first question in a text that is short enough for a title. */
function firstQuestion(text: string): string | undefined {
  for (const { segment } of getSegmenter().segment(text.slice(0, MOST_READ))) {
    const sentence = segment.trim();
    if (sentence.endsWith('?') && sentence.length <= LONGEST_TITLE) return sentence;
  }
  return undefined;
}

let sentences: Intl.Segmenter | undefined;

/**
 * Returns the segmenter, created at its first use, as loading the rules of Unicode takes a twentieth of the
 * program's start.
 */
function getSegmenter(): Intl.Segmenter {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  return sentences;
}
