/** Promise: the picture of an argument crosses no more edges than it must have crossed unsorted, and stays readable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawGraph } from '../../src/html-report/drawn.ts';
import { foldGraph, groupsOf, MOST_NODES } from '../../src/html-report/fold-graph.ts';
import { Anchors } from '../../src/html-report/html.ts';
import { crossingsIn, type GraphSizes, layOut } from '../../src/html-report/layout.ts';
import { shuffleItems } from '../../src/kernel/chance.ts';
import type { Graph, GraphEdge, GraphNode } from '../../src/plain/blocks.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';

const SIZES: GraphSizes = {
  width: 86,
  height: 24,
  gap: 8,
  between: 46,
  lane: 14,
  dot: 10,
  left: 132,
  top: 58,
};
const SEEDS = Array.from({ length: 20 }, (_one, seed) => seed);

interface Plan {
  /** How many nodes a column has. */
  readonly sizes: readonly number[];
  /** Pairs of nodes that are connected, each as `COLUMN.NUMBER`. */
  readonly edges: readonly (readonly [string, string])[];
  readonly lanes?: number;
}

/** Returns the graph of a plan, with the nodes of each column in an order that the seed shuffles. */
function plantGraph({ sizes, edges, lanes = 0 }: Plan, seed: number): Graph {
  const nodes = sizes.flatMap((size, column) => {
    const own = Array.from(
      { length: size },
      (_one, at): GraphNode => ({
        id: `${column}.${at}`,
        kind: 'claim',
        about: 'a claim',
        column,
        standing: at % 3 === 0 ? 'refuted' : 'open',
        ...(lanes === 0 ? {} : { lane: Math.floor((at * lanes) / size) }),
      }),
    );
    return shuffleItems(own, seed, `column-${column}`);
  });
  return {
    about: 'planted',
    lanes: Array.from({ length: lanes }, (_one, at) => `role ${at}`),
    columns: sizes.map((_size, at) => `Round ${at + 1}`),
    kinds: { claim: 'box' },
    relations: { ties: { forth: 'ties', back: 'tied' } },
    nodes,
    edges: edges.map(([from, to]) => ({ from, to, kind: 'ties' })),
  };
}

const crossingsOf = (graph: Graph, sweeps?: number): number => {
  const { placed } = layOut(graph, SIZES, sweeps);
  return crossingsIn(graph, new Map([...placed].map(([id, placedNode]) => [id, placedNode.y])));
};

const listNumbers = (size: number): number[] => Array.from({ length: size }, (_one, at) => at);

/** Returns a plan in which each node is connected with the node of the same number in the next column. */
const planRows = (size: number, columns: number, lanes?: number): Plan => ({
  sizes: listNumbers(columns).map(() => size),
  edges: listNumbers(columns - 1).flatMap((column) =>
    listNumbers(size).map((at) => [`${column}.${at}`, `${column + 1}.${at}`] as const),
  ),
  ...withoutUndefined({ lanes }),
});

/** Returns a plan in which each decision is connected with three claims of its own, as in a round. */
const planStars = (size: number): Plan => ({
  sizes: [size * 3, size],
  edges: listNumbers(size * 3).map((at) => [`0.${at}`, `1.${Math.floor(at / 3)}`] as const),
});

/** Returns a plan of two columns in which every node is connected with every node of the other column. */
const planComplete = (size: number): Plan => ({
  sizes: [size, size],
  edges: listNumbers(size).flatMap((a) =>
    listNumbers(size).map((b) => [`0.${a}`, `1.${b}`] as const),
  ),
});

/** Any two nodes of one column and any two of the other make one crossing. */
function crossingsOfComplete(size: number): number {
  const pairs = (size * (size - 1)) / 2;
  return pairs * pairs;
}

