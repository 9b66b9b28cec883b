/** Compares short texts by the words that carry their content, without dates and function words. */

/**
 * Returns how similar the words of two texts are, from 0 to 1: the number of words in both, divided
 * by the number of words in either. Dates, function words, numbers and negations are ignored.
 */
export function wordOverlap(text: string, other: string): number {
  const [left, right] = [contentWords(text, true), contentWords(other, true)];
  const all = new Set([...left, ...right]).size;
  return all === 0 ? 0 : [...left].filter((word) => right.has(word)).length / all;
}

/** English function words, which are ignored when texts are compared. */
const FUNCTION_WORDS = new Set(
  'a an and are as at be been by do does for from had has have if in into is it its of off on or our out over shall should so than that the their then there these they this to up us was we were will with within would'.split(
    ' ',
  ),
);
/** Negations, comparatives and number words: predictions that differ only in these count as the same. */
const DENIAL = new Set(
  'no not never none without least most more less fewer over under above below one two three four five six seven eight nine ten twice half'.split(
    ' ',
  ),
);
/** How many leading letters of a word are compared, so that `split` and `splitting` match. */
const STEM = 5;

/**
 * Returns the different word stems of a text, without dates and without function words such as
 * "the".
 * @param bare leaves out numbers and negations as well
 */
export function contentWords(text: string, bare = false): Set<string> {
  const words =
    withoutDates(text)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter(
        (word) => !FUNCTION_WORDS.has(word) && !(bare && (DENIAL.has(word) || /^\d/.test(word))),
      )
      .map((word) => (/^\d/.test(word) ? word : stemOf(word))),
  );
}

/** Returns the leading letters of a word that are compared, without the ending of a plural. */
function stemOf(word: string): string {
  const single =
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return [...single].slice(0, STEM).join('');
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DATES = new RegExp(
  `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\\b(?:,? \\d{4})?|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4})?|\\b${MONTH},? \\d{4}\\b`,
  'gi',
);

const DAY_IN_WORDS = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH})|(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?(?! ?(?:%|per ?cent)))\\b(?:,? (\\d{4}))?`,
  'gi',
);
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * Returns the days that an English text names in words, such as `3 May 2027`. `year` is the year
 * for days that are named without one.
 */
export function daysInWords(
  text: string,
  year: string,
): { readonly words: string; readonly day: string }[] {
  return [...text.matchAll(DAY_IN_WORDS)].map(([words, before, month, otherMonth, after, own]) => {
    const number = MONTHS.indexOf((month ?? otherMonth ?? '').slice(0, 3).toLowerCase()) + 1;
    const toTwoDigits = (part: number | string): string => String(part).padStart(2, '0');
    return {
      words,
      day: `${own ?? year}-${toTwoDigits(number)}-${toTwoDigits(before ?? after ?? '')}`,
    };
  });
}

/** Returns a text with every date in it replaced by a space. */
export function withoutDates(text: string): string {
  return text.replace(DATES, ' ');
}
