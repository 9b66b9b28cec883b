/**
 * Shortens texts evenly so that together they fit into less room: the longest are cut first, and
 * each loses its middle, since a text says what it holds at its beginning and what follows from it at
 * its end. What is left out is said in its place, in words counted, so that nobody takes it for whole.
 */

interface Compacted {
  readonly text: string;
  /** Words left out; 0 where the text is whole. */
  readonly leftOut: number;
}

/** The share of a cut text's room that its beginning gets. */
const BEGINNING = 0.6;

/**
 * `room`: what all texts together may measure, by `measure`, which must be additive for long texts: a
 * count of characters, or of tokens as estimated. Texts that fit an even share stay whole, and what
 * they do not need goes to the others. Each cut falls between paragraphs where there are some, else
 * between sentences, else between words. A text of which nothing fits is its marker alone.
 */
export function compact(
  texts: readonly string[],
  room: number,
  measure: (text: string) => number,
): Compacted[] {
  const share = evenShare(texts.map(measure), room);
  return texts.map((text) =>
    measure(text) <= share ? { text, leftOut: 0 } : withoutMiddle(text, share, measure),
  );
}

/** The most that each may have so that the sum of all, each at most that, fits into the room. */
export function evenShare(sizes: readonly number[], room: number): number {
  let left = Math.max(0, room);
  let count = sizes.length;
  for (const size of [...sizes].sort((one, other) => one - other)) {
    if (size * count > left) return left / count;
    left -= size;
    count -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

/** Coarse to fine: what a text is made of, each piece with the white space after it. */
const PIECES = [
  /[\s\S]*?(?:\n\s*\n|$)/g,
  /[\s\S]*?(?:[.!?…。！？]["'”’)]*\s+|\n|$)/g,
  /\s*\S+\s*/g,
];

function withoutMiddle(text: string, room: number, measure: (text: string) => number): Compacted {
  // The marker is measured with the largest number that may stand in it.
  const forText = room - measure(`\n\n${marker(countWords(text))}\n\n`);
  const beginning = takeUpTo(text, forText * BEGINNING, measure);
  const rest = text.slice(beginning.length);
  const end = takenFromEnd(rest, forText - measure(beginning), measure);
  const leftOut = countWords(rest.slice(0, rest.length - end.length));
  return {
    text: [beginning.trimEnd(), marker(leftOut), end.trimStart()]
      .filter((part) => part !== '')
      .join('\n\n'),
    leftOut,
  };
}

/** As many whole pieces from the beginning as fit; finer ones where not even one does. */
function takeUpTo(text: string, room: number, measure: (text: string) => number): string {
  for (const pieces of PIECES) {
    const found = fitting(text.match(pieces) ?? [], room, measure).join('');
    if (found.trim() !== '') return found;
  }
  return '';
}

function takenFromEnd(text: string, room: number, measure: (text: string) => number): string {
  for (const pieces of PIECES) {
    const backwards = (text.match(pieces) ?? []).reverse();
    const found = fitting(backwards, room, measure).reverse().join('');
    if (found.trim() !== '') return found;
  }
  return '';
}

function fitting(
  pieces: readonly string[],
  room: number,
  measure: (text: string) => number,
): string[] {
  let used = 0;
  const kept: string[] = [];
  for (const piece of pieces) {
    used += measure(piece);
    if (used > room) break;
    kept.push(piece);
  }
  return kept;
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function marker(words: number): string {
  return `[… ${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'} left out …]`;
}