describe('the layout of the graph of an argument', () => {
  it.each<[string, Plan, number]>([
    ['rows of two columns', planRows(12, 2), 0],
    ['rows of five columns', planRows(9, 5), 0],
    ['rows of three columns in four roles', planRows(16, 3, 4), 0],
    ['decisions on claims of their own', planStars(8), 0],
    ['everything tied to everything', planComplete(5), crossingsOfComplete(5)],
  ])('draws %s with the fewest possible crossings', (_name, plan, optimum) => {
    const unsorted = SEEDS.map((seed) => crossingsOf(plantGraph(plan, seed), 0));
    expect(SEEDS.map((seed) => crossingsOf(plantGraph(plan, seed)))).toEqual(
      SEEDS.map(() => optimum),
    );
    // If the nodes are not sorted, some edges must cross. Otherwise this test would not show that sorting
    // avoids crossings.
    if (optimum === 0) expect(Math.min(...unsorted)).toBeGreaterThan(0);
  });

  it('counts edges that cross, but not edges that share an end', () => {
    const makeGraph = (...edges: [string, string][]) => plantGraph({ sizes: [2, 2], edges }, 0);
    const sortNodes = (graph: Graph): Graph => ({
      ...graph,
      nodes: graph.nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    });
    const countCrossings = (...edges: [string, string][]) =>
      crossingsOf(sortNodes(makeGraph(...edges)), 0);
    expect(countCrossings(['0.0', '1.1'], ['0.1', '1.0'])).toBe(1);
    expect(countCrossings(['0.0', '1.0'], ['0.1', '1.1'])).toBe(0);
    expect(countCrossings(['0.0', '1.0'], ['0.1', '1.0'])).toBe(0);
  });

  it('has no more crossings than the nodes’ original order', () => {
    const graphs = fc
      .record({
        sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 4 }),
        ties: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 40 }),
        lanes: fc.integer({ min: 0, max: 3 }),
        seed: fc.nat(),
      })
      .map(({ sizes, ties, lanes, seed }) => {
        const edges = ties.map(([at, from, to]) => {
          const column = at % (sizes.length - 1);
          const [a = 1, b = 1] = [sizes[column], sizes[column + 1]];
          return [`${column}.${from % a}`, `${column + 1}.${to % b}`] as const;
        });
        return plantGraph({ sizes, edges, lanes }, seed);
      });
    fc.assert(
      fc.property(graphs, (graph) => crossingsOf(graph) <= crossingsOf(graph, 0)),
      { seed: 7, numRuns: 300 },
    );
  });

  it('puts each node into its column and row, without overlaps', () => {
    const graph = plantGraph(planRows(16, 3, 4), 3);
    const { placed, bands, columns, height, width } = layOut(graph, SIZES);
    const all = [...placed.values()];
    expect(all).toHaveLength(graph.nodes.length);
    for (const { node, x, y } of all) {
      const lane = bands[0]?.lanes[node.lane ?? -1];
      expect(x).toBe(columns[node.column]?.x);
      expect(y - SIZES.height / 2).toBeGreaterThanOrEqual(lane?.from ?? Number.NaN);
      expect(y + SIZES.height / 2).toBeLessThanOrEqual(lane?.to ?? Number.NaN);
      expect(y + SIZES.height / 2).toBeLessThanOrEqual(height);
      expect(x + SIZES.width).toBeLessThanOrEqual(width);
    }
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1))
        if (one.x === other.x)
          expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(SIZES.height);
  });
});

it.each([1, 2, 3, 8])(
  'The graph of the argument of %i rounds fits the width of a screen',
  (rounds) => {
    // A round has four columns: who spoke, claims, verdicts, decisions.
    const graph = plantGraph(planRows(12, rounds * 4, 4), 1);
    const columns = graph.columns.map((_title, at) => `Round ${Math.floor(at / 4) + 1}`);
    const drawn = layOut({ ...graph, columns }, { ...SIZES, most: 1_190 });
    expect(drawn.width).toBeLessThanOrEqual(1_190);
    expect(drawn.bands.map(({ from, to }) => [from, to])).toEqual(
      listNumbers(Math.ceil(rounds / 2)).map((at) => [
        at * 8,
        Math.min(rounds, at * 2 + 2) * 4 - 1,
      ]),
    );
    for (const { node, y } of drawn.placed.values()) {
      const band = drawn.bands.find(({ to }) => node.column <= to);
      const lane = band?.lanes[node.lane ?? -1];
      expect(y - SIZES.height / 2).toBeGreaterThanOrEqual(lane?.from ?? Number.NaN);
      expect(y + SIZES.height / 2).toBeLessThanOrEqual(lane?.to ?? Number.NaN);
    }
    for (const [at, { top }] of drawn.bands.entries())
      expect(top).toBeGreaterThanOrEqual(drawn.bands[at - 1]?.lanes.at(-1)?.to ?? 0);
    expect(drawn.height).toBeGreaterThan(drawn.bands.at(-1)?.lanes.at(-1)?.to ?? Number.NaN);
  },
);

