/**
 * What the HTML report of a run is made of, as plain data: text as it was written, tables, votes and the
 * graph of the argument. A protocol builds these from its facts; how they look, what is cleaned and what
 * is escaped is decided in this folder alone, so that no protocol writes HTML.
 */

import type { Recorded } from '../plain/protocol-text.ts';

/** How something stands: a sign and a color, never a color alone. */
export type Tone = 'good' | 'bad' | 'mixed' | 'open' | 'gone';

/** Other people's words as they are; the page makes one clean line of them. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** In small type below it, a line each. */
  readonly below?: readonly string[];
}

export interface Row {
  /** The id by which a text or the graph refers to this row: `C-2-1`. */
  readonly anchor?: string | undefined;
  readonly cells: readonly (string | Cell)[];
}

export interface Table {
  /** Said to whoever cannot see it. */
  readonly about: string;
  /** A head that begins with `>` is of a column of figures. */
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

/** One choice of a vote. */
export interface Choice {
  readonly option: string;
  readonly votes: number;
  /** Who voted for it, by their titles. */
  readonly seats: readonly string[];
  /** Other wordings that were counted as the same. */
  readonly also?: readonly string[];
}

export interface Vote {
  readonly title: string;
  /** Most votes first. */
  readonly choices: readonly Choice[];
  /** What has to be known of it, a sentence each. */
  readonly notes: readonly string[];
}

export type Block =
  /** Markdown: ours, and other people's words where they have gone through `words` or `nest`. */
  | { readonly kind: 'markdown'; readonly text: string; readonly anchor?: string | undefined }
  /** Word for word, line by line. */
  | { readonly kind: 'verbatim'; readonly text: string }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'graph'; readonly graph: Graph }
  /** Closed until somebody opens it. `anchor`: as of a row. */
  | {
      readonly kind: 'folded';
      readonly title: string;
      readonly anchor?: string | undefined;
      readonly blocks: readonly Block[];
    };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** What the run came to, for who reads no further. */
export interface Answer {
  /** `Recommendation`, or the question where there are several. */
  readonly title: string;
  /** A sentence; absent where there is none. */
  readonly text?: string | undefined;
  /** `3 of 3 advisors`, and what else has to be known before it is believed; a sentence each. */
  readonly heard: readonly string[];
  /** What is wrong with it. */
  readonly warnings?: readonly string[];
  readonly votes?: readonly Vote[];
}

export interface PageParts {
  readonly answers: readonly Answer[];
  readonly sections: readonly Section[];
  /** As in the Markdown report: lines of attachments that were quoted and found. */
  readonly quoted?: readonly string[] | undefined;
  /** What a reader would otherwise take to be there; absent: nothing is said of that. Markdown of ours. */
  readonly missing?: readonly string[] | undefined;
}

/** What a protocol makes of a run; a card in `protocols/table.ts` says where. One without has `said.ts`. */
export type PageBuilder = (run: Recorded) => PageParts;

/** What a node is drawn as. */
export type Shape = 'dot' | 'box' | 'round' | 'cut';

export interface GraphNode {
  /** How edges call it, and people where it has no name besides: `C-2-1`. Unique in its graph. */
  readonly id: string;
  readonly name?: string | undefined;
  /** What it is, in a word: one of the graph's kinds. */
  readonly kind: string;
  /** The words of it, beside its id. */
  readonly about: string;
  readonly column: number;
  /** The row of its role; absent: it belongs to all of them, and its column has no rows. */
  readonly lane?: number | undefined;
  readonly tone?: Tone | undefined;
  /** How it stands, in words. */
  readonly standing?: string | undefined;
  /** The anchor that it leads to; absent: its id. */
  readonly anchor?: string | undefined;
  /** How many it stands for; absent: itself alone. */
  readonly count?: number;
  /** Where it stands for several: how many of them stand how. */
  readonly standings?: ReadonlyMap<string, number>;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** One of the graph's relations. */
  readonly kind: string;
}

/** An edge in words: `tested by` at its start, `tests` at its end. */
export interface Relation {
  readonly forth: string;
  readonly back: string;
}

export interface Graph {
  /** What is drawn, in a sentence. */
  readonly about: string;
  /** Rows, top to bottom. */
  readonly lanes: readonly string[];
  /** Columns, left to right; those of one title that follow each other stand under one heading. */
  readonly columns: readonly string[];
  readonly kinds: Readonly<Record<string, Shape>>;
  /** What edges say, by their kind, in the order of the legend. */
  readonly relations: Readonly<Record<string, Relation>>;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
