/** What a board's synthesis recommends: the sentence that a reader with ten seconds reads. */
import { firstSentence, sectionIn } from '../../text/answers/first-sentence.ts';
import { repeatsForm, repeatsPrompt } from '../../text/form-words.ts';
import { SYNTHESIS_TASK } from './prompts.ts';

/** The task clause by clause, without the headings that the clauses begin with. */
const CLAUSES = SYNTHESIS_TASK.flatMap((paragraph) => paragraph.split('\n')).map((clause) =>
  clause.replace(/^[A-Z][A-Za-z ]*: /, ''),
);

/** The first sentence under the heading Recommendation; undefined where there is none of the model's own. */
export function firstRecommended(text: string): string | undefined {
  const sentence = firstSentence(recommendationIn(text) ?? '');
  return sentence === undefined || repeatsForm(sentence, CLAUSES) ? undefined : sentence;
}

/** What stands under that heading; undefined where there is none. */
export function recommendationIn(text: string): string | undefined {
  return sectionIn(text, 'Recommendation');
}

/** Returns what a reader has to know of a synthesis that consists mostly of its task's words. */
export function repeatedTask(text: string): string | undefined {
  return repeatsPrompt(text, SYNTHESIS_TASK)
    ? 'it repeats its task and says nothing of the answers'
    : undefined;
}
