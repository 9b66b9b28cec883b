/**
 * Maps the keys of cells to the arms, items and repetitions of an evaluation, before any of them is answered.
 */

import type { ArmHead, EvaluationHead } from '../../../console/evaluation/ports.ts';
import { questionOf } from '../../../evaluation/answers.ts';
import { HIGH, SINGLE, VOTE } from '../../../evaluation/arms.ts';
import { blocksOf } from '../../../evaluation/order.ts';
import type { EvaluationPlan } from '../../../evaluation/plan.ts';
import type { Item } from '../../../evaluation/sets/item.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { computeSeed } from '../asking.ts';
import { cellKey } from '../cells.ts';
import type { Limits } from '../work.ts';

/** The position of an answer in an evaluation. */
export interface AnswerPosition {
  /** A text that identifies the position. */
  readonly id: string;
  /** The name of the arm that is asked; for the samples of a vote, the arm of the single model. */
  readonly arm: string;
  readonly item: Item;
  /** The number of the repetition, from 1. */
  readonly repetition: number;
  /** The number of the answer within the repetition, from 0. */
  readonly sample: number;
  /** The index of the turn. A turn is a unit (a group of items) in one repetition. */
  readonly turn: number;
}

/** An item in one repetition. */
interface Answerable extends Pick<AnswerPosition, 'item' | 'repetition' | 'turn'> {
  readonly question: string;
}

/** How many samples of votes get their keys in advance, and how many more once these are used up. */
const SAMPLES = 8;

/** Finds the positions of an evaluation's answers by the keys of their runs. */
export class AnswerPositions {
  readonly plan: EvaluationPlan;
  /** How many answers belong to each turn. */
  readonly turns: readonly number[];
  /** The arms that are asked in every turn. */
  readonly asked: readonly string[];
  /** Positions by cell key. Items with equal texts share a cell, so a key may have several. */
  readonly #byKey = new Map<string, AnswerPosition[]>();
  /** Every item in each repetition, by a key made of both. */
  readonly #items: ReadonlyMap<string, Answerable>;
  /** Keys that are still to be computed, in small steps: thousands of digests would block the screen. */
  readonly #todo: Iterator<void>[] = [];
  #samples = 0;

  constructor(plan: EvaluationPlan) {
    this.plan = plan;
    const { single, high, vote, panels } = plan.arms;
    this.asked = [
      ...(single || vote ? [SINGLE] : []),
      ...(high ? [HIGH] : []),
      ...panels.map(({ name }) => name),
    ];
    const turns = blocksOf(plan.items, plan).flat();
    this.turns = turns.map(({ items }) => items.length * this.asked.length);
    this.#items = new Map(
      turns.flatMap(({ items, seed }, turn) =>
        items.map((item) => {
          const question = questionOf(item);
          return [`${seed} ${item.id}`, { item, question, repetition: seed, turn }] as const;
        }),
      ),
    );
    this.#addSamples();
    for (const arm of this.asked) if (arm !== SINGLE) this.#todo.push(this.#add(arm, 0));
  }

  /**
   * Computes keys for at most `ms` milliseconds. Returns false if some keys are not computed yet.
   */
  learn(ms: number): boolean {
    const until = performance.now() + ms;
    for (let [next] = this.#todo; next !== undefined; [next] = this.#todo) {
      if (performance.now() > until) return false;
      if (next.next().done) this.#todo.shift();
    }
    return true;
  }

  /**
   * Returns the positions of the run with this key; empty if the run is no arm's answer in this
   * evaluation, or its key is not computed yet.
   */
  at(key: string): readonly AnswerPosition[] {
    const places = this.#byKey.get(key) ?? [];
    const isLast = places.some(({ arm, sample }) => arm === SINGLE && sample === this.#samples - 1);
    if (isLast && this.plan.arms.vote) this.#addSamples();
    return places;
  }

  /** Returns the position of an arm's answer to an item. */
  of(arm: string, item: Item, repetition: number, sample: number): AnswerPosition {
    const turn = this.#items.get(`${repetition} ${item.id}`)?.turn ?? 0;
    return { id: idOf(arm, item, repetition, sample), arm, item, repetition, sample, turn };
  }

  /** How many keys are computed. When the number grows, unknown keys should be looked up again. */
  get known(): number {
    return this.#byKey.size;
  }

  /** Returns the seed of the run at a position. */
  seedOf({ item, repetition, sample }: AnswerPosition): number {
    return computeSeed(this.plan.seed, questionOf(item), repetition, sample);
  }

  #addSamples(): void {
    if (!this.asked.includes(SINGLE)) return;
    const more = this.plan.arms.vote ? SAMPLES : 1;
    for (let sample = this.#samples; sample < this.#samples + more; sample += 1)
      this.#todo.push(this.#add(SINGLE, sample));
    this.#samples += more;
  }

  /** Computes one key at each step. */
  *#add(arm: string, sample: number): Generator<void> {
    const hash = entryOf(this.plan.hashes, arm);
    if (hash === undefined) return;
    for (const { item, question, repetition, turn } of this.#items.values()) {
      const id = idOf(arm, item, repetition, sample);
      const seed = computeSeed(this.plan.seed, question, repetition, sample);
      const key = cellKey(question, hash, seed);
      const place = { id, arm, item, repetition, sample, turn };
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), place]);
      yield;
    }
  }
}

function idOf(arm: string, item: Item, repetition: number, sample: number): string {
  return `${repetition} ${sample} ${arm} ${item.id}`;
}

/**
 * Returns the label of an answer in the list of answers, and the names of the arms whose results the
 * answer belongs to.
 */
export function getAnswerNames(
  { arm, sample }: AnswerPosition,
  { single, vote }: EvaluationPlan['arms'],
): { readonly label: string; readonly arms: readonly string[] } {
  if (arm !== SINGLE) return { label: arm, arms: [arm] };
  const isArm = single && sample === 0;
  return {
    label: isArm ? SINGLE : `${VOTE} ${sample + 1}`,
    arms: [...(isArm ? [SINGLE] : []), ...(vote ? [VOTE] : [])],
  };
}

/**
 * Returns the plan of an evaluation in the form that the screen shows.
 *
 * @param isOwn whether this process works on the evaluation
 */
export function makeHead(
  id: string,
  places: AnswerPositions,
  limits: Limits,
  isOwn: boolean,
): EvaluationHead {
  const { set, units, again, model, panel = [], arms } = places.plan;
  const of = places.turns.reduce((sum, answers) => sum + answers, 0) / places.asked.length;
  const makeArmHead = (name: string): ArmHead => ({ name, of });
  return {
    id,
    set: set.name,
    units,
    again,
    models: [model, ...panel.filter((spec) => spec !== model)],
    primary: arms.primary,
    rehearsal: model.startsWith('rehearsal/'),
    arms: [
      ...(arms.single ? [makeArmHead(SINGLE)] : []),
      ...(arms.high ? [makeArmHead(HIGH)] : []),
      ...(arms.vote ? [{ name: VOTE }] : []),
      ...arms.panels.map(({ name }) => makeArmHead(name)),
    ],
    turns: places.turns,
    limits,
    isOwn,
  };
}
