/**
 * Decides whether an option on a ballot is a choice. Small models write a question, a mark, or words of their
 * prompt into the field; such an option is not counted, and the reason is shown.
 */
import { hasOneOf, hasRow } from '../../../text/form-words.ts';
import { isCommon } from '../../../text/words/telling.ts';

/** Nouns by which a prompt speaks of a ballot and its parts: "your role", "the name of the choice". */
const FORM_NOUNS: ReadonlySet<string> = new Set(
  'answer answers attachment attachments ballot choice choices confidence json line name option options position question role roles schema stance vote word words'.split(
    ' ',
  ),
);

/** Matches the number of a list item, and quotation marks or brackets, before an option. */
const LIST_MARK = /^[\s"'“”‘’(*_-]*(?:\d{1,2}[.)]\s+)?[\s"'“”‘’(*_-]*/u;
/** Matches the beginning of an English question: `what is`, `where's`, `should we`. */
const BEGINS_QUESTION =
  /^(?:(?:who|what|where|when|why|how|which)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|might))|(?:is|are|was|were|does|did|should|shall|could|would)\s+(?:i|we|you|he|she|it|they|this|that|there|these|those|the|a|an)|do\s+(?:i|we|you|they)|(?:can|will)\s+(?:i|we|you|they|it))\b/iu;
/** Matches the beginning of an English question that is answered by yes or no. */
const ASKS_YES_OR_NO =
  /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|shall|will|would|may|might|must)\s/iu;

/** What a seat was asked, and the words of its prompt. */
interface Asked {
  /** The question of the person. Its words may stand in an option. Absent if it is not known. */
  readonly question?: string | undefined;
  /** The sentences that the program itself wrote around the question. */
  readonly told: readonly string[];
}

/**
 * Returns why an option is no choice, or undefined if it may be one.
 *
 * @param written the option as the model wrote it, not yet shortened
 * @param option the option as it is stored
 */
export function explainRefusedOption(
  written: string,
  option: string,
  { question = '', told }: Asked,
): string | undefined {
  if (isQuestion(written)) return 'its option is a question';
  if (isMark(option, question)) return 'its option says nothing';
  if (namesTheForm(option, question)) return 'its option repeats the form';
  if (hasRow(option, told) && !hasRow(option, [question]))
    return 'its option repeats what the seat was told';
  return undefined;
}

function isQuestion(written: string): boolean {
  const text = written.replace(LIST_MARK, '');
  return /[?？؟][\s"'”’)*_.]*$/u.test(text) || BEGINS_QUESTION.test(text);
}

/**
 * Returns whether an option is a single letter, or figures alone, which answer no question of yes or no. What
 * the question itself names, as in "A or B", is a choice.
 */
function isMark(option: string, question: string): boolean {
  const letters = option.match(/\p{L}/gu) ?? [];
  const isShort = letters.length === 0 || /^[^\p{L}]*[a-z][^\p{L}]*$/iu.test(option);
  if (!isShort || !ASKS_YES_OR_NO.test(question.trim())) return false;
  return !hasOneOf(option, question) && !/\p{N}|\bor\b/iu.test(question);
}

/** Returns whether all telling words of an option are the form's own nouns, of which the question has none. */
function namesTheForm(option: string, question: string): boolean {
  const words = option.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !isCommon(word) && !/^\d$/.test(word));
  if (telling.length === 0 || !telling.every((word) => FORM_NOUNS.has(word))) return false;
  return !hasOneOf(telling.join(' '), question);
}
