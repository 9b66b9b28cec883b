/**
 * The log of one run, as the kernel needs it. The store implements it over SQLite; another engine
 * could stand in its place. Everything is recorded before the method returns: a process that is killed
 * loses none of it. `outlasts` says when a machine that loses its power does not either.
 */
import type { AnyBody, AnyFact } from './vocabulary.ts';

/** What the journal knows of a step. */
export type Recollection =
  | { readonly kind: 'absent' }
  /** Recorded, but for other inputs. */
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'recorded';
      readonly result: unknown;
      /** The facts that were recorded with it, read when asked for. */
      readonly facts: () => readonly AnyFact[];
      /** Set where the record is the parent run's, not this run's own. */
      readonly inheritedFrom?: string;
      /** It came out of somebody's file: nobody here has seen it being done. */
      readonly isForeign?: true;
    };

export interface StepRecord {
  readonly step: string;
  /** Hash of the inputs: the same key with another hash is another piece of work. */
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
  /** Forgets that a step is finished; its facts stay in the log. */
  forget(step: string): void;
  /**
   * Keeps what running calls have said since the last time, for whoever follows from another process
   * and for the day after a crash. Not durable against power loss; cleared when the step ends. Throws
   * soon, and keeps nothing, where another program holds the database.
   */
  keep(chunks: readonly Chunk[]): void;
  /** All facts with a sequence number above `after`, in order. */
  facts(after?: number): AnyFact[];
  /**
   * Resolves when what was recorded so far outlasts this process and a loss of power. Awaited before a
   * call is sent: the call is on record by then, and every answer that it is made of. Absent where
   * nothing can be lost. Rejects where this process may record nothing more, or the disk failed.
   */
  outlasts?(): Promise<void>;
  /** Of a fork, all facts of its parent, where that is still there. */
  parentFacts?(): AnyFact[];
  /** Gives the run back: another process may own it from now on. */
  release(): void;
}

/**
 * What a call was asked, kept beside the log for whoever queries the database. It is no fact: nothing is
 * folded from it, and a run is whole without it.
 */
export interface Prompt {
  readonly attempt: string;
  /** Empty where none was sent. */
  readonly system: string;
  /** Prompts of a run share most of their parts, and a part is kept once. */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly parts: readonly string[];
  }[];
  /** JSON Schema of the object that was asked for; undefined where text was. */
  readonly schema: string | undefined;
  readonly options: Readonly<Record<string, number | string>>;
}

/** Text of a call that is still running. */
export interface Chunk {
  readonly step: string;
  /** Names the request that says it; text of another request of the same step no longer counts. */
  readonly attempt: string;
  readonly text: string;
  readonly thinking: string;
}
