/** What the screen of an evaluation is told: what was written down before its first call, and news of its answers. */

/** A row of the upper part: an arm that is asked, or the samples that votes are counted from. */
export interface ArmHead {
  readonly name: string;
  /** Answers in all; absent of samples, whose number follows from what the panels take. */
  readonly of?: number;
}

export interface EvaluationHead {
  readonly id: string;
  readonly set: string;
  /** What is one in the statistics, and how many of them are asked three times. */
  readonly units: number;
  readonly again: number;
  /** Those that are asked; the first alone is held against panels. */
  readonly models: readonly string[];
  /** Whose comparison with its vote is the question. */
  readonly primary?: string | undefined;
  /** The stand-in answers. */
  readonly rehearsal: boolean;
  readonly arms: readonly ArmHead[];
  /** Of each turn (a unit in one repetition), how many answers it takes until it counts. */
  readonly turns: readonly number[];
  /** What it may take, where a budget was named. */
  readonly limits: { readonly usd?: number | undefined; readonly tokens?: number | undefined };
  /** This process works on it: it can be stopped here. */
  readonly isOwn: boolean;
}

export type AnswerState = 'running' | 'answered' | 'unreadable' | 'failed' | 'stopped';

/** An answer of an arm to an item, as it is now. */
export interface AnswerNews {
  /** One for each arm, item, repetition and sample. */
  readonly id: string;
  readonly run: string;
  /** As it is called in the list: `board`, `vote 3`. */
  readonly label: string;
  /** The rows that it counts for. */
  readonly arms: readonly string[];
  readonly item: string;
  /** 1, 2, …: the repetition. */
  readonly repetition: number;
  /** The place of its turn; absent of further samples, which no turn waits for. */
  readonly turn?: number | undefined;
  /** The model alone was asked, once: what prices are held against. */
  readonly isAlone: boolean;
  readonly state: AnswerState;
  /** As it was read. */
  readonly answer?: string | undefined;
  /** Why there is none. */
  readonly reason?: string | undefined;
  /** One call more wrote the line down that could not be read. */
  readonly isRepaired?: boolean;
  readonly tokens: number;
  /** At list price; null where nobody is paid, or a price is not known. */
  readonly usd: number | null;
  /** Calls on their way now. */
  readonly calls: number;
  readonly resent: number;
  /** It was on record before the screen was opened: it says nothing of how long the others take. */
  readonly isOld: boolean;
}

/** How it stands. `resting`: nobody works on it, and it is not over. */
export type Standing =
  | { readonly kind: 'live' | 'resting' }
  /** A person has stopped it; `waits`: for what. */
  | { readonly kind: 'stopping'; readonly waits: number }
  | {
      readonly kind: 'ended';
      readonly turns: number;
      /** Markdown. */
      readonly report: string;
    };
