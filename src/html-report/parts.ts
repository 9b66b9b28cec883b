/**
 * The contents of a run's HTML report as plain data: Markdown, tables, votes and the graph of the argument.
 * Protocols build these from their facts; only this folder decides on their look, cleaning and escaping, so
 * protocols write no HTML.
 */

import type { Recorded } from '../plain/protocol-text.ts';

/**
 * The status of a cell or node on a run's HTML page, shown by a sign and a color. `gone`: no longer
 * valid.
 */
export type Tone = 'good' | 'bad' | 'mixed' | 'open' | 'gone';

/**
 * A cell of a table. Its text is cleaned, escaped and joined to one line when the page is written.
 */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** Lines in small type below the text. */
  readonly below?: readonly string[];
}

/** A row of a table. */
export interface Row {
  /** The id by which texts and graphs link to the row: `C-2-1`. */
  readonly anchor?: string | undefined;
  readonly cells: readonly (string | Cell)[];
}

/** A table on the page. */
export interface Table {
  /** A description for screen readers. */
  readonly about: string;
  /** The column titles. A title that begins with `>` marks a column of numbers. */
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

/** One option of a vote. */
export interface Choice {
  readonly option: string;
  readonly votes: number;
  /** The titles of the seats that voted for it. */
  readonly seats: readonly string[];
  /** Other wordings that were counted as the same option. */
  readonly also?: readonly string[];
}

/** The result of a vote, drawn as bars. */
export interface Vote {
  readonly title: string;
  /** The options, those with most votes first. */
  readonly choices: readonly Choice[];
  /** Sentences below the vote that a reader should know. */
  readonly notes: readonly string[];
}

/** A part of a section. */
export type Block =
  /** Markdown. Text of models and other people in it must be escaped by `words` or `nestHeadings`. */
  | { readonly kind: 'markdown'; readonly text: string; readonly anchor?: string | undefined }
  /** Text shown exactly, line by line. */
  | { readonly kind: 'verbatim'; readonly text: string }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'graph'; readonly graph: Graph }
  /** A block that is folded at first. `anchor` as for a row. */
  | {
      readonly kind: 'folded';
      /** Whether the title is a heading of the third level, since there are headings below it. */
      readonly isHeading?: boolean;
      readonly title: string;
      readonly anchor?: string | undefined;
      readonly blocks: readonly Block[];
    };

/** A section of the page. */
export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A result of the run, shown at the top of its HTML page. */
export interface Answer {
  /** `Recommendation`; if the run has several results, the question that this result answers. */
  readonly title: string;
  /** The result in a sentence; absent if there is none. */
  readonly text?: string | undefined;
  /** Sentences such as `3 of 3 advisors`: whose answers the result is based on. */
  readonly heard: readonly string[];
  /** Sentences on what is wrong with the result. */
  readonly warnings?: readonly string[];
  readonly votes?: readonly Vote[];
}

/** The parts of the page that a protocol contributes. */
export interface PageParts {
  readonly answers: readonly Answer[];
  readonly sections: readonly Section[];
  /** Lines of attachments that texts of the run quote, as `file:line`. */
  readonly quoted?: readonly string[] | undefined;
  /** Sentences, in Markdown, on what the run lacks; absent: the page says nothing about that. */
  readonly missing?: readonly string[] | undefined;
}

/** Builds a protocol's parts of the page for a run. */
export type PageBuilder = (run: Recorded) => PageParts;

/** The shape of a node. `round` has rounded corners, `cut` has corners cut off. */
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
