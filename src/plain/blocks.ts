/**
 * What people read about a run, as plain data: sections of Markdown, tables, votes and the graph of the
 * argument. Protocols build these from their facts, once for all surfaces: `blocks-text.ts` writes them as
 * Markdown, `html-report` as HTML. Each surface cleans and escapes texts for itself.
 */

import type { IdDescriptions } from './id-explainer.ts';

/** The status of something, shown by a sign and a color. `gone`: no longer valid. */
export type Tone = 'good' | 'bad' | 'mixed' | 'open' | 'gone';

/** The sign that is shown with each status, so that the status does not depend on color alone. */
export const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✓',
  bad: '✗',
  mixed: '◐',
  open: '○',
  gone: '–',
};

/**
 * A cell of a table. Its text is cleaned, escaped and joined to one line when the table is written.
 */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** Lines in small type below the text. */
  readonly below?: readonly string[];
  /** Whether each line below says what it is, so that Markdown does not put the column's title before it. */
  readonly isLabelled?: boolean;
}

/** A row of a table. */
export interface Row {
  /** The id by which texts and graphs link to the row: `C-2-1`. */
  readonly anchor?: string | undefined;
  readonly cells: readonly (string | Cell)[];
  /** The title of the group that the row is in. Rows of a group stand together. */
  readonly group?: string | undefined;
  /** In a table with `isListed`: the sentence that Markdown writes in place of all cells but the first. */
  readonly sentence?: string | undefined;
}

/** A table. Without rows it is left out. */
export interface Table {
  /** A sentence above the table that describes it. */
  readonly about: string;
  /** The column titles. A title that begins with `>` marks a column of numbers. */
  readonly head: readonly string[];
  readonly rows: readonly Row[];
  /**
   * Whether Markdown writes the rows as a list of sentences instead of a table, since cells are long.
   * The lines in small type below a cell become a list under the row's sentence.
   */
  readonly isListed?: boolean;
}

/** One option of a vote. */
export interface Choice {
  readonly option: string;
  readonly votes: number;
  /** The titles of the seats that voted for this option. */
  readonly seats: readonly string[];
  /** How many independent votes these count as, since related models count less; absent: not shown. */
  readonly worth?: number;
  /** Other wordings that were counted as the same option. */
  readonly also?: readonly string[];
}

/** The result of a vote; a page draws it as bars. */
export interface Vote {
  readonly title: string;
  /** The options, those with most votes first. */
  readonly choices: readonly Choice[];
  /** Sentences below the vote that a reader should know. */
  readonly notes: readonly string[];
}

/** A part of a section. */
export type Block =
  /** Markdown. An empty text shows nothing. Text of models and people in it must be escaped with `escapeText`. */
  | string
  /**
   * Markdown that a model or a person wrote. Its headings get lower levels than the section's heading.
   * `anchor` is the id by which links lead to it.
   */
  | { readonly kind: 'said'; readonly text: string; readonly anchor?: string | undefined }
  /** Text shown exactly, line by line. */
  | { readonly kind: 'verbatim'; readonly text: string }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'graph'; readonly graph: Graph }
  | Section;

/** A heading and the blocks below it. A section without content is left out, unless it has an anchor. */
export interface Section {
  readonly kind: 'section';
  /** Plain text. */
  readonly title: string;
  /** A shorter title for lists of sections; absent: the title. */
  readonly short?: string | undefined;
  /** The id by which links lead to the section. */
  readonly anchor?: string | undefined;
  /** Whether a page shows only the title at first. */
  readonly isFolded?: boolean;
  readonly blocks: readonly Block[];
}

/**
 * Makes a section from a title and blocks. If all its blocks are empty, the section is not shown.
 */
export function makeSection(title: string, ...blocks: readonly Block[]): Section {
  return { kind: 'section', title, blocks };
}

/** Makes a section of which an HTML page shows only the title until the reader opens it. */
export function makeFoldedSection(title: string, ...blocks: readonly Block[]): Section {
  return { kind: 'section', title, isFolded: true, blocks };
}

/**
 * Makes a table.
 * @param about a sentence above the table that describes it; may be empty
 * @param head the titles of the columns, as in `Table`
 */
export function makeTableBlock(
  about: string,
  head: readonly string[],
  rows: readonly (Row | Row['cells'])[],
): Block {
  const isRow = (row: Row | Row['cells']): row is Row => 'cells' in row;
  return {
    kind: 'table',
    table: { about, head, rows: rows.map((row) => (isRow(row) ? row : { cells: row })) },
  };
}

