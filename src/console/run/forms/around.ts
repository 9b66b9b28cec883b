/** What the dialogs of a run are about, and how they tell what came of them. */
import type { Draft, RunModel } from '../../model/run-model.ts';
import type { Actions } from '../../replay/ports.ts';

export interface FormAround {
  readonly runModel: RunModel;
  readonly reading: {
    /** The synthesis that is shown. */
    readonly draft: Draft | undefined;
    /** Shows the newest question and synthesis, and the next one as soon as it begins. */
    turnToNewest(): void;
  };
  readonly actions: Actions | undefined;
  /** Tells the person something; until then, where the run's going on makes it stale. */
  readonly say: (text: string, until?: (run: RunModel) => boolean) => void;
  readonly changed: () => void;
}

/** What is about to be asked for has begun: the run itself says where it stands. Made before it is asked for. */
export function anotherAttempt({ view: { attemptAt } }: RunModel): (run: RunModel) => boolean {
  return ({ view }) => view.attemptAt !== attemptAt;
}
