/**
 * A synthesis without understanding: it finds which words advisors share and how each of them
 * begins, and quotes both. Whatever stands in quotation marks was said, letter by letter.
 */
import type { Chance } from './chance.ts';
import { REHEARSAL_LINE } from './prose.ts';
import { type Answer, type Topic, wordsOf } from './topic.ts';

const LONGEST_QUOTE = 14;

/** `headings` are those that the task asks for; without any, the four of a board. */
export function synthesis(
  topic: Topic,
  answers: readonly Answer[],
  headings: readonly string[],
  chance: Chance,
): string {
  const voices = answers
    .map(({ from, text }) => ({ from, stance: stanceIn(text), sentences: sentencesOf(text) }))
    .filter(({ sentences }) => sentences.length > 0);
  const others = headings.length > 0 && headings.join() !== BOARD.join();
  return others ? report(topic, voices, headings, chance) : agreement(topic, voices, chance);
}

const BOARD = ['Consensus', 'Points of Agreement', 'Points of Divergence', 'Recommendation'];

/** Under whatever headings: what was said, without a claim to have weighed it. */
function report(
  topic: Topic,
  voices: readonly Voice[],
  headings: readonly string[],
  chance: Chance,
): string {
  const said = voices.flatMap(({ from, sentences }) =>
    sentences.map(({ text }) => `- ${from}: “${fragment(text)}”`),
  );
  const opening = `On “${topic.subject}” the stand-in can only point at what stands in the record.\n\n`;
  const sections = headings.map((heading, index) => {
    const lines = chance.some(said, 2).join('\n') || 'There is no record to draw on.';
    return `## ${heading}\n\n${index === 0 ? opening : ''}${lines}`;
  });
  return [...sections, REHEARSAL_LINE].join('\n\n');
}

function agreement(topic: Topic, voices: readonly Voice[], chance: Chance): string {
  const shared = sharedWords(topic, voices);
  const names = voices.map(({ from }) => from);
  const nobody = 'Nobody answered, so there is nothing to draw together.';
  const section = (heading: string, body: string) => `## ${heading}\n\n${body}`;
  return [
    section(
      'Consensus',
      voices.length === 0
        ? nobody
        : shared.length > 0
          ? `${listed(names)} all treat “${topic.subject}” as a matter of ${listed(shared.map(({ word }) => `**${word}**`))}. None of them asks for more time to think before anything is done.`
          : `There is none: ${listed(names)} answer the question about “${topic.subject}” without a word in common.`,
    ),
    section(
      'Points of Agreement',
      shared.length === 0
        ? '- No argument is made by more than one advisor.'
        : shared
            .map(
              ({ word, by }) =>
                `- On **${word}**: ${by.map((voice) => quoted(voice, word)).join('; ')}.`,
            )
            .join('\n'),
    ),
    section(
      'Points of Divergence',
      voices.length < 2
        ? '- With fewer than two answers there is nothing to diverge.'
        : voices.map((voice) => `- ${position(voice)}.`).join('\n'),
    ),
    section(
      'Recommendation',
      voices.length === 0
        ? `Ask the board again about “${topic.subject}”.`
        : `${chance.pick([
            `Begin with the smallest part of “${topic.subject}” that can be undone within a week, and set the day on which it is judged before it begins.`,
            `Gather the one figure about the ${topic.words[0]} that the answers ask for, and decide on “${topic.subject}” when it is there.`,
            `Take the condition that ${names[0] ?? 'the first advisor'} names as the stopping rule, write it down, and start.`,
          ])} Drop this course if nobody can say, after that time, what became better.`,
    ),
    REHEARSAL_LINE,
  ].join('\n\n');
}

interface Voice {
  readonly from: string;
  /** What stands out at the beginning, if anything does. */
  readonly stance: string | undefined;
  readonly sentences: readonly Sentence[];
}

interface Sentence {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** Words that at least two advisors use: those of the question, or, where these are few, others. Three at most. */
function sharedWords(topic: Topic, voices: readonly Voice[]): { word: string; by: Voice[] }[] {
  const found = new Map<string, Voice[]>();
  const look = (words: Iterable<string>) => {
    for (const word of words) {
      const key = word.toLowerCase();
      // A word has to stand in a sentence that can be quoted for it.
      const by = voices.filter(({ sentences }) => sentences.some((one) => one.words.has(key)));
      if (by.length >= 2 && key.length > 4) found.set(key, by);
    }
  };
  look(topic.words);
  if (found.size < 2) look(voices[0]?.sentences.flatMap(({ words }) => [...words]) ?? []);
  return [...found]
    .sort((left, right) => right[1].length - left[1].length)
    .slice(0, 3)
    .map(([word, by]) => ({ word, by: by.slice(0, 3) }));
}

function quoted({ from, sentences }: Voice, word: string): string {
  const sentence = sentences.find(({ words }) => words.has(word));
  return `${from}: “${fragment(sentence?.text ?? '', word)}”`;
}

function position({ from, stance, sentences }: Voice): string {
  const reason = sentences.find(({ text }) => /^\p{Lu}/u.test(text) && text !== stance);
  const quotes = [stance, reason && fragment(reason.text)].filter((one) => one !== undefined);
  return `${from}: ${quotes.map((one) => `“${one}”`).join(' … ')}`;
}

/** The first words in bold, if they are few. */
function stanceIn(text: string): string | undefined {
  const bold = /\*\*([^*\n“”]+)\*\*/.exec(text)?.[1];
  return bold !== undefined && bold.split(' ').length <= LONGEST_QUOTE ? bold : undefined;
}

/** A stretch of the sentence that holds `word`, or its beginning. */
function fragment(sentence: string, word?: string): string {
  const parts = sentence.split(' ');
  if (parts.length <= LONGEST_QUOTE) return sentence;
  const at = word ? parts.findIndex((part) => part.toLowerCase().includes(word)) : 0;
  const from = Math.max(0, Math.min(at - 4, parts.length - LONGEST_QUOTE));
  return parts.slice(from, from + LONGEST_QUOTE).join(' ');
}

/** Sentences that can be quoted as they stand: no headings, tables, code, marks or quotations. */
function sentencesOf(text: string): Sentence[] {
  const plain = text.replace(/```[\s\S]*?(?:```|$)/g, '').replaceAll(REHEARSAL_LINE, '');
  return plain
    .split('\n')
    .filter((line) => !/^\s*(?:#|\||>)/.test(line))
    .flatMap((line) =>
      line.split(/(?<=[.!?])\s+|\*\*|__?|[“”"`]|^\s*(?:[-*+]|\d+\.)\s+(?:\[.\]\s*)?/),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 5 && !sentence.startsWith('Rehearsal:'))
    .map((sentence) => ({
      text: sentence,
      words: new Set(wordsOf(sentence).map((word) => word.toLowerCase())),
    }));
}

function listed(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
