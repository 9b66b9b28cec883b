/** What a protocol must provide to take part in an evaluation as an arm. */
import type { PlannedCalls } from '../../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import type { ToolInfo } from '../../kernel/tools/tools.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { TypedCall } from '../typed-call.ts';

interface ArmSetting {
  readonly call: TypedCall;
  /** The part of the arm's name after the colon; may be empty. */
  readonly detail: string;
  /**
   * The model for everything outside the panel: the synthesis, the verifier, the judge, or the single answer.
   */
  readonly model: ModelSpec;
  /** Returns the model of a seat of the panel, by its position from 0. */
  readonly player: (place: number) => ModelSpec;
  /** Whether the seats may use tools before they answer. */
  readonly looks: boolean;
  /** The tools that the seats may use; empty for an estimate. */
  readonly offered: readonly ToolInfo[];
}

/**
 * One of the compared ways to answer a question (an arm), with its seats and models. Every run of
 * the arm begins with these values.
 */
export interface SeatedArm {
  /** The protocol of the runs. */
  readonly protocol: string;
  readonly seats: readonly Seat[];
  /** The settings of the runs without `seed`, which differs for each run. */
  readonly config: Record<string, unknown>;
  /**
   * True if the prompts of the arm cannot be shortened. A model whose context
   * window is too small is then refused.
   */
  readonly isRigid?: true;
  /** Returns the calls that a question is likely to take; absent if that is unknown. */
  readonly plan?: (question: string) => readonly PlannedCalls[];
}

/** The text that contains a run's answer, and the model that wrote it. */
export interface FinalText {
  readonly text: string;
  readonly model: ModelSpec;
}

/**
 * Lets an evaluation use a protocol as one of the compared ways to answer (an arm): chooses the
 * seats, and reads the answers of runs.
 */
export interface ArmMaker {
  /**
   * Chooses the seats and models of an arm.
   *
   * @throws UsageError if the setting names something that does not exist
   */
  readonly seat: (setting: ArmSetting) => SeatedArm;
  /** Returns the text with the answer of a finished run; undefined if there is none. */
  readonly finalText: (facts: readonly AnyFact[]) => FinalText | undefined;
  /**
   * Returns the answers that seats gave before they saw each other's; empty if the protocol has no
   * such answers.
   */
  readonly firstAnswers: (
    facts: readonly AnyFact[],
  ) => readonly { readonly seat: string; readonly text: string }[];
}
