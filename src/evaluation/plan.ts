/** The plan of an evaluation, stored before the first call, and its ending. */
import type { Arms, Vote } from './arms.ts';
import type { Item } from './sets/item.ts';

export interface EvaluationPlan {
  readonly v: 1;
  readonly program: string;
  readonly set: { readonly name: string; readonly about: string; readonly isOurs: boolean };
  /** The number of statistical units, and how many of them are asked a second and a third time. */
  readonly units: number;
  readonly again: number;
  readonly seed: number;
  readonly model: string;
  /** The models of panels' seats, assigned in turn; absent: `model` plays all. */
  readonly panel?: readonly string[];
  readonly arms: Arms;
  /** The hash of each arm's definition, by its name. */
  readonly hashes: Readonly<Record<string, string>>;
  /** The models of all arms, with their editions. */
  readonly models: readonly string[];
  /** The source of list prices at the beginning. */
  readonly prices: string;
  /** The items with their targets, which are stored here and in no run. */
  readonly items: readonly Item[];
}

export interface EvaluationEnding {
  /** The number of samples in the vote for each panel: odd, and of about the panel's cost. */
  readonly votes: readonly Vote[];
  /** The number of repetitions that all arms were asked, of how many. */
  readonly turns: number;
  readonly of: number;
  /** The number of calls that were running when a process died and were sent again. */
  readonly resent: number;
  /** The source of the list prices of all figures; absent in early evaluations: as at the beginning. */
  readonly prices?: string;
}
