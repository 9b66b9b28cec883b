/**
 * Generates scheduling puzzles: talks in a row of slots, and rules about their order. Rules that are true
 * of a hidden order are added until it is the only possible one.
 */
import { NAMES, RandomDraw } from './draw.ts';
import type { Item } from './item.ts';

/** Slots and talks are numbered from 0. */
type Rule =
  | { readonly kind: 'before'; readonly first: number; readonly then: number }
  | { readonly kind: 'next'; readonly first: number; readonly then: number }
  | { readonly kind: 'apart'; readonly left: number; readonly right: number }
  | {
      readonly kind: 'between';
      readonly first: number;
      readonly then: number;
      readonly talks: number;
    }
  | { readonly kind: 'not-at'; readonly talk: number; readonly slot: number };

/** Returns whether an order satisfies a rule. `slotOf[talk]` is the talk's slot. */
function isRuleSatisfied(rule: Rule, slotOf: readonly number[]): boolean {
  const getSlot = (talk: number): number => slotOf[talk] ?? -1;
  switch (rule.kind) {
    case 'before':
      return getSlot(rule.first) < getSlot(rule.then);
    case 'next':
      return getSlot(rule.first) + 1 === getSlot(rule.then);
    case 'apart':
      return Math.abs(getSlot(rule.left) - getSlot(rule.right)) !== 1;
    case 'between':
      return getSlot(rule.then) - getSlot(rule.first) - 1 === rule.talks;
    case 'not-at':
      return getSlot(rule.talk) !== rule.slot;
  }
}

const ORDERS = new Map<number, readonly (readonly number[])[]>();

/** Returns all orders of so many talks; cached, as a set needs them repeatedly. */
function ordersOf(count: number): readonly (readonly number[])[] {
  const known = ORDERS.get(count);
  if (known !== undefined) return known;
  const orders =
    count === 0
      ? [[]]
      : ordersOf(count - 1).flatMap((order) =>
          Array.from({ length: count }, (_one, at) => [
            ...order.slice(0, at),
            count - 1,
            ...order.slice(at),
          ]),
        );
  ORDERS.set(count, orders);
  return orders;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

/**
 * Generates a puzzle about the order of talks. At `level` 1 to 4 it has four to seven talks, at
 * higher levels seven.
 */
export function scheduleItem(seed: number, index: number, level: number): Item {
  const count = Math.min(level, 4) + 3;
  const draw = new RandomDraw('schedules', seed, index, level);
  const names = draw.some(NAMES, count);
  const hidden = draw.pick(ordersOf(count));
  let left = ordersOf(count);
  const rules: Rule[] = [];
  while (left.length > 1) {
    const rule = drawRule(draw, hidden);
    const kept = left.filter((order) => isRuleSatisfied(rule, order));
    const isRedundant = kept.length === left.length;
    if (isRedundant) continue;
    rules.push(rule);
    left = kept;
  }
  const slot = draw.between(0, count - 1);
  return {
    id: `schedules-${level}-${seed}-${index}`,
    input: [
      `${joinNames(names)} each give one talk. There are ${count} slots, one after the other, and each slot has exactly one talk.`,
      draw
        .shuffle(rules)
        .map((rule) => `- ${formatRule(rule, names)}`)
        .join('\n'),
      `Who gives the ${ORDINALS[slot]} talk?`,
    ].join('\n\n'),
    target: names[hidden.indexOf(slot)] ?? '',
    choices: [...names].sort(),
    kind: 'choice',
    meta: { source: 'schedules', level, slot, names, rules },
  };
}

function drawRule(draw: RandomDraw, hidden: readonly number[]): Rule {
  const [talk = 0, other = 0] = draw.some(
    hidden.map((_slot, talk) => talk),
    2,
  );
  const getSlot = (talk: number): number => hidden[talk] ?? 0;
  const [first, then] = getSlot(talk) < getSlot(other) ? [talk, other] : [other, talk];
  const between = getSlot(then) - getSlot(first) - 1;
  switch (draw.between(0, 4)) {
    case 0:
    case 1:
      return { kind: 'before', first, then };
    case 2:
      return between === 0
        ? { kind: 'next', first, then }
        : { kind: 'between', first, then, talks: between };
    case 3: {
      if (between > 0) return { kind: 'apart', left: talk, right: other };
      return { kind: 'before', first, then };
    }
    default: {
      const slots = hidden.map((_slot, slot) => slot).filter((slot) => slot !== getSlot(talk));
      return { kind: 'not-at', talk, slot: draw.pick(slots) };
    }
  }
}

function formatRule(rule: Rule, names: readonly string[]): string {
  const getName = (talk: number): string => names[talk] ?? '';
  switch (rule.kind) {
    case 'before':
      return `${getName(rule.first)} talks at some time before ${getName(rule.then)}.`;
    case 'next':
      return `${getName(rule.then)} talks directly after ${getName(rule.first)}.`;
    case 'apart':
      return `${getName(rule.left)} and ${getName(rule.right)} do not talk directly one after the other.`;
    case 'between':
      return `${getName(rule.first)} talks before ${getName(rule.then)}, with exactly ${rule.talks} other ${rule.talks === 1 ? 'talk' : 'talks'} in between.`;
    case 'not-at':
      return `${getName(rule.talk)} does not give the ${ORDINALS[rule.slot]} talk.`;
  }
}

function joinNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
