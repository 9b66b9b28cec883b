/** Finds the cast that fits a question by their common words. The result is only a proposal. */
import { findMeaningfulWords, isCommon } from '../../text/words/telling.ts';

interface Fitted {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly topics?: readonly string[] | undefined;
}

/** Verbs that occur in every plan and are ignored in descriptions. They still count in topics. */
const EVERYDAY: ReadonlySet<string> = new Set(
  'began begin carried carry change changed changes ended find finish found help held hold move moved need needed needs plan planned ran run running runs start started stop stopped want wanted work worked working works'.split(
    ' ',
  ),
);
/**
 * The fewest first letters that two different forms of a word must share to count as equal. A shorter word, such as
 * `API`, only equals itself.
 */
const LEAST = 4;

/** The name of the preset cast for questions that no other cast fits. */
export const NEUTRAL = 'any-decision';

/**
 * Finds the cast whose name, topics and description have the most words in common with a question. A
 * word of the name or topics weighs more than all words of the description.
 * @param text the question
 * @param neutral the name of the cast that is chosen if no cast has a word in common with the
 * question
 * @returns the index of the cast, and the words in common. If there are no such words and no
 * neutral cast, the index is 0.
 */
export function findFittingCast(
  casts: readonly Fitted[],
  text: string,
  neutral: string,
): { readonly at: number; readonly shared: readonly string[] } {
  const asked = wordsIn(text);
  const fits = casts.map(({ slug, name, description, topics = [] }) => {
    // The neutral cast has no subject, so its words are not compared with the question.
    if (slug === neutral) return { shared: [], weight: 0 };
    const findAlikeWords = (known: readonly string[]): string[] =>
      asked.filter((word) => known.some((knownWord) => areAlike(word, knownWord)));
    const subject = findAlikeWords(wordsIn([name, ...topics].join(' ')));
    const told = findAlikeWords(wordsIn(description).filter((word) => !EVERYDAY.has(word)));
    return {
      shared: [...new Set([...subject, ...told])],
      // One shared word of a name or topic outweighs all shared words of a description.
      weight: subject.length * (asked.length + 1) + told.length,
    };
  });
  const most = Math.max(0, ...fits.map(({ weight }) => weight));
  const at =
    most > 0
      ? fits.findIndex(({ weight }) => weight === most)
      : casts.findIndex(({ slug }) => slug === neutral);
  return { at: Math.max(0, at), shared: most > 0 ? (fits[at]?.shared ?? []) : [] };
}

/** Returns the words with meaning. Very short words are left out. */
function wordsIn(text: string): string[] {
  return findMeaningfulWords(text).filter((word) => word.length > 2 && !isCommon(word));
}

/**
 * Returns whether two words are forms of the same word: `bake` and `baked`, `study` and `studies`.
 */
function areAlike(left: string, right: string): boolean {
  if (left === right) return true;
  const short = Math.min(left.length, right.length);
  let same = 0;
  while (same < short && left[same] === right[same]) same += 1;
  return same >= Math.max(LEAST, short - 1);
}
