/** What a prompt is about, as far as the rehearsal needs to know it to talk about it. */
import type { Message } from '../../kernel/model.ts';

export interface Topic {
  /** The question as it was put, on one line. */
  readonly question: string;
  /** What is proposed, in the question's own words: `split the monolith`. */
  readonly subject: string;
  /** Its words that carry meaning, in order; at least one. */
  readonly words: readonly [string, ...string[]];
}

/** What one advisor said, as the synthesizer's prompt holds it. */
export interface Answer {
  readonly from: string;
  readonly text: string;
}

const MAX_QUESTION = 240;
/** A prompt begins with the question; whole books may follow it. */
const MAX_PROMPT = 20_000;

export function promptText(messages: readonly Message[]): string {
  return messages.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n\n');
}

export function topicOf(prompt: string): Topic {
  // A further question comes last, after all that was said of the ones before it.
  const further = prompt.lastIndexOf('now asked:');
  const question = questionIn(prompt.slice(Math.max(0, further)).slice(0, MAX_PROMPT));
  const subject = subjectOf(question);
  const [first, ...rest] = wordsOf(question);
  // The first word is what is to be done (`split the monolith`), the next one what it is done to.
  const [head, ...tail] = rest.length > 0 && first ? [...rest, first] : [first ?? subject];
  return { question, subject, words: [head ?? subject, ...tail] };
}

/** A question is announced (`The board is asked:`), or is the first sentence that ends like one. */
function questionIn(prompt: string): string {
  const outside = prompt.replace(/<([a-z]+-[0-9a-f]+)\b[^>]*>[\s\S]*?<\/\1>/g, '');
  const announced =
    /^## (?:\w+ )*REQUEST(?: \w+)*\n+([^\n]+)/m.exec(outside)?.[1] ??
    /(?:asked|question|prompt|topic|goal|task)\s*:[ \t]*\n*([^\n]+)/i.exec(outside)?.[1];
  const asking = /[^.!?\n]{8,}\?/.exec(outside)?.[0];
  const line = announced ?? asking ?? outside.trim().split('\n', 1)[0] ?? '';
  const short = line
    .replace(/[*_#`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_QUESTION);
  return short || 'the question';
}

/** What turns a proposal into a question: `Should we …?` Other questions are quoted whole. */
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

/** Words that carry meaning, once each, in their first spelling. */
export function wordsOf(text: string): string[] {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’+#-]*/gu)) {
    const key = word.toLowerCase();
    const counts = key.length > 2 || /^[A-Z]{2}$/.test(word);
    if (counts && !COMMON.has(key) && !found.has(key)) found.set(key, word);
  }
  return [...found.values()];
}

/** A block of somebody's words, as protocols put them into prompts. */
const BLOCK = /<((?:answer|piece|record)-[0-9a-f]+) from="([^"]*)">\n([\s\S]*?)\n<\/\1>/g;

/** The blocks of others' words in a prompt; of one tag, if it is named: `answer`. */
export function answersIn(prompt: string, tag = ''): Answer[] {
  return [...prompt.matchAll(BLOCK)]
    .filter(([, name]) => name?.startsWith(tag))
    .map(([, , from, text]) => ({ from: from ?? '', text: text ?? '' }));
}

/** The headings that the task asks for, in its order. */
export function headingsIn(prompt: string): string[] {
  return [...prompt.replace(BLOCK, '').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');
}
