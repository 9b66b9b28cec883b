/**
 * Decides whether an option on a ballot is a choice. Small models write a question, a mark, or words of their
 * prompt into the field; such an option is not counted, and the reason is shown.
 */
import { hasOneOf, hasRow } from '../../../text/form-words.ts';
import { isCommon } from '../../../text/words/telling.ts';
import { asksYesOrNo, isQuestion } from './question-forms.ts';

/** Nouns by which a prompt speaks of a ballot and its parts: "your role", "the name of the choice". */
const FORM_NOUNS: ReadonlySet<string> = new Set(
  'answer answers attachment attachments ballot choice choices confidence json line name option options position question role roles schema stance vote word words'.split(
    ' ',
  ),
);

/** The fewest letters of a word whose absence from the seat's own words tells something: not "yes" or "wait". */
const LONG_WORD = 5;
/** How many first letters two forms of a word have in common. */
const STEM = 4;
/** The fewest words of a seat's own text in which an option's word is looked for. */
const LEAST_SAID = 3;
/** Matches one word of a script that separates words by spaces. */
const ONE_WORD =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+(?:-[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+)*$/u;

/** What a seat was asked, and the words of its prompt. */
interface Asked {
  /** The question of the person. An option may contain its words. Absent if it is not known. */
  readonly question?: string | undefined;
  /** The sentences that the program itself wrote around the question. */
  readonly told: readonly string[];
  /**
   * What the seat wrote beside the option: its position, or the answer above its ballot. Absent if there is nothing
   * that must speak of the same choice.
   */
  readonly said?: string | undefined;
}

/**
 * Returns why an option on a ballot cannot be counted as a choice, in words such as `its option is
 * a question`. Returns undefined if it can be counted.
 *
 * @param written the option as the model wrote it, not yet shortened
 * @param option the option as it is stored
 */
export function explainRefusedOption(
  written: string,
  option: string,
  { question = '', told, said }: Asked,
): string | undefined {
  if (isQuestion(written)) return 'its option is a question';
  if (isMark(option, question)) return 'its option says nothing';
  if (namesTheForm(option, question)) return 'its option repeats the form';
  if (hasRow(option, told) && !hasRow(option, [question]))
    return 'its option repeats what the seat was told';
  if (said !== undefined && isStrayWord(option, said, question))
    return 'its option is a word that its own answer does not have';
  return undefined;
}

/**
 * Returns whether an option is a single letter, or figures alone, which answer no question of yes or no. What
 * the question itself names, as in "A or B", is a choice.
 */
function isMark(option: string, question: string): boolean {
  const letters = option.match(/\p{L}/gu) ?? [];
  const isShort = letters.length === 0 || /^[^\p{L}]*[a-z][^\p{L}]*$/iu.test(option);
  if (!isShort || !asksYesOrNo(question)) return false;
  return !hasOneOf(option, question) && !/\p{N}/u.test(question);
}

/** Returns whether all telling words of an option are the form's own nouns, of which the question has none. */
function namesTheForm(option: string, question: string): boolean {
  const words = option.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !isCommon(word) && !/^\d$/.test(word));
  if (telling.length === 0 || !telling.every((word) => FORM_NOUNS.has(word))) return false;
  return !hasOneOf(telling.join(' '), question);
}

/**
 * Returns whether an option is one longer word, such as "theorem", that occurs in no form in the seat's own words.
 * An option is to say in few words what the position says.
 */
function isStrayWord(option: string, said: string, question: string): boolean {
  const word = option.trim().toLowerCase();
  if (!ONE_WORD.test(word) || word.length < LONG_WORD) return false;
  const own = wordsOf(said);
  if (own.length < LEAST_SAID) return false;
  const known = [...own, ...wordsOf(question)];
  return word.split('-').every((part) => {
    const stem = part.slice(0, STEM);
    return !known.some((one) => one.startsWith(stem));
  });
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
