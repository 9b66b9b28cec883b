/** The plan of an evaluation, stored before the first call, and its ending. */
import type { Arms, Vote } from './arms.ts';
import type { Item } from './sets/item.ts';

/** What an evaluation is going to ask, stored before the first call. */
export interface EvaluationPlan {
  readonly v: 1;
  /** The version of the program. */
  readonly program: string;
  readonly set: { readonly name: string; readonly about: string; readonly isOurs: boolean };
  /** The number of statistical units. */
  readonly units: number;
  /** The number of units that are asked a second and a third time. */
  readonly again: number;
  /** The seed of the order in which units are asked, and of all runs. */
  readonly seed: number;
  /** The model that answers alone and in votes. */
  readonly model: string;
  /** The models of the panels' seats, assigned in turn; absent: `model` plays all seats. */
  readonly panel?: readonly string[];
  readonly arms: Arms;
  /** The hash of each arm's definition, by the name of the arm. */
  readonly hashes: Readonly<Record<string, string>>;
  /**
   * The models of all arms, each with its edition, which changes when another model is served under
   * the same name.
   */
  readonly models: readonly string[];
  /** The source of the prices at the beginning. */
  readonly prices: string;
  /** The items with their right answers, which are stored here and in no run. */
  readonly items: readonly Item[];
}

/** What is stored when an evaluation ends. */
export interface EvaluationEnding {
  /**
   * The votes with which panels are compared. Each vote has the smallest odd number of samples that
   * costs at least as much as its panel, but at most 501.
   */
  readonly votes: readonly Vote[];
  /** The number of turns that all arms have answered. A turn is one unit in one repetition. */
  readonly turns: number;
  /** The planned number of turns. */
  readonly of: number;
  /** The number of calls that were running when a process died and were sent again. */
  readonly resent: number;
  /**
   * The source of the prices from which all figures are computed. Absent in early evaluations,
   * whose figures use `prices` of the plan.
   */
  readonly prices?: string;
}
