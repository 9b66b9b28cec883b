/** What a protocol's desk tells of it as an arm of an evaluation. */
import type { PlannedCalls } from '../../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import type { ToolInfo } from '../../kernel/tools/tools.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Invocation } from '../invocation.ts';

interface ArmSetting {
  readonly call: Invocation;
  /** What follows the colon in the arm's name; may be empty. */
  readonly detail: string;
  /** Whoever sits on no panel: who writes the synthesis, verifies, judges, or is asked alone. */
  readonly model: ModelSpec;
  /** Plays the seat of a panel, by its place from 0 on. */
  readonly player: (place: number) => ModelSpec;
  /** Whether its seats may look things up before they answer. */
  readonly looks: boolean;
  /** With what; empty where only an estimate is wanted. */
  readonly offered: readonly ToolInfo[];
}

/** What every run of the arm is opened with, beside its question and its seed. */
export interface SeatedArm {
  /** As it stands in `run.started`. */
  readonly protocol: string;
  readonly seats: readonly Seat[];
  /** The protocol's settings, but for `seed`, which each run has of its own. */
  readonly config: Record<string, unknown>;
  /** True if the arm's prompts cannot be shortened: a model with too small a context window is refused. */
  readonly isRigid?: true;
  /** What a question is likely to take; absent where nobody can tell. */
  readonly plan?: (question: string) => readonly PlannedCalls[];
}

/** The text that an answer is read from, and whose it is. */
export interface FinalText {
  readonly text: string;
  readonly model: ModelSpec;
}

export interface ArmMaker {
  /** @throws UsageError where there is nothing of that name. */
  readonly seat: (setting: ArmSetting) => SeatedArm;
  /** What a run that is over came to; undefined where it came to nothing. */
  readonly finalText: (facts: readonly AnyFact[]) => FinalText | undefined;
  /** What its seats answered before they saw each other; empty where it has no such answers. */
  readonly firstAnswers: (
    facts: readonly AnyFact[],
  ) => readonly { readonly seat: string; readonly text: string }[];
}
