/**
 * Works through an evaluation. A turn is a unit in one repetition; it counts once all arms have answered it.
 * Turns start in a fixed order, so an interrupted evaluation has complete pairs.
 */
import { findMostFrequent, isRight } from '../../evaluation/answers.ts';
import { type Currency, HIGH, SINGLE, type Vote, votesAgainst } from '../../evaluation/arms.ts';
import { BATCHED_BLOCK, BLOCK, blocksOf, type Turn, unitOf } from '../../evaluation/order.ts';
import type { Outcome } from '../../evaluation/outcome.ts';
import type { EvaluationEnding, EvaluationPlan } from '../../evaluation/plan.ts';
import type { Item } from '../../evaluation/sets/item.ts';
import { matchVote } from '../../evaluation/statistics/matched.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { SeatedArms } from './arms.ts';
import { ArmAsker, type Reply, sumOrNull } from './asking.ts';
import type { CellRunner, SeatedMaker } from './cells.ts';

/** The budget of an evaluation. Absent limits are not checked. */
export interface Limits {
  /** The most dollars. */
  readonly usd?: number | undefined;
  /** The most tokens. */
  readonly tokens?: number | undefined;
  /**
   * Whether calls go to batch services. The budget then counts billed prices, and more turns begin
   * at the same time.
   */
  readonly inBatches?: boolean | undefined;
}

/** How far an evaluation has come. */
export interface Progress {
  /**
   * How many turns every arm has answered. A turn is a unit (a group of items) in one repetition.
   */
  readonly turns: number;
  /** How many turns there are. */
  readonly of: number;
  /** How many answers each arm has given. Samples of votes count as answers of the arm `single`. */
  readonly answers: ReadonlyMap<string, number>;
  /** The cost so far, in dollars. */
  readonly usd: number;
  readonly tokens: number;
}

/** An answer that has arrived, and its position in the evaluation. */
export interface ReceivedAnswer {
  /** The name of the arm that was asked; for the samples of a vote, the arm of the single model. */
  readonly arm: string;
  readonly item: Item;
  /** The number of the repetition, from 1. */
  readonly repetition: number;
  /** The number of the answer within the repetition, from 0; above 0 only for the samples of a vote. */
  readonly sample: number;
  readonly reply: Reply;
}

/** Receives the progress of an evaluation. */
export interface Listener {
  /**
   * Called whenever all arms have answered a turn (a group of items in one repetition), and when
   * further samples of votes have arrived.
   */
  tell(progress: Progress): void;
  /** Called for every answer, including answers that were already recorded. */
  hear?(heard: ReceivedAnswer): void;
}

interface Worked {
  readonly outcomes: readonly Outcome[];
  readonly ending: EvaluationEnding;
}

/** An item in one repetition, with all answers to it. */
interface AnsweredItem {
  readonly item: Item;
  readonly seed: number;
  readonly byArm: ReadonlyMap<string, Reply>;
  /** Answers of the single model; the first is the answer of the arm `single`. */
  readonly samples: Reply[];
}

/**
 * The most samples of a vote, whatever its panel took. Short rounds took 240 times as much as a single answer.
 */
const MOST_SAMPLES = 501;
/**
 * How many turns begin together at most if there is a budget; batches can be larger. Costs so far may allow fewer.
 */
const WAVE = 8;
/** The factor by which the next turns may cost more than the turns before. */
const MARGIN = 1.1;

const CURRENCIES: readonly Currency[] = ['usd', 'tokens'];

/**
 * Asks all arms (compared ways to answer) of an evaluation about all items, as far as the limits
 * allow.
 */
export class Work {
  readonly #plan: EvaluationPlan;
  readonly #arms: SeatedArms;
  readonly #asking: ArmAsker;
  readonly #limits: Limits;
  readonly #listener: Listener;
  readonly #answered: AnsweredItem[] = [];
  readonly #counts = new Map<string, number>();
  #turns = 0;
  #usd = 0;
  #tokens = 0;

  constructor(
    plan: EvaluationPlan,
    arms: SeatedArms,
    cells: CellRunner,
    limits: Limits,
    listener: Listener,
  ) {
    this.#plan = plan;
    this.#arms = arms;
    this.#asking = new ArmAsker(cells, arms.alone, plan.seed);
    this.#limits = limits;
    this.#listener = listener;
  }

