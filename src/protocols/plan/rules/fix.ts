/** Applies a fix of a plan to the text of its file. Pure. */
import { sanitiseText } from '../../../text/sanitise.ts';

/** Where a fix changes a file, and the new text. */
interface Change {
  /** The quotation's first line when the plan was made, from 1; `to` is its last. */
  readonly from: number;
  readonly to: number;
  readonly quotation: string;
  /** Absent or empty if the fix only says in words what to do. */
  readonly replacement?: string | undefined;
}

/**
 * What comes of applying a fix to a text: `text` is the text with the quoted words replaced, `why` a phrase that
 * says why they cannot be replaced. `isThere` says that the text has the new words already.
 */
export type AppliedFix =
  | { readonly text: string }
  | { readonly why: string }
  | { readonly isThere: true };

/** How many words a fix must have at least to be recognized on other lines than those that it names. */
const MIN_KNOWN_WORDS = 4;

/**
 * Replaces the passage that a fix quotes. The quoted words must occur in the text letter for
 * letter; only the whitespace between them may differ. If they occur several times, the line
 * numbers of the fix decide: exactly one occurrence must begin on these lines. Otherwise nothing is
 * replaced. Nothing is replaced either if the fix has no new words or invisible characters in them, or if the
 * text already has the new words instead of the quoted words.
 */
export function applyFix(
  text: string,
  { from, to, quotation, replacement = '' }: Change,
): AppliedFix {
  if (replacement.trim() === '') return { why: 'it says only in words what to change' };
  // Refuse new words with invisible characters, which would not show in the diff that the person approves.
  if (sanitiseText(replacement) !== replacement)
    return { why: 'its new words hold characters that nobody sees' };
  if (wordsOf(quotation).length === 0) return { why: 'it quotes nothing' };
  const isMeant = ({ line }: Passage): boolean => line >= from && line <= to;
  const found = findPassages(text, quotation);
  const [inLines, done] = [found.filter(isMeant), findPassages(text, replacement)];
  const meant = inLines.length > 0 ? inLines : found;
  // For example, a fix replaces "retry" by "retry twice". If the file already says "retry twice", the fix counts as
  // applied, although the file still contains "retry".
  const isIn = (passage: Passage): boolean =>
    done.some(({ at, end }) => at <= passage.at && passage.end <= end);
  const isThere =
    inLines.length === 0 && done.some(isMeant)
      ? true
      : meant.length > 0
        ? meant.every(isIn)
        : done.length === 1 && wordsOf(replacement).length >= MIN_KNOWN_WORDS;
  if (isThere) return { isThere };
  const [passage, ...others] = meant;
  if (passage === undefined)
    return { why: 'what it quotes does not stand there letter for letter' };
  if (others.length > 0) return { why: 'what it quotes stands there more than once' };
  return { text: `${text.slice(0, passage.at)}${replacement.trim()}${text.slice(passage.end)}` };
}

/** Where words stand in a text: from `at` to before `end`, in characters, and the line of the first, from 1. */
interface Passage {
  readonly at: number;
  readonly end: number;
  readonly line: number;
}

/** Finds the places of words in a text, whatever the whitespace between the words. */
function findPassages(text: string, quotation: string): Passage[] {
  const wanted = new RegExp(wordsOf(quotation).map(escapeForRegExp).join('\\s+'), 'g');
  let [line, seen] = [1, 0];
  return [...text.matchAll(wanted)].map(({ 0: match, index }) => {
    line += text.slice(seen, index).split('\n').length - 1;
    seen = index;
    return { at: index, end: index + match.length, line };
  });
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/).filter(Boolean);
}

function escapeForRegExp(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
