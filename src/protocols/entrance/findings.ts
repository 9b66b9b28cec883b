/**
 * The answers that a reader can give about a statement, in the words that the prompts of the
 * reading test and of readings share.
 */
import { toLine } from '../../text/line.ts';

/**
 * What a reader can find about a statement: the text confirms it, contradicts it, does not mention
 * it, or decides a part of it; or only a test or an outside fact can decide it.
 */
export const FINDINGS = [
  'true_in_text',
  'false_in_text',
  'absent',
  'partly',
  'needs_a_test',
] as const;
/** What a reader finds about a statement, such as `true_in_text`. */
export type Finding = (typeof FINDINGS)[number];

const MEANINGS: Readonly<Record<Finding, string>> = {
  true_in_text: 'the text says so, or it follows from the text by arithmetic or plain logic alone',
  false_in_text: 'the text says otherwise, or the opposite follows from it',
  absent: 'the text does not speak of what the statement is about',
  partly: 'the text decides a part of the statement and leaves the rest open',
  needs_a_test: 'the text speaks of it, but only a test or an outside fact could decide it',
};

/** Returns the explanation of all possible findings for a prompt, one line for each. */
export function explainFindings(): string {
  return FINDINGS.map((finding) => `- ${finding}: ${MEANINGS[finding]}.`).join('\n');
}

/**
 * Formats statements as a numbered list. Each is reduced to one line, so that a statement cannot
 * imitate the next item.
 */
export function formatNumberedItems(items: readonly string[]): string {
  return items.map((text, index) => `${index + 1}. ${toLine(text)}`).join('\n');
}
