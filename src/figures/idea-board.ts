/** Ideas and what seats make of them, as they come in; which ones lead, and how that is told. */
import type { Item } from './grouping.ts';
import { type Ranking, type Rating, rankIdeas } from './ratings.ts';

interface From<V> {
  readonly seat: { readonly id: string; readonly title: string };
  readonly value: V;
}

export interface IdeaRating {
  readonly idea: string;
  readonly novelty: number;
  readonly impact: number;
  readonly feasibility: number;
}

interface Table {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: string[];
  readonly rows: string[][];
  readonly note?: string;
}

export class IdeaBoard {
  readonly #seats: readonly string[];
  readonly #ideas: (Item & { readonly seats: readonly string[]; readonly round: number })[] = [];
  readonly #ratings: Rating[] = [];

  /** `seats`: all on the panel, whether they answer or not. */
  constructor(seats: readonly { readonly id: string }[]) {
    this.#seats = seats.map(({ id }) => id);
  }

  get ideas(): readonly Item[] {
    return this.#ideas.map(({ id, text }) => ({ id, text }));
  }

  /** Ideas of one round, each under an id of code's; what was built upon stays its authors' too. */
  add(
    answers: readonly From<readonly { readonly text: string; readonly of?: string }[]>[],
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

  /** One idea for each group: the first of it stands for all, and is everybody's who had it. */
  join(groups: readonly (readonly string[])[]): void {
    for (const ids of groups) {
      const [first, ...others] = ids
        .map((id) => this.#ideas.findIndex((one) => one.id === id))
        .filter((at) => at >= 0);
      const stands = this.#ideas[first ?? -1];
      if (first === undefined || stands === undefined) continue;
      const seats = [first, ...others].flatMap((at) => this.#ideas[at]?.seats ?? []);
      this.#ideas[first] = { ...stands, seats: [...new Set(seats)] };
      for (const at of others.toSorted((left, right) => right - left)) this.#ideas.splice(at, 1);
    }
  }

  rate(answers: readonly From<{ readonly ratings: readonly IdeaRating[] }>[]): void {
    this.#ratings.push(
      ...answers.flatMap(({ seat, value }) =>
        value.ratings.map((one) => ({ seat: seat.id, ...one })),
      ),
    );
  }

  figures(): Table[] {
    const { ranked, wildCards, unrated } = this.#rank();
    const row = ({
      id,
      place,
      novelty,
      impact,
      feasibility,
      spread,
    }: Ranking['ranked'][number]): string[] => [
      String(place),
      id,
      this.#text(id),
      short(novelty),
      short(impact),
      short(feasibility),
      short(spread),
    ];
    const columns = ['', 'id', 'idea', 'new', 'impact', 'feasible', 'spread'];
    return [
      {
        kind: 'table',
        title: 'Ideas',
        columns,
        rows: ranked.map(row),
        note: `Ranked by the mean of three marks, each rater held against itself; ${this.#seats.length >= 3 ? 'nobody rates their own' : 'with two seats, their own too'}.${unrated.length === 0 ? '' : ` Not rated: ${unrated.join(', ')}.`}`,
      },
      {
        kind: 'table',
        title: 'Wild cards',
        columns,
        rows: wildCards.map(row),
        note: 'Outside the top, those on whose impact raters differ most.',
      },
    ];
  }

  tell(): { result: string; first: string; moved: string; turns: string; belief: string } {
    const { ranked, wildCards, refused } = this.#rank();
    const top = ranked.filter(({ place }) => place <= 3);
    const alone = this.#ideas.filter(({ round }) => round === 1).length;
    const built = top.filter(({ id }) => this.#ideas.find((one) => one.id === id)?.round !== 1);
    const [first, second] = ranked;
    return {
      result:
        top.length === 0
          ? `No ranking: ${this.#ideas.length} ideas, and nobody rated them.`
          : `${this.#ideas.length} ideas. First: ${top.map(({ id }) => `${id} ${this.#text(id)}`).join('; ')}.`,
      first: `${alone} ideas, each seat by itself.`,
      moved:
        built.length === 0
          ? 'none of the first three was built on another.'
          : `${built.map(({ id }) => id).join(', ')} came of building on others.`,
      turns:
        first === undefined || second === undefined
          ? 'nothing that is known.'
          : `${short(first.score - second.score)} points on the mean lie between the first and the second.`,
      belief: `marks by the seats themselves, from ${new Set(this.#ratings.map(({ seat }) => seat)).size} of ${this.#seats.length}${refused === 0 ? '' : `; ${refused} marks could not be used`}${wildCards.length === 0 ? '' : `; look at ${wildCards.map(({ id }) => id).join(', ')}, on which they differ`}. Nobody has tried anything.`,
    };
  }

  #rank(): Ranking {
    return rankIdeas(this.#ideas, this.#ratings, this.#seats);
  }

  #text(id: string): string {
    return this.#ideas.find((one) => one.id === id)?.text ?? id;
  }
}

function short(value: number): string {
  return String(Number(value.toFixed(1)));
}
