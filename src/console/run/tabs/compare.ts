/**
 * Shows two texts side by side: two syntheses, or a synthesis and a single model's answer. Words that are
 * missing in the same section of the other text are marked.
 */

import { joinLines } from '../../../text/line.ts';
import { ColumnBuffer } from '../../../text/rows/column-buffer.ts';
import { type Row, rowText } from '../../../text/rows/row.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import type { Command } from '../../keys/keymap.ts';
import type { Synthesis } from '../../model/run-model.ts';
import { GAP, LEAST_COLUMN } from '../../terminal/layout.ts';
import { padPainted } from '../../terminal/paint.ts';
import { formatMoreBelow } from '../../ui/below.ts';
import { rowAfterMove } from '../../ui/scroll.ts';
import type { PageScene } from '../page-scene.ts';
import { formatSynthesisTitle } from '../sections/remarks.ts';
import type { ComparedText, Page, PageAround } from './page.ts';
import { isHeading, type RowMarks, SectionMarks, type TextDifferences } from './section-marks.ts';

const READING_WIDTH = 100;
/** Rows of a heading, its detail and the rule; one more on tall screens. */
const HEAD = 3;
const TALL = 30;

/**
 * The page that shows two texts side by side (on a narrow screen, one below the other) and marks words
 * of a section that the section with the same heading in the other text lacks.
 */
export class Comparison implements Page {
  readonly #around: PageAround;
  readonly #sides: () => readonly [ComparedText, ComparedText];
  readonly #texts = [new ColumnBuffer(80), new ColumnBuffer(80)] as const;
  #top = 0;
  readonly #sections = new SectionMarks();
  #marked: { readonly key: string; readonly marks: TextDifferences } | undefined;

  /** Shows the next or previous text on the right, if there is one; absent if the right text never changes. */
  readonly turn: ((by: 1 | -1) => void) | undefined;

  /**
   * Creates the page.
   *
   * @param sides returns the texts, left and right; called for every frame
   */
  constructor(
    around: PageAround,
    sides: () => readonly [ComparedText, ComparedText],
    turn?: (by: 1 | -1) => void,
  ) {
    this.#around = around;
    this.#sides = sides;
    this.turn = turn;
  }

  get status(): string {
    const { keymap } = this.#around;
    const turn = `${keyOf(keymap, 'previous-version')} ${keyOf(keymap, 'next-version')} other version · `;
    const end = `${this.turn === undefined ? '' : turn}${keyOf(keymap, 'back')} closes it`;
    return `${SAID[this.#marks().likeness]} · ${end}`;
  }

  render(scene: PageScene): string[] {
    const { columns, rows: height } = this.#around.size();
    const sides = this.#sides();
    const { left: leftMarks, right: rightMarks } = this.#marks();
    if (!isAbreast(columns)) {
      const upper = height >> 1;
      return [
        ...this.#side(scene, sides[0], 0, leftMarks, columns, upper),
        ...this.#side(scene, sides[1], 1, rightMarks, columns, height - upper),
      ];
    }
    const cell = (columns - GAP.length) >> 1;
    const left = this.#side(scene, sides[0], 0, leftMarks, cell, height);
    const right = this.#side(scene, sides[1], 1, rightMarks, columns - cell - GAP.length, height);
    return left.map((row, index) => `${row}${GAP}${right[index] ?? ''}`.trimEnd());
  }

  move(command: Command): void {
    const { columns, rows } = this.#around.size();
    const height = isAbreast(columns) ? rows : rows >> 1;
    const longest = Math.max(...this.#lines(columns).map(({ length }) => length));
    const page = height - headOf(height);
    const end = Math.max(0, longest - page);
    this.#top = rowAfterMove(this.#top, command, end, page);
  }

  /** Returns the row numbers of each text; side by side, equal sections begin on the same line. */
  #lines(columns: number): readonly [readonly Line[], readonly Line[]] {
    const [left, right] = this.#texts.map((text) => text.slice(0, text.length));
    const sections = [sectionsOf(left ?? []), sectionsOf(right ?? [])] as const;
    if (!isAbreast(columns)) return [sections[0].flat(), sections[1].flat()];
    return alignSections(sections[0], sections[1]);
  }

