/** Types of the context of a user's own protocol: many seats, polls, gates, groups and ledgers. */
import type * as z from 'zod';
import type { Tally } from '../figures/tally.ts';

/** The id of a seat: the role's name, with a number if the role has several seats. */
export type SeatId<R extends string = string> = R | `${R}-${number}`;

export interface SeatAtWork<R extends string = string> {
  /** Its role, or `juror-2` where a role has several seats. */
  readonly id: SeatId<R>;
  readonly role: R;
  readonly title: string;
  /** `provider/model`. */
  readonly model: string;
}

export interface AskOptions {
  /** The time limit in milliseconds, from when the call is sent. */
  readonly timeoutMs?: number;
  /** The most tokens that the answer may have. */
  readonly maxTokens?: number;
  /**
   * Lets the seat read the folders that the person named with `--look` before it answers: turn by turn,
   * under the keys `KEY/turn-1`, `KEY/turn-2`, … Without such a folder it has no effect.
   */
  readonly look?: boolean;
  /**
   * Whether the seat is shown the documents that the person named with `--attach`; by default it is. For
   * calls that only compare what others said.
   */
  readonly documents?: boolean;
  /**
   * What happens to an answer that `check` rejects twice (the second time under `KEY/again`): it counts as
   * none, or it is kept.
   */
  readonly wrongTwice?: 'none' | 'keep';
  /** Returned if there is no answer, instead of throwing NoAnswer. */
  readonly otherwise?: string;
}

/**
 * The outcome of a run in the order in which it is shown: the result, what the first answers alone would
 * have said, what moved it, what one thing would change it, and how far to believe it. The program adds who
 * answered.
 */
export interface Outcome {
  readonly result: string;
  /** The result of the first, blind answers. */
  readonly first?: string;
  readonly moved?: string;
  readonly turns?: string;
  readonly belief?: string;
  /** Markdown below the rest. */
  readonly text?: string;
  /**
   * True if `text` is written by a model. Numbers in it that do not occur in the record, the question or
   * what was shown are named below it.
   */
  readonly isProse?: boolean;
}

/** A blind answer, under an id that does not reveal its author. */
export interface Polled<R extends string = string> {
  /** `A1`, `A2`, … */
  readonly id: string;
  readonly seat: SeatAtWork<R>;
  readonly text: string;
  /** The choice as on a ballot. */
  readonly choice: string;
  /** 0 to 100. */
  readonly confidence: number;
}

export interface Poll<R extends string = string> {
  readonly answers: readonly Polled<R>[];
  /** The distinct choices, in the words of the first seat that made each. */
  readonly options: readonly Item[];
  /** Ballots: the id of a seat and the id of its option. */
  readonly ballots: readonly { readonly seat: string; readonly option: string }[];
  readonly tally: Tally;
  /** Returns an option's text. */
  readonly name: (option: string) => string;
  /** Formats a tally: `Keep it: 2 of 3; split it: 1 of 3`. */
  readonly tell: (tally: Tally) => string;
}

/** A seat's final choice. */
export interface LastBallot {
  readonly option: string;
  /** The id of the text that changed it, or `nothing`. */
  readonly because: string;
  /** 0 to 100. */
  readonly confidence?: number;
}

/** One seat's answer to a question for several seats. */
export interface Heard<V, R extends string = string> {
  readonly seat: SeatAtWork<R>;
  readonly value: V;
}

export interface AskAll<R extends string = string> {
  <V extends z.ZodType>(
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string | ((seat: SeatAtWork<R>) => string),
    options: AskAllOptions & { readonly schema: V; readonly check?: Check<z.output<V>, R> },
  ): Promise<Heard<z.output<V>, R>[]>;
  (
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string | ((seat: SeatAtWork<R>) => string),
    options?: AskAllOptions & { readonly check?: Check<string, R> },
  ): Promise<Heard<string, R>[]>;
}

export interface AskAllOptions extends AskOptions {
  /** The fewest answers; with fewer the run ends here, and its conclusion contains the answers alone. */
  readonly least?: number;
}

/** Returns what is wrong with an answer in one sentence for its seat; undefined if nothing is. */
export type Check<V, R extends string = string> = (
  answer: V,
  seat: SeatAtWork<R>,
) => string | undefined;

export interface Gate {
  /** Asks for a choice. */
  (
    key: string,
    prompt: string,
    choice: {
      readonly options: readonly { readonly value: string; readonly label: string }[];
      readonly default: string;
    },
  ): Promise<Decision<string>>;
  /**
   * Shows a draft to accept or edit. An error that `read` throws is shown, and the person is asked again.
   */
  <V>(
    key: string,
    prompt: string,
    edit: { readonly draft: string; readonly read: (text: string) => V },
  ): Promise<Decision<V>>;
}

export interface Decision<V> {
  readonly value: V;
  /** False if nobody was there, and the default or the draft was taken. */
  readonly isPersons: boolean;
}

/** A text under an id that does not reveal its author. */
export interface Item {
  readonly id: string;
  readonly text: string;
}

export interface GroupOptions {
  /** The kind of items, for the prompt: `options`, `ideas`. */
  readonly of: string;
  /** Whether the groups are shown to the person. */
  readonly gate?: boolean;
}

export interface Grouping {
  /** Every id once, in the order of the items; the first id of each group represents it. */
  readonly groups: readonly (readonly string[])[];
  /** True if every call failed, so that only equal wordings are joined. */
  readonly isUngrouped: boolean;
  /** The pairs that were not joined, a sentence each. */
  readonly refused: readonly string[];
}

/** A statement to be entered into a ledger. */
export interface Entered {
  readonly text: string;
  /** The kind of entry in a word: `definition`. */
  readonly kind?: string;
  /** The id of the entry or text that it refers to. */
  readonly of?: string;
  /** A supposed quotation from the text `of`. */
  readonly quote?: string;
}

export interface Entry {
  /** The ledger's prefix and a number. */
  readonly id: string;
  /** Its author, which is not shown in prompts. */
  readonly by: string;
  readonly text: string;
  readonly kind?: string;
  readonly of?: string;
  /** The whole sentence around the quotation; absent if there is none, or it was not found. */
  readonly quote?: string;
  /** True if a quotation was not found in its source. */
  readonly isUnquoted: boolean;
  /** `open` until it is marked. */
  readonly status: string;
  /** Why it has that status. */
  readonly why: string;
}

export interface Ledger {
  readonly entries: readonly Entry[];
  /**
   * Enters statements of a seat. `sources`: the texts that it may quote; a quotation has at least four
   * words of one sentence, which is completed.
   */
  readonly add: (
    key: string,
    by: string,
    what: readonly Entered[],
    sources?: readonly Item[],
  ) => Promise<readonly Entry[]>;
  /** Enters the statements of several seats, in their order. */
  readonly addAll: <V>(
    key: string,
    heard: readonly Heard<V>[],
    pick: (value: V) => readonly Entered[],
    sources?: readonly Item[],
  ) => Promise<void>;
  /** Returns entries for a prompt, by id and without authors: quotation, statement and status. */
  readonly quotables: (which?: (entry: Entry) => boolean) => readonly Item[];
  /** Sets an entry's status: `answered`, `conceded`, … */
  readonly mark: (key: string, id: string, status: string, why?: string) => Promise<void>;
}
