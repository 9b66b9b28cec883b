/** What the screen of an evaluation is told: the plan recorded before its first call, and news of answers. */

/**
 * A row of the upper part of the screen: an arm (a compared way to answer), or the samples that
 * votes are counted from.
 */
export interface ArmHead {
  readonly name: string;
  /**
   * How many answers the arm gives in all. Absent for the samples of votes, because their number
   * depends on the costs of the panels, which are not known at the beginning.
   */
  readonly of?: number;
}

/** The plan of an evaluation, as its screen shows it. */
export interface EvaluationHead {
  readonly id: string;
  /** The name of the set of questions. */
  readonly set: string;
  /** How many units (groups of items) the statistics count. */
  readonly units: number;
  /** How many of the units are asked three times. */
  readonly again: number;
  /** The models that are asked. The first one is the single model. */
  readonly models: readonly string[];
  /**
   * The panel whose comparison with a vote is the main result. The vote is the most frequent of
   * several answers of the single model, as many as cost about the same as the panel. Absent if
   * there are no votes.
   */
  readonly primary?: string | undefined;
  /** Whether the built-in stand-in answers instead of models. */
  readonly rehearsal: boolean;
  readonly arms: readonly ArmHead[];
  /**
   * How many answers each turn needs before it is done. A turn is a unit (group of items) in one
   * repetition.
   */
  readonly turns: readonly number[];
  /** The budget, if one was set. */
  readonly limits: { readonly usd?: number | undefined; readonly tokens?: number | undefined };
  /** Whether this process works on the evaluation, so that it can be stopped here. */
  readonly isOwn: boolean;
}

/**
 * The state of an answer. `unreadable`: the model answered, but not in a form that code can read.
 * `failed`: the run that should have given the answer failed or has no answer. `stopped`: there is
 * no answer yet, and a resumed evaluation asks for it again.
 */
export type AnswerState = 'running' | 'answered' | 'unreadable' | 'failed' | 'stopped';

/**
 * The present state of one answer to an item. An answer can count for several arms (compared ways to
 * answer).
 */
export interface AnswerNews {
  /** The text that identifies the answer. */
  readonly id: string;
  /** The id of the run that answers. */
  readonly run: string;
  /** The answer's name in the list: `board`, `vote 3`. */
  readonly label: string;
  /** The arms for which the answer counts. */
  readonly arms: readonly string[];
  /** The id of the item. */
  readonly item: string;
  /** The number of the repetition, from 1. */
  readonly repetition: number;
  /**
   * The index in `EvaluationHead.turns` of the turn (a unit in one repetition) to which the answer
   * belongs; absent for additional samples of a vote.
   */
  readonly turn?: number | undefined;
  /** Whether this is the single model's answer, with whose cost other costs are compared. */
  readonly isAlone: boolean;
  readonly state: AnswerState;
  /** The answer that was read from the text. */
  readonly answer?: string | undefined;
  /** Why there is no answer. */
  readonly reason?: string | undefined;
  /** Whether a second call was needed to state the answer in a readable form. */
  readonly isRepaired?: boolean;
  /** The tokens of all calls for the answer so far. */
  readonly tokens: number;
  /** The cost in dollars at list price; null if the model is free or a price is unknown. */
  readonly usd: number | null;
  /** How many calls for this answer are running. */
  readonly calls: number;
  /** How many calls were sent again. */
  readonly resent: number;
  /**
   * Whether the answer was recorded before the screen was opened. Such answers do not count for the
   * estimate of the remaining time.
   */
  readonly isOld: boolean;
}

/**
 * The state of an evaluation. `live`: it runs. `resting`: no process works on it, and it is not
 * finished. `stopping`: a person has stopped it, and answers are still awaited. `ended`: all answers
 * are in, or its budget is used up, and there is a report.
 */
export type EvaluationStanding =
  | { readonly kind: 'live' | 'resting' }
  /** A person has stopped it. `waits`: how many answers are still being waited for. */
  | { readonly kind: 'stopping'; readonly waits: number }
  | {
      readonly kind: 'ended';
      /** How many turns (units, each in one repetition) are done. */
      readonly turns: number;
      /** The report, as Markdown. */
      readonly report: string;
    };
