/**
 * Groups options, ideas or criteria that mean the same, from models' proposals. Equal wordings are grouped
 * without a proposal. Code refuses pairs that are opposed, contain different figures, or are joined only
 * through a third; and if no person checks the groups, only pairs that two calls with different orders both
 * propose are joined.
 */
import { sanitiseText } from '../text/sanitise.ts';
import { findOpposition, type Opposition } from './opposed.ts';
import { compareText } from './order.ts';

/** A text with an id. */
export interface Item {
  readonly id: string;
  readonly text: string;
}

/**
 * A model's proposal of which items mean the same. Each list has the ids of items that mean the same. If two
 * lists share an id, the items of both count as one group only if every pair of them is in some list.
 */
export type Proposal = readonly (readonly string[])[];

/** Two items that were kept apart although proposals grouped them, directly or through other items. */
export interface RefusedPair {
  /** The ids of the two items, sorted. */
  readonly ids: readonly [string, string];
  /**
   * Why the items stay apart. `chain`: they are grouped only through other items, and no proposal
   * groups them with each other; all items of such a chain stay apart. `once`: only one of the two
   * proposals grouped them. Any other value says how the texts contradict each other.
   */
  readonly why: Opposition | 'chain' | 'once';
}

/** The groups that items were divided into. */
export interface Grouping {
  /** Lists of ids. Every item is in exactly one group, in the order of the items. */
  readonly groups: readonly (readonly string[])[];
  /** The pairs that were kept apart against a proposal, sorted by ids. */
  readonly refused: readonly RefusedPair[];
  /** Ids in proposals that belong to no item. */
  readonly unknown: readonly string[];
}

/**
 * Groups items that mean the same. Items with equal wording are always grouped. Other items are
 * grouped only if every proposal groups each pair of them and their texts do not contradict each other.
 *
 * @param proposals one proposal if a person checks the result, otherwise two by models that saw the
 *   items in different orders. Empty: only items with equal wording are grouped.
 */
export function groupItems(items: readonly Item[], proposals: readonly Proposal[]): Grouping {
  const order = new Map(items.map(({ id }, index) => [id, index]));
  const wordings = new Map<string, Item[]>();
  for (const item of items) {
    const key = wordingOf(item.text);
    wordings.set(key, [...(wordings.get(key) ?? []), item]);
  }
  const nodes = [...wordings.values()];
  const nodeOf = new Map(nodes.flatMap((node, at) => node.map(({ id }) => [id, at] as const)));
  const asserted = proposals.map((proposal) => pairsOf(proposal, nodeOf));
  const refused: RefusedPair[] = [];
  const joined = new Set<string>();
  const refusePair = (end: number, other: number, why: RefusedPair['why']): void => {
    const [left, right] = [nodes[end]?.[0]?.id, nodes[other]?.[0]?.id];
    if (left !== undefined && right !== undefined)
      refused.push({ ids: compareText(left, right) < 0 ? [left, right] : [right, left], why });
  };
  for (const pair of new Set(asserted.flatMap((pairs) => [...pairs]))) {
    const [end, other] = endsOf(pair);
    const opposition = findOpposition(nodes[end]?.[0]?.text ?? '', nodes[other]?.[0]?.text ?? '');
    if (opposition !== undefined) refusePair(end, other, opposition);
    else if (asserted.every((pairs) => pairs.has(pair))) joined.add(pair);
    else refusePair(end, other, 'once');
  }
  const groups: string[][] = [];
  for (const component of componentsOf(nodes.length, joined)) {
    const gaps = pairsIn(component).filter((pair) => !joined.has(pair));
    for (const pair of gaps) {
      const [end, other] = endsOf(pair);
      // If the proposals join item A with B and B with C, but never A with C, the three items form no group. The pair
      // A-C is reported as the cause, with the reason `chain`.
      if (!asserted.some((pairs) => pairs.has(pair))) refusePair(end, other, 'chain');
    }
    const parts = gaps.length === 0 ? [component] : component.map((node) => [node]);
    for (const part of parts)
      groups.push(part.flatMap((at) => (nodes[at] ?? []).map(({ id }) => id)));
  }
  const getPlace = (id: string | undefined): number => order.get(id ?? '') ?? 0;
  for (const group of groups) group.sort((left, right) => getPlace(left) - getPlace(right));
  return {
    groups: groups.sort(([left], [right]) => getPlace(left) - getPlace(right)),
    refused: refused.sort(
      (left, right) =>
        compareText(left.ids.join(' '), right.ids.join(' ')) || compareText(left.why, right.why),
    ),
    unknown: [...new Set(proposals.flat(2).filter((id) => !order.has(id)))].sort(compareText),
  };
}

/** Normalizes case, blanks and punctuation at the ends; "C#" and "C++" stay different. */
function wordingOf(text: string): string {
  const plain = sanitiseText(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  const bare = plain
    .replace(/^["'“”‘’*_`]+/, '')
    .replace(/(?<!["'“”‘’*_`.,;:!?])["'“”‘’*_`.,;:!?]+$/, '');
  return bare === '' ? plain : bare;
}

function pairsOf(proposal: Proposal, nodeOf: ReadonlyMap<string, number>): Set<string> {
  const pairs = new Set<string>();
  for (const group of proposal) {
    const nodes = new Set(group.flatMap((id) => nodeOf.get(id) ?? []));
    for (const pair of pairsIn([...nodes])) pairs.add(pair);
  }
  return pairs;
}

function pairsIn(nodes: readonly number[]): string[] {
  const sorted = nodes.toSorted((left, right) => left - right);
  return sorted.flatMap((node, at) => sorted.slice(at + 1).map((other) => `${node} ${other}`));
}

function endsOf(pair: string): [number, number] {
  const [end = 0, other = 0] = pair.split(' ').map(Number);
  return [end, other];
}

function componentsOf(count: number, joined: ReadonlySet<string>): number[][] {
  const leader = Array.from({ length: count }, (_none, at) => at);
  for (const pair of joined) {
    const [end, other] = endsOf(pair).map((at) => leader[at] ?? at);
    leader.forEach((own, at) => {
      if (own === other) leader[at] = end ?? own;
    });
  }
  const components = new Map<number, number[]>();
  leader.forEach((own, at) => {
    components.set(own, [...(components.get(own) ?? []), at]);
  });
  return [...components.values()];
}
