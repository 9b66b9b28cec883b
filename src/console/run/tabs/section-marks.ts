/**
 * Finds words of two texts that the other lacks, section by section: sections under the same heading are
 * compared. Pure.
 */
import { type Row, rowText } from '../../../text/rows/row.ts';
import { type WordDiff, wordDiff } from '../../../text/words/word-diff.ts';

/** If fewer words are shared, marks are left out, because almost everything would be marked. */
const LEAST_SHARED = 0.35;

/**
 * Which words of a text to mark. Maps the number of a row to one boolean for each of its words: true if the
 * other text lacks the word in the section with the same heading, or lacks the heading that the word is in, or has
 * no words before its first heading where this text has some.
 */
export type RowMarks = ReadonlyMap<number, readonly boolean[]>;

/** The differences of two texts. */
export interface TextDifferences {
  readonly left: RowMarks;
  readonly right: RowMarks;
  /** `unlike`: the texts differ so much that marks would not help, so there are none. */
  readonly likeness: 'same' | 'marked' | 'unlike';
}

interface Section {
  /** The heading in lower case; empty: what precedes the first heading. */
  readonly name: string;
  readonly heading: readonly number[];
  readonly body: readonly number[];
  /** The words of the section's body. */
  readonly words: readonly string[];
}

/**
 * Finds the differences of two texts. While one of them grows, only the growing section is compared
 * again.
 */
export class SectionMarks {
  #known = new Map<string, WordDiff>();

  /**
   * Returns the differences of two texts, which are given as rows. Sections with the same heading are compared, and
   * headings that only one text has are marked. Texts without a common section get no marks.
   */
  of(leftRows: readonly Row[], rightRows: readonly Row[]): TextDifferences {
    const left = sectionsIn(leftRows);
    const right = sectionsIn(rightRows);
    const known = new Map<string, WordDiff>();
    const marks = { left: new Map<number, boolean[]>(), right: new Map<number, boolean[]>() };
    let isSame = true;
    for (const [name, section] of left) {
      const other = right.get(name);
      if (other === undefined) continue;
      const key = `${section.words.join(' ')}\n${other.words.join(' ')}`;
      const diff = this.#known.get(key) ?? wordDiff(section.words, other.words);
      known.set(key, diff);
      if (diff.shared < 1) isSame = false;
      if (diff.shared < LEAST_SHARED) continue;
      markRows(section, diff.left, leftRows, marks.left);
      markRows(other, diff.right, rightRows, marks.right);
    }
    this.#known = known;
    for (const [own, others, rows, marked] of [
      [left, right, leftRows, marks.left],
      [right, left, rightRows, marks.right],
    ] as const) {
      const alone = [...own.values()].filter(({ name }) => !others.has(name));
      if (alone.length > 0) isSame = false;
      const areOfOneKind = alone.length < own.size;
      if (areOfOneKind)
        for (const { name, heading, body } of alone)
          markWhole(name === '' ? body : heading, rows, marked);
    }
    const isMarked = [...marks.left.values(), ...marks.right.values()].flat().includes(true);
    return { ...marks, likeness: isSame ? 'same' : isMarked ? 'marked' : 'unlike' };
  }
}

/** Returns the sections by name. A repeated name gets a number: the second `risks` is `risks 2`. */
function sectionsIn(rows: readonly Row[]): Map<string, Section> {
  const sections = new Map<string, Section>();
  let heading: number[] = [];
  let body: number[] = [];
  const endSection = (): void => {
    const title = heading.map((at) => textAt(rows, at).trim().toLowerCase()).join(' ');
    const words = body.flatMap((at) => wordsIn(textAt(rows, at)));
    if (heading.length + words.length === 0) return;
    let name = title;
    for (let number = 2; sections.has(name); number += 1) name = `${title} ${number}`;
    sections.set(name, { name, heading, body, words });
  };
  for (const [at, row] of rows.entries()) {
    if (!isHeading(row)) body.push(at);
    else if (body.length === 0 && heading.length > 0) heading.push(at);
    else {
      endSection();
      [heading, body] = [[at], []];
    }
  }
  endSection();
  return sections;
}

/** Returns whether a row is a heading. */
export function isHeading(row: Row): boolean {
  return row.some(({ style }) => style.heading);
}

/** Distributes a section's marks to its rows. */
function markRows(
  { body }: Section,
  own: readonly boolean[],
  rows: readonly Row[],
  marked: Map<number, readonly boolean[]>,
): void {
  let word = 0;
  for (const at of body) {
    const count = wordsIn(textAt(rows, at)).length;
    marked.set(at, own.slice(word, word + count));
    word += count;
  }
}

function markWhole(
  ats: readonly number[],
  rows: readonly Row[],
  marked: Map<number, readonly boolean[]>,
): void {
  for (const at of ats)
    marked.set(
      at,
      wordsIn(textAt(rows, at)).map(() => true),
    );
}

function textAt(rows: readonly Row[], at: number): string {
  return rowText(rows[at] ?? []);
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
