/** Finds the sentences in which a seat says what would change its mind. */

const CHANGE_WORDING =
  /\b(?:chang\w* (?:my|our|your|its|his|her|their|one's) (?:mind|view|position|answer)|would (?:change|convince|persuade|overturn|reverse)|I(?:'d| would) (?:reconsider|switch|drop)|unless|drop (?:it|this)|wrong if|reconsider if)\b/i;
const MOST_SENTENCES = 3;
const MOST_CHARACTERS = 600;
/** A heading of Markdown, or a line that is all bold. */
const HEADING = /^\s*(?:#{1,6}\s+(.*?)|\*\*([^*]+?)\*\*:?)\s*$/;

/**
 * Returns the sentences of an answer that say what would change its author's mind: the first 3 at
 * most, up to 600 characters. Empty if there are none. Only English is recognised.
 * @param edition the version of these rules that the run recorded. From version 2 on, all text below
 *   a heading such as "What would change my mind" counts and comes first, and text below the heading
 *   "Ballot" is left out.
 */
export function changeOfMind(answer: string, edition: number): string {
  const found = edition >= 2 ? findSince2(answer) : findSince1(answer);
  return [...found.slice(0, MOST_SENTENCES).join(' ')].slice(0, MOST_CHARACTERS).join('');
}

function findSince2(answer: string): string[] {
  const below: string[] = [];
  const other: string[] = [];
  let heading = '';
  for (const row of answer.split('\n')) {
    const found = HEADING.exec(row);
    if (found !== null) heading = found[1] ?? found[2] ?? '';
    else if (/^ballot\b/i.test(heading.trim())) continue;
    else if (CHANGE_WORDING.test(heading)) below.push(...sentencesOf(row));
    else other.push(...sentencesOf(row).filter((sentence) => CHANGE_WORDING.test(sentence)));
  }
  return [...below, ...other].filter((sentence) => sentence !== '');
}

function findSince1(answer: string): string[] {
  return answer
    .split('\n')
    .filter((row) => !/^\s*#/.test(row))
    .flatMap(sentencesOf)
    .filter((sentence) => CHANGE_WORDING.test(sentence));
}

function sentencesOf(row: string): string[] {
  return row
    .split(/(?<=[.!?])\s+(?=["“*_(]*\p{Lu})/u)
    .map((sentence) => sentence.replace(/^[\s>*+-]+/, '').trim());
}
