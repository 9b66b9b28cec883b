/** Collects what a board's run says for a decision record: options, drivers, and what would change minds. */
import { changeOfMind } from '../../../decisions/change-of-mind.ts';
import { type DecisionGrounds, NO_GROUNDS } from '../../../decisions/grounds.ts';
import { EDITION } from '../../../decisions/predictions.ts';
import { answerAt, type RunView } from '../../../kernel/view.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { toLine } from '../../../text/line.ts';
import { countVotes } from '../../common/voting/votes.ts';
import { type BoardView, getAnswerStep, getLatestSynthesis } from '../fold.ts';
import { findAgreement, groupChoices } from './choices.ts';
import { formatPoint } from './reading.ts';

/**
 * Returns what a person can cite when they record a decision on the latest question: the options with who voted for
 * them, the points with who is for and against them, and what would change each seat's mind. Returns empty lists if no
 * question was asked.
 */
export function collectBoardGrounds(board: BoardView, view: RunView): DecisionGrounds {
  const question = board.questions.at(-1);
  if (question === undefined) return NO_GROUNDS;
  const version = getLatestSynthesis(view.syntheses, board)?.version;
  const agreement = findAgreement(board, question.number, version);
  const { ballots, number } = question;
  const getTitle = (seat: string): string => getSeatTitle(seat, view);
  return {
    ...NO_GROUNDS,
    options: countVotes(ballots, groupChoices(ballots, agreement)).map(({ option, seats }) => ({
      option: toLine(option),
      by: seats.map(getTitle),
    })),
    drivers:
      agreement === undefined
        ? []
        : agreement.points.map(
            ({ text, cells }) =>
              `${toLine(formatPoint(text, agreement, view)).replace(/\.$/, '')}${sidesOf(cells, getTitle)}`,
          ),
    change: view.seats.flatMap(({ id }) => {
      const said = changeOfMind(
        answerAt(view.calls, getAnswerStep(id, number))?.text ?? '',
        EDITION,
      );
      return said === '' ? [] : [`${getTitle(id)}: ${toLine(said)}`];
    }),
  };
}

/** Returns who is on which side of a point: ` (for: Analyst, Critic; against: Advocate)`; empty if nobody is. */
function sidesOf(
  cells: readonly { readonly seat: string; readonly side: string }[],
  title: (seat: string) => string,
): string {
  const sides = ['for', 'partly', 'against'].flatMap((side) => {
    const names = cells.filter((cell) => cell.side === side).map(({ seat }) => title(seat));
    return names.length === 0 ? [] : [`${side}: ${names.join(', ')}`];
  });
  return sides.length === 0 ? '' : ` (${sides.join('; ')})`;
}
