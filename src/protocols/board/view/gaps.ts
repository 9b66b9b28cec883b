/** Says what a board lacks, for the end of its report. */

import { answerAt, callAt } from '../../../kernel/view.ts';
import { formatCallGaps, synthesisGaps } from '../../../plain/gaps.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { whyNoAnswer, whyNoFinalAnswer } from '../../../plain/naming.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { getAnswerStep } from '../fold.ts';
import { findSyntheses, type ReadBoard } from './reading.ts';

/**
 * Returns a sentence for everything that is missing or failed: answers, calls, votes, syntheses and
 * headings.
 */
export function listBoardGaps({ view, board, quotations }: ReadBoard): string[] {
  const formatQuestionNumber = (number: number): string =>
    board.questions.length > 1 ? ` (question ${number})` : '';
  const seats = board.questions.flatMap(({ number }) =>
    view.seats.flatMap((seat) =>
      formatCallGaps(
        `${escapeLine(seat.title)}${formatQuestionNumber(number)}`,
        whyNoFinalAnswer(callAt(view.calls, getAnswerStep(seat.id, number))),
      ),
    ),
  );
  const others = Object.values(view.calls).flatMap((call) => {
    const isOfSeat = view.seats.some(({ id }) => id === call.seat);
    const hasShorterRepeat = Object.hasOwn(view.calls, `${call.step}/compacted`);
    if (isOfSeat || hasShorterRepeat) return [];
    const step = call.step.replace(/^agreement\/(\d+)$/, 'Who holds what (v$1)');
    return formatCallGaps(escapeLine(step), whyNoAnswer(call));
  });
  const voteless = board.questions.flatMap(({ number, ballots }) => {
    const heard = view.seats.some(
      ({ id }) => answerAt(view.calls, getAnswerStep(id, number))?.state === 'done',
    );
    return view.config.vote === true && heard && ballots.length === 0
      ? [`No vote${formatQuestionNumber(number)}: no answer ended with a usable ballot.`]
      : [];
  });
  const written = board.questions.flatMap((question) =>
    synthesisGaps(
      findSyntheses(view, board, question).at(-1),
      view,
      formatQuestionNumber(question.number),
    ),
  );
  const misquoted = board.questions.flatMap((question) => {
    const last = findSyntheses(view, board, question).at(-1);
    const bad = last && formatQuotationCounts(quotations[last.version] ?? [], { onlyIfBad: true });
    return bad === undefined
      ? []
      : [`Quotations in synthesis v${last?.version}: ${bad}. They are marked.`];
  });
  return [...seats, ...others, ...voteless, ...written, ...misquoted];
}
