/** Carries a fix of a plan out on the text of its file. Pure. */
import { sanitise } from '../../../text/sanitise.ts';

/** What of a fix says where something changes and what is to stand there. */
interface Change {
  /** The lines on which the quotation stood when the plan was made, from 1. */
  readonly from: number;
  readonly to: number;
  readonly quotation: string;
  /** Absent or empty where the fix says in words alone what is to be done. */
  readonly replacement?: string | undefined;
}

/** The text with the quoted words replaced; or why they are not, in half a sentence. */
export type Applied = { readonly text: string } | { readonly why: string };

/**
 * The words have to stand there letter for letter, whatever space is between them. Where they stand more than
 * once, those are meant that begin on the lines of the fix.
 */
export function applyFix(text: string, { from, to, quotation, replacement = '' }: Change): Applied {
  if (replacement.trim() === '') return { why: 'it says only in words what to change' };
  // What a diff cannot show is not written into code.
  if (sanitise(replacement) !== replacement)
    return { why: 'its new words hold characters that nobody sees' };
  const words = quotation.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { why: 'it quotes nothing' };
  const wanted = new RegExp(words.map(escaped).join('\\s+'), 'g');
  let [line, seen] = [1, 0];
  const found = [...text.matchAll(wanted)].map(({ 0: match, index }) => {
    line += text.slice(seen, index).split('\n').length - 1;
    seen = index;
    return { at: index, end: index + match.length, line };
  });
  const meant = found.filter(({ line }) => line >= from && line <= to);
  const [one, ...others] = meant.length > 0 ? meant : found;
  if (one === undefined) return { why: 'what it quotes does not stand there letter for letter' };
  if (others.length > 0) return { why: 'what it quotes stands there more than once' };
  return { text: `${text.slice(0, one.at)}${replacement.trim()}${text.slice(one.end)}` };
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
