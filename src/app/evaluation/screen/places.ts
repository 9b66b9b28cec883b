/** The answers that an evaluation consists of, before anybody has given them: whose, to what, and by which key they are found. */

import type { ArmHead, EvaluationHead } from '../../../console/evaluation/ports.ts';
import { questionOf } from '../../../evaluation/answers.ts';
import { HIGH, SINGLE, VOTE } from '../../../evaluation/arms.ts';
import { blocksOf } from '../../../evaluation/order.ts';
import type { EvaluationPlan } from '../../../evaluation/plan.ts';
import type { Item } from '../../../evaluation/sets/item.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { seedOf } from '../asking.ts';
import { cellKey } from '../cells.ts';
import type { Limits } from '../work.ts';

/** Where an answer belongs. */
export interface Place {
  readonly id: string;
  /** As it is asked: samples of votes are the model's alone. */
  readonly arm: string;
  readonly item: Item;
  readonly repetition: number;
  readonly sample: number;
  readonly turn: number;
}

/** An item in a repetition. */
interface Answerable extends Pick<Place, 'item' | 'repetition' | 'turn'> {
  readonly question: string;
}

/** Samples of votes of which the keys are known beforehand, and how many more once these are used. */
const SAMPLES = 8;

export class Places {
  readonly plan: EvaluationPlan;
  /** Of each turn, how many answers it takes. */
  readonly turns: readonly number[];
  /** Those that are asked in every turn. */
  readonly asked: readonly string[];
  /** Items that are put in the same words have one cell. */
  readonly #byKey = new Map<string, Place[]>();
  /** Every item in each of its repetitions, with the place of its turn, by both. */
  readonly #items: ReadonlyMap<string, Answerable>;
  /** Whose keys are still to be worked out: thousands of digests, which nobody should wait for. */
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

  /** Works out keys for so long. False where there are more. */
  learn(ms: number): boolean {
    const until = performance.now() + ms;
    for (let [next] = this.#todo; next !== undefined; [next] = this.#todo) {
      if (performance.now() > until) return false;
      if (next.next().done) this.#todo.shift();
    }
    return true;
  }

  /** Where the cell of this key belongs; nowhere if it is of another evaluation, or not known yet. */
  at(key: string): readonly Place[] {
    const places = this.#byKey.get(key) ?? [];
    const isLast = places.some(({ arm, sample }) => arm === SINGLE && sample === this.#samples - 1);
    if (isLast && this.plan.arms.vote) this.#addSamples();
    return places;
  }

  /** The same by what is asked of whom. */
  of(arm: string, item: Item, repetition: number, sample: number): Place {
    const turn = this.#items.get(`${repetition} ${item.id}`)?.turn ?? 0;
    return { id: idOf(arm, item, repetition, sample), arm, item, repetition, sample, turn };
  }

  /** Changes whenever more keys are known. */
  get known(): number {
    return this.#byKey.size;
  }

  /** The seed of its run. */
  seedOf({ item, repetition, sample }: Place): number {
    return seedOf(this.plan.seed, questionOf(item), repetition, sample);
  }

  #addSamples(): void {
    if (!this.asked.includes(SINGLE)) return;
    const more = this.plan.arms.vote ? SAMPLES : 1;
    for (let sample = this.#samples; sample < this.#samples + more; sample += 1)
      this.#todo.push(this.#add(SINGLE, sample));
    this.#samples += more;
  }

  /** A key a step. */
  *#add(arm: string, sample: number): Generator<void> {
    const hash = entryOf(this.plan.hashes, arm);
    if (hash === undefined) return;
    for (const { item, question, repetition, turn } of this.#items.values()) {
      const id = idOf(arm, item, repetition, sample);
      const seed = seedOf(this.plan.seed, question, repetition, sample);
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

/** What the list calls it, and the rows that it counts for. */
export function namesOf(
  { arm, sample }: Place,
  { single, vote }: EvaluationPlan['arms'],
): { readonly label: string; readonly arms: readonly string[] } {
  if (arm !== SINGLE) return { label: arm, arms: [arm] };
  const isArm = single && sample === 0;
  return {
    label: isArm ? SINGLE : `${VOTE} ${sample + 1}`,
    arms: [...(isArm ? [SINGLE] : []), ...(vote ? [VOTE] : [])],
  };
}

export function headOf(id: string, places: Places, limits: Limits, isOwn: boolean): EvaluationHead {
  const { set, units, again, model, panel = [], arms } = places.plan;
  const of = places.turns.reduce((sum, answers) => sum + answers, 0) / places.asked.length;
  const row = (name: string): ArmHead => ({ name, of });
  return {
    id,
    set: set.name,
    units,
    again,
    models: [model, ...panel.filter((one) => one !== model)],
    primary: arms.primary,
    rehearsal: model.startsWith('rehearsal/'),
    arms: [
      ...(arms.single ? [row(SINGLE)] : []),
      ...(arms.high ? [row(HIGH)] : []),
      ...(arms.vote ? [{ name: VOTE }] : []),
      ...arms.panels.map(({ name }) => row(name)),
    ],
    turns: places.turns,
    limits,
    isOwn,
  };
}
