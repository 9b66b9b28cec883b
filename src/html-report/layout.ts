/**
 * Positions the nodes of a graph. Columns go from left to right, roles are rows, and nodes of one role and
 * column are stacked. Within a stack, nodes are ordered by the barycenter of their neighbors, in several
 * passes, so that fewer edges cross; of all orders, including the original one, the last with the fewest
 * crossings is used. If the rounds are wider than a screen, they continue in a second band below. Pure.
 */

import type { Graph, GraphNode } from '../plain/blocks.ts';
import { groupsOf } from './fold-graph.ts';

/** Sizes of a drawn graph, in pixels. */
export interface GraphSizes {
  /** The width of a node. */
  readonly width: number;
  /** The height of a node. */
  readonly height: number;
  /** The space between nodes one below the other. */
  readonly gap: number;
  /** The space between columns, for the edges. */
  readonly between: number;
  /** The space between rows. */
  readonly lane: number;
  /** The width that is reserved for a node that is drawn as a dot. */
  readonly dot: number;
  /** The space left of the first column. */
  readonly left: number;
  /** The space above the first row of each band. */
  readonly top: number;
  /**
   * The width beyond which the columns of a drawing with rows continue below. Columns under one heading stay
   * together, even if they are wider. Absent: unlimited.
   */
  readonly most?: number;
}

/** A node with its position in pixels. */
export interface PlacedNode {
  readonly node: GraphNode;
  /** The left edge. */
  readonly x: number;
  /** The vertical center. */
  readonly y: number;
  readonly width: number;
}

/** The size of a drawn graph and the positions of its nodes, columns and rows, in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The nodes by id. */
  readonly placed: ReadonlyMap<string, PlacedNode>;
  /** The left edge and the width of each column. */
  readonly columns: readonly { readonly x: number; readonly width: number }[];
  /** The bands that a wide drawing is divided into, one below the other. */
  readonly bands: readonly Band[];
}

/** Columns that are side by side, and their rows. */
interface Band {
  readonly from: number;
  /** The last column, inclusive. */
  readonly to: number;
  /** The top edge, above the headings. */
  readonly top: number;
  /** The top and bottom edge of each row. */
  readonly lanes: readonly { readonly from: number; readonly to: number }[];
}

const SWEEPS = 6;

/**
 * Computes the positions of a graph's nodes, in columns and rows.
 *
 * @param sweeps how often nodes are reordered to reduce crossings of edges; 0 keeps the given order
 */
export function layOut(graph: Graph, sizes: GraphSizes, sweeps: number = SWEEPS): Layout {
  const stacks = stacksOf(graph);
  const { columns, bands, bottom } = bandsOf(graph, stacks, sizes);
  const y = new Map<string, number>();
  const placeNodes = (): void => {
    for (const { column, lane, nodes } of stacks) {
      const { place, lanes } = bands.find((band) => column <= band.to) ?? NO_BAND;
      const { from, to } = (lane === undefined ? undefined : lanes[lane]) ?? place;
      const pitch =
        lane === undefined
          ? Math.max(sizes.height + sizes.gap, (to - from) / nodes.length)
          : sizes.height + sizes.gap;
      const begin = from + (to - from - pitch * nodes.length) / 2 + pitch / 2;
      for (const [at, { id }] of nodes.entries()) y.set(id, begin + at * pitch);
    }
  };
  placeNodes();
  const sides = neighborsOf(graph);
  let fewest = crossingsIn(graph, y);
  let best = stacks.map(({ nodes }) => [...nodes]);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const forth = sweep % 2 === 0;
    const order = stacks.toSorted((left, right) => (left.column - right.column) * (forth ? 1 : -1));
    for (const stack of order) {
      const ties = forth ? sides.before : sides.after;
      const measureMiddle = (id: string): number => {
        const all = (ties.get(id) ?? []).flatMap((other) => y.get(other) ?? []);
        return all.length === 0
          ? (y.get(id) ?? 0)
          : all.reduce((sum, position) => sum + position, 0) / all.length;
      };
      const wanted = new Map(stack.nodes.map(({ id }) => [id, measureMiddle(id)]));
      stack.nodes.sort((left, right) => (wanted.get(left.id) ?? 0) - (wanted.get(right.id) ?? 0));
      placeNodes();
    }
    const crossings = crossingsIn(graph, y);
    if (crossings > fewest) continue;
    fewest = crossings;
    best = stacks.map(({ nodes }) => [...nodes]);
  }
  for (const [at, { nodes }] of stacks.entries())
    nodes.splice(0, nodes.length, ...(best[at] ?? []));
  placeNodes();
  const placed = new Map(
    graph.nodes.map((node): [string, PlacedNode] => {
      const column = columns[node.column] ?? { x: sizes.left, width: sizes.width };
      const width = isDot(graph, node) ? sizes.dot : sizes.width;
      const x = column.x + (column.width - width) / 2;
      return [node.id, { node, x, y: y.get(node.id) ?? sizes.top, width }];
    }),
  );
  return {
    width: Math.max(sizes.left, ...columns.map(({ x, width }) => x + width)) + sizes.gap,
    height: bottom + sizes.gap,
    placed,
    columns,
    bands,
  };
}

/** A band with the place of nodes that belong to no row. */
interface PlacedBand extends Band {
  readonly place: { readonly from: number; readonly to: number };
}

const NO_BAND: Pick<PlacedBand, 'place' | 'lanes'> = { place: { from: 0, to: 0 }, lanes: [] };

