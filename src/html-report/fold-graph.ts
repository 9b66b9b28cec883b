/**
 * A graph that can still be read: where it has more nodes than that, what a role raised in a round becomes
 * one node, the earliest rounds first; the last ones are what a reader asks about.
 */
import { plural } from '../text/numbers.ts';
import type { Graph, GraphEdge, GraphNode } from './parts.ts';

/** More than these are a carpet. */
export const MOST_NODES = 150;

/** Columns that stand under one heading. */
interface Group {
  readonly title: string;
  readonly from: number;
  /** Included. */
  readonly to: number;
}

/** Columns of one title that follow each other. */
export function groupsOf({ columns }: Pick<Graph, 'columns'>): Group[] {
  const groups: Group[] = [];
  for (const [at, title] of columns.entries()) {
    const last = groups.at(-1);
    if (last?.title === title) groups[groups.length - 1] = { ...last, to: at };
    else groups.push({ title, from: at, to: at });
  }
  return groups;
}

/** The graph with at most so many nodes, as far as folding its columns gets it there. */
export function foldGraph(graph: Graph, most: number = MOST_NODES): Graph {
  let folded = graph;
  for (const { from, to } of groupsOf(graph)) {
    if (folded.nodes.length <= most) return folded;
    folded = foldColumns(folded, from, to);
  }
  // Every round is folded, and there are too many of them: neighbors become one.
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

/** What is of one kind in one row of these columns becomes one node. */
function foldColumns(graph: Graph, from: number, to: number): Graph {
  const bundles = new Map<string, GraphNode[]>();
  for (const node of graph.nodes) {
    const inside = node.column >= from && node.column <= to;
    const key = inside ? `${node.column} ${node.lane ?? ''} ${node.kind}` : `= ${node.id}`;
    bundles.set(key, [...(bundles.get(key) ?? []), node]);
  }
  const into = new Map<string, string>();
  const nodes = [...bundles.values()].flatMap((members) => {
    const node = bundle(members);
    if (node === undefined) return [];
    for (const { id } of members) into.set(id, node.id);
    return [node];
  });
  return { ...graph, nodes, edges: retie(graph.edges, into) };
}

function bundle(members: readonly GraphNode[]): GraphNode | undefined {
  const [first] = members;
  const last = members.at(-1);
  if (first === undefined || last === undefined || members.length === 1) return first;
  const standings = new Map<string, number>();
  for (const member of members)
    for (const [standing, count] of standingsOf(member))
      standings.set(standing, (standings.get(standing) ?? 0) + count);
  const tones = new Set(members.map(({ tone }) => tone));
  const count = members.reduce((sum, one) => sum + (one.count ?? 1), 0);
  return {
    ...first,
    id: `${idsOf(first)[0]} … ${idsOf(last).at(-1)}`,
    about: plural(count, first.kind),
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

/** The id of a node; of a folded one the first and the last of those that it stands for. */
function idsOf({ id }: GraphNode): readonly string[] {
  return id.split(' … ');
}

function standingsOf({ standing, standings }: GraphNode): Iterable<readonly [string, number]> {
  return standings ?? (standing === undefined ? [] : [[standing, 1]]);
}

/** Each relation between two nodes once; what stays within one is no edge any more. */
function retie(edges: readonly GraphEdge[], into: ReadonlyMap<string, string>): GraphEdge[] {
  const tied = new Map<string, GraphEdge>();
  for (const { from, to, kind } of edges) {
    const edge = { from: into.get(from) ?? from, to: into.get(to) ?? to, kind };
    if (edge.from !== edge.to) tied.set(`${edge.from}\n${edge.to}\n${kind}`, edge);
  }
  return [...tied.values()];
}

/** Two groups that stand beside each other as one: `Round 1 to Round 2`. */
function joinGroups(graph: Graph): Graph {
  const groups = groupsOf(graph);
  const columns: string[] = [];
  const moved = new Map<number, number>();
  for (let at = 0; at < groups.length; at += 2) {
    const [one, other] = [groups[at], groups[at + 1]];
    if (one === undefined) break;
    const title = other === undefined ? one.title : joined(one.title, other.title);
    const first = columns.length;
    for (const group of [one, ...(other === undefined ? [] : [other])])
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

/** `Round 1 to Round 4` of `Round 1 to Round 2` and `Round 3, Critic leads`. */
function joined(one: string, other: string): string {
  const [begins = one] = one.split(/ to |, /, 1);
  const [ends = other] = (other.split(' to ').at(-1) ?? other).split(', ', 1);
  return `${begins} to ${ends}`;
}