  /**
   * Works until all turns are done or a limit is reached.
   *
   * @throws RunStopped if a person stops the evaluation; recorded answers stay
   */
  async finish(): Promise<Worked> {
    const size = this.#limits.inBatches === true ? BATCHED_BLOCK : BLOCK;
    const blocks = blocksOf(this.#plan.items, this.#plan, size);
    const of = blocks.flat().length;
    for (const block of blocks) if (!(await this.#workBlock(block, of))) break;
    // Sort the answers in the order in which the evaluation's items were to be asked, because they arrive in any
    // order.
    const order = new Map(
      blocks
        .flat()
        .flatMap(({ items, seed }) => items.map((item) => [item, seed] as const))
        .map(([{ id }, seed], index) => [`${seed} ${id}`, index] as const),
    );
    const getPlace = ({ item, seed }: AnsweredItem): number => order.get(`${seed} ${item.id}`) ?? 0;
    this.#answered.sort((left, right) => getPlace(left) - getPlace(right));
    const votes = this.#votes();
    return {
      outcomes: this.#answered.flatMap((itemAnswers) => this.#rows(itemAnswers, votes)),
      ending: {
        votes,
        turns: this.#turns,
        of,
        resent: this.#replies().reduce((sum, { resent }) => sum + resent, 0),
      },
    };
  }

  /** Asks a block of turns and its votes. Resolves to false if the budget allows only a part of it. */
  async #workBlock(block: readonly Turn[], of: number): Promise<boolean> {
    let begun = 0;
    for (let room = 1; begun < block.length && room > 0; begun += room) {
      room = this.#room(block.length - begun);
      await Promise.all(block.slice(begun, begun + room).map((turn) => this.#work(turn, of)));
    }
    await this.#topUp(of);
    return begun >= block.length;
  }

  async #work({ items, seed }: Turn, of: number): Promise<void> {
    const { single, high, vote, panels } = this.#plan.arms;
    const named = [...(high ? [HIGH] : []), ...panels.map(({ name }) => name)];
    const answered = await Promise.all(
      items.map(async (item): Promise<AnsweredItem> => {
        const [samples, ...replies] = await Promise.all([
          single || vote ? this.#reply(SINGLE, this.#arms.alone, item, seed) : undefined,
          ...named.map((name) => this.#reply(name, this.#maker(name), item, seed)),
        ]);
        const byArm = new Map(
          replies.flatMap((reply, index) =>
            reply === undefined ? [] : [[named[index] ?? '', reply] as const],
          ),
        );
        return { item, seed, byArm, samples: samples === undefined ? [] : [samples] };
      }),
    );
    this.#answered.push(...answered);
    this.#turns += 1;
    this.#listener.tell(this.#progress(of));
  }

  async #reply(
    name: string,
    maker: SeatedMaker,
    item: Item,
    seed: number,
    sample = 0,
  ): Promise<Reply> {
    const reply = await this.#asking.ask(maker, item, seed, sample);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#usd += this.#usdOf(reply);
    this.#tokens += reply.tokens;
    this.#listener.hear?.({ arm: name, item, repetition: seed, sample, reply });
    return reply;
  }

  #maker(name: string): SeatedMaker {
    const maker = this.#arms.asked.get(name);
    if (maker === undefined) throw new Error(`no arm ${name}`);
    return maker;
  }

  /** Returns how many of the next turns may start, judged by what earlier turns took including their votes. */
  #room(left: number): number {
    const { usd, tokens } = this.#limits;
    if (usd === undefined && tokens === undefined) return left;
    if (this.#turns === 0) return 1;
    const samples = this.#mostWanted();
    const fits = CURRENCIES.map((currency) => {
      const most = this.#limits[currency];
      if (most === undefined) return left;
      const spent = this.#answered.reduce(
        (sum, itemAnswers) => sum + this.#expected(itemAnswers, currency, samples),
        0,
      );
      const each = (spent / this.#turns) * MARGIN;
      return each === 0 ? left : Math.floor((most - spent) / each);
    });
    // With batches, start at once up to twice as many turns as are done: a large batch takes no longer than a
    // small one.
    const together = this.#limits.inBatches === true ? Math.max(WAVE, 2 * this.#turns) : WAVE;
    return Math.max(0, Math.min(left, together, ...fits));
  }

  /** Returns the dollars that the budget counts for an answer. */
  #usdOf({ costUsd, billedUsd }: Reply): number {
    return this.#limits.inBatches === true ? billedUsd : (costUsd ?? 0);
  }

  /**
   * Returns what an item took plus what its missing vote samples will take.
   * @param wanted samples per item at the end
   */
  #expected({ byArm, samples }: AnsweredItem, currency: Currency, wanted: number): number {
    const getCost = (reply: Reply): number =>
      currency === 'usd' ? this.#usdOf(reply) : reply.tokens;
    const sumReplyCosts = (replies: readonly Reply[]): number =>
      replies.reduce((all, reply) => all + getCost(reply), 0);
    const sampled = sumReplyCosts(samples);
    const left = Math.max(0, wanted - samples.length);
    return (
      sumReplyCosts([...byArm.values()]) + sampled + (left * sampled) / Math.max(1, samples.length)
    );
  }

