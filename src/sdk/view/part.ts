/** What the console keeps of what protocols record through their context. */
import type { Part } from '../../console/model/part.ts';
import type { RunModel } from '../../console/model/run-model.ts';
import { type DebateView, EMPTY_DEBATE, foldDebate } from '../fold.ts';

export const DEBATE_PART: Part<DebateView> = { begin: () => EMPTY_DEBATE, fold: foldDebate };

export function debateIn(run: RunModel): DebateView {
  return run.read(DEBATE_PART);
}
