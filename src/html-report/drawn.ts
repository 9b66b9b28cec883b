/**
 * Draws the graph of an argument as SVG, and as a table for screen readers. Every node links to its row or
 * text. There is no script: a style rule for each node highlights its edges on hover and focus.
 */

import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  type Relation,
  type Shape,
  SIGNS,
  type Table,
} from '../plain/blocks.ts';
import { toLine } from '../text/line.ts';
import { truncateLine } from '../text/width.ts';
import { foldGraph, groupsOf } from './fold-graph.ts';
import { type Anchors, escapeLine, escapeText } from './html.ts';
import { type GraphSizes, isDot, type Layout, layOut, type PlacedNode } from './layout.ts';

/** Up to so many nodes, each has room for a few words. */
const FEW = 40;
const SMALL: GraphSizes = {
  width: 86,
  height: 24,
  gap: 8,
  between: 46,
  lane: 14,
  dot: 10,
  left: 150,
  top: 58,
};
const WIDE: GraphSizes = { ...SMALL, width: 224, height: 42, gap: 12, between: 58 };
/** Sizes of nodes that stand for several others and name their number: `132 decisions`. */
const FOLDED: GraphSizes = { ...SMALL, width: 124 };
/** The left edge of nodes in a graph without rows. */
const NO_LANES = 24;
/** The room for a picture in a window of 1280 pixels. */
const MOST = 1_190;
/** Pixels of a cell in the widest font that may be used: of names, which are bold, and of other words. */
const NAME_CELL = 7.2;
const CELL = 6.6;
/**
 * Pixels. Wider pictures are printed in landscape unless they are higher than wide; pictures larger than the
 * paper are not printed.
 */
const ACROSS = 900;
const PAPER = { width: 2_400, height: 2_200 };
/** The ratio of height to width from which on portrait has more room. */
const UPRIGHT = 0.8;
/** The most cells of row names and headings. */
const NAME = 17;

interface Drawn {
  readonly html: string;
  /** Style rules for the edges of the node that is hovered or focused. */
  readonly style: string;
}

/**
 * Draws a graph as SVG, with a legend. A graph with too many nodes is reduced first, see `foldGraph`.
 *
 * @param anchors the link targets of the page, to which nodes are linked
 * @param name a name that is unique on the page, for the ids of the drawing
 * @returns `html`: the drawing; `style`: style rules that highlight the edges of the hovered or focused node
 */
export function drawGraph(whole: Graph, anchors: Anchors, name: string): Drawn {
  const graph = foldGraph(whole);
  const { nodes } = graph;
  const hasFolded = nodes.some(({ count }) => count !== undefined);
  const fitting = hasFolded ? FOLDED : nodes.length <= FEW ? WIDE : SMALL;
  const sizes =
    graph.lanes.length > 0 ? { ...fitting, most: MOST } : { ...fitting, left: NO_LANES };
  const layout = layOut(graph, sizes);
  const number = new Map(nodes.map(({ id }, at) => [id, at]));
  const title = `${name}-title`;
  const { width, height } = layout;
  const tooLarge = width > PAPER.width || height > PAPER.height;
  const html = [
    ...(tooLarge
      ? [
          '<p class="note on-paper">The picture is too large for paper. The tables have the same content.</p>',
        ]
      : []),
    `<div class="scroll graph${printClass(width, height, tooLarge)}" role="region" aria-labelledby="${title}" tabindex="0">`,
    `<svg id="${name}" viewBox="0 0 ${roundToTenth(width)} ${roundToTenth(height)}" width="${roundToTenth(width)}" height="${roundToTenth(height)}" role="group" aria-labelledby="${title}">`,
    `<title id="${title}">${escapeLine(graph.about)}</title>`,
    ...drawMarkers(graph, name),
    ...drawHeadings(graph, layout, sizes),
    ...graph.edges.map((edge) => edgePath(edge, graph, layout, number, name)),
    // Draw nodes in reading order, because the Tab key visits them in the order of the drawing.
    ...[...layout.placed.values()]
      .toSorted(compareReadingOrder)
      .map((placedNode) =>
        nodeLink(
          placedNode,
          graph,
          sizes,
          anchors,
          `${name}-g${number.get(placedNode.node.id) ?? 0}`,
        ),
      ),
    '</svg>',
    '</div>',
    drawLegend(graph, tooLarge),
    ...(nodes.length < whole.nodes.length
      ? [
          `<p class="note off-paper">${whole.nodes.length} entries are drawn as ${nodes.length}: entries that one role raised in an early round are grouped. The tables below list each one.</p>`,
        ]
      : []),
  ].join('\n');
  return { html, style: focusRules(graph, name, number) };
}

/** Returns the class that says how the picture is printed. */
function printClass(width: number, height: number, tooLarge: boolean): string {
  if (tooLarge) return ' off-paper';
  if (height > Math.max(ACROSS, width * UPRIGHT)) return ' high';
  return width > ACROSS ? ' across' : '';
}