  #lay(columns: number): void {
    const cells = isAbreast(columns) ? (columns - 1) >> 1 : columns;
    for (const [index, { markdown }] of this.#sides().entries()) {
      const text = this.#texts[index];
      if (text === undefined) continue;
      text.resize(Math.min(READING_WIDTH, cells - 2));
      if (text.text === markdown) continue;
      text.clear();
      text.push(markdown);
      text.end();
    }
  }

  #side(
    { theme, painter }: PageScene,
    { heading, detail }: ComparedText,
    index: 0 | 1,
    marked: RowMarks,
    cells: number,
    height: number,
  ): string[] {
    const text = this.#texts[index];
    const head = headOf(height);
    const title = padEnd(truncateLine(` ${joinLines(heading)}`, cells), cells);
    const details = wrapPlain(joinLines(detail), cells - 2).slice(0, head - 2);
    while (details.length < head - 2) details.push('');
    const below = details.map((line) => theme.dim(padEnd(` ${line}`, cells)));
    const lines = this.#lines(this.#around.size().columns)[index];
    const seen = Math.max(1, height - head);
    const blank = ' '.repeat(cells);
    const rows = lines.slice(this.#top, this.#top + seen).map((at) => {
      if (at === undefined) return blank;
      const row = text.row(at);
      const marks = marked.get(at);
      if (marks === undefined || !marks.includes(true)) return painter.cell(row, cells);
      const plain = rowText(row);
      return padPainted(
        withMarks(plain, marks, (word) => theme.inverse(word)),
        plain,
        cells,
      );
    });
    while (rows.length < seen) rows.push(blank);
    const hidden = lines.length - this.#top - seen;
    if (hidden > 0) {
      const hint = ` ${truncateLine(formatMoreBelow(hidden + 1, this.#around.keymap), cells - 3)} `;
      rows[seen - 1] = padPainted(theme.inverse(hint), hint, cells);
    }
    // The two compared texts scroll together, so draw the line above each text in the style of a focused column.
    const rule = ` ${theme.rule(cells - 2, true)} `;
    return [theme.bold(title), ...below, rule, ...rows].slice(0, height);
  }

  #marks(): TextDifferences {
    this.#lay(this.#around.size().columns);
    const [left, right] = this.#texts;
    const key = `${left.version} ${right.version}`;
    if (this.#marked?.key !== key) {
      const marks = this.#sections.of(left.slice(0, left.length), right.slice(0, right.length));
      this.#marked = { key, marks };
    }
    return this.#marked.marks;
  }
}

/**
 * Converts a synthesis to one side of a comparison.
 * @param more a phrase to add below its heading
 */
export function toSide(
  synthesis: Synthesis,
  { runModel, says }: PageAround,
  more = '',
): ComparedText {
  const { done, stream } = synthesis;
  const [heading = '', ...rest] = formatSynthesisTitle(synthesis, runModel, says).split(' · ');
  const asked = done?.note === undefined ? '' : `your instruction: ${done.note}`;
  const detail = [...rest, more, asked, `by ${done?.model ?? stream.model}`];
  return {
    heading,
    detail: detail.filter((part) => part !== '').join(' · '),
    markdown: stream.text.text,
  };
}

/**
 * Creates a page that compares the shown synthesis, on the right, with another synthesis. An
 * ablation, which was written without one of the seats, is compared with the synthesis that it
 * repeats. Any other synthesis is compared with the latest earlier one that is no ablation, or else
 * with the first other synthesis. Returns undefined if no synthesis is shown or the question has no other.
 */
export function compareVersions(
  around: PageAround,
  shown: Synthesis | undefined,
): Comparison | undefined {
  if (shown === undefined) return undefined;
  const { runModel } = around;
  const listSyntheses = (): readonly Synthesis[] => runModel.synthesesOf(shown.question);
  const others = listSyntheses().filter(({ version }) => version !== shown.version);
  const left =
    others.find(({ version }) => version === shown.ablates) ??
    others.findLast(({ version, ablates }) => version < shown.version && ablates === undefined) ??
    others[0];
  if (left === undefined) return undefined;
  let right = shown.version;
  const getSynthesis = (version: number): Synthesis =>
    listSyntheses().find((synthesis) => synthesis.version === version) ?? shown;
  return new Comparison(
    around,
    () => [toSide(getSynthesis(left.version), around), toSide(getSynthesis(right), around)],
    (by) => {
      const list = listSyntheses().filter(({ version }) => version !== left.version);
      const at = list.findIndex(({ version }) => version === right) + by;
      right = list[Math.max(0, Math.min(at, list.length - 1))]?.version ?? right;
    },
  );
}

const SAID: Readonly<Record<TextDifferences['likeness'], string>> = {
  same: 'Identical',
  marked: 'Marked: words that only one version has',
  unlike: 'Too different to mark words',
};

function isAbreast(columns: number): boolean {
  return columns >= 2 * LEAST_COLUMN + 1;
}

/** The number of a row in its text, or a gap. */
type Line = number | undefined;

/** Returns the row numbers, divided before every heading. */
function sectionsOf(rows: readonly Row[]): Line[][] {
  const sections: Line[][] = [[]];
  for (const [at, row] of rows.entries()) {
    if (at > 0 && isHeading(row)) sections.push([]);
    sections.at(-1)?.push(at);
  }
  return sections;
}

/**
 * Aligns sections side by side; the shorter one is filled up with gaps. Additional sections follow at the end.
 */
function alignSections(
  left: readonly Line[][],
  right: readonly Line[][],
): readonly [Line[], Line[]] {
  const lines: readonly [Line[], Line[]] = [[], []];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const pair = [left[index] ?? [], right[index] ?? []] as const;
    const height = Math.max(pair[0].length, pair[1].length);
    for (const [side, section] of pair.entries())
      for (let at = 0; at < height; at += 1) lines[side]?.push(section[at]);
  }
  return lines;
}

function headOf(height: number): number {
  return height >= TALL ? HEAD + 1 : HEAD;
}

function withMarks(
  text: string,
  marks: readonly boolean[],
  mark: (word: string) => string,
): string {
  let index = -1;
  return text.replace(/\S+/g, (word) => {
    index += 1;
    return marks[index] ? mark(word) : word;
  });
}
