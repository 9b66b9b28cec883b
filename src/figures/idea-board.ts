/** Ideas and seats' ratings as they arrive, which ideas lead, and sentences about them. */

import { formatCount } from '../text/numbers.ts';
import type { Item } from './grouping.ts';
import { type RankedIdea, type Ranking, type Rating, rankIdeas } from './ratings.ts';
import type { MethodResult, SeatStatement, TableFigure } from './shown.ts';

/** A seat's marks for one idea, whole numbers from 1 to 10. */
export interface IdeaRating {
  /** The id of the idea. */
  readonly idea: string;
  readonly novelty: number;
  readonly impact: number;
  readonly feasibility: number;
}

/** Collects the ideas and ratings of a brainstorming run, and ranks the ideas. */
export class IdeaBoard {
  readonly #seats: readonly string[];
  readonly #ideas: (Item & { readonly seats: readonly string[]; readonly round: number })[] = [];
  readonly #ratings: Rating[] = [];
  readonly #titles = new Map<string, string>();

  /** Expects all seats of the panel, including those that will not answer. */
  constructor(seats: readonly { readonly id: string }[]) {
    this.#seats = seats.map(({ id }) => id);
  }

  /** The ideas so far, without their authors. */
  get ideas(): readonly Item[] {
    return this.#ideas.map(({ id, text }) => ({ id, text }));
  }

