/**
 * Decides whether an option on a ballot is a choice. Small models write a question, a mark, or words of their
 * prompt into the field; such an option is not counted, and the reason is shown.
 */
import { containsAnyWord, containsPhrase } from '../../../text/form-words.ts';
import { isCommon } from '../../../text/words/telling.ts';

/** Nouns by which a prompt speaks of a ballot and its parts: "your role", "the name of the choice". */
const FORM_NOUNS: ReadonlySet<string> = new Set(
  'answer answers attachment attachments ballot choice choices confidence json line name option options position question role roles schema stance vote word words'.split(
    ' ',
  ),
);

/** Words with which a schema describes its fields. An answer with one of them can be a choice: "At least 2". */
const SCHEMA_WORDS: ReadonlySet<string> = new Set(
  'field form integer least maximum minimum most must number object required string text valid value'.split(
    ' ',
  ),
);

/**
 * Questions are recognized in the languages that small models answer in most often: English, German, French,
 * Spanish, Portuguese, Italian, Dutch, Russian, Chinese, Japanese and Korean. Elsewhere a question ends with its mark.
 * This matches the number of a list item, and quotation marks or brackets, before a text.
 */
const LIST_MARK = /^[\s"'“”‘’«„「『(*_-]*(?:\d{1,2}[.)]\s+)?[\s"'“”‘’«„「『(*_-]*/u;
/** Matches a question mark of any script at the end of a text, or a Spanish one at its beginning. */
const MARKED = /[?？؟՞]\s*["'”’»」』)*_.\s]*$/u;
const OPENED = /^¿/u;

/** Beginnings of questions. Each has a verb or a pronoun, since "where possible" or "was bleibt" can be a choice. */
const BEGINNINGS: readonly RegExp[] = [
  /^(?:(?:who|what|where|when|why|how|which)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|might))|(?:is|are|was|were|does|did|should|shall|could|would)\s+(?:i|we|you|he|she|it|they|this|that|there|these|those|the|a|an)|do\s+(?:i|we|you|they)|(?:can|will)\s+(?:i|we|you|they|it))\b/iu,
  /^(?:(?:was|wer|wo|wann|warum|wieso|weshalb|wie|wem|wen|welche[rsmn]?)\s+(?:ist|sind|war|waren|soll|sollen|sollte|sollten|kann|können|wird|würde|muss|müssen|macht)|(?:soll|sollen|sollte|sollten|können|kann|müssen|muss|dürfen|ist|sind|wird)\s+(?:ich|wir|man|es|sie|das|die|der|dies))(?!\p{L})/iu,
  /^(?:est-ce\s+qu|qu['’]est-ce|qu['’]en\s|(?:que|quoi|qui|quand|pourquoi|comment|où|quels?|quelles?)\s+(?:est|sont|faire|faut|doit|doivent|devons|peut|pouvons)|(?:devons|pouvons|allons|faut|peut|doit)-(?:nous|il|on|elle)(?!\p{L}))/iu,
  /^(?:(?:qué|quién|cuál|cuáles|cuándo|dónde|cómo|por\s+qué)\s|(?:debemos|deberíamos|podemos)\s+\p{L}+\s+(?:el|la|los|las)\s+\p{L}+\s*$)/iu,
  /^(?:o\s+que\s+(?:é|são|devemos|fazer)|por\s+que\s|(?:qual|quais|quem|quando|onde|como)\s+(?:é|são|devemos|podemos))(?!\p{L})/iu,
  /^(?:(?:che\s+cosa|cosa|chi|quando|dove|come|perché|quale|quali)\s+(?:è|sono|dobbiamo|possiamo|dovremmo)|(?:qual|cos|dov)['’]?\s*è)(?!\p{L})/iu,
  /^(?:(?:wat|wie|waar|wanneer|waarom|hoe|welke?)\s+(?:is|zijn|was|moet|moeten|kan|kunnen|zal)|(?:moeten|zullen|kunnen)\s+(?:we|wij))(?!\p{L})/iu,
  /^(?:что|кто|где|когда|почему|зачем|как|какой|какая|какое|какие)\s+(?:такое|это|нам|мы|делать|лучше|нужно|можно|будет|является)(?!\p{L})|^(?:стоит|нужно|можно|должны)\s+ли(?!\p{L})/iu,
  /^(?:什么是|为什么|为何|怎么|怎样|如何才|是否应|我们应该.*吗|应该.*吗)|[吗呢][。.!\s]*$/u,
  /(?:ですか|ますか|でしょうか|ませんか)[。.!\s]*$/u,
  /(?:니까|까요|인가요|나요)[.!\s]*$/u,
];

/** Beginnings or ends of questions that are answered by yes or no. */
const YES_OR_NO: readonly RegExp[] = [
  /^(?:is|are|was|were|do|does|did|has|have|had|can|could|should|shall|will|would|may|might|must)\s/iu,
  /^(?:soll|sollen|sollte|sollten|kann|können|muss|müssen|darf|dürfen|ist|sind|wird|werden|hat|haben)\s/iu,
  /^(?:est-ce\s+qu|(?:devons|pouvons|allons|faut|peut|doit)-)/iu,
  /^¿(?!(?:qué|quién|cuál|cuánt|cuándo|dónde|cómo|por\s+qué))/iu,
  /^(?:devemos|deveríamos|podemos|dobbiamo|dovremmo|possiamo|è\s|moeten|zullen|kunnen)(?!\p{L})/iu,
  /^\p{L}+\s+ли(?!\p{L})/iu,
  /吗[？?。\s]*$|是否|应不应该/u,
  /(?:ですか|ますか|でしょうか|べきか)[？?。\s]*$/u,
  /(?:니까|까요)[?？.\s]*$/u,
];

/** Words that separate the choices of a question. */
const OR =
  /(?<![\p{L}\p{N}])(?:or|oder|ou|o|of|или)(?![\p{L}\p{N}])|还是|或|または|それとも|또는|아니면/iu;

/** The fewest letters of a word whose absence from the seat's own words tells something: not "yes" or "wait". */
const LONG_WORD = 5;
/** How many first letters two forms of a word have in common. */
const STEM = 4;
/** The fewest words of a seat's own text in which an option's word is looked for. */
const LEAST_SAID = 3;
/** Matches one word of a script that separates words by spaces. */
const ONE_WORD =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+(?:-[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+)*$/u;

/** What a seat was asked when it chose an option, and what else it wrote. */
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
 * @param asked the person's question, the program's own sentences in the prompt (`told`), and the seat's other
 * text (`said`); an option that only repeats `told` is no choice, nor is a long word that occurs in neither `said`
 * nor the question
 */
export function explainRefusedOption(
  written: string,
  option: string,
  { question = '', told, said }: Asked,
): string | undefined {
  if (isQuestion(written)) return 'its option is a question';
  if (isMark(option, question)) return 'its option says nothing';
  if (isFragment(written, question)) return 'its option is a part of a sentence';
  if (namesTheForm(option, question)) return 'its option repeats the form';
  if (containsPhrase(option, told) && !containsPhrase(option, [question]))
    return 'its option repeats what the seat was told';
  if (said !== undefined && isStrayWord(option, said, question))
    return 'its option is a word that its own answer does not have';
  return undefined;
}

/** Matches the words of an English text. */
const ENGLISH = /[a-z']+/gi;
/** English words that show that a text is English, where two of them occur. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an and are by for from has have in is it its not of on or that the their this to was were which with'.split(
    ' ',
  ),
);
/** Words that an English phrase cannot end with. */
const NEVER_LAST: ReadonlySet<string> = new Set(
  'the a an and or nor than whose every their your its'.split(' '),
);
/** Words that a phrase ends with only after a verb that needs them, as in "the region to move to". */
const RARELY_LAST: ReadonlySet<string> = new Set('to of from with into'.split(' '));
/** Words that such a verb comes after. */
const BEFORE_VERBS: ReadonlySet<string> = new Set(
  'i it that they to we what where which who whom you'.split(' '),
);
/** Matches the beginning of a clause without its end. */
const OPEN_CLAUSE =
  /(?:\b(?:that|which|who)\s+(?:is|are|was|were|has|have)|(?<!\bas\s+)\bsuch)[.\s]*$/i;
/** Matches brackets that close what nothing has opened, or punctuation of a form, at the beginning. */
const CLOSES_FIRST = /^\s*["']?[\]})]|^\s*[,:]/;

/**
 * Returns whether an option is cut out of a sentence, as in "The role of the 3rd to". Decides this for English only,
 * and not for words that the question has.
 */
function isFragment(written: string, question: string): boolean {
  const text = written.replace(LIST_MARK, '').trim();
  if (text !== '' && question.includes(text)) return false;
  if (CLOSES_FIRST.test(written)) return true;
  const words = text.toLowerCase().match(ENGLISH) ?? [];
  const isEnglish = new Set(words.filter((word) => FUNCTION_WORDS.has(word))).size >= 2;
  if (!isEnglish || /[^\x20-\x7e‘’“”–—…]/.test(text)) return false;
  const last = words.at(-1) ?? '';
  if (
    !text
      .toLowerCase()
      .replace(/[.,;:\s]+$/, '')
      .endsWith(last)
  )
    return false;
  if (NEVER_LAST.has(last) || OPEN_CLAUSE.test(text)) return true;
  return RARELY_LAST.has(last) && !words.slice(0, -1).some((word) => BEFORE_VERBS.has(word));
}

/**
 * Returns whether an option is a single letter, or figures alone, which answer no question of yes or no. What
 * the question itself names, as in "A or B", is a choice.
 */
function isMark(option: string, question: string): boolean {
  const letters = option.match(/\p{L}/gu) ?? [];
  const isShort = letters.length === 0 || /^[^\p{L}]*[a-z][^\p{L}]*$/iu.test(option);
  if (!isShort || !asksYesOrNo(question)) return false;
  return !containsAnyWord(option, question) && !/\p{N}/u.test(question);
}

/**
 * Returns whether all telling words of an option are the form's own nouns, of which the question has none, or
 * stand beside them in a schema: "The number of confidence must be at least 0".
 */
function namesTheForm(option: string, question: string): boolean {
  const words = option.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !isCommon(word) && !/^\d$/.test(word));
  if (!telling.some((word) => FORM_NOUNS.has(word))) return false;
  if (!telling.every((word) => FORM_NOUNS.has(word) || SCHEMA_WORDS.has(word))) return false;
  return !containsAnyWord(telling.join(' '), question);
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
    return !known.some((knownWord) => knownWord.startsWith(stem));
  });
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns whether a text that should name a choice is a question. */
function isQuestion(text: string): boolean {
  const bare = text.replace(LIST_MARK, '').trim();
  return MARKED.test(bare) || OPENED.test(bare) || BEGINNINGS.some((pattern) => pattern.test(bare));
}

/** Returns whether a question is answered by yes or no: `Should we wait?`, but not `A or B?` */
function asksYesOrNo(question: string): boolean {
  const bare = question.trim();
  return YES_OR_NO.some((pattern) => pattern.test(bare)) && !OR.test(bare);
}
