/** What a person reads first of a synthesis: the first sentence under one of its headings. */

const MOST_CHARACTERS = 400;
/** Whole words between two stars or two underscores. */
const EMPHASIS = /(?<![\p{L}\p{N}_*])([_*])(?=\S)([^_*]*[^\s_*])\1(?![\p{L}\p{N}_*])/gu;

/** The first sentence of a Markdown text; undefined where it has none. */
export function firstSentence(text: string): string | undefined {
  const [paragraph = ''] = text.split(/\n\s*\n|\n(?=\s*(?:[-+*]|\d+[.)])\s)/);
  const line = paragraph
    .replace(/^\s*(?:>\s*)*(?:[-+*]|\d+[.)])\s+/, '')
    .replace(/\*\*|__/g, '')
    .replace(EMPHASIS, '$2')
    .replace(/\s+/g, ' ')
    .trim();
  const said = [...firstOf(line).trim()];
  if (said.length === 0) return undefined;
  return said.length > MOST_CHARACTERS
    ? `${said.slice(0, MOST_CHARACTERS).join('')} …`
    : said.join('');
}

/** ASCII up to the first sign that may end a sentence, where that sign is at the end or a capital follows it. */
const PLAIN = /^[\t\x20-\x7e]*$/;
const PLAIN_FIRST = /^[^.!?]*(?:[.!?]["')\]]* +(?=[A-Z])|[.!?]?$)/;
/** A mark in brackets, or what follows an abbreviation, is no sentence of its own. */
const GOES_ON = /\b(?:e\.g|i\.e|vs|etc|cf)\.\s*$/i;

function firstOf(line: string): string {
  const plain = PLAIN.test(line) ? PLAIN_FIRST.exec(line)?.[0] : undefined;
  if (plain !== undefined && !GOES_ON.test(plain)) return plain;
  let sentence = '';
  for (const { segment } of segmenter().segment(line)) {
    sentence += segment;
    if (!GOES_ON.test(sentence)) break;
  }
  return sentence;
}

/** What stands under the heading of that name, a word of ours; undefined where there is none. */
export function sectionIn(text: string, heading: string): string | undefined {
  const found = new RegExp(
    `^#{1,6}\\s+\\**${heading}\\b[^\\n]*\\n([\\s\\S]*?)(?=^#{1,6}\\s|(?![\\s\\S]))`,
    'im',
  ).exec(text);
  return found?.[1]?.trim();
}

/** What a text of any form comes to: what it recommends or answers, else what it begins with. */
export function leadingSentence(text: string): string | undefined {
  const section = ['Recommendation', 'Answer'].map((name) => sectionIn(text, name)).find(Boolean);
  return firstSentence(section ?? text.replace(/^(?:\s*#{1,6}\s[^\n]*\n)+/, '').trimStart());
}

/** No heading is longer. */
const LONGEST_TITLE = 120;

/** So far into a text its question is looked for. */
const MOST_READ = 4_000;

/**
 * A question as a heading: its own heading where it has one; whole where it is short; else the first
 * sentence that asks something, or the first of all, cut at a word.
 */
export function questionTitle(question: string): string {
  const heading = /^\s*#{1,6}[ \t]+(\S[^\n]*)\n/.exec(question)?.[1];
  const whole = (heading ?? question).replace(/\s+/g, ' ').trim();
  if (whole.length <= LONGEST_TITLE) return whole;
  const first = askedIn(whole) ?? firstSentence(whole) ?? whole;
  if (first.length <= LONGEST_TITLE) return first;
  const cut = first.slice(0, LONGEST_TITLE - 2);
  const word = cut.lastIndexOf(' ');
  // A cut must not leave half of a character.
  const kept = word > LONGEST_TITLE / 2 ? cut.slice(0, word) : cut.replace(/[\ud800-\udbff]$/, '');
  return `${kept} …`;
}

/** The first sentence that asks something and is no longer than a heading. */
function askedIn(text: string): string | undefined {
  for (const { segment } of segmenter().segment(text.slice(0, MOST_READ))) {
    const sentence = segment.trim();
    if (sentence.endsWith('?') && sentence.length <= LONGEST_TITLE) return sentence;
  }
  return undefined;
}

let sentences: Intl.Segmenter | undefined;

/** Made when a sentence is looked for: it loads the rules of Unicode, a twentieth of what a start costs. */
function segmenter(): Intl.Segmenter {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  return sentences;
}