  /**
   * Adds the ideas of a round and gives them ids (`I1`, `I2`, …). If a new idea builds on an earlier one,
   * `of` is the id of the earlier idea, whose authors then count as authors of the new idea, too.
   */
  add(
    answers: readonly SeatStatement<readonly { readonly text: string; readonly of?: string }[]>[],
    round: number,
  ): void {
    for (const { seat, value } of answers)
      for (const { text, of } of value) {
        const built = this.#ideas.find(({ id }) => id === of);
        this.#ideas.push({
          id: `I${this.#ideas.length + 1}`,
          text,
          seats: [...new Set([seat.id, ...(built?.seats ?? [])])],
          round,
        });
      }
  }

  /** Merges the ideas of each group into the first, which then has the authors of all. Groups are lists of ids. */
  join(groups: readonly (readonly string[])[]): void {
    for (const ids of groups) {
      const [first, ...others] = ids
        .map((id) => this.#ideas.findIndex((idea) => idea.id === id))
        .filter((at) => at >= 0);
      const stands = this.#ideas[first ?? -1];
      if (first === undefined || stands === undefined) continue;
      const seats = [first, ...others].flatMap((at) => this.#ideas[at]?.seats ?? []);
      this.#ideas[first] = { ...stands, seats: [...new Set(seats)] };
      for (const at of others.toSorted((left, right) => right - left)) this.#ideas.splice(at, 1);
    }
  }

  /** Adds the seats' ratings. */
  rate(answers: readonly SeatStatement<{ readonly ratings: readonly IdeaRating[] }>[]): void {
    for (const { seat } of answers) this.#titles.set(seat.id, seat.title);
    this.#ratings.push(
      ...answers.flatMap(({ seat, value }) =>
        value.ratings.map((rating) => ({ seat: seat.id, ...rating })),
      ),
    );
  }

  /**
   * Returns two tables: the ranked ideas, and the wild cards, which are ideas outside the first five ranks on
   * whose impact the seats differ most.
   */
  figures(): TableFigure[] {
    const { ranked, wildCards, unrated } = this.#rank();
    const makeRow = ({
      id,
      place,
      novelty,
      impact,
      feasibility,
      spread,
      raters,
    }: Ranking['ranked'][number]): string[] => [
      String(place),
      id,
      this.#text(id),
      formatRounded(novelty),
      formatRounded(impact),
      formatRounded(feasibility),
      raters < 2 ? '' : formatRounded(spread),
      String(raters),
    ];
    const columns = ['#', 'id', 'idea', 'new', 'big', 'doable', 'apart', 'raters'];
    return [
      {
        kind: 'table',
        title: 'Ideas',
        columns,
        rows: ranked.map(makeRow),
        note: `Marks from 1 to 10: new, big (impact), doable (feasibility); apart is how far raters differ on impact. Ranked by the mean of the three, each rater held against its own average; ${this.#seats.length >= 3 ? 'nobody rates their own' : 'with two seats, their own too'}.${unrated.length === 0 ? '' : ` Not rated: ${unrated.join(', ')}.`}`,
      },
      {
        kind: 'table',
        title: 'Wild cards',
        columns,
        rows: wildCards.map(makeRow),
        note: 'Outside the first five: those on whose impact raters differ most.',
      },
    ];
  }

  /**
   * Describes the ranking in sentences: the result, the number of ideas, which leading ideas were built on
   * others, whose marks decide the first place, and how much trust the result deserves.
   */
  tell(): MethodResult {
    const { ranked, wildCards, refused } = this.#rank();
    const top = ranked.filter(({ place }) => place <= 3);
    const alone = this.#ideas.filter(({ round }) => round === 1).length;
    const built = top.filter(({ id }) => this.#ideas.find((idea) => idea.id === id)?.round !== 1);
    const [first, second] = ranked;
    // A ranking of ideas needs ratings by at least two seats, or by the only seat of the panel.
    const markers = new Set(this.#ratings.map(({ seat }) => seat)).size;
    const isRanked = top.length > 0 && markers >= Math.min(2, this.#seats.length);
    return {
      result: isRanked
        ? this.#tellTop(top)
        : `No ranking: ${formatCount(this.#ideas.length, 'idea')}, and ${top.length === 0 ? 'nobody' : 'only one seat'} rated them.`,
      first: `${formatCount(alone, 'idea')}, each thought of alone.`,
      moved: !isRanked
        ? 'nothing that is known.'
        : built.length === 0
          ? 'none of the first three was built on another.'
          : `of the first three, built on other ideas: ${built.map(({ id }) => id).join(', ')}.`,
      turns:
        !isRanked || first === undefined || second === undefined
          ? 'nothing that is known.'
          : this.#tellTurn(ranked),
      belief: `${markers} of ${this.#seats.length} seats marked the ideas, and nobody has tried one${refused === 0 ? '' : `; ${refused} marks could not be used`}${wildCards.length === 0 ? '' : `; their marks differ most on ${wildCards.map(({ id }) => id).join(', ')}`}${this.#tellSingle(top)}.`,
    };
  }

  /** Describes the top: the first ideas in full, others by id. */
  #tellTop(top: readonly RankedIdea[]): string {
    const formatIdea = (idea: RankedIdea): string =>
      `${this.#text(idea.id).replace(/[.\s]+$/, '')} (${idea.id})`;
    const first = top.filter(({ place }) => place === 1);
    const next = top.filter(({ place }) => place > 1).map(({ id }) => id);
    return `First of ${this.#ideas.length} ideas${first.length > 1 ? ', with equal marks' : ''}: ${first.map(formatIdea).join('; ')}.${next.length === 0 ? '' : ` Next: ${next.join(', ')}.`}`;
  }

  /**
   * Says that a place rests on a single seat's rating: an idea built on another has two authors, who do not
   * rate it.
   */
  #tellSingle(top: readonly RankedIdea[]): string {
    const single = top.filter(({ raters }) => raters === 1).map(({ id }) => id);
    return single.length === 0 ? '' : `; marked by one seat only: ${single.join(', ')}`;
  }

  /** Says whose ratings would have to be left out for another idea to come first. */
  #tellTurn(ranked: readonly RankedIdea[]): string {
    const listLeaders = (list: readonly RankedIdea[]): string[] =>
      list.filter(({ place }) => place === 1).map(({ id }) => id);
    const now = listLeaders(ranked);
    const turned = [...this.#titles].flatMap(([seat, title]) => {
      const then = listLeaders(
        this.#rank(this.#ratings.filter((rating) => rating.seat !== seat)).ranked,
      );
      return then.length === 0 || then.join() === now.join()
        ? []
        : [`leaving out ${title}’s marks puts ${then.join(' and ')} first`];
    });
    return turned.length === 0 ? 'no single seat’s marks.' : `${turned.join('; ')}.`;
  }

  #rank(ratings: readonly Rating[] = this.#ratings): Ranking {
    return rankIdeas(this.#ideas, ratings, this.#seats);
  }

  #text(id: string): string {
    return this.#ideas.find((idea) => idea.id === id)?.text ?? id;
  }
}

function formatRounded(value: number): string {
  return String(Number(value.toFixed(1)));
}
