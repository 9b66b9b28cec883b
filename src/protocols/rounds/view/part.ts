/** What the console keeps of a deliberation in rounds: the fold of its facts. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { EMPTY_ROUNDS, foldRounds, type RoundsView, type SuspicionView } from '../fold.ts';

export const ROUNDS_PART: Part<RoundsView> = { begin: () => EMPTY_ROUNDS, fold: foldRounds };

export function roundsIn(run: RunModel): RoundsView {
  return run.read(ROUNDS_PART);
}

/** The failure modes suspected when the signals were last read. */
export function suspicionsIn(run: RunModel): readonly SuspicionView[] {
  return roundsIn(run).rounds.findLast(({ signals }) => signals !== undefined)?.suspicions ?? [];
}
