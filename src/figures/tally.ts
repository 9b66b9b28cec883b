/** Counts ballots by option, and finds who changed between two ballots. */
import { bySeat, compareText } from './order.ts';

/** A seat's choice. Options are compared exactly, so group them before. */
export interface Ballot {
  readonly seat: string;
  readonly option: string;
}

export interface OptionCount {
  readonly option: string;
  /** The seats by name. */
  readonly seats: readonly string[];
}

export interface Tally {
  /** How many seats cast a ballot. A seat that cast two different ones does not count. */
  readonly heard: number;
  /** Most votes first, then by the option's wording. */
  readonly options: readonly OptionCount[];
  /** The option with more votes than every other one; undefined for a tie, and if nobody was heard. */
  readonly winner: string | undefined;
  /** The options that share the first place; empty if there is a winner. */
  readonly tied: readonly string[];
  /** Whether the winner has more than half of the ballots. */
  readonly majority: boolean;
  /** Whether at least two seats voted and all for the same option. */
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
  /** The changes, by seat. */
  readonly changed: readonly {
    readonly seat: string;
    readonly from: string;
    readonly to: string;
  }[];
  readonly held: readonly string[];
  /** Seats heard before but not after. Seats heard only after are not listed anywhere. */
  readonly missing: readonly string[];
}

/** Compares each seat's first ballot with its second. */
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
