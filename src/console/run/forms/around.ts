/** What the forms of a run need, and how they report results. */
import type { RunModel, Synthesis } from '../../model/run-model.ts';
import type { Actions, RunDrafts } from '../ports.ts';

/** Everything that the forms of a run's screen need. */
export interface FormAround {
  readonly runModel: RunModel;
  /** What the person sees. */
  readonly reading: {
    /** The synthesis that is shown. */
    readonly synthesis: Synthesis | undefined;
    /**
     * Shows the newest question and synthesis, and later questions and syntheses as soon as they
     * begin.
     */
    turnToNewest(): void;
  };
  /** What the person can do to the run; undefined if the run is only watched or played back. */
  readonly actions: Actions | undefined;
  readonly drafts: RunDrafts;
  /**
   * Shows a message. The message is removed early if `until` returns true: the run has then changed so
   * that the message is outdated.
   */
  readonly say: (text: string, until?: (run: RunModel) => boolean) => void;
  /** Draws the screen again. */
  readonly changed: () => void;
}

/**
 * Returns a condition that becomes true when the run's next attempt begins. Call this function before
 * the attempt is requested.
 */
export function watchForAttempt({ view: { attemptAt } }: RunModel): (run: RunModel) => boolean {
  return ({ view }) => view.attemptAt !== attemptAt;
}

/**
 * Returns the stored draft of a form's text field (empty if there is none), and a function `keep` that
 * stores another draft.
 *
 * @param box the field's name
 */
export function draftIn(
  { drafts }: FormAround,
  box: string,
): { readonly text: string; keep(text: string): void } {
  return { text: drafts.draft(box), keep: (text) => drafts.keepDraft(box, text) };
}
