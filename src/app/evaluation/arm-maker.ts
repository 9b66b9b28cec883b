/** What a protocol must provide to take part in an evaluation as an arm. */
import type { PlannedCalls } from '../../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import type { ToolInfo } from '../../kernel/tools/tools.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Invocation } from '../invocation.ts';

interface ArmSetting {
  readonly call: Invocation;
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

/** What every run of an arm is opened with, besides its question and its seed. */
export interface SeatedArm {
  /** The protocol's name, as in `run.started`. */
  readonly protocol: string;
  readonly seats: readonly Seat[];
  /** The protocol's settings without `seed`, which differs for each run. */
  readonly config: Record<string, unknown>;
  /** True if the arm's prompts cannot be shortened: a model with too small a context window is refused. */
  readonly isRigid?: true;
  /** Returns the calls that a question is likely to take; absent if that is unknown. */
  readonly plan?: (question: string) => readonly PlannedCalls[];
}

/** The text that contains an answer, and the seat that wrote it. */
export interface FinalText {
  readonly text: string;
  readonly model: ModelSpec;
}

/** Makes runs of one protocol for an evaluation and reads their answers. */
export interface ArmMaker {
  /**
   * Seats the arm.
   * @throws UsageError if the detail names nothing that exists
   */
  readonly seat: (setting: ArmSetting) => SeatedArm;
  /** Returns the final text of a finished run, or undefined if it has none. */
  readonly finalText: (facts: readonly AnyFact[]) => FinalText | undefined;
  /** Returns what the seats answered before they saw each other; empty if the protocol has no such answers. */
  readonly firstAnswers: (
    facts: readonly AnyFact[],
  ) => readonly { readonly seat: string; readonly text: string }[];
}
