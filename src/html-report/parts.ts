/**
 * The contents of a run's HTML report as plain data: Markdown, tables, votes and the graph of the argument.
 * Protocols build these from their facts; only this folder decides on their look, cleaning and escaping, so
 * protocols write no HTML.
 */

import type { Recorded } from '../plain/protocol-text.ts';

/** A valuation, shown by a sign and a color, never by color alone. */
export type Tone = 'good' | 'bad' | 'mixed' | 'open' | 'gone';

/** Text that is neither cleaned nor escaped; the page makes one clean line of it. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** Lines in small type below it. */
  readonly below?: readonly string[];
}

export interface Row {
  /** The id by which texts and the graph refer to the row: `C-2-1`. */
  readonly anchor?: string | undefined;
  readonly cells: readonly (string | Cell)[];
}

export interface Table {
  /** A description for screen readers. */
  readonly about: string;
  /** Column names. A name that begins with `>` is of a column of figures. */
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

export interface Vote {
  readonly title: string;
  /** Options, most votes first. */
  readonly choices: readonly Choice[];
  /** Sentences that a reader must know. */
  readonly notes: readonly string[];
}

export type Block =
  /** Markdown. Other people's text in it must have passed `words` or `nest`. */
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

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** The result of the run. */
export interface Answer {
  /** `Recommendation`, or the question if there are several. */
  readonly title: string;
  /** A sentence; absent if there is none. */
  readonly text?: string | undefined;
  /** Sentences such as `3 of 3 advisors` that a reader must know before believing the result. */
  readonly heard: readonly string[];
  /** Sentences on what is wrong with it. */
  readonly warnings?: readonly string[];
  readonly votes?: readonly Vote[];
}

export interface PageParts {
  readonly answers: readonly Answer[];
  readonly sections: readonly Section[];
  /** Lines of attachments whose quotation was found, as in the Markdown report. */
  readonly quoted?: readonly string[] | undefined;
  /** Sentences on what is missing, in Markdown; absent: nothing is said about that. */
  readonly missing?: readonly string[] | undefined;
}

/**
 * Builds the page of a run. A protocol's card in `protocols/table.ts` names its builder; others use `said.ts`.
 */
export type PageBuilder = (run: Recorded) => PageParts;

/** The shape of a node. */
export type Shape = 'dot' | 'box' | 'round' | 'cut';

export interface GraphNode {
  /** The id that edges use, and the name if there is no other: `C-2-1`. Unique in its graph. */
  readonly id: string;
  readonly name?: string | undefined;
  /** What the node is, in a word; one of the graph's kinds. */
  readonly kind: string;
  /** The text beside its id. */
  readonly about: string;
  readonly column: number;
  /** The row of its role; absent for nodes that belong to all roles, whose column has no rows. */
  readonly lane?: number | undefined;
  readonly tone?: Tone | undefined;
  /** The standing, in words. */
  readonly standing?: string | undefined;
  /** The anchor that it links to; absent: its id. */
  readonly anchor?: string | undefined;
  /** How many nodes it stands for; absent: only itself. */
  readonly count?: number;
  /** For a folded node: how many of its nodes have each standing. */
  readonly standings?: ReadonlyMap<string, number>;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** One of the graph's relations. */
  readonly kind: string;
}

/** The words of an edge: `tested by` at its start, `tests` at its end. */
export interface Relation {
  readonly forth: string;
  readonly back: string;
}

export interface Graph {
  /** A sentence that describes the graph. */
  readonly about: string;
  /** Names of the rows, from top to bottom. */
  readonly lanes: readonly string[];
  /** Titles of the columns, from left to right; adjacent ones with the same title share a heading. */
  readonly columns: readonly string[];
  readonly kinds: Readonly<Record<string, Shape>>;
  /** The words of edges by kind, in the order of the legend. */
  readonly relations: Readonly<Record<string, Relation>>;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