it('The Tab key goes through the nodes of a drawing column by column', () => {
  const graph = plantGraph(planRows(9, 4), 2);
  const { html } = drawGraph(graph, new Anchors(), 'graph');
  const nodes = [
    ...html.matchAll(/ id="graph-g\d+" class="node[^"]*">.*?<rect x="([\d.]+)" y="([\d.]+)"/g),
  ].map(([, x, y]): [number, number] => [Number(x), Number(y)]);
  expect(nodes).toHaveLength(36);
  expect(nodes).toEqual(nodes.toSorted(([a, b], [c, d]) => a - c || b - d));
});

describe('merging nodes of a large drawing', () => {
  const countEntries = ({ nodes }: Graph): number =>
    nodes.reduce((sum, node) => sum + (node.count ?? 1), 0);
  const listDangling = ({ nodes, edges }: Graph): GraphEdge[] => {
    const ids = new Set(nodes.map(({ id }) => id));
    return edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to));
  };

  it('begins only with more than 150 nodes', () => {
    const enough = plantGraph({ sizes: [75, 75], edges: [], lanes: 3 }, 1);
    expect(enough.nodes).toHaveLength(MOST_NODES);
    expect(foldGraph(enough)).toBe(enough);
    const more = foldGraph(plantGraph({ sizes: [75, 76], edges: [], lanes: 3 }, 1));
    expect(more.nodes).toHaveLength(3 + 76);
  });

  it.each([
    [4, 60, 4],
    [40, 30, 4],
    [100, 10, 4],
    [300, 4, 4],
    [2, 2000, 1],
  ])(
    'merges the nodes of the earliest rounds first (%i rounds of %i nodes)',
    (columns, size, lanes) => {
      const graph = plantGraph(planRows(size, columns, lanes), 5);
      const folded = foldGraph(graph);
      expect(folded.nodes.length).toBeLessThanOrEqual(MOST_NODES);
      expect(countEntries(folded)).toBe(graph.nodes.length);
      expect(listDangling(folded)).toEqual([]);
      expect(new Set(folded.nodes.map(({ id }) => id)).size).toBe(folded.nodes.length);
      // A merged node says how many of its nodes are refuted, such as "3 refuted". The sum over the whole graph
      // must be the same as before merging.
      const standings = folded.nodes.flatMap(({ standing = '' }) =>
        standing.split(', ').map((part) => /^(?:(\d+) )?(refuted|open)$/.exec(part)),
      );
      const refuted = standings.reduce(
        (sum, part) => sum + (part?.[2] === 'refuted' ? Number(part[1] ?? 1) : 0),
        0,
      );
      expect(standings).not.toContain(null);
      expect(refuted).toBe(graph.nodes.filter(({ standing }) => standing === 'refuted').length);
      // The link of a folded node leads to the first of the nodes that were merged into it.
      for (const { count: many, anchor } of folded.nodes)
        if (many !== undefined) expect(graph.nodes.map(({ id }) => id)).toContain(anchor);
      const last = folded.columns.length - 1;
      const whole = folded.nodes.filter(({ count: many }) => many === undefined);
      for (const { column } of folded.nodes.filter(({ count: many }) => many !== undefined))
        for (const { column: other } of whole) expect(column).toBeLessThan(other);
      expect(groupsOf(folded).at(-1)?.to).toBe(last);
      // `foldGraph` must leave some edges when it merges nodes.
      expect(folded.edges.length).toBeGreaterThan(0);
    },
  );
});
