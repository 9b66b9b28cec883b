/** What a board's synthesis recommends: the sentence that a reader with ten seconds reads. */
import { firstSentence, sectionIn } from '../../text/answers/first-sentence.ts';

/** The first sentence under the heading Recommendation; undefined where nothing stands under one. */
export function firstRecommended(text: string): string | undefined {
  return firstSentence(recommendationIn(text) ?? '');
}

/** What stands under that heading; undefined where there is none. */
export function recommendationIn(text: string): string | undefined {
  return sectionIn(text, 'Recommendation');
}