/**
 * Returns a table of the graph's nodes, for readers who cannot see the drawing. Like the drawing, the table
 * has one row for nodes that were merged. Nodes that are drawn as dots are left out.
 */
export function graphTable(whole: Graph): Table {
  const graph = foldGraph(whole);
  const columns = groupsOf(graph);
  const from = countByStanding(graph.edges, ({ to }) => to);
  const to = countByStanding(graph.edges, (edge) => edge.from);
  return {
    about: graph.about,
    head: ['entry', 'what', 'where', 'status', 'comes from', 'leads to'],
    rows: graph.nodes
      .filter((node) => !isDot(graph, node))
      .map((node) => ({
        cells: [
          node.id,
          `${node.kind}: ${node.about}`,
          [
            columns.find((column) => node.column >= column.from && node.column <= column.to)
              ?.title ?? '',
            ...(node.lane === undefined ? [] : [graph.lanes[node.lane] ?? '']),
          ].join(', '),
          node.standing === undefined
            ? ''
            : { text: node.standing, ...(node.tone && { tone: node.tone }) },
          relationsOf(from.get(node.id) ?? [], 'back', (edge) => edge.from),
          relationsOf(to.get(node.id) ?? [], 'forth', (edge) => edge.to),
        ],
      })),
  };

  function relationsOf(
    edges: readonly GraphEdge[],
    way: keyof Relation,
    other: (edge: GraphEdge) => string,
  ): string {
    return Object.entries(graph.relations)
      .flatMap(([kind, words]) => {
        const own = edges.filter((edge) => edge.kind === kind).map(other);
        return own.length === 0 ? [] : [`${words[way]} ${own.join(', ')}`];
      })
      .join('; ');
  }
}

function countByStanding(
  edges: readonly GraphEdge[],
  key: (edge: GraphEdge) => string,
): ReadonlyMap<string, readonly GraphEdge[]> {
  const by = new Map<string, GraphEdge[]>();
  for (const edge of edges) by.set(key(edge), [...(by.get(key(edge)) ?? []), edge]);
  return by;
}

/** Returns the arrow heads, one for each style of edge. */
function drawMarkers({ relations }: Graph, name: string): string[] {
  return Object.keys(relations).map(
    (_kind, at) =>
      `<marker id="${name}-a${at}" class="e${at}" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z"/></marker>`,
  );
}

function drawHeadings(graph: Graph, layout: Layout, sizes: GraphSizes): string[] {
  const rows = layout.bands.flatMap(({ lanes }) =>
    lanes.map(({ from, to }, at) => {
      const title = graph.lanes[at] ?? '';
      const middle = roundToTenth((from + to) / 2);
      return `<g class="lane l${at % 6}"><line x1="${sizes.left - 12}" y1="${roundToTenth(from)}" x2="${sizes.left - 12}" y2="${roundToTenth(to)}"/><text x="${sizes.left - 22}" y="${middle + 4}" text-anchor="end">${cutText(title, NAME)}</text></g>`;
    }),
  );
  const columns = groupsOf(graph).flatMap(({ title, from, to }) => {
    const wide = layout.columns.slice(from, to + 1).filter(({ width }) => width > 0);
    const first = wide[0];
    const last = wide.at(-1);
    if (first === undefined || last === undefined) return [];
    const end = last.x + last.width;
    const room = Math.max(12, Math.floor((end - first.x + sizes.between) / NAME_CELL) - 1);
    const top = layout.bands.find((band) => from <= band.to)?.top ?? 0;
    return [
      `<g class="column"><line x1="${roundToTenth(first.x)}" y1="${roundToTenth(top + 34)}" x2="${roundToTenth(end)}" y2="${roundToTenth(top + 34)}"/><text x="${roundToTenth(first.x)}" y="${roundToTenth(top + 24)}">${cutText(title, room)}</text></g>`,
    ];
  });
  return [...rows, ...columns];
}

function edgePath(
  { from, to, kind }: GraphEdge,
  graph: Graph,
  { placed }: Layout,
  number: ReadonlyMap<string, number>,
  name: string,
): string {
  const [start, end] = [placed.get(from), placed.get(to)];
  const style = Object.keys(graph.relations).indexOf(kind);
  if (start === undefined || end === undefined || style < 0) return '';
  const ends = `n${number.get(from)} n${number.get(to)}`;
  return `<path class="edge e${style} ${ends}" d="${drawCurve(start, end)}" marker-end="url(#${name}-a${style})"/>`;
}

/**
 * Returns a curve from the right side of one node to the left side of the other; within a column, around the
 * left side.
 */
