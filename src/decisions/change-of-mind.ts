/** Finds the sentences in which a seat says what would change its mind. */

const CHANGE_WORDING =
  /\b(?:chang\w* (?:my|our|your|its|his|her|their|one's) (?:mind|view|position|answer)|would (?:change|convince|persuade|overturn|reverse)|I(?:'d| would) (?:reconsider|switch|drop)|unless|drop (?:it|this)|wrong if|reconsider if)\b/i;
const MOST_SENTENCES = 3;
const MOST_CHARACTERS = 600;

/**
 * Returns the first sentences of an answer that say what would change it: at most 3 sentences and 600
 * characters, or an empty text if no sentence does. Only English is recognized.
 */
export function changeOfMind(answer: string): string {
  const sentences = answer
    .split('\n')
    .filter((row) => !/^\s*#/.test(row))
    .flatMap((row) => row.split(/(?<=[.!?])\s+(?=["“*_(]*\p{Lu})/u))
    .map((sentence) => sentence.replace(/^[\s>*+-]+/, '').trim());
  const found = sentences
    .filter((sentence) => CHANGE_WORDING.test(sentence))
    .slice(0, MOST_SENTENCES);
  return [...found.join(' ')].slice(0, MOST_CHARACTERS).join('');
}
