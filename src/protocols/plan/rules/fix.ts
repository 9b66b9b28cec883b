/** Applies a fix of a plan to the text of its file. Pure. */
import { sanitise } from '../../../text/sanitise.ts';

/** Where a fix changes a file, and the new text. */
interface Change {
  /** The quotation's first line when the plan was made, from 1; `to` is its last. */
  readonly from: number;
  readonly to: number;
  readonly quotation: string;
  /** Absent or empty if the fix only says in words what to do. */
  readonly replacement?: string | undefined;
}

/** The text with the quoted words replaced, or a phrase on why they cannot be replaced. */
export type AppliedFix = { readonly text: string } | { readonly why: string };

/**
 * Replaces the passage that a fix quotes. The quoted words must occur in the text letter for
 * letter; only the whitespace between them may differ. If they occur several times, the line
 * numbers of the fix decide: exactly one occurrence must begin on these lines. Otherwise nothing is
 * replaced.
 */
export function applyFix(
  text: string,
  { from, to, quotation, replacement = '' }: Change,
): AppliedFix {
  if (replacement.trim() === '') return { why: 'it says only in words what to change' };
  // Invisible characters would not show in the diff that the person approves.
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
