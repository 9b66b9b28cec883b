/** The words for votes, in pages, the retrospective, `signals` and progress. */

import { toLine } from '../../../text/line.ts';
import { formatConfidence } from '../../common/voting/votes.ts';
import {
  EMPTY_ROUNDS,
  type RoundsView,
  type RoundView,
  type StanceView,
} from '../claims/rounds-view.ts';
import { formatTally, formatVoteTitle, readVotes, type VoteTally } from '../votes/counted-votes.ts';

type Named = (seat: string) => string;

/** Formats a seat's vote: `Critic, blind: "wait" (0.6). Wait for the count.` */
export function formatStance(stance: StanceView, title: Named): string {
  const kind = stance.peers ? 'with the record' : stance.again ? 'alone again' : 'blind';
  const cites = stance.cites.length > 0 ? ` (${stance.cites.join(', ')})` : '';
  return toLine(
    `${title(stance.seat)}, ${kind}: "${stance.option}" (${formatConfidence(stance.confidence)}). ${stance.position}${cites}`,
  );
}

/**
 * Formats the result of a vote: `Round 8, with the record: "wait": 3 of 4, worth 1.0 independent
 * votes`.
 */
export function formatVoteResult(vote: VoteTally): string {
  const how = vote.by === 'wording' && vote.options.length > 1 ? ' (told apart by wording)' : '';
  return toLine(`${formatVoteTitle(vote)}: ${formatTally(vote)}${how}`);
}

/** Formats whether and why a seat's last vote differs from its first one. */
export function formatShift(shift: VoteTally['shifts'][number], title: Named): string {
  return toLine(`${title(shift.seat)}: ${shift.label}, ${shift.why}`);
}

/**
 * Formats the latest vote: `vote with the record: 3 not yet (Action, Guardian, Observer) · 1 go on
 * (Critic)`. Returns undefined if there was none.
 */
export function formatVoteSummary(rounds: RoundsView, title: Named): string | undefined {
  const vote = readVotes(rounds).at(-1);
  if (vote === undefined) return undefined;
  const parts = vote.options.map(
    ({ option, votes, seats }) => `${votes} ${option} (${seats.map(title).join(', ')})`,
  );
  return toLine(`vote ${vote.peers ? 'with the record' : 'blind'}: ${parts.join(' · ')}`);
}

/**
 * Returns lines on the votes of a round: first the votes of the seats, then the results, then how each
 * seat's last vote compares with its first, if that was examined. The list is empty if there was no vote.
 */
export function formatRoundVotes(round: RoundView, title: Named): string[] {
  return [
    ...round.stances.map((stance) => formatStance(stance, title)),
    ...formatAllTallies({ ...EMPTY_ROUNDS, rounds: [round] }, title),
  ];
}

/** Returns the results of all votes and the changes of votes, without each seat's own words. */
export function formatAllTallies(rounds: RoundsView, title: Named): string[] {
  return readVotes(rounds).flatMap((vote) => [
    formatVoteResult(vote),
    ...vote.shifts.map((shift) => formatShift(shift, title)),
  ]);
}
