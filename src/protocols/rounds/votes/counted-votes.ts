/**
 * The results of votes for people, and a test for calls that only ask for a vote. Votes decide
 * nothing; they are shown beside what was tested.
 */
import { countVotes, type OptionTally } from '../../common/voting/votes.ts';
import type { VoteShift } from './stances.ts';

/** A vote with its ballots, as recorded. */
interface CountedVote {
  readonly round: number;
  /** Whether the seats knew the records. False for the blind vote. */
  readonly peers: boolean;
  /** Who grouped the options. */
  readonly by: 'verifier' | 'wording';
  readonly ballots: readonly {
    readonly seat: string;
    readonly model: string;
    readonly option: string;
  }[];
}

/** The result of a vote. */
export interface VoteTally {
  readonly round: number;
  /** Whether the seats knew the records. False for the blind vote before the first round. */
  readonly peers: boolean;
  /** What grouped the options: the verifier, or equal wording. */
  readonly by: CountedVote['by'];
  /** The number of ballots. */
  readonly cast: number;
  /** The options, most votes first. */
  readonly options: readonly OptionTally[];
  /**
   * Whether and why seats changed their votes, as found by asking each seat a last time without the
   * others. Empty if the seats were not asked.
   */
  readonly shifts: readonly VoteShift[];
}

/**
 * Returns the results of all votes, in order. The shifts of a round belong to its last vote, after which
 * the seats were asked alone.
 */
export function readVotes({
  rounds,
}: {
  readonly rounds: readonly {
    readonly votes: readonly CountedVote[];
    readonly shifts: readonly VoteShift[];
  }[];
}): VoteTally[] {
  return rounds.flatMap(({ votes, shifts }) =>
    votes.map((vote) => readVote(vote, vote === votes.at(-1) ? shifts : [])),
  );
}

/** Returns the result of one vote. */
export function readVote(
  { round, peers, by, ballots }: CountedVote,
  shifts: readonly VoteShift[] = [],
): VoteTally {
  return {
    round,
    peers,
    by,
    cast: ballots.length,
    options: countVotes(
      ballots,
      ballots.map(({ option }) => option),
    ),
    shifts: peers ? shifts.map(({ seat, label, why }) => ({ seat, label, why })) : [],
  };
}

/**
 * Formats the options of a vote: `"split it": 3 of 4, worth 1.3 independent votes; "wait": 1 of 4,
 * worth 1.0`.
 */
export function formatTally({ options, cast }: VoteTally): string {
  return options
    .map(
      ({ option, votes, effective }, index) =>
        `"${option}": ${votes} of ${cast}, worth ${effective.toFixed(1)}${index === 0 ? ' independent votes' : ''}`,
    )
    .join('; ');
}

/** Formats when a vote was held: `Round 1, blind` or `Round 8, with the record`. */
export function formatVoteTitle({ round, peers }: { round: number; peers: boolean }): string {
  return `Round ${round}, ${peers ? 'with the record' : 'blind'}`;
}

/**
 * Returns whether a step is a call that only asks a seat for its vote.
 * @param step the step's key
 */
export function isBallot(step: string): boolean {
  return /^round-\d+\/[^/]+\/(?:stance|alone)\//.test(step);
}
