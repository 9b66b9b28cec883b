/** What the console keeps of a board: the fold of its facts. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { type BoardView, EMPTY_BOARD, foldBoard, type QuestionView } from '../fold.ts';
import { foldLookedUp, type LookedUp, NOTHING_LOOKED_UP } from '../looked-up.ts';

export const BOARD_PART: Part<BoardView> = { begin: () => EMPTY_BOARD, fold: foldBoard };

/** What its syntheses quote, looked up. */
export const LOOKED_UP_PART: Part<LookedUp> = {
  begin: () => NOTHING_LOOKED_UP,
  fold: foldLookedUp,
};

export function boardIn(run: RunModel): BoardView {
  return run.read(BOARD_PART);
}

export function questionIn(run: RunModel, number: number): QuestionView | undefined {
  return boardIn(run).questions.find((one) => one.number === number);
}
