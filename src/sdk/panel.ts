/** Types of the context of a user's own protocol: many seats, polls, gates, groups and ledgers. */
import type * as z from 'zod';
import type { Tally } from '../figures/tally.ts';

/** The id of a seat: the name of its role, with a number if the role may have several seats. */
export type SeatId<R extends string = string> = R | `${R}-${number}`;

/** A seat, as the author's code gets it. */
export interface SeatAtWork<R extends string = string> {
  /** The id: the role, or `juror-2` if the role may have several seats. */
  readonly id: SeatId<R>;
  readonly role: R;
  /** The display name. */
  readonly title: string;
  /** The model's name, `provider/model`. */
  readonly model: string;
}

/** The options of a call to a seat. */
export interface AskOptions {
  /** The time limit in milliseconds. The clock starts when the call is sent. */
  readonly timeoutMs?: number;
  /** The most tokens that the answer may have. */
  readonly maxTokens?: number;
  /**
   * Lets the seat read the folders that the person named with `--look`, and use the tools named with `--tools`,
   * before it answers. Each of its turns is a step: `KEY/turn-1`, `KEY/turn-2`, … If the person named neither,
   * this option has no effect.
   */
  readonly look?: boolean;
  /**
   * Whether the seat is shown the documents that the person named with `--attach`; absent: it is. Set to
   * false for calls that only compare what others said.
   */
  readonly documents?: boolean;
  /**
   * What happens if `check` rejects the answer twice; the second call has the key `KEY/again`.
   * `none`: the seat counts as not having answered. `keep`: the answer is used. Absent: `none`.
   */
  readonly wrongTwice?: 'none' | 'keep';
  /** The text to return if there is no answer; absent: NoAnswer is thrown. */
  readonly otherwise?: string;
}

/**
 * The outcome of a run, as sentences in the order in which they are shown. The program adds who
 * answered.
 */
export interface Outcome {
  /** What the panel recommends or found. */
  readonly result: string;
  /** What the first, blind answers alone would have said. */
  readonly first?: string;
  /** What changed between the first answers and the result. */
  readonly moved?: string;
  /** The one thing that would change the result. */
  readonly turns?: string;
  /** How far the result can be believed. */
  readonly belief?: string;
  /** Further Markdown, shown below the sentences. */
  readonly text?: string;
  /**
   * True if a model wrote `text`. Numbers in it that occur nowhere else in the run are then named
   * below it.
   */
  readonly isProse?: boolean;
}

/** A blind answer with its choice. The id does not reveal the author. */
export interface Polled<R extends string = string> {
  /** The id, such as `A1`. */
  readonly id: string;
  readonly seat: SeatAtWork<R>;
  readonly text: string;
  /** The choice in the seat's own words. */
  readonly choice: string;
  /** How sure the seat is, from 0 to 100. */
  readonly confidence: number;
}

/** The blind answers of several seats, with their choices grouped and counted. */
export interface Poll<R extends string = string> {
  readonly answers: readonly Polled<R>[];
  /** The different options, each in the words of the first seat that chose it. */
  readonly options: readonly Item[];
  /** The ballots: for each seat the id of the option that it chose. */
  readonly ballots: readonly { readonly seat: string; readonly option: string }[];
  /** The number of ballots for each option. */
  readonly tally: Tally;
  /** Returns an option's text. */
  readonly name: (option: string) => string;
  /** Formats the numbers of ballots: `Keep it: 2 of 3; split it: 1 of 3`. */
  readonly tell: (tally: Tally) => string;
}

/** The choice of a seat at the end, after it has read the others. */
export interface LastBallot {
  /** The id of the chosen option. */
  readonly option: string;
  /** The id of the text that changed the seat's mind, or `nothing`. */
  readonly because: string;
  /** How sure the seat is, from 0 to 100. */
  readonly confidence?: number;
}

/** The answer of one seat, when several were asked. */
export interface Heard<V, R extends string = string> {
  readonly seat: SeatAtWork<R>;
  /** The answer. */
  readonly value: V;
}

/** Asks several seats in parallel, see `Context.askAll`. */
export interface AskAll<R extends string = string> {
  /** Returns parsed objects; the seats must answer in the form of `schema`. */
  <V extends z.ZodType>(
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string | ((seat: SeatAtWork<R>) => string),
    options: AskAllOptions & { readonly schema: V; readonly check?: Check<z.output<V>, R> },
  ): Promise<Heard<z.output<V>, R>[]>;
  /** Returns the answers as texts. */
  (
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string | ((seat: SeatAtWork<R>) => string),
    options?: AskAllOptions & { readonly check?: Check<string, R> },
  ): Promise<Heard<string, R>[]>;
}

