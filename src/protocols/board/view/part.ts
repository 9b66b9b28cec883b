/** The states that the console derives from a board's facts. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { type BoardView, EMPTY_BOARD, foldBoard, type QuestionView } from '../fold.ts';
import { foldQuotations, NO_QUOTATIONS, type QuotationsState } from '../quotations.ts';

/** The functions by which the console computes the state of a board from the facts of its run. */
export const BOARD_PART: Part<BoardView> = { begin: () => EMPTY_BOARD, fold: foldBoard };

/** The functions by which the console looks up the quotations of syntheses, from the facts of a run. */
export const QUOTATIONS_PART: Part<QuotationsState> = {
  begin: () => NO_QUOTATIONS,
  fold: foldQuotations,
};

/** Returns the board's state from the console's state of a run. */
export function getBoardState(run: RunModel): BoardView {
  return run.read(BOARD_PART);
}

/**
 * Returns the state of one question from the console's state of a run, or undefined if there is no such
 * question.
 */
export function getQuestionState(run: RunModel, number: number): QuestionView | undefined {
  return getBoardState(run).questions.find((question) => question.number === number);
}
