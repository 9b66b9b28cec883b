/**
 * The log of one run, as the kernel needs it. The store implements it over SQLite, and other engines could.
 * Every method records before it returns: if the process is killed, nothing is lost. `outlasts` says when
 * records also survive a loss of power.
 */
import type { AnyBody, AnyFact } from './vocabulary.ts';

/** The journal's record of a step, if it has one. */
export type Recollection =
  | { readonly kind: 'absent' }
  /** The step is recorded for other inputs. */
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'recorded';
      readonly result: unknown;
      /** Reads the facts that were recorded with the step. */
      readonly facts: () => readonly AnyFact[];
      /** The id of the parent run, if the record is the parent's and not this run's own. */
      readonly inheritedFrom?: string;
      /** True if the record was imported from a file: this machine did not do the work. */
      readonly isForeign?: true;
    };

export interface StepRecord {
  readonly step: string;
  /** The hash of the inputs. The same key with another hash is another piece of work. */
  readonly hash: string;
  /** JSON-serialisable. Calls record null: their result is read back from the call's own fact. */
  readonly result: unknown;
}

export interface Journal {
  readonly run: string;
  recall(step: string, hash: string): Recollection;
  /** Records a finished step and its facts in one transaction. */
  commit(record: StepRecord, facts: readonly AnyBody[], prompt?: Prompt): readonly AnyFact[];
  /** Records facts that finish no step: a start, a stop, the run's own beginning and end. */
  note(facts: readonly AnyBody[], prompt?: Prompt): readonly AnyFact[];
  /** Marks a step as not finished; its facts stay in the log. */
  forget(step: string): void;
  /**
   * Stores the new text of running calls, for other processes that follow the run and for recovery after a
   * crash. The text is not durable against power loss and is deleted when the step ends. Throws within a
   * short time, and stores nothing, if another program locks the database.
   */
  keep(chunks: readonly Chunk[]): void;
  /** Returns all facts with a sequence number above `after`, in order. */
  facts(after?: number): AnyFact[];
  /**
   * Resolves when everything recorded so far survives the end of this process and a loss of power. It is
   * awaited before a call is sent, so that the call and every answer that its prompt contains are on
   * record. Absent if nothing can be lost. Rejects if this process no longer owns the run, or the disk
   * failed.
   */
  outlasts?(): Promise<void>;
  /** Returns all facts of a fork's parent, if the parent still exists. */
  parentFacts?(): AnyFact[];
  /** Releases the run: another process may own it from now on. */
  release(): void;
}

/**
 * The prompt of a call, stored beside the log for people who query the database. It is no fact: no view is
 * computed from it, and a run is complete without it.
 */
export interface Prompt {
  readonly attempt: string;
  /** Empty if no system prompt was sent. */
  readonly system: string;
  /** Prompts of a run share most of their parts; each part is stored once. */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly parts: readonly string[];
  }[];
  /** The JSON Schema of the structured answer; undefined if text was requested. */
  readonly schema: string | undefined;
  readonly options: Readonly<Record<string, number | string>>;
}

/** Text of a call that is still running. */
export interface Chunk {
  readonly step: string;
  /**
   * The id of the request that produced the text. Text of an earlier request of the same step no longer
   * counts.
   */
  readonly attempt: string;
  readonly text: string;
  readonly thinking: string;
}