/** The options of a question to several seats. */
export interface AskAllOptions extends AskOptions {
  /**
   * The smallest number of answers. If there are fewer, the run ends, and its conclusion contains
   * only these answers.
   */
  readonly least?: number;
}

/**
 * Returns what is wrong with an answer, as a sentence to the seat that gave it; undefined if
 * nothing is wrong.
 */
export type Check<V, R extends string = string> = (
  answer: V,
  seat: SeatAtWork<R>,
) => string | undefined;

/** Asks the person at the console, see `Context.gate`. */
export interface Gate {
  /** Asks the person to choose one of several options. */
  (
    key: string,
    prompt: string,
    choice: {
      readonly options: readonly { readonly value: string; readonly label: string }[];
      readonly default: string;
    },
  ): Promise<Decision<string>>;
  /**
   * Shows a draft that the person can accept or edit. If `read` throws for the edited text, the
   * error is shown and the person is asked again.
   */
  <V>(
    key: string,
    prompt: string,
    edit: { readonly draft: string; readonly read: (text: string) => V },
  ): Promise<Decision<V>>;
}

/** What the person decided. */
export interface Decision<V> {
  /** The chosen value, or the parsed draft. */
  readonly value: V;
  /**
   * True if a person, or a program in a person's place, decided; false if nobody did, so that the default or
   * the draft was taken.
   */
  readonly isPersons: boolean;
}

/** A text with an id that does not reveal its author. */
export interface Item {
  readonly id: string;
  readonly text: string;
}

/** The options for grouping texts by meaning. */
export interface GroupOptions {
  /** The kind of items, for the prompt, such as `ideas`. */
  readonly of: string;
  /** Whether a person is asked to confirm the groups. */
  readonly gate?: boolean;
}

/** The result of grouping texts by meaning. */
export interface Grouping {
  /**
   * The ids of the items of each group. Every id is in one group; the first of a group represents
   * it.
   */
  readonly groups: readonly (readonly string[])[];
  /** True if a call failed, so that only items with equal wording were joined. */
  readonly isUngrouped: boolean;
  /** The pairs that code kept apart although calls joined them, directly or through others, each with the reason. */
  readonly refused: readonly string[];
}

/** A statement to enter into a ledger. */
export interface Entered {
  readonly text: string;
  /** The kind of statement in a word, such as `definition`. */
  readonly kind?: string;
  /** The id of the entry or text that the statement is about. */
  readonly of?: string;
  /** A quotation from the text `of`, as a model gave it; it is checked when it is entered. */
  readonly quote?: string;
}

/** A statement in a ledger. */
export interface Entry {
  /** The id: the prefix of the ledger and a number. */
  readonly id: string;
  /** The seat that made the statement. Prompts do not show it. */
  readonly by: string;
  readonly text: string;
  readonly kind?: string;
  /** The id of the entry or text that the statement is about. */
  readonly of?: string;
  /**
   * The whole sentence that contains the quotation; absent if nothing was quoted or the quotation
   * was not found.
   */
  readonly quote?: string;
  /** True if the statement came with a quotation that was not found in its source. */
  readonly isUnquoted: boolean;
  /** The status, which is `open` until `mark` sets another one. */
  readonly status: string;
  /** The reason for the status; empty if none was given. */
  readonly why: string;
}

/** A numbered list of statements, for which the program manages ids, quotations and statuses. */
export interface Ledger {
  readonly entries: readonly Entry[];
  /**
   * Enters statements of the seat `by`. `sources` are the texts that it may quote. A quotation must
   * have at least four words of one sentence, and the entry then contains the whole sentence.
   */
  readonly add: (
    key: string,
    by: string,
    what: readonly Entered[],
    sources?: readonly Item[],
  ) => Promise<readonly Entry[]>;
  /**
   * Enters the statements of several seats, in the order of the seats. `pick` returns the
   * statements of an answer.
   */
  readonly addAll: <V>(
    key: string,
    heard: readonly Heard<V>[],
    pick: (value: V) => readonly Entered[],
    sources?: readonly Item[],
  ) => Promise<void>;
  /**
   * Returns the entries for a prompt, by id and without authors: quotation, statement and status.
   * `which` selects entries; absent: all.
   */
  readonly quotables: (which?: (entry: Entry) => boolean) => readonly Item[];
  /** Sets the status of an entry, such as `answered`, and the reason. */
  readonly mark: (key: string, id: string, status: string, why?: string) => Promise<void>;
}