/** Distributes columns to bands. Columns under one heading stay together; a band is as high as its contents. */
function bandsOf(
  graph: Graph,
  stacks: readonly Stack[],
  sizes: GraphSizes,
): { columns: Layout['columns']; bands: readonly PlacedBand[]; bottom: number } {
  const columns = columnsOf(graph, sizes);
  const { left, top, gap, most = Number.POSITIVE_INFINITY } = sizes;
  const getEnd = (column: number): number =>
    (columns[column]?.x ?? left) + (columns[column]?.width ?? 0);
  const spans: { from: number; to: number }[] = [];
  for (const { from, to } of groupsOf(graph)) {
    const last = spans.at(-1);
    const wide = getEnd(to) - (columns[last?.from ?? from]?.x ?? left) + left + gap;
    if (last !== undefined && (graph.lanes.length === 0 || wide <= most)) last.to = to;
    else spans.push({ from, to });
  }
  let bottom = top;
  const bands = spans.map(({ from, to }, at): PlacedBand => {
    const own = stacks.filter(({ column }) => column >= from && column <= to);
    const free = own.filter(({ lane }) => lane === undefined);
    const rest = Math.max(0, ...free.map(({ nodes }) => nodes.length * (sizes.height + gap)));
    const begin = at === 0 ? top : bottom + top;
    const lanes = lanesOf(graph, own, { ...sizes, top: begin }, rest);
    bottom = lanes.at(-1)?.to ?? begin + rest;
    return { from, to, top: begin - top, lanes, place: { from: begin, to: bottom } };
  });
  const moved = columns.map(({ x, width }, column) => {
    const first = bands.find((band) => column <= band.to)?.from ?? 0;
    return { x: x - (columns[first]?.x ?? left) + left, width };
  });
  return { columns: moved, bands, bottom };
}

/**
 * Counts how often edges cross that begin in the same column and end in the same column.
 *
 * @param y the vertical position of each node, by id
 */
export function crossingsIn({ nodes, edges }: Graph, y: ReadonlyMap<string, number>): number {
  const columns = new Map(nodes.map(({ id, column }) => [id, column]));
  const between = new Map<string, (readonly [number, number])[]>();
  for (const { from, to } of edges) {
    const [start, end] = [y.get(from), y.get(to)];
    if (start === undefined || end === undefined) continue;
    const key = `${columns.get(from)} ${columns.get(to)}`;
    const beside = between.get(key) ?? [];
    beside.push([start, end]);
    between.set(key, beside);
  }
  let crossings = 0;
  for (const ends of between.values())
    for (const [at, [a, b]] of ends.entries())
      for (const [c, d] of ends.slice(at + 1)) if ((a - c) * (b - d) < 0) crossings += 1;
  return crossings;
}

/** Returns whether a node is drawn as a dot. */
export function isDot({ kinds }: Graph, { kind }: GraphNode): boolean {
  return Object.hasOwn(kinds, kind) && kinds[kind] === 'dot';
}

/** The nodes of one row in one column. */
interface Stack {
  readonly column: number;
  readonly lane: number | undefined;
  readonly nodes: GraphNode[];
}

function stacksOf({ nodes }: Graph): Stack[] {
  const stacks = new Map<string, Stack>();
  for (const node of nodes) {
    const key = `${node.column} ${node.lane}`;
    const stack = stacks.get(key) ?? { column: node.column, lane: node.lane, nodes: [] };
    stack.nodes.push(node);
    stacks.set(key, stack);
  }
  return [...stacks.values()];
}

/**
 * Computes the rows: each is as high as its highest stack, and all together as high as the highest column
 * without rows.
 */
function lanesOf(
  { lanes }: Graph,
  stacks: readonly Stack[],
  { top, height, gap, lane: between }: GraphSizes,
  beside: number,
): { from: number; to: number }[] {
  const own = lanes.map((_title, lane) => {
    const high = stacks.filter((stack) => stack.lane === lane).map(({ nodes }) => nodes.length);
    return Math.max(1, ...high) * (height + gap);
  });
  const all = own.reduce((sum, high) => sum + high, between * Math.max(0, own.length - 1));
  const more = Math.max(0, beside - all) / Math.max(1, own.length);
  let at = top;
  return own.map((high) => {
    const from = at;
    const to = from + high + more;
    at = to + between;
    return { from, to };
  });
}

/** Computes the columns. An empty column takes no room. */
function columnsOf(graph: Graph, { left, width, dot, between }: GraphSizes): Layout['columns'] {
  let at = left;
  return graph.columns.map((_title, column) => {
    const own = graph.nodes.filter((node) => node.column === column);
    const wide = own.length === 0 ? 0 : own.every((node) => isDot(graph, node)) ? dot : width;
    const place = { x: at, width: wide };
    if (wide > 0) at += wide + between;
    return place;
  });
}

interface Ties {
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly after: ReadonlyMap<string, readonly string[]>;
}

function neighborsOf({ nodes, edges }: Graph): Ties {
  const column = new Map(nodes.map((node) => [node.id, node.column]));
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  const addTie = (ties: Map<string, string[]>, from: string, to: string): void => {
    ties.set(from, [...(ties.get(from) ?? []), to]);
  };
  for (const { from, to } of edges) {
    const [start, end] = [column.get(from), column.get(to)];
    if (start === undefined || end === undefined || start === end) continue;
    const [left, right] = start < end ? [from, to] : [to, from];
    addTie(after, left, right);
    addTie(before, right, left);
  }
  return { before, after };
}
