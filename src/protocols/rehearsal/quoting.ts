/** Finds sentences of others that can be quoted exactly. */
import type { Quoted } from '../../kernel/model.ts';
import { REHEARSAL_LINE } from './scene.ts';

const LONGEST_QUOTE = 14;

/**
 * The words that the stand-in quotes although nobody said them, if the model's name is `invents`.
 */
export const INVENTED = 'words that nobody at this table has ever said';

/**
 * Returns the sentences that can be quoted unchanged. Headings, tables, code, quotations and sentences of fewer than
 * five words are left out.
 */
export function findQuotableSentences(text: string): string[] {
  const plain = text.replace(/```[\s\S]*?(?:```|$)/g, '').replaceAll(REHEARSAL_LINE, '');
  return plain
    .split('\n')
    .filter((line) => !/^\s*(?:#|\||>)/.test(line))
    .flatMap((line) =>
      line.split(/(?<=[.!?])\s+|\*\*|__?|[“”"`]|^\s*(?:[-*+]|\d+\.)\s+(?:\[.\]\s*)?/),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 5 && !sentence.startsWith('Rehearsal:'));
}

/**
 * Returns the first words in bold, which state the position of an answer. Returns undefined if
 * nothing is bold, or if there are too many words for a quotation.
 */
export function findStanceText({ text }: Quoted): string | undefined {
  const bold = /\*\*([^*\n“”]+)\*\*/.exec(text)?.[1];
  return bold !== undefined && bold.split(' ').length <= LONGEST_QUOTE ? bold : undefined;
}

/**
 * Returns a part of the sentence that is short enough for a quotation, at most 14 words: around the first word that
 * contains `word`, or at the beginning if `word` is absent or does not occur. A shorter sentence is returned whole.
 */
export function cutFragment(sentence: string, word?: string): string {
  const parts = sentence.split(' ');
  if (parts.length <= LONGEST_QUOTE) return sentence;
  const at = word ? parts.findIndex((part) => part.toLowerCase().includes(word)) : 0;
  const from = Math.max(0, Math.min(at - 4, parts.length - LONGEST_QUOTE));
  return parts.slice(from, from + LONGEST_QUOTE).join(' ');
}

/** Joins names with commas and `and`. */
export function joinNames(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
