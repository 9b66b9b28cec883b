/**
 * The interfaces through which pages and protocols' views read a run, and through which a protocol says how its
 * runs are followed. `live-run.ts` implements `RunModel`.
 */
import type { Seat } from '../../kernel/model.ts';
import type { RunView, SynthesisView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { AnswerWords } from '../../text/answers/answer.ts';
import type { Attachment } from '../../text/documents/attachment.ts';
import type { CallStream } from './call-stream.ts';
import type { Part } from './part.ts';
import type { Spending } from './spending.ts';
import type { Steps } from './steps.ts';

/**
 * A column of the screen: a seat of the panel, with its answer to a question or its latest call.
 */
export interface Column {
  readonly seat: Seat;
  /**
   * The seat's title or, without one, its id. Seats with the same title also have the id, except where columns
   * show calls.
   */
  readonly name: string;
  /**
   * The question that the call is about, which the heading then shows instead of the name. Absent
   * if the heading shows the name.
   */
  readonly subject?: string | undefined;
  /** The output of the call. */
  readonly stream: CallStream;
}

/** A synthesis that is being written, is finished, or has failed. */
export interface Synthesis {
  /** The number of the synthesis in the run, from 1. */
  readonly version: number;
  /** The number of the question that it answers. */
  readonly question: number;
  /**
   * If this synthesis repeats another one without one of its seats (an ablation), the version of the
   * other one; undefined if this synthesis is no ablation.
   */
  readonly ablates: number | undefined;
  /** The text, while it is written and afterwards. */
  readonly stream: CallStream;
  /** The finished record; undefined until then. */
  readonly done: SynthesisView | undefined;
}

/** A question of the run; the first one has the number 1. */
export interface Question {
  readonly number: number;
  readonly text: string;
}

/** A line of the log, for one fact. */
export interface LogLine {
  /** The number of the fact. */
  readonly seq: number;
  /** The time of the fact, in ISO 8601. */
  readonly at: string;
  readonly type: string;
  /** The key of the step that the fact is about; empty if there is none. */
  readonly step: string;
  /** The fact in words. */
  readonly summary: string;
  /** The fact, without control characters. */
  readonly fact: AnyFact;
}

/** The state of a run, as the pages of the console read it. */
export interface RunModel {
  /** The state that all protocols have. */
  readonly view: RunView;
  /** The questions so far, the first one first. */
  readonly questions: readonly Question[];
  /** The number of the latest question. */
  readonly question: number;
  /** All syntheses of the run. */
  readonly syntheses: readonly Synthesis[];
  /** The seats with their answers to the latest question or, in some protocols, their latest calls. */
  readonly columns: readonly Column[];
  /** The texts attached to the question. They may contain control characters. */
  readonly attachments: readonly Attachment[];
  /** The log, a line for each fact. */
  readonly log: readonly LogLine[];
  /** The steps, with times and costs. */
  readonly steps: Steps;
  /** The costs by round. */
  readonly spending: Spending;
  /** Whether the run is going on, in this process or another one. */
  readonly isLive: boolean;
  /** Whether the run is paused: running calls may end, and no others begin. */
  readonly paused: boolean;
  /** Whether this attempt has begun its synthesis, which reads no later notes. */
  readonly drafting: boolean;
  /** Whether a seat is being asked, so that failed seats can be asked again now. */
  readonly asking: boolean;
  /** How many calls are running. Calls that write syntheses count only where columns show latest calls. */
  readonly running: number;
  /** How many seats have an answer to the latest question; 0 in protocols whose columns are calls. */
  readonly answers: number;
  /** Returns a question as it was asked, with its line breaks. */
  asked(number: number): string;
  /** Returns the seats with their answers to a question or, in some protocols, their latest calls. */
  columnsOf(question: number): readonly Column[];
  /** Returns the syntheses of a question, including ablations (those written without a seat). */
  synthesesOf(question: number): readonly Synthesis[];
  /** Returns a seat's name by its id. */
  nameOf(seat: string): string;
  /**
   * Returns the streams of running steps whose keys begin with the prefix, in the order in which they
   * began. Left out are steps that only a column or a synthesis shows.
   */
  streams(prefix: string): [step: string, stream: CallStream][];
  /** Formats the structured answer of a step's call for people. */
  reads(step: string, value: unknown): string;
  /**
   * Returns the word to show on the screen for a part of a step's key, such as `entrance-test-1` for
   * `exam-1`.
   */
  partWords(part: string): string;
  /** Returns the output of a step's call, formatted for people. */
  said(step: string): string;
  /** Returns the stream of a step's call while the call runs; otherwise undefined. */
  speaking(step: string): CallStream | undefined;
  /**
   * Returns the approximate tokens of running calls of a step and the steps below it, which no fact
   * counts yet.
   */
  spokenBelow(key: string): number;
  /** Returns the state of a protocol's part. */
  read<S>(part: Part<S>): S;
}

/**
 * Which calls have columns. `answers`: a seat has one call for each question, and its column shows that; other
 * calls have no column. `latest`: a seat's column shows its latest call of any kind. `calls`: each streaming
 * call has a column; when the run is at rest, each seat's latest call has one.
 */
type Columns =
  | { readonly by: 'answers'; readonly stepOf: (seat: string, question: number) => string }
  | {
      readonly by: 'latest';
      /** The type of fact that clears calls that have ended; until then they can be read. */
      readonly until?: string;
    }
  | {
      readonly by: 'calls';
      /** Returns the question that a call is about; undefined: none that its column should show. */
      readonly subjectOf?: (step: string, run: RunModel) => string | undefined;
    };

/** What the console has to know of a protocol to follow its runs. */
export interface RunShape {
  /** The states that are computed from the protocol's own facts. */
  readonly parts: readonly Part<unknown>[];
  /** Which calls get columns. */
  readonly columns: Columns;
  /** Formats answers that have a JSON schema. */
  readonly answer: AnswerWords;
  /**
   * Replaces the letters that stand for seats in a prompt by the seats' names. If `isWhole` is
   * false, drops the end of the text if it may be the beginning of words that name such a letter.
   */
  readonly named?: (
    text: string,
    labels: Readonly<Record<string, string>>,
    nameOf: (seat: string) => string,
    isWhole: boolean,
  ) => string;
  /**
   * Formats a fact of the protocol for the log; returns undefined for other facts. `run` is the
   * state after the fact.
   */
  readonly says: (one: AnyFact, run: RunModel) => string | undefined;
  /** Formats a finished synthesis for people; absent: its text is shown unchanged. */
  readonly reads?: (done: SynthesisView, run: RunModel) => string;
  /**
   * Returns the word to show on the screen for a part of a step's key, such as `entrance-test-1` for
   * `exam-1`. Returns undefined if the part is shown unchanged.
   */
  readonly partWords?: (part: string) => string | undefined;
  /**
   * If the synthesis `version` repeats another one without one of its seats (an ablation), returns the
   * version of the other one. Returns undefined if it is no ablation.
   */
  readonly ablates?: (run: RunModel, version: number) => number | undefined;
  /**
   * Returns the time (milliseconds since 1970) at which the protocol stops waiting for a seat;
   * undefined: no limit.
   */
  readonly until?: (run: RunModel, seat: string, question: number) => number | undefined;
}

/** The lines above a synthesis. */
interface Lead {
  /** The recommendation, in a sentence; undefined until it is written. */
  readonly sentence: string | undefined;
  /** Short lines beside the sentence, such as the vote. */
  readonly beside: readonly string[];
}

/** The texts that a protocol shows around a synthesis. */
export interface SynthesisWords {
  /** Returns what is shown above the text: the recommendation in a sentence, and lines beside it. */
  readonly lead: (synthesis: Synthesis, run: RunModel) => Lead;
  /**
   * Returns phrases to show after the name of a synthesis. Returns undefined to show the usual
   * phrases: how many answers it has, and who is missing.
   */
  readonly heading: (synthesis: Synthesis, run: RunModel) => readonly string[] | undefined;
  /** Returns lines about a synthesis, to be shown before and after the usual lines. */
  readonly remarks: (
    synthesis: Synthesis,
    run: RunModel,
  ) => readonly [before: string[], after: string[]];
}
