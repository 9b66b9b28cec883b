/** What is written down before the first call, and what is known once the last one has ended. */
import type { Arms, Vote } from './arms.ts';
import type { Item } from './sets/item.ts';

export interface EvaluationPlan {
  readonly v: 1;
  readonly program: string;
  readonly set: { readonly name: string; readonly about: string; readonly isOurs: boolean };
  /** What is one in the statistics, and how many of them are asked a second and a third time. */
  readonly units: number;
  readonly again: number;
  readonly seed: number;
  readonly model: string;
  /** Play the seats of panels, in turn; absent where `model` does. */
  readonly panel?: readonly string[];
  readonly arms: Arms;
  /** Of what makes each arm what it is, by its name. */
  readonly hashes: Readonly<Record<string, string>>;
  /** The models of all arms, with their editions. */
  readonly models: readonly string[];
  /** Where list prices are from, at the beginning. */
  readonly prices: string;
  /** With their targets: they are here and in no run. */
  readonly items: readonly Item[];
}

export interface EvaluationEnding {
  /** How many samples vote against each panel: odd, and as many as come to what it took. */
  readonly votes: readonly Vote[];
  /** Repetitions of units that all arms were asked, of how many. */
  readonly turns: number;
  readonly of: number;
  /** Calls on their way when a process died, which were sent again. */
  readonly resent: number;
  /** Where the list prices are from by which all of it was counted; absent in those from before: as at the beginning. */
  readonly prices?: string;
}
