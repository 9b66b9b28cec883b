/**
 * Recognizes questions in the languages that small models answer in most often: English, German, French, Spanish,
 * Portuguese, Italian, Dutch, Russian, Chinese, Japanese and Korean. A text in another language is a question only
 * if it ends with a question mark.
 */

/** Matches the number of a list item, and quotation marks or brackets, before a text. */
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

/** Returns whether a text that should name a choice is a question. */
export function isQuestion(text: string): boolean {
  const bare = text.replace(LIST_MARK, '').trim();
  return MARKED.test(bare) || OPENED.test(bare) || BEGINNINGS.some((one) => one.test(bare));
}

/** Returns whether a question is answered by yes or no: `Should we wait?`, but not `A or B?` */
export function asksYesOrNo(question: string): boolean {
  const bare = question.trim();
  return YES_OR_NO.some((one) => one.test(bare)) && !OR.test(bare);
}
