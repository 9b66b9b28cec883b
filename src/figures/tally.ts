/** Ballots counted by option, among those who were heard, and who changed between two of them. */
import { bySeat, compareText } from './order.ts';

/** One seat's choice. Options are compared as they are: group them before. */
export interface Ballot {
  readonly seat: string;
  readonly option: string;
}

export interface OptionCount {
  readonly option: string;
  /** By name. */
  readonly seats: readonly string[];
}

export interface Tally {
  /** Seats that cast a ballot; one that cast two different ones is not among them. */
  readonly heard: number;
  /** Most votes first, then by the option's wording. */
  readonly options: readonly OptionCount[];
  /** The option that has more votes than every other; undefined for a tie and where nobody was heard. */
  readonly winner: string | undefined;
  /** The options that share the first place; empty where there is a winner. */
  readonly tied: readonly string[];
  /** Whether the winner has more than half of the ballots. */
  readonly majority: boolean;
  /** Two seats at least, all of one mind. A seat alone agrees with nobody. */
  readonly unanimous: boolean;
}

export function countBallots(ballots: readonly Ballot[]): Tally {
  const cast = castBallots(ballots);
  const seatsFor = new Map<string, string[]>();
  for (const [seat, option] of cast) seatsFor.set(option, [...(seatsFor.get(option) ?? []), seat]);
  const options = [...seatsFor]
    .map(([option, seats]) => ({ option, seats: seats.sort(compareText) }))
    .sort(
      (left, right) =>
        right.seats.length - left.seats.length || compareText(left.option, right.option),
    );
  const most = options[0]?.seats.length ?? 0;
  const leading = options.filter(({ seats }) => seats.length === most).map(({ option }) => option);
  const winner = leading.length === 1 ? leading[0] : undefined;
  return {
    heard: cast.size,
    options,
    winner,
    tied: winner === undefined ? leading : [],
    majority: winner !== undefined && most * 2 > cast.size,
    unanimous: cast.size >= 2 && options.length === 1,
  };
}

export interface Changes {
  /** By seat. */
  readonly changed: readonly {
    readonly seat: string;
    readonly from: string;
    readonly to: string;
  }[];
  readonly held: readonly string[];
  /** Heard before and not after: they changed nothing. Who came later is in none of the three. */
  readonly missing: readonly string[];
}

/** What became of each seat's first ballot. */
export function compareBallots(before: readonly Ballot[], after: readonly Ballot[]): Changes {
  const [first, last] = [castBallots(before), castBallots(after)];
  const seats = [...first.keys()].sort(compareText);
  const held = seats.filter((seat) => last.get(seat) === first.get(seat));
  const missing = seats.filter((seat) => !last.has(seat));
  const changed = seats.flatMap((seat) => {
    const [from, to] = [first.get(seat), last.get(seat)];
    return from === undefined || to === undefined || from === to ? [] : [{ seat, from, to }];
  });
  return { changed, held, missing };
}

function castBallots(ballots: readonly Ballot[]): Map<string, string> {
  const kept = bySeat(
    ballots,
    ({ seat }) => seat,
    (one, other) => one.option === other.option,
  );
  return new Map([...kept].map(([seat, { option }]) => [seat, option]));
}
