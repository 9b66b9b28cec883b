/** What a protocol is given beside single questions: many seats, polls, gates, groups and ledgers. */
import type * as z from 'zod';
import type { Tally } from '../figures/tally.ts';

/** A role's only seat has its name; of several, each has a number behind it. */
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
  /** Gives the call up after so many milliseconds from when it was sent. */
  readonly timeoutMs?: number;
  /** Most tokens the answer may have. */
  readonly maxTokens?: number;
  /**
   * Lets the seat look into the folders that the person named with `--look` before it answers: turn by
   * turn, under the keys `KEY/turn-1`, `KEY/turn-2`, … Without such a folder it is asked as ever.
   */
  readonly look?: boolean;
  /**
   * What becomes of an answer that `check` finds wrong twice (the second time under `KEY/again`): it
   * counts as none, or it is kept.
   */
  readonly wrongTwice?: 'none' | 'keep';
  /** Given back where there is no answer, instead of throwing NoAnswer. */
  readonly otherwise?: string;
}

/**
 * What a run came to, in the order in which it is told: the result, what the first answers alone would
 * have said, what moved it, what one thing would turn it, how far to believe it. Who was heard is known.
 */
export interface Outcome {
  readonly result: string;
  /** What came out of the first, blind answers. */
  readonly first?: string;
  readonly moved?: string;
  readonly turns?: string;
  readonly belief?: string;
  /** Markdown below all that. */
  readonly text?: string;
  /**
   * True: `text` is a model's. Figures in it that stand nowhere in the record, the question or in what
   * was shown are named below it.
   */
  readonly isProse?: boolean;
}

/** A blind answer, under an id that says nothing of whose it is. */
export interface Polled<R extends string = string> {
  /** `A1`, `A2`, … */
  readonly id: string;
  readonly seat: SeatAtWork<R>;
  readonly text: string;
  /** What would stand on a ballot. */
  readonly choice: string;
  /** 0 to 100. */
  readonly confidence: number;
}

export interface Poll<R extends string = string> {
  readonly answers: readonly Polled<R>[];
  /** The choices, each once, in the words of whoever made it first. */
  readonly options: readonly Item[];
  /** Seats by their ids, options by theirs. */
  readonly ballots: readonly { readonly seat: string; readonly option: string }[];
  readonly tally: Tally;
  /** An option's words. */
  readonly name: (option: string) => string;
  /** `Keep it: 2 of 3; split it: 1 of 3` */
  readonly tell: (tally: Tally) => string;
}

/** What a seat holds in the end. */
export interface LastBallot {
  readonly option: string;
  /** The id of what changed it, or `nothing`. */
  readonly because: string;
  /** 0 to 100. */
  readonly confidence?: number;
}

/** A seat's answer to what several were asked. */
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
  /** With fewer answers than these the run ends here: its conclusion says so, and has the answers alone. */
  readonly least?: number;
}

/** What is wrong with an answer, in one sentence for whoever gave it; undefined: nothing. */
export type Check<V, R extends string = string> = (
  answer: V,
  seat: SeatAtWork<R>,
) => string | undefined;

export interface Gate {
  /** A choice. */
  (
    key: string,
    prompt: string,
    choice: {
      readonly options: readonly { readonly value: string; readonly label: string }[];
      readonly default: string;
    },
  ): Promise<Decision<string>>;
  /** A draft that the person takes or edits. What `read` throws is said to them, and they are asked again. */
  <V>(
    key: string,
    prompt: string,
    edit: { readonly draft: string; readonly read: (text: string) => V },
  ): Promise<Decision<V>>;
}

export interface Decision<V> {
  readonly value: V;
  /** False where nobody was there, and the default or the draft was taken. */
  readonly isPersons: boolean;
}

/** A text under an id that says nothing of whose it is. */
export interface Item {
  readonly id: string;
  readonly text: string;
}

export interface GroupOptions {
  /** What they are, for the prompt: `options`, `ideas`. */
  readonly of: string;
  /** Whether the person is shown the groups. */
  readonly gate?: boolean;
}

export interface Grouping {
  /** Every id once, in the order of the items; the first of each group stands for it. */
  readonly groups: readonly (readonly string[])[];
  /** True where no call came to anything: only equal wordings are joined. */
  readonly isUngrouped: boolean;
  /** What was to be joined and was not, a sentence each. */
  readonly refused: readonly string[];
}

/** What is entered into a ledger. */
export interface Entered {
  readonly text: string;
  /** What sort of entry it is, in a word: `definition`. */
  readonly kind?: string;
  /** The id of what it is about: of another entry, or of a text it quotes. */
  readonly of?: string;
  /** Words said to stand in the text called `of`. */
  readonly quote?: string;
}

export interface Entry {
  /** By code: the ledger's prefix and a number. */
  readonly id: string;
  /** Whose it is; it stands in no prompt by itself. */
  readonly by: string;
  readonly text: string;
  readonly kind?: string;
  readonly of?: string;
  /** The whole sentence around what was quoted; absent where nothing was, or it was not found. */
  readonly quote?: string;
  /** Something was quoted, and stands nowhere in the text it was said to be from. */
  readonly isUnquoted: boolean;
  /** `open` until it is marked. */
  readonly status: string;
  /** Why it has that status. */
  readonly why: string;
}

export interface Ledger {
  readonly entries: readonly Entry[];
  /**
   * Enters what a seat said. `sources`: the texts that it may quote; a quotation is at least four
   * words of one sentence, which is filled in whole.
   */
  readonly add: (
    key: string,
    by: string,
    what: readonly Entered[],
    sources?: readonly Item[],
  ) => Promise<readonly Entry[]>;
  /** The same for what several seats were asked, in their order. */
  readonly addAll: <V>(
    key: string,
    heard: readonly Heard<V>[],
    pick: (value: V) => readonly Entered[],
    sources?: readonly Item[],
  ) => Promise<void>;
  /** Entries for a prompt, by id and without names: what is quoted, what is said, what became of it. */
  readonly quotables: (which?: (entry: Entry) => boolean) => readonly Item[];
  /** Gives an entry its status: `answered`, `conceded`, … */
  readonly mark: (key: string, id: string, status: string, why?: string) => Promise<void>;
}
