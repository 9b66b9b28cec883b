/**
 * Tells an answer from the form it was asked for by. Small models copy the instructions of a form into its
 * fields; what repeats the form's own words says nothing, and is treated as absent wherever answers are read.
 */

/**
 * The smallest share of a value's words that must come from the form for the value to count as
 * copied. Below it, the other words are an answer.
 */
const LEAST_SHARE = 0.6;
/** A value that begins with so many words of an instruction has copied it, whatever comes after. */
const OPENING_WORDS = 4;
/**
 * The number of words in a row that a value and a field's short instruction do not share by
 * accident.
 */
const FIELD_RUN = 3;
/**
 * The number of words in a row that a text and a whole prompt do not share by accident. It is
 * larger than `FIELD_RUN`, as a prompt may name the answers to choose from.
 */
const PROMPT_RUN = 6;

/** `...`, `____`, `-`: nothing but signs that keep a place. */
const SIGNS_ONLY = /^[\s._…?–—-]*$/u;
/** `<your option>`, `[option]`, `{{...}}` as a whole. */
const IN_BRACKETS = /^(?:<[^<>]*>|\[[^[\]]*\]|\{+[^{}]*\}+|\([^()]*\))$/u;
const ASKS_TO_FILL_IN = /^(?:your|my|insert|enter|add|write|fill|put|e\.g)\b/i;
const NAMES_A_FIELD =
  /^(?:(?:your|my|the) (?:own )?)?(?:answer|ballot|choice|confidence|number|option|position|stance|text|value|vote)(?: (?:goes )?here)?$/i;

/**
 * Returns whether a value is empty or a placeholder that was not filled in, such as `...`,
 * `<your option>` or `your answer here`.
 */
export function isPlaceholder(value: string): boolean {
  const trimmed = value.trim();
  if (SIGNS_ONLY.test(trimmed)) return true;
  const isBracketed = IN_BRACKETS.test(trimmed);
  const inner = isBracketed ? trimmed.replace(/^[<[{(]+|[>\]})]+$/g, '').trim() : trimmed;
  if (isBracketed && (SIGNS_ONLY.test(inner) || ASKS_TO_FILL_IN.test(inner))) return true;
  return NAMES_A_FIELD.test(inner);
}

/**
 * Returns whether a model filled a field with words of the instructions instead of an answer. That
 * is a placeholder, a text that begins like an instruction, or one of whose words at least 60 %
 * stand in rows of three or more that an instruction contains. Case, punctuation and spaces are
 * ignored.
 *
 * @param instructions the instructions of the form's fields, a sentence or a clause each; not the
 * question of a person, whose words an answer may well repeat
 */
export function repeatsForm(value: string, instructions: readonly string[]): boolean {
  if (isPlaceholder(value)) return true;
  const words = splitWords(value);
  const asked = instructions.map(splitWords);
  const copiesOpening = asked.some(
    (instruction) =>
      instruction.length >= FIELD_RUN &&
      instruction.slice(0, OPENING_WORDS).every((word, index) => word === words[index]),
  );
  return copiesOpening || measureCoverage(words, asked, FIELD_RUN) >= LEAST_SHARE;
}

/**
 * Returns whether a text mostly repeats the given prompts: at least 60 % of its words stand in rows
 * of six or more that a prompt contains. Words that a prompt has in quotation marks may be repeated,
 * since they can be what the prompt asks about.
 */
export function repeatsPrompt(text: string, prompts: readonly string[]): boolean {
  const asked = prompts.flatMap((prompt) => prompt.split(/["“][^"“”]*["”]/)).map(splitWords);
  return measureCoverage(splitWords(text), asked, PROMPT_RUN) >= LEAST_SHARE;
}

/**
 * Returns whether a value of at least two words occurs word for word in one of the texts. Case,
 * punctuation and spaces are ignored.
 */
export function containsPhrase(value: string, texts: readonly string[]): boolean {
  const words = splitWords(value);
  if (words.length < 2) return false;
  const row = ` ${words.join(' ')} `;
  return texts.some((text) => ` ${splitWords(text).join(' ')} `.includes(row));
}

/** Returns whether a text contains at least one of the words of a value, in any case. */
export function containsAnyWord(value: string, text: string): boolean {
  const words = new Set(splitWords(text));
  return splitWords(value).some((word) => words.has(word));
}

/**
 * Returns the share of the words that occur in one of the texts within a row of at least `run`
 * words.
 */
function measureCoverage(
  words: readonly string[],
  texts: readonly (readonly string[])[],
  run: number,
): number {
  if (words.length < run) return 0;
  const known = new Set(texts.flatMap((text) => wordRuns(text, run)));
  const covered = new Set<number>();
  wordRuns(words, run).forEach((row, at) => {
    if (!known.has(row)) return;
    for (let index = at; index < at + run; index += 1) covered.add(index);
  });
  return covered.size / words.length;
}

/** Returns every row of `run` neighboring words. */
function wordRuns(words: readonly string[], run: number): string[] {
  return words
    .slice(0, Math.max(0, words.length - run + 1))
    .map((_word, at) => words.slice(at, at + run).join(' '));
}

function splitWords(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
