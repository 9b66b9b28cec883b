/** What a deliberation's stances and votes come to: tallies, what a seat cites, who changed their mind. */
import { type OptionTally, tally } from '../common/votes.ts';
import type { RoundsView, RoundView, ShiftView, StanceView, VoteView } from './fold.ts';

export interface VoteReading {
  readonly round: number;
  /** False for the blind vote, taken before anybody had said anything. */
  readonly peers: boolean;
  readonly by: VoteView['by'];
  readonly cast: number;
  /** Most votes first. */
  readonly options: readonly OptionTally[];
  /** Of the no-peer control; empty where there was none. */
  readonly shifts: readonly Pick<ShiftView, 'seat' | 'label' | 'why'>[];
}

/** Every vote that was counted, in its order. */
export function readVotes({ rounds }: RoundsView): VoteReading[] {
  return rounds.flatMap((round) => round.votes.map((vote) => readVote(vote, round.shifts)));
}

/** One vote, with what the control found where it was the last one of its round. */
export function readVote(
  { round, peers, by, ballots }: VoteView,
  shifts: readonly ShiftView[] = [],
): VoteReading {
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
export function tallyText({ options, cast }: VoteReading): string {
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

/** A place, claim or verdict named in a text. Decisions are the panel's own word and no evidence. */
const CITED = /\b[CV]-\d+-\d+\b|artifacts\/round_\d+\/[a-z]+\.md#[\w-]+/g;

/** What a stance names as its reason, in its list or in its words, as far as it exists. */
export function citesOf(
  position: string,
  listed: readonly string[],
  known: ReadonlySet<string>,
): string[] {
  const named = [...listed, position].flatMap((text) => text.match(CITED) ?? []);
  return [...new Set(named)].filter((id) => known.has(id));
}

export interface Comparison {
  /** Blind, before anybody spoke; alone, when asked once more; and with the panel's record. */
  readonly first: string;
  readonly alone: string;
  readonly peers: string;
  /** What its last answer cites and what exists. */
  readonly cites: readonly string[];
  /** Where the other seats stand with the record. */
  readonly others: readonly string[];
}

/** What became of a first stance. Options are compared as they are: group them before. */
export function compareStances({
  first,
  alone,
  peers,
  cites,
  others,
}: Comparison): Pick<ShiftView, 'label' | 'why'> {
  const quoted = (option: string): string => `"${option}"`;
  if (alone !== first)
    return {
      label: 'unstable',
      why: `alone, it first chose ${quoted(first)} and then ${quoted(alone)}: a change says nothing of its peers`,
    };
  if (peers === first) return { label: 'unchanged', why: `it chose ${quoted(first)} throughout` };
  const change = `alone it chose ${quoted(first)} twice, with the record ${quoted(peers)}`;
  if (cites.length > 0)
    return { label: 'persuaded', why: `${change}, and cites ${cites.join(', ')}` };
  const agreeing = others.filter((option) => option === peers).length;
  return agreeing * 2 > others.length
    ? {
        label: 'conformed',
        why: `${change}, as ${agreeing} of ${others.length} others do, and cites nothing that was tested`,
      }
    : {
        label: 'unexplained',
        why: `${change}, which is not where most others stand, and cites nothing that was tested`,
      };
}

/** A round's stance by that seat, of that kind. */
export function stanceOf(
  round: RoundView,
  seat: string,
  kind: Pick<StanceView, 'peers' | 'again'>,
): StanceView | undefined {
  return round.stances.find(
    (one) => one.seat === seat && one.peers === kind.peers && one.again === kind.again,
  );
}
