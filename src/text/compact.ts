/**
 * Shortens texts evenly so that together they fit into a limited space. The longest are cut first, and each
 * is cut in the middle, since the beginning and the end of a text matter most. A marker with the number of
 * omitted words replaces what was cut.
 */

/** A shortened text. */
interface Compacted {
  readonly text: string;
  /** The number of omitted words; 0 if the text is unchanged. */
  readonly leftOut: number;
}

/** The part of a cut text's space that its beginning gets. */
const BEGINNING = 0.6;

/**
 * Shortens texts so that together they fit into `room`. Texts that need no more than an even share
 * stay unchanged, and the longer texts share the remaining room evenly. A text is cut in the middle,
 * between paragraphs if possible, else between sentences, else between words. A marker with the
 * number of omitted words replaces the middle, or the whole text if no word fits, even if there is no room for
 * the marker.
 * @param measure returns a text's size, in characters or estimated tokens. For a long text, the
 * size has to be the sum of the sizes of its parts.
 */
export function fitTexts(
  texts: readonly string[],
  room: number,
  measure: (text: string) => number,
): Compacted[] {
  const share = findEvenShare(texts.map(measure), room);
  return texts.map((text) =>
    measure(text) <= share ? { text, leftOut: 0 } : withoutMiddle(text, share, measure),
  );
}

/**
 * Returns the largest size to which all texts can be cut so that they fit into the room together.
 * Returns infinity if they fit uncut.
 */
export function findEvenShare(sizes: readonly number[], room: number): number {
  let left = Math.max(0, room);
  let count = sizes.length;
  for (const size of [...sizes].sort((a, b) => a - b)) {
    if (size * count > left) return left / count;
    left -= size;
    count -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * Patterns of pieces from coarse to fine, each with the white space after it: paragraphs, sentences, words.
 */
const PIECES = [
  /[\s\S]*?(?:\n\s*\n|$)/g,
  /[\s\S]*?(?:[.!?…。！？]["'”’)]*\s+|\n|$)/g,
  /\s*\S+\s*/g,
];

function withoutMiddle(text: string, room: number, measure: (text: string) => number): Compacted {
  // A marker in place of a text's middle says how many words are left out. Reserve room for a marker with the
  // largest possible number, that of all words.
  const forText = room - measure(`\n\n${formatMarker(countWords(text))}\n\n`);
  const beginning = takeUpTo(text, forText * BEGINNING, measure);
  const rest = text.slice(beginning.length);
  const end = takeFromEnd(rest, forText - measure(beginning), measure);
  const leftOut = countWords(rest.slice(0, rest.length - end.length));
  return {
    text: [beginning.trimEnd(), formatMarker(leftOut), end.trimStart()]
      .filter((part) => part !== '')
      .join('\n\n'),
    leftOut,
  };
}

/** Returns as many whole pieces from the beginning as fit, or finer pieces if not even one does. */
function takeUpTo(text: string, room: number, measure: (text: string) => number): string {
  for (const pieces of PIECES) {
    const found = takeFitting(text.match(pieces) ?? [], room, measure).join('');
    if (found.trim() !== '') return found;
  }
  return '';
}

function takeFromEnd(text: string, room: number, measure: (text: string) => number): string {
  for (const pieces of PIECES) {
    const backwards = (text.match(pieces) ?? []).reverse();
    const found = takeFitting(backwards, room, measure).reverse().join('');
    if (found.trim() !== '') return found;
  }
  return '';
}

function takeFitting(
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

function formatMarker(words: number): string {
  return `[… ${words.toLocaleString('en-US')} ${words === 1 ? 'word' : 'words'} left out …]`;
}