  /**
   * Asks for samples until the votes cost as much as the most expensive panel. Does not look at the answers.
   */
  async #topUp(of: number): Promise<void> {
    if (!this.#plan.arms.vote) return;
    for (;;) {
      const wanted = this.#mostWanted();
      const short = this.#answered.filter(({ samples }) => samples.length < wanted);
      if (short.length === 0) return;
      await Promise.all(
        short.map(async ({ item, seed, samples }) => {
          const more = Array.from(
            { length: wanted - samples.length },
            (_one, index) => samples.length + index,
          );
          const asked = await Promise.all(
            more.map((sample) => this.#reply(SINGLE, this.#arms.alone, item, seed, sample)),
          );
          samples.push(...asked);
        }),
      );
      this.#listener.tell(this.#progress(of));
    }
  }

  /** Returns the most samples that any panel needs in any currency; all votes share one pool. */
  #mostWanted(): number {
    if (!this.#plan.arms.vote) return 0;
    return Math.max(...this.#contests().map((contest) => this.#wanted(contest)));
  }

  /** Returns each panel with each currency in which it can be compared. */
  #contests(): { panel: string; currency: Currency }[] {
    const isPriced = this.#replies().every(({ costUsd }) => costUsd !== null);
    return this.#plan.arms.panels.flatMap(({ name }) =>
      CURRENCIES.filter((currency) => currency === 'tokens' || isPriced).map((currency) => ({
        panel: name,
        currency,
      })),
    );
  }

  /** Returns how many samples each item needs, as far as known. */
  #wanted(contest: { panel: string; currency: Currency }): number {
    if (this.#answered.length === 0) return 0;
    const { total, pool, match } = this.#match(contest);
    if (match !== undefined) return match.samples;
    const known = Math.min(...pool.map(({ length }) => length));
    const each =
      pool.reduce((sum, costs) => sum + costs.slice(0, known).reduce((a, b) => a + b, 0), 0) /
      Math.max(1, known);
    const guess = each === 0 ? known + 2 : Math.ceil(total / each);
    const odd = Math.max(guess, known + 1) | 1;
    return Math.min(MOST_SAMPLES, odd);
  }

  #match({ panel, currency }: { panel: string; currency: Currency }) {
    const total = this.#answered.reduce(
      (sum, { byArm }) => sum + costOf(byArm.get(panel), currency),
      0,
    );
    const pool = this.#answered.map(({ samples }) =>
      samples.map((sample) => costOf(sample, currency)),
    );
    return { total, pool, match: matchVote(total, pool) };
  }

  #votes(): Vote[] {
    if (!this.#plan.arms.vote || this.#answered.length === 0) return [];
    return this.#contests().map((contest) => ({
      ...contest,
      samples: this.#match(contest).match?.samples ?? MOST_SAMPLES,
    }));
  }

  #rows({ item, seed, byArm, samples }: AnsweredItem, votes: readonly Vote[]): Outcome[] {
    const { variant } = item.meta;
    const place = {
      set: this.#plan.set.name,
      item: item.id,
      unit: unitOf(item),
      ...withoutUndefined({ variant }),
      seed,
    };
    const [first] = samples;
    const asked = [
      ...(this.#plan.arms.single && first !== undefined ? [[SINGLE, first] as const] : []),
      ...byArm,
    ].map(
      ([arm, { resent: _resent, billedUsd: _billed, ...reply }]): Outcome => ({
        ...place,
        arm,
        ...reply,
      }),
    );
    return [
      ...asked,
      ...[...this.#counted(votes)].map(([arm, count]): Outcome => {
        const own = samples.slice(0, count);
        const { answer, share } = findMostFrequent(own.map((reply) => reply.answer));
        const isMissing = own.every(({ state }) => state === 'missing');
        return {
          ...place,
          arm,
          state: answer !== null ? 'answered' : isMissing ? 'missing' : 'unreadable',
          answer,
          isRight: isRight(answer, item),
          ...(answer === null ? {} : { confidence: share }),
          isRepaired: own.some(({ isRepaired }) => isRepaired),
          costUsd: sumOrNull(own.map(({ costUsd }) => costUsd)),
          tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
          models: [...new Set(own.flatMap(({ models }) => models))],
        };
      }),
    ];
  }

  /** Returns how many samples each vote counts, by its name. */
  #counted(votes: readonly Vote[]): Map<string, number> {
    return new Map(
      this.#plan.arms.panels.flatMap(({ name }) =>
        Object.values(votesAgainst(name, votes)).map((vote) => [vote.name, vote.samples] as const),
      ),
    );
  }

  #replies(): Reply[] {
    return this.#answered.flatMap(({ byArm, samples }) => [...byArm.values(), ...samples]);
  }

  #progress(of: number): Progress {
    const { usd, tokens } = { usd: this.#usd, tokens: this.#tokens };
    return { turns: this.#turns, of, answers: this.#counts, usd, tokens };
  }
}

function costOf(reply: Reply | undefined, currency: Currency): number {
  return (currency === 'usd' ? reply?.costUsd : reply?.tokens) ?? 0;
}
