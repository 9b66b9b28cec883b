/** What the screen of an evaluation is told: the plan recorded before its first call, and news of answers. */

/** A row of the upper part: an arm, or the samples that votes are counted from. */
export interface ArmHead {
  readonly name: string;
  /**
   * How many answers the arm gives in all; absent for samples, whose number depends on what the panels take.
   */
  readonly of?: number;
}

/** The plan of an evaluation, as the screen shows it. */
export interface EvaluationHead {
  readonly id: string;
  readonly set: string;
  /** How many units the statistics count, and how many of them are asked three times. */
  readonly units: number;
  readonly again: number;
  /** The models that are asked; the first one alone is compared with panels. */
  readonly models: readonly string[];
  /** The arm whose comparison with its vote is the evaluation's question. */
  readonly primary?: string | undefined;
  /** Whether the stand-in answers. */
  readonly rehearsal: boolean;
  readonly arms: readonly ArmHead[];
  /** How many answers each turn (a unit in one repetition) takes until it counts. */
  readonly turns: readonly number[];
  /** The budget, if one was set. */
  readonly limits: { readonly usd?: number | undefined; readonly tokens?: number | undefined };
  /** Whether this process works on the evaluation, so that it can be stopped here. */
  readonly isOwn: boolean;
}

export type AnswerState = 'running' | 'answered' | 'unreadable' | 'failed' | 'stopped';

/** The present state of an arm's answer to an item. */
export interface AnswerNews {
  /** Unique for each arm, item, repetition and sample. */
  readonly id: string;
  readonly run: string;
  /** The name in the list: `board`, `vote 3`. */
  readonly label: string;
  /** The rows of the upper part that the answer counts for. */
  readonly arms: readonly string[];
  readonly item: string;
  /** The number of the repetition, from 1. */
  readonly repetition: number;
  /** The index of the turn; absent for further samples, which no turn waits for. */
  readonly turn?: number | undefined;
  /** Whether the single model was asked once; other costs are compared with its cost. */
  readonly isAlone: boolean;
  readonly state: AnswerState;
  /** The answer as it was read. */
  readonly answer?: string | undefined;
  /** Why there is no answer. */
  readonly reason?: string | undefined;
  /** Whether one more call was made to state an answer that could not be read. */
  readonly isRepaired?: boolean;
  readonly tokens: number;
  /** Cost in dollars at list price; null if the model is free or a price is unknown. */
  readonly usd: number | null;
  /** How many calls are under way. */
  readonly calls: number;
  readonly resent: number;
  /** Whether it was on record before the screen was opened; such answers say nothing about the time left. */
  readonly isOld: boolean;
}

/** The standing of an evaluation. `resting`: nobody works on it, and it is not over. */
export type Standing =
  | { readonly kind: 'live' | 'resting' }
  /** A person has stopped it. `waits`: how many answers are still being waited for. */
  | { readonly kind: 'stopping'; readonly waits: number }
  | {
      readonly kind: 'ended';
      readonly turns: number;
      /** The report, as Markdown. */
      readonly report: string;
    };