/** Makes a block of text that is shown exactly as it is, line by line. */
export function makeVerbatim(text: string): Block {
  return { kind: 'verbatim', text };
}

/** Formats a result as a sentence, with its title if it needs one; undefined if there is no result. */
export function answerSentence({ title, text, isHeadline }: Answer): string | undefined {
  return text === undefined || isHeadline === true ? text : `${title}: ${text}`;
}

/** Returns a cell of a table as an object. A text becomes a cell with this text and nothing else. */
export function toCell(cell: string | Cell): Cell {
  return typeof cell === 'string' ? { text: cell } : cell;
}

/**
 * Returns whether a block has nothing to show, such as a table without rows. A section with an
 * anchor, a verbatim text and a graph never count as empty.
 */
export function isEmpty(block: Block): boolean {
  if (typeof block === 'string') return block === '';
  switch (block.kind) {
    case 'said':
      return block.text.trim() === '';
    case 'table':
      return block.table.rows.length === 0;
    case 'vote':
      return block.vote.choices.length + block.vote.notes.length === 0;
    case 'section':
      return block.anchor === undefined && block.blocks.every(isEmpty);
    default:
      return false;
  }
}

/** A result of the run, shown above all sections. */
export interface Answer {
  /** The question that it answers, if the run has several: `Question 2: And then?` */
  readonly question?: string | undefined;
  /** What the result is: `Recommendation`. */
  readonly title: string;
  /** Whether the text says by itself what it is, so that Markdown leaves the title out. */
  readonly isHeadline?: boolean;
  /** The result in a sentence; absent if there is none. */
  readonly text?: string | undefined;
  /** Sentences such as `3 of 3 advisors`: whose answers the result is based on. */
  readonly basisLines: readonly string[];
  /** Sentences on what is wrong with the result. */
  readonly warnings?: readonly string[];
  readonly votes?: readonly Vote[];
}

/** What a protocol tells in a report of a run, in Markdown and on a page. */
export interface RunReport {
  readonly answers: readonly Answer[];
  /** Sections above those that every run has, such as its costs. Empty ones are left out. */
  readonly sections: readonly Section[];
  /** Short descriptions of records by their ids, for Markdown, which cannot link an id to its record. */
  readonly meanings?: IdDescriptions | undefined;
  /**
   * Lines of attachments that texts of the run quote, as `file:line`, with what they are quoted
   * for.
   */
  readonly quoted?: readonly string[] | undefined;
  /** Sentences, in Markdown, on what the run lacks; absent: the report says nothing about that. */
  readonly missing?: readonly string[] | undefined;
}

/** The shape of a graph's node. `round` has rounded corners, `cut` has corners cut off. */
export type Shape = 'dot' | 'box' | 'round' | 'cut';

/** A node of a graph. */
export interface GraphNode {
  /**
   * The id that edges use, unique in the graph: `C-2-1`. Also the node's name if `name` is absent.
   */
  readonly id: string;
  readonly name?: string | undefined;
  /** What the node stands for, in a word; a key of the graph's `kinds`. */
  readonly kind: string;
  /** The text beside the node. */
  readonly about: string;
  /** The index of the node's column. */
  readonly column: number;
  /** The index of the node's row; absent for a column without rows. */
  readonly lane?: number | undefined;
  readonly tone?: Tone | undefined;
  /** The node's status, in words. */
  readonly standing?: string | undefined;
  /** The id of the row that the node links to; absent: the node's own id. */
  readonly anchor?: string | undefined;
  /** How many nodes of the original graph this node replaces; absent: none but itself. */
  readonly count?: number;
  /** If the node replaces several: how many of them have each status. */
  readonly standings?: ReadonlyMap<string, number>;
}

/** A directed edge of a graph, between two nodes' ids. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** What the edge means; a key of the graph's `relations`. */
  readonly kind: string;
}

/** The words for an edge, read in both directions. */
export interface Relation {
  /** The words from the start to the end: `tested by`. */
  readonly forth: string;
  /** The words from the end to the start: `tests`. */
  readonly back: string;
}

/** A graph to draw on the page: nodes in columns and rows. */
export interface Graph {
  /** A sentence that describes the graph. */
  readonly about: string;
  /** Names of the rows, from top to bottom. */
  readonly lanes: readonly string[];
  /**
   * Titles of the columns, from left to right. Neighboring columns with the same title share a
   * heading.
   */
  readonly columns: readonly string[];
  /** The shape for each kind of node. */
  readonly kinds: Readonly<Record<string, Shape>>;
  /** The words of edges by kind, in the order of the legend. */
  readonly relations: Readonly<Record<string, Relation>>;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
