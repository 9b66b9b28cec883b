/**
 * The log of one run, as the kernel needs it. The store implements it over SQLite, and other engines could.
 * Every method records before it returns: if the process is killed, nothing is lost. `outlasts` says when
 * records also survive a loss of power.
 */
import type { AnyBody, AnyFact } from './vocabulary.ts';

/**
 * What the journal has recorded of a step: nothing (`absent`), the step with other inputs (`stale`),
 * or the step's result (`recorded`).
 */
export type RecordedStep =
  | { readonly kind: 'absent' }
  /** The step was recorded with other inputs, so that its result cannot be used. */
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'recorded';
      readonly result: unknown;
      /** Reads the facts that were recorded with the step. */
      readonly facts: () => readonly AnyFact[];
      /** The id of the parent run, if the record is the parent's and not this run's own. */
      readonly inheritedFrom?: string;
      /** True if the record was imported from a file and the work was done on another machine. */
      readonly isForeign?: true;
    };

/** A finished step, as the journal records it. */
export interface StepRecord {
  /** The key of the step. */
  readonly step: string;
  /** The hash of the step's inputs. The same key with another hash is another piece of work. */
  readonly hash: string;
  /**
   * The step's result, JSON-serialisable. A call has null: its result is read from the call's own
   * fact.
   */
  readonly result: unknown;
}

/** The append-only log of one run. */
export interface Journal {
  /** The id of the run. */
  readonly run: string;
  /** Looks up what this run, or else its parent, has recorded of a step whose inputs have the given hash. */
  recall(step: string, hash: string): RecordedStep;
  /**
   * Records a finished step and its facts in one transaction. Returns the facts with their
   * positions in the log. `prompt` is stored beside the log.
   */
  commit(record: StepRecord, facts: readonly AnyBody[], prompt?: Prompt): readonly AnyFact[];
  /**
   * Records facts that finish no step, such as the beginning of a step or the end of the run.
   * Returns the facts with their positions in the log.
   */
  note(facts: readonly AnyBody[], prompt?: Prompt): readonly AnyFact[];
  /** Marks a step as not finished, so that it is done again. Its facts stay in the log. */
  forget(step: string): void;
  /**
   * Stores the newest text of running calls, for other processes that follow the run. A loss of power may lose this text, and the end of the call deletes it.
   * Throws within a short time, and stores nothing, if another program locks the database.
   */
  keep(chunks: readonly Chunk[]): void;
  /** Returns all facts with a sequence number above `after`, in order. */
  facts(after?: number): AnyFact[];
  /**
   * Resolves when everything recorded so far would survive a crash and a loss of power. This is
   * awaited before a call is sent, so that a call that may be billed is always on record. Absent if
   * the journal cannot lose anything. Rejects if this process no longer owns the run, or if the
   * disk failed.
   */
  outlasts?(): Promise<void>;
  /**
   * Returns all facts of the parent, the run that this run was forked from. Absent if there is no parent or it
   * was deleted.
   */
  parentFacts?(): AnyFact[];
  /** Releases the run: another process may own it from now on. */
  release(): void;
}

/**
 * The prompt of a call, stored beside the log for people to read. A prompt is not a fact, and a run is
 * complete without it.
 */
export interface Prompt {
  /** The id of the attempt at the call. */
  readonly attempt: string;
  /** Empty if no system prompt was sent. */
  readonly system: string;
  /**
   * The messages, as lists of parts. Prompts of a run share most of their parts; the database
   * stores each part once.
   */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly parts: readonly string[];
  }[];
  /** The JSON Schema of the structured answer; undefined if text was requested. */
  readonly schema: string | undefined;
  /** Further options of the request, such as the temperature. */
  readonly options: Readonly<Record<string, number | string>>;
}

/** New text of a call that is still running. */
export interface Chunk {
  readonly step: string;
  /**
   * The id of the request that produced the text. A later request of the same step replaces the
   * text.
   */
  readonly attempt: string;
  readonly text: string;
  readonly thinking: string;
}
