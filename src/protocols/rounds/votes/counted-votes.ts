/**
 * The votes of a deliberation as they are read: how each stands, and which calls only asked for one.
 * Votes decide nothing in this method; they are shown beside what was tested.
 */
import { type OptionTally, tally } from '../../common/votes.ts';
import type { Shift } from './stances.ts';

/** A vote as it was counted. */
interface CountedVote {
  readonly round: number;
  /** False for the blind vote, taken before anybody had said anything. */
  readonly peers: boolean;
  /** Who found which options are one choice. */
  readonly by: 'verifier' | 'wording';
  readonly ballots: readonly {
    readonly seat: string;
    readonly model: string;
    readonly option: string;
  }[];
}

export interface VoteTally {
  readonly round: number;
  /** False for the blind vote, taken before anybody had said anything. */
  readonly peers: boolean;
  readonly by: CountedVote['by'];
  readonly cast: number;
  /** Most votes first. */
  readonly options: readonly OptionTally[];
  /** Of the no-peer control; empty where there was none. */
  readonly shifts: readonly Shift[];
}

/** Every vote that was counted, in its order. */
export function readVotes({
  rounds,
}: {
  readonly rounds: readonly {
    readonly votes: readonly CountedVote[];
    readonly shifts: readonly Shift[];
  }[];
}): VoteTally[] {
  return rounds.flatMap((round) => round.votes.map((vote) => readVote(vote, round.shifts)));
}

/** One vote, with what the control found where it was the last one of its round. */
export function readVote(
  { round, peers, by, ballots }: CountedVote,
  shifts: readonly Shift[] = [],
): VoteTally {
  return {
    round,
    peers,
    by,
    cast: ballots.length,
    options: tally(
      ballots,
      ballots.map(({ option }) => option),
    ),
    shifts: peers ? shifts.map(({ seat, label, why }) => ({ seat, label, why })) : [],
  };
}

/** `"split it": 3 of 4, worth 1.3 independent votes; "wait": 1 of 4, worth 1.0` */
export function tallyText({ options, cast }: VoteTally): string {
  return options
    .map(
      ({ option, votes, effective }, index) =>
        `"${option}": ${votes} of ${cast}, worth ${effective.toFixed(1)}${index === 0 ? ' independent votes' : ''}`,
    )
    .join('; ');
}

/** `Round 1, blind` or `Round 8, with the record` */
export function voteTitle({ round, peers }: { round: number; peers: boolean }): string {
  return `Round ${round}, ${peers ? 'with the record' : 'blind'}`;
}

/** Whether a call only asked a seat where it stands: nothing that the deliberation is made of. */
export function isBallot(step: string): boolean {
  return /^round-\d+\/[^/]+\/(?:stance|alone)\//.test(step);
}
