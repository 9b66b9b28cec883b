/**
 * Folds a graph that is too large to read: nodes of one role and one round become one node, beginning with the
 * earliest rounds, because readers ask about the last ones.
 */

import type { Graph, GraphEdge, GraphNode } from '../plain/blocks.ts';
import { formatCount } from '../text/numbers.ts';

/** The most nodes that a graph can have and still be readable. */
export const MOST_NODES = 150;

/** Columns with a common heading. */
interface Group {
  readonly title: string;
  readonly from: number;
  /** The last column, inclusive. */
  readonly to: number;
}

/** Returns the groups of neighboring columns with the same title; `from` and `to` are column numbers from 0. */
export function groupsOf({ columns }: Pick<Graph, 'columns'>): Group[] {
  const groups: Group[] = [];
  for (const [at, title] of columns.entries()) {
    const last = groups.at(-1);
    if (last?.title === title) groups[groups.length - 1] = { ...last, to: at };
    else groups.push({ title, from: at, to: at });
  }
  return groups;
}

/**
 * Reduces a graph to at most `most` nodes if possible. Beginning on the left, the nodes of the same column,
 * row and kind are replaced by one node until the graph is small enough. If that does not suffice, columns
 * with neighboring titles are joined. The result may still have more than `most` nodes.
 */
export function foldGraph(graph: Graph, most: number = MOST_NODES): Graph {
  let folded = graph;
  for (const { from, to } of groupsOf(graph)) {
    if (folded.nodes.length <= most) return folded;
    folded = foldColumns(folded, from, to);
  }
  while (folded.nodes.length > most && groupsOf(folded).length > 1) {
    const before = folded.nodes.length;
    folded = foldAll(joinGroups(folded));
    if (folded.nodes.length >= before) break;
  }
  return folded;
}

function foldAll(graph: Graph): Graph {
  return groupsOf(graph).reduce((all, { from, to }) => foldColumns(all, from, to), graph);
}

/** Merges nodes of the same kind and row in these columns. */
function foldColumns(graph: Graph, from: number, to: number): Graph {
  const bundles = new Map<string, GraphNode[]>();
  for (const node of graph.nodes) {
    const inside = node.column >= from && node.column <= to;
    const key = inside ? `${node.column} ${node.lane ?? ''} ${node.kind}` : `= ${node.id}`;
    bundles.set(key, [...(bundles.get(key) ?? []), node]);
  }
  const into = new Map<string, string>();
  const nodes = [...bundles.values()].flatMap((members) => {
    const node = mergeNodes(members);
    if (node === undefined) return [];
    for (const { id } of members) into.set(id, node.id);
    return [node];
  });
  return { ...graph, nodes, edges: redirectEdges(graph.edges, into) };
}

function mergeNodes(members: readonly GraphNode[]): GraphNode | undefined {
  const [first] = members;
  const last = members.at(-1);
  if (first === undefined || last === undefined || members.length === 1) return first;
  const standings = new Map<string, number>();
  for (const member of members)
    for (const [standing, count] of standingsOf(member))
      standings.set(standing, (standings.get(standing) ?? 0) + count);
  const tones = new Set(members.map(({ tone }) => tone));
  const count = members.reduce((sum, member) => sum + (member.count ?? 1), 0);
  return {
    ...first,
    id: `${idsOf(first)[0]} … ${idsOf(last).at(-1)}`,
    about: formatCount(count, first.kind),
    standing:
      standings.size === 0
        ? undefined
        : [...standings].map(([how, number]) => `${number} ${how}`).join(', '),
    tone: tones.size === 1 ? first.tone : 'mixed',
    anchor: first.anchor ?? first.id,
    count,
    standings,
  };
}

/**
 * Returns the id of a node. For a node that stands for several, returns the first and the last of
 * their ids.
 */
function idsOf({ id }: GraphNode): readonly string[] {
  return id.split(' … ');
}

function standingsOf({ standing, standings }: GraphNode): Iterable<readonly [string, number]> {
  return standings ?? (standing === undefined ? [] : [[standing, 1]]);
}

/** Redirects edges to folded nodes, each relation once. Edges within a node are dropped. */
function redirectEdges(
  edges: readonly GraphEdge[],
  into: ReadonlyMap<string, string>,
): GraphEdge[] {
  const tied = new Map<string, GraphEdge>();
  for (const { from, to, kind } of edges) {
    const edge = { from: into.get(from) ?? from, to: into.get(to) ?? to, kind };
    if (edge.from !== edge.to) tied.set(`${edge.from}\n${edge.to}\n${kind}`, edge);
  }
  return [...tied.values()];
}

/** Joins pairs of neighboring groups: `Round 1 to Round 2`. */
function joinGroups(graph: Graph): Graph {
  const groups = groupsOf(graph);
  const columns: string[] = [];
  const moved = new Map<number, number>();
  for (let at = 0; at < groups.length; at += 2) {
    const [left, right] = [groups[at], groups[at + 1]];
    if (left === undefined) break;
    const title = right === undefined ? left.title : joinTitles(left.title, right.title);
    const first = columns.length;
    for (const group of [left, ...(right === undefined ? [] : [right])])
      for (let column = group.from; column <= group.to; column += 1) {
        const place = first + column - group.from;
        moved.set(column, place);
        columns[place] = title;
      }
  }
  return {
    ...graph,
    columns,
    nodes: graph.nodes.map((node) => ({ ...node, column: moved.get(node.column) ?? node.column })),
  };
}

/** Joins two titles: `Round 1 to Round 2` and `Round 3, Critic leads` become `Round 1 to Round 4`. */
function joinTitles(left: string, right: string): string {
  const [begins = left] = left.split(/ to |, /, 1);
  const [ends = right] = (right.split(' to ').at(-1) ?? right).split(', ', 1);
  return `${begins} to ${ends}`;
}
