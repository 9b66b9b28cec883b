/**
 * Measures whether a board's check of quotations is right: writers of syntheses copy what a seat said,
 * attribute it to another seat, or invent it, in the usual forms of quotations.
 */

import {
  findQuotations,
  type SearchedAnswer,
} from '../../src/protocols/common/quotations/quotations.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import type { Row } from '../measure.ts';
import { atLeast } from '../measure.ts';
import type { Document } from './document.ts';
import { DOCUMENTS } from './documents.ts';

const SEATS = ['advocate', 'critic', 'analyst', 'expert'] as const;
const LETTERS = ['A', 'B', 'C', 'D'] as const;
const LABELS = Object.fromEntries(LETTERS.map((letter, seat) => [letter, SEATS[seat] ?? '']));
/** How many quotations a synthesis has. */
const QUOTATIONS = 8;

/** What a writer does with a quotation, and the finding that is right for it. */
const KINDS = { copied: 'said', given: 'misattributed', invented: 'nowhere' } as const;
type Kind = keyof typeof KINDS;

const FORMS: readonly [Form, ...Form[]] = [
  (name, words) => `${name} says: "${words}"`,
  (name, words) => `As ${name} puts it, “${words}”`,
  (name, words) => `"${words}" (${name}).`,
  (name, words) => `According to ${name}, "${words}"`,
  (name, words) => `- ${name}: "${words}"`,
  (name, words) => `“${words}”, argues ${name}.`,
  (name, words, other) => `Unlike ${other}, ${name} holds that "${words}"`,
  (name, words, other) => `${name} answers ${other}: "${words}"`,
];
type Form = (name: string, words: string, other: string) => string;

/**
 * Returns the share of quotations that a board's check judges rightly, from 0 to 1, by kind: `copied` from the seat
 * that is named, `given` to another seat than said them, or `invented`.
 * @param syntheses how many syntheses with quotations are written and checked
 */
export function measureQuotations(syntheses: number): Readonly<Record<Kind, number>> {
  const counts = { copied: [0, 0], given: [0, 0], invented: [0, 0] };
  for (let seed = 1; seed <= syntheses; seed++) {
    const document = DOCUMENTS[seed % DOCUMENTS.length] ?? DOCUMENTS[0];
    const { text, spoken, kinds } = writeSynthesis(document, seed);
    const found = findQuotations(text, spoken, LABELS);
    kinds.forEach((kind, index) => {
      const count = counts[kind];
      count[1] = (count[1] ?? 0) + 1;
      if (found[index]?.state === KINDS[kind]) count[0] = (count[0] ?? 0) + 1;
    });
  }
  const toShare = ([right = 0, all = 0]: number[]): number => right / all;
  return {
    copied: toShare(counts.copied),
    given: toShare(counts.given),
    invented: toShare(counts.invented),
  };
}

/** Writes a synthesis. Every sentence of the document belongs to exactly one seat. */
function writeSynthesis(document: Document, seed: number) {
  const chance = new Chance('board', seed);
  const sentences = document.text.split('\n').filter((line) => /^[A-Z].*\.$/.test(line));
  const dealt = chance.some(sentences, sentences.length);
  const saidBy = (seat: number) => dealt.filter((_, index) => index % SEATS.length === seat);
  const spoken = SEATS.map(
    (seat, index): SearchedAnswer => ({ seat, title: seat, text: saidBy(index).join(' ') }),
  );
  const kinds: Kind[] = [];
  const paragraphs = Array.from({ length: QUOTATIONS }, () => {
    const kind = chance.pick<Kind>(['copied', 'given', 'invented']);
    const speaker = chance.between(0, SEATS.length - 1);
    const named = kind === 'given' ? (speaker + chance.between(1, 3)) % SEATS.length : speaker;
    const [sentence = ''] = chance.some(saidBy(speaker), 1);
    kinds.push(kind);
    const words =
      kind === 'invented' ? alterSentence(sentence, chance) : cutExcerpt(sentence, chance);
    const other = LETTERS[(named + chance.between(1, 3)) % SEATS.length];
    return chance.pick(FORMS)(`Advisor ${LETTERS[named]}`, words, `Advisor ${other}`);
  });
  return { text: paragraphs.join('\n\n'), spoken, kinds };
}

/** Returns the whole sentence or its first part, always long enough to be looked up. */
function cutExcerpt(sentence: string, chance: Chance): string {
  const words = sentence.replace(/\.$/, '').split(' ');
  return words.slice(0, chance.between(Math.min(6, words.length), words.length)).join(' ');
}

/** Changes a single word of a sentence, so that nobody said it. */
function alterSentence(sentence: string, chance: Chance): string {
  const words = sentence.replace(/\.$/, '').split(' ');
  words.splice(chance.between(2, Math.max(2, Math.min(5, words.length - 2))), 1, 'supposedly');
  return words.join(' ');
}

/**
 * Measures how often a board's check of quotations is right. Returns rows for the table of `npm run bench`.
 * @param syntheses how many syntheses with quotations are written and checked
 */
export function quotationRows(syntheses: number): Row[] {
  const { copied, given, invented } = measureQuotations(syntheses);
  return [
    atLeast('board quotations: copied ones found where they were said', copied, 0.98),
    atLeast('board quotations: those given to the wrong seat marked', given, 0.98),
    atLeast('board quotations: invented ones marked', invented, 1),
  ];
}