function drawCurve(start: PlacedNode, end: PlacedNode): string {
  const [y1, y2] = [roundToTenth(start.y), roundToTenth(end.y)];
  if (end.x > start.x + start.width) {
    const [x1, x2] = [roundToTenth(start.x + start.width), roundToTenth(end.x - 1)];
    const bend = roundToTenth(Math.min(120, (x2 - x1) / 2));
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const [x1, x2] = [roundToTenth(start.x), roundToTenth(end.x - 1)];
  const out = Math.min(x1, x2) - 24;
  return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2} ${y2}`;
}

/** Compares positions: column by column, from top to bottom. */
function compareReadingOrder(left: PlacedNode, right: PlacedNode): number {
  return left.node.column - right.node.column || left.y - right.y;
}

function nodeLink(
  { node, x, y, width }: PlacedNode,
  graph: Graph,
  sizes: GraphSizes,
  anchors: Anchors,
  own: string,
): string {
  const shape: Shape = Object.hasOwn(graph.kinds, node.kind)
    ? (graph.kinds[node.kind] ?? 'box')
    : 'box';
  const lane = node.lane === undefined ? 'l-none' : `l${node.lane % 6}`;
  const words = `${node.name ?? node.id}, ${node.kind}${node.standing === undefined ? '' : `, ${node.standing}`}: ${node.about}`;
  if (shape === 'dot')
    return `<circle class="${lane}" cx="${roundToTenth(x + width / 2)}" cy="${roundToTenth(y)}" r="${sizes.dot / 2 - 1}"><title>${escapeLine(words)}</title></circle>`;
  const top = roundToTenth(y - sizes.height / 2);
  const isWide = sizes.height > SMALL.height;
  const inset = shape === 'box' ? 8 : 12;
  const countCells = (cell: number): number => Math.floor((width - 2 * inset + 4) / cell);
  const sign = node.tone === undefined ? '' : `${SIGNS[node.tone]} `;
  const label = `<text x="${roundToTenth(x + inset)}" y="${isWide ? top + 17 : top + 16}"><tspan class="id">${cutText(sign + nameIn(node), countCells(NAME_CELL))}</tspan></text>`;
  const said = isWide
    ? `<text class="said" x="${roundToTenth(x + inset)}" y="${top + 33}">${cutText(node.about, countCells(CELL))}</text>`
    : '';
  const inner = `<title>${escapeLine(words)}</title>${drawOutline(shape, roundToTenth(x), top, width, sizes.height)}${label}${said}`;
  const classes = `node ${lane} t-${node.tone ?? 'none'}`;
  const href = anchors.of(node.anchor ?? node.id);
  return href === undefined
    ? `<g id="${own}" class="${classes}">${inner}</g>`
    : `<a id="${own}" class="${classes}" href="#${href}">${inner}</a>`;
}

/** Returns the name of a node. A node that stands for several is named by what they are. */
function nameIn({ id, name = id, about, count }: GraphNode): string {
  return count === undefined ? name : about;
}

function drawOutline(shape: Shape, x: number, y: number, width: number, height: number): string {
  if (shape === 'cut') {
    const cut = 8;
    return `<path d="M${x + cut} ${y}H${x + width - cut}L${x + width} ${roundToTenth(y + height / 2)}L${x + width - cut} ${y + height}H${x + cut}L${x} ${roundToTenth(y + height / 2)}z"/>`;
  }
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${shape === 'round' ? height / 2 : 3}"/>`;
}

function drawLegend(graph: Graph, tooLarge: boolean): string {
  const items = [
    ...Object.entries(graph.kinds).map(
      ([kind, shape]) =>
        `<li><svg width="22" height="14" aria-hidden="true"><g class="node l-none t-none">${shape === 'dot' ? '<circle cx="11" cy="7" r="4"/>' : drawOutline(shape, 1, 1, 20, 12)}</g></svg> ${escapeLine(kind)}</li>`,
    ),
    ...Object.keys(graph.relations).map(
      (kind, at) =>
        `<li><svg width="26" height="14" aria-hidden="true"><path class="edge e${at}" d="M1 7H25"/></svg> ${escapeLine(kind)}</li>`,
    ),
  ];
  return `<ul class="legend${tooLarge ? ' off-paper' : ''}">${items.join('')}</ul>`;
}

/** Returns the rules that highlight a node's edges while it is hovered or focused. */
function focusRules({ edges }: Graph, name: string, number: ReadonlyMap<string, number>): string {
  const tied = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const rules = [...tied].flatMap((id) => {
    const at = number.get(id);
    return at === undefined
      ? []
      : [`#${name}:has(#${name}-g${at}:is(:hover,:focus)) .n${at}{opacity:1;stroke-width:2}`];
  });
  return [`#${name}:has(.node:is(:hover,:focus)) .edge{opacity:.12}`, ...rules].join('\n');
}

function cutText(text: string, cells: number): string {
  return escapeText(truncateLine(toLine(text), cells));
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
