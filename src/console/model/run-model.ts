/**
 * What the console knows of a run, as its pages and a protocol's view read it, and what a protocol has
 * to say about how its runs are followed. `live-run.ts` keeps it up to date.
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

/** A seat of the panel and its answer to a question, or its latest call. */
export interface Column {
  readonly seat: Seat;
  /** The role as people read it; the seat's id where the role sits twice. */
  readonly name: string;
  readonly stream: CallStream;
}

/** A synthesis that is being written, was written, or failed. */
export interface Synthesis {
  readonly version: number;
  /** The number of the question it answers. */
  readonly question: number;
  /** The synthesis that it was made to ablate; undefined where it stands for itself. */
  readonly ablates: number | undefined;
  readonly stream: CallStream;
  /** Once it is finished. */
  readonly done: SynthesisView | undefined;
}

/** A question of the run: the one it was opened with has the number 1. */
export interface Question {
  readonly number: number;
  readonly text: string;
}

/** A fact in one line. */
export interface LogLine {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly step: string;
  readonly summary: string;
  /** Whole, and clean. */
  readonly fact: AnyFact;
}

export interface RunModel {
  readonly view: RunView;
  readonly questions: readonly Question[];
  /** The number of the question asked last. */
  readonly question: number;
  readonly syntheses: readonly Synthesis[];
  /** The seats, as they answer the question asked last. */
  readonly columns: readonly Column[];
  /** What lies before the seats. Their texts are not clean. */
  readonly attachments: readonly Attachment[];
  readonly log: readonly LogLine[];
  readonly steps: Steps;
  readonly spending: Spending;
  /** An attempt is going on, here or in another process. */
  readonly isLive: boolean;
  /** Pause was pressed here: what runs may end, nothing else begins. */
  readonly paused: boolean;
  /** This attempt has begun to write its synthesis, which sees no further notes. */
  readonly drafting: boolean;
  /** A seat is being asked: whoever else failed can still be asked again. */
  readonly asking: boolean;
  /** Calls that run, those of syntheses left out. */
  readonly running: number;
  /** Seats whose answers a synthesis can be made from. */
  readonly answers: number;
  /** A question as it was asked, with its lines. */
  asked(number: number): string;
  columnsOf(question: number): readonly Column[];
  /** The syntheses of a question, those included that were made to ablate another. */
  synthesesOf(question: number): readonly Synthesis[];
  /** A seat's name by its id. */
  nameOf(seat: string): string;
  /** The calls of the phase under way whose steps begin so, in the order they began. */
  streams(prefix: string): [step: string, stream: CallStream][];
  /** A structured answer to a step's call as people read it. */
  reads(step: string, value: unknown): string;
  /** A part of a step's key as people read it. */
  partWords(part: string): string;
  /** What the call of a step said, as people read it. */
  said(step: string): string;
  /** The call of a step while it runs. */
  speaking(step: string): CallStream | undefined;
  /** Tokens that running calls of this step and of those below it have said, which nobody has counted yet. */
  spokenBelow(key: string): number;
  /** What a protocol's own part of it knows. */
  read<S>(part: Part<S>): S;
}

/**
 * Whose column a call is. `answers`: a seat has one call for each question, and its column shows that;
 * other calls have no column. `latest`: a seat's column shows its latest call, whatever it is for.
 * `calls`: a column for each call that streams now; when the run rests, one for each seat's latest.
 */
type Columns =
  | { readonly by: 'answers'; readonly stepOf: (seat: string, question: number) => string }
  | {
      readonly by: 'latest';
      /** Calls that have ended are kept to be read until a fact of this kind comes. */
      readonly until?: string;
    }
  | {
      readonly by: 'calls';
      /** What the column of a call is called, beside its seat's name; absent or undefined: that name alone. */
      readonly nameOf?: (step: string, run: RunModel) => string | undefined;
    };

/** How the runs of a protocol are followed. */
export interface RunShape {
  /** What its own facts say, folded. */
  readonly parts: readonly Part<unknown>[];
  readonly columns: Columns;
  /** How structured answers read. */
  readonly answer: AnswerWords;
  /** Names in place of the letters of a prompt. Where more is to come, what may become a letter is kept back. */
  readonly named?: (
    text: string,
    labels: Readonly<Record<string, string>>,
    nameOf: (seat: string) => string,
    isWhole: boolean,
  ) => string;
  /** A fact of its own in a few words, for the log; undefined: none of its own. `run` has the fact folded in. */
  readonly says: (one: AnyFact, run: RunModel) => string | undefined;
  /** A finished synthesis as people read it, clean; absent: as it was written. */
  readonly reads?: (done: SynthesisView, run: RunModel) => string;
  /** A part of a step's key by the word for it; undefined: as it is recorded. */
  readonly partWords?: (part: string) => string | undefined;
  /** The synthesis that another one was made to ablate. */
  readonly ablates?: (run: RunModel, version: number) => number | undefined;
  /** Milliseconds since 1970 until which a seat is waited for, by the protocol's own rules. */
  readonly until?: (run: RunModel, seat: string, question: number) => number | undefined;
}

/** What is read first of a synthesis. */
interface Lead {
  /** What it recommends, in a sentence; undefined until that is written. */
  readonly sentence: string | undefined;
  /** What stands beside it, a short line each: the vote. */
  readonly beside: readonly string[];
}

/** What a protocol says about a synthesis. */
export interface SynthesisWords {
  readonly lead: (synthesis: Synthesis, run: RunModel) => Lead;
  /** After the name of a synthesis; undefined: how many answers it has, and without whom. */
  readonly heading: (synthesis: Synthesis, run: RunModel) => readonly string[] | undefined;
  /** Lines about a synthesis, before and after what is said of any. */
  readonly remarks: (
    synthesis: Synthesis,
    run: RunModel,
  ) => readonly [before: string[], after: string[]];
}
