/** What the dialogs of a run are about, and how they tell what came of them. */
import type { RunModel, Synthesis } from '../../model/run-model.ts';
import type { Actions, RunDrafts } from '../ports.ts';

export interface FormAround {
  readonly runModel: RunModel;
  readonly reading: {
    /** The synthesis that is shown. */
    readonly synthesis: Synthesis | undefined;
    /** Shows the newest question and synthesis, and the next one as soon as it begins. */
    turnToNewest(): void;
  };
  readonly actions: Actions | undefined;
  readonly drafts: RunDrafts;
  /** Tells the person something; until then, where the run's going on makes it stale. */
  readonly say: (text: string, until?: (run: RunModel) => boolean) => void;
  readonly changed: () => void;
}

/** What is about to be asked for has begun: the run itself says where it stands. Made before it is asked for. */
export function anotherAttempt({ view: { attemptAt } }: RunModel): (run: RunModel) => boolean {
  return ({ view }) => view.attemptAt !== attemptAt;
}

/** What was written in a box of that name before, and keeping what is written in it now. */
export function draftIn(
  { drafts }: FormAround,
  box: string,
): { readonly text: string; keep(text: string): void } {
  return { text: drafts.draft(box), keep: (text) => drafts.keepDraft(box, text) };
}
