/**
 * Replaces a text in a file for a model. The model saw plain line ends; everything outside the replacement
 * stays unchanged, line ends included. Pure.
 */
import { textLines } from '../text/lines.ts';

type Edited =
  | {
      readonly done: true;
      readonly text: string;
      /** The lines of the inserted text, from 1. */
      readonly from: number;
      readonly to: number;
    }
  /** How often the old text occurs; `loosely`: it occurs with other white space. */
  | { readonly done: false; readonly places: number; readonly loosely: boolean };

/**
 * Replaces `wanted` by `put` in a text in which `wanted` occurs exactly once. Different line ends
 * count as equal, and the text keeps its own. Otherwise nothing is replaced: `places` is how often
 * `wanted` occurs, and `loosely` whether it occurs only with other white space.
 */
export function replaceOnce(text: string, wanted: string, put: string): Edited {
  const { plain, removed } = withoutReturns(text);
  const old = withoutReturns(wanted).plain;
  const places = countOf(plain, old);
  if (places !== 1) return { done: false, places, loosely: places === 0 && hasLoosely(plain, old) };
  const start = plain.indexOf(old);
  const end = start + old.length;
  const first = originalAt(start, removed);
  const last = originalAt(end, removed);
  const replaced = text.slice(first, last);
  const ends = replaced.includes('\n') ? replaced : text;
  const fresh = withoutReturns(put).plain;
  const from = textLines(`${plain.slice(0, start)}.`).length;
  return {
    done: true,
    text: `${text.slice(0, first)}${withEndsOf(ends, fresh)}${text.slice(last)}`,
    from,
    to: from + Math.max(0, textLines(fresh).length - 1),
  };
}

/** Gives a text the kind of line ends that the first line of `other` has. */
export function withEndsOf(other: string, text: string): string {
  const plain = withoutReturns(text).plain;
  return /^[^\n]*\r\n/.test(other) ? plain.replaceAll('\n', '\r\n') : plain;
}

/** Removes carriage returns before line ends. Returns their positions in the new text. */
function withoutReturns(text: string): { plain: string; removed: number[] } {
  const removed: number[] = [];
  const plain = text.replace(/\r\n/g, (_all, at: number) => {
    removed.push(at - removed.length);
    return '\n';
  });
  return { plain, removed };
}

function originalAt(at: number, removed: readonly number[]): number {
  return at + removed.filter((place) => place < at).length;
}

/** Counts occurrences; two overlapping ones count as two. */
function countOf(text: string, part: string): number {
  const first = text.indexOf(part);
  if (part === '' || first < 0) return 0;
  const apart = text.split(part).length - 1;
  return apart === 1 && text.includes(part, first + 1) ? 2 : apart;
}

function hasLoosely(text: string, part: string): boolean {
  const toLoose = (words: string): string => words.replace(/\s+/g, ' ').trim();
  return toLoose(part) !== '' && toLoose(text).includes(toLoose(part));
}
