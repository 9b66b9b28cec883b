/** Finds what a synthesis recommends, for readers with little time. */
import { firstSentence, sectionIn } from '../../text/answers/first-sentence.ts';
import { repeatsForm, repeatsPrompt } from '../../text/form-words.ts';
import { NOT_HEARD, SYNTHESIS_TASK } from './prompts.ts';

/** The clauses of the synthesizer's task, without their headings. */
const CLAUSES = SYNTHESIS_TASK.flatMap((paragraph) => paragraph.split('\n')).map((clause) =>
  clause.replace(/^[A-Z][A-Za-z ]*: /, ''),
);

/**
 * Returns the first sentence below the heading Recommendation, or undefined if that section is
 * missing or only repeats the instructions.
 */
export function getFirstRecommendation(text: string): string | undefined {
  const sentence = firstSentence(getRecommendation(text) ?? '');
  return sentence === undefined || repeatsForm(sentence, CLAUSES) ? undefined : sentence;
}

/** Returns the text below the heading Recommendation, or undefined if there is no such heading. */
export function getRecommendation(text: string): string | undefined {
  return sectionIn(text, 'Recommendation');
}

/** Returns a warning if a synthesis mostly repeats its instructions, otherwise undefined. */
export function warnOfRepeatedTask(text: string): string | undefined {
  return repeatsPrompt(text, [...SYNTHESIS_TASK, NOT_HEARD])
    ? 'it repeats its task and says nothing of the answers'
    : undefined;
}
