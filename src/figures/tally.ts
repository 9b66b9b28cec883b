/** Counts ballots by option, and finds who changed between two ballots. */
import { compareText, indexBySeat } from './order.ts';

/** A seat's choice of an option. Options are equal only if their texts are exactly equal. */
export interface Ballot {
  readonly seat: string;
  readonly option: string;
}

/** An option and the seats that voted for it. */
export interface OptionCount {
  readonly option: string;
  /** Ids of the seats, sorted. */
  readonly seats: readonly string[];
}

/** The result of a vote. */
export interface Tally {
  /** How many seats voted. A seat with two different ballots does not count. */
  readonly heard: number;
  /**
   * The options, sorted by votes with the most votes first. Options with equal votes are sorted by
   * wording.
   */
  readonly options: readonly OptionCount[];
  /** The option with more votes than every other; undefined for a tie, or if nobody voted. */
  readonly winner: string | undefined;
  /** The options that share the most votes; empty if there is a winner. */
  readonly tied: readonly string[];
  /** Whether the winner has more than half of the ballots. */
  readonly majority: boolean;
  /** Whether at least two seats voted and all for the same option. */
  readonly unanimous: boolean;
}

/** Counts the votes for each option and finds the winner. */
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

/** How seats changed their votes between two ballots. */
export interface Changes {
  /** The seats that changed their vote, with both options, sorted by seat. */
  readonly changed: readonly {
    readonly seat: string;
    readonly from: string;
    readonly to: string;
  }[];
  /** Ids of the seats that voted the same twice. */
  readonly held: readonly string[];
  /**
   * Ids of the seats that voted only the first time. Seats that voted only the second time are not
   * listed.
   */
  readonly missing: readonly string[];
}

/** Compares each seat's first vote with its second. */
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
  const kept = indexBySeat(
    ballots,
    ({ seat }) => seat,
    (ballot, other) => ballot.option === other.option,
  );
  return new Map([...kept].map(([seat, { option }]) => [seat, option]));
}
