/** The states that the console derives from a board's facts. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { type BoardView, EMPTY_BOARD, foldBoard, type QuestionView } from '../fold.ts';
import { foldQuotations, NO_QUOTATIONS, type QuotationsState } from '../quotations.ts';

export const BOARD_PART: Part<BoardView> = { begin: () => EMPTY_BOARD, fold: foldBoard };

/** The quotations of syntheses, looked up in the answers. */
export const QUOTATIONS_PART: Part<QuotationsState> = {
  begin: () => NO_QUOTATIONS,
  fold: foldQuotations,
};

export function boardIn(run: RunModel): BoardView {
  return run.read(BOARD_PART);
}

export function questionIn(run: RunModel, number: number): QuestionView | undefined {
  return boardIn(run).questions.find((one) => one.number === number);
}
