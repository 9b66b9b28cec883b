/**
 * The topic of a rehearsal. The stand-in does not understand the question, and using its words freely could
 * read like nonsense, so it names the proposal where needed and otherwise talks about things that every plan
 * has.
 */
import { Chance } from './chance.ts';

/** The words of a question, and general words, from which the stand-in makes its texts. */
export interface Topic {
  /** The first line of the question, without quotation marks and Markdown signs, cut after 240 characters. */
  readonly question: string;
  /** The proposal in the question's words: `split the monolith`. */
  readonly subject: string;
  /** General words that fit every plan, such as `schedule`, in an order that depends on the question. */
  readonly words: readonly [string, ...string[]];
}

const MAX_QUESTION = 240;

/** Derives the topic from the first line of a question. */
export function deriveTopic(asked: string): Topic {
  const line = asked.trim().split('\n', 1)[0] ?? '';
  const plain = line.replace(/[*_#`"“”]/g, '').replace(/\s+/g, ' ');
  const question = plain.trim().slice(0, MAX_QUESTION) || 'the question';
  const [first = 'plan', ...others] = new Chance('topic', question).some(THINGS, THINGS.length);
  return { question, subject: subjectOf(question), words: [first, ...others] };
}

const THINGS = ['handover', 'release', 'setup', 'schedule', 'checklist'] as const;

/** Matches openings that turn a proposal into a question: `Should we …?` Other questions are quoted whole. */
const OPENING =
  /^(?:should|shall|can|could|must|do|would|will|may|might)\s+(?:we|i|you|they|one|our\s+\w+)\s+(?:really\s+|ever\s+)?/i;

function subjectOf(question: string): string {
  const first = question.split(/[.?!](?:\s|$)/, 1)[0]?.trim() ?? '';
  const bare = first.replace(OPENING, '').trim();
  const subject = bare.length >= 3 ? bare : first;
  const words = subject.split(' ');
  return (words.length > 14 ? `${words.slice(0, 14).join(' ')} …` : subject) || 'the proposal';
}

const COMMON = new Set(
  `a about after again all also an and any are as at be been before being between both but by can
  could did do does for from get has have how if in into is it its just keep like may might more most
  much must my need new no not now of on one only or other our out over own per put said same shall
  should so some such than that the their them then there these they this those through to too under
  until up use very was way we well were what when where which while who why will with would you your
  yours us i me he she him her his hers make made let's lets ever really instead above below because
  first last something nothing nobody everyone anyone somebody thing things whether whoever without
  within while where there here today later soon since still two three next one’s says say said want wants`.split(
    /\s+/,
  ),
);

/** Returns the words of a text that carry meaning, each once, in their first spelling. */
export function findMeaningfulWords(text: string): string[] {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’+#-]*/gu)) {
    const key = word.toLowerCase();
    const counts = key.length > 2 || /^[A-Z]{2}$/.test(word);
    if (counts && !COMMON.has(key) && !found.has(key)) found.set(key, word);
  }
  return [...found.values()];
}
