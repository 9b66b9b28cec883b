/**
 * Collects the grounds for a decision record: claims by how they were decided, and what is open.
 */
import { type DecisionGrounds, NO_GROUNDS } from '../../../../decisions/grounds.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import { sectionIn } from '../../../../text/answers/first-sentence.ts';
import { toLine } from '../../../../text/line.ts';
import { readVotes } from '../../votes/counted-votes.ts';
import type { Deliberation } from '../display-state.ts';
import { describeBasis } from '../wording.ts';

/**
 * Returns what a person's decision on the run can cite: the options of the last vote, unresolved
 * conflicts, confirmed claims that do not only repeat the text, open claims, and what would change the answer.
 */
export function collectRoundsGrounds({ state, view, rounds }: Deliberation): DecisionGrounds {
  const decided = state.claims.filter(
    ({ standing, isFact }) => !isFact && standing === 'confirmed',
  );
  const open = state.claims.filter(({ standing }) => standing === 'open');
  const text = view.syntheses.at(-1)?.text ?? '';
  const change = sectionIn(text, 'What would change the answer') ?? '';
  return {
    ...NO_GROUNDS,
    options: (readVotes(rounds).at(-1)?.options ?? []).map(({ option, seats }) => ({
      option: toLine(option),
      by: seats.map((seat) => getSeatTitle(seat, view)),
    })),
    drivers: state.tensions.map(toLine),
    claims: decided.map(({ claim, basis, by, quotes: [quote] }) => ({
      id: claim.id,
      text: toLine(claim.text),
      basis: basis === undefined ? undefined : describeBasis(basis),
      place: quote?.ref ?? by,
    })),
    open: open.map(({ claim }) => ({ id: claim.id, text: toLine(claim.text) })),
    change: change
      .split('\n')
      .map((row) => toLine(row.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')))
      .filter((row) => row !== ''),
  };
}
