/** The plain vote in words: one wording for pages, the retrospective, `signals` and progress. */

import { line } from '../../../text/line.ts';
import { formatConfidence } from '../../common/votes.ts';
import { EMPTY_ROUNDS, type RoundsView, type RoundView, type StanceView } from '../fold.ts';
import { readVotes, tallyText, type VoteTally, voteTitle } from '../votes/counted-votes.ts';

type Named = (seat: string) => string;

/** `Critic, blind: "wait" (0.6). Wait for the count.` */
export function stanceLine(one: StanceView, title: Named): string {
  const kind = one.peers ? 'with the record' : one.again ? 'alone again' : 'blind';
  const cites = one.cites.length > 0 ? ` (${one.cites.join(', ')})` : '';
  return line(
    `${title(one.seat)}, ${kind}: "${one.option}" (${formatConfidence(one.confidence)}). ${one.position}${cites}`,
  );
}

/** `Round 8, with the record: "wait": 3 of 4, worth 1.0 independent votes` */
export function voteLine(vote: VoteTally): string {
  const how = vote.by === 'wording' && vote.options.length > 1 ? ' (told apart by wording)' : '';
  return line(`${voteTitle(vote)}: ${tallyText(vote)}${how}`);
}

export function shiftLine(shift: VoteTally['shifts'][number], title: Named): string {
  return line(`${title(shift.seat)}: ${shift.label}, ${shift.why}`);
}

/** `vote with the record: 3 not yet (Action, Guardian, Observer) · 1 go on (Critic)`, the latest; undefined without one. */
export function voteSummary(rounds: RoundsView, title: Named): string | undefined {
  const vote = readVotes(rounds).at(-1);
  if (vote === undefined) return undefined;
  const parts = vote.options.map(
    ({ option, votes, seats }) => `${votes} ${option} (${seats.map(title).join(', ')})`,
  );
  return line(`vote ${vote.peers ? 'with the record' : 'blind'}: ${parts.join(' · ')}`);
}

/** A round's stances, votes and what the control found; empty where it was no round to vote in. */
export function voteLines(round: RoundView, title: Named): string[] {
  return [
    ...round.stances.map((one) => stanceLine(one, title)),
    ...tallyLines({ ...EMPTY_ROUNDS, rounds: [round] }, title),
  ];
}

/** The votes and what the control found, without who said what. */
export function tallyLines(rounds: RoundsView, title: Named): string[] {
  return readVotes(rounds).flatMap((vote) => [
    voteLine(vote),
    ...vote.shifts.map((shift) => shiftLine(shift, title)),
  ]);
}
