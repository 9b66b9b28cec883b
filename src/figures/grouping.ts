/**
 * Which options, ideas or criteria are one, from what a model proposed. Equal wordings are one by
 * themselves; code refuses what is opposed, names other figures, or was only joined by way of a third;
 * and where no person looks, it takes what two calls in different order both join.
 */
import { sanitise } from '../text/sanitise.ts';
import { findOpposition, type Opposition } from './opposed.ts';
import { compareText } from './order.ts';

export interface Item {
  readonly id: string;
  readonly text: string;
}

/** One call's answer: lists of ids that it takes for one. Lists may overlap: then it is a chain. */
export type Proposal = readonly (readonly string[])[];

export interface RefusedPair {
  readonly ids: readonly [string, string];
  /**
   * `chain`: both were joined to a third, and not to each other, so none of the three is joined.
   * `once`: only one of the calls joined them.
   */
  readonly why: Opposition | 'chain' | 'once';
}

export interface Grouping {
  /** Every item in one group, alone where it is; in the order of the items. */
  readonly groups: readonly (readonly string[])[];
  /** By ids. */
  readonly refused: readonly RefusedPair[];
  /** Ids in proposals that are nobody's. */
  readonly unknown: readonly string[];
}

/**
 * `proposals`: one where a person sees the groups at a gate, two without one, each of items in another
 * order; none merges equal wordings only. A pair is joined where every proposal joins it, so one call
 * without a gate must not be handed in as if there had been one.
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
  const refuse = (one: number, other: number, why: RefusedPair['why']): void => {
    const [left, right] = [nodes[one]?.[0]?.id, nodes[other]?.[0]?.id];
    if (left !== undefined && right !== undefined)
      refused.push({ ids: compareText(left, right) < 0 ? [left, right] : [right, left], why });
  };
  for (const pair of new Set(asserted.flatMap((pairs) => [...pairs]))) {
    const [one, other] = endsOf(pair);
    const opposition = findOpposition(nodes[one]?.[0]?.text ?? '', nodes[other]?.[0]?.text ?? '');
    if (opposition !== undefined) refuse(one, other, opposition);
    else if (asserted.every((pairs) => pairs.has(pair))) joined.add(pair);
    else refuse(one, other, 'once');
  }
  const groups: string[][] = [];
  for (const component of componentsOf(nodes.length, joined)) {
    const gaps = pairsIn(component).filter((pair) => !joined.has(pair));
    for (const pair of gaps) {
      const [one, other] = endsOf(pair);
      // Said once: a pair that was refused for itself is the reason why the rest is a chain.
      if (!asserted.some((pairs) => pairs.has(pair))) refuse(one, other, 'chain');
    }
    const parts = gaps.length === 0 ? [component] : component.map((node) => [node]);
    for (const part of parts)
      groups.push(part.flatMap((at) => (nodes[at] ?? []).map(({ id }) => id)));
  }
  const place = (id: string | undefined): number => order.get(id ?? '') ?? 0;
  for (const group of groups) group.sort((left, right) => place(left) - place(right));
  return {
    groups: groups.sort(([left], [right]) => place(left) - place(right)),
    refused: refused.sort(
      (left, right) =>
        compareText(left.ids.join(' '), right.ids.join(' ')) || compareText(left.why, right.why),
    ),
    unknown: [...new Set(proposals.flat(2).filter((id) => !order.has(id)))].sort(compareText),
  };
}

/** Equal where only case, blanks, and marks at the ends differ: "C#" and "C++" are two languages. */
function wordingOf(text: string): string {
  const plain = sanitise(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
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
  return sorted.flatMap((one, at) => sorted.slice(at + 1).map((other) => `${one} ${other}`));
}

function endsOf(pair: string): [number, number] {
  const [one = 0, other = 0] = pair.split(' ').map(Number);
  return [one, other];
}

function componentsOf(count: number, joined: ReadonlySet<string>): number[][] {
  const leader = Array.from({ length: count }, (_none, at) => at);
  for (const pair of joined) {
    const [one, other] = endsOf(pair).map((at) => leader[at] ?? at);
    leader.forEach((own, at) => {
      if (own === other) leader[at] = one ?? own;
    });
  }
  const components = new Map<number, number[]>();
  leader.forEach((own, at) => {
    components.set(own, [...(components.get(own) ?? []), at]);
  });
  return [...components.values()];
}
