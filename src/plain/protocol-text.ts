/**
 * What a protocol tells the text displays about how its runs differ from others. Progress, report and diff know
 * no protocol; without a protocol's word they print what every run has. Pure: facts in, text out.
 */
import { type DecisionGrounds, NO_GROUNDS } from '../decisions/grounds.ts';
import { answerWords as decisionAnswer } from '../decisions/says.ts';
import type { CallsLeft } from '../kernel/attempt/time-left.ts';
import type { CallView, RunView, SynthesisView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { type AnswerWords, formatAnswer } from '../text/answers/answer.ts';
import type { RunReport, Section } from './blocks.ts';
import { diffRuns, formatRunDiff } from './diff.ts';

/**
 * A text to print after a fact: a result for standard output, or a line of progress for standard
 * error.
 */
export interface PrintedText {
  /** `out` for standard output, `err` for standard error. */
  readonly to: 'out' | 'err';
  /** The text. A newline is added when it is printed. */
  readonly text: string;
}

/** The state of a run while its facts are printed. */
export interface PrintState {
  /** The run's state, including the fact that is being printed. */
  readonly view: RunView;
  /** Returns a seat's title, on one line without control characters. */
  readonly title: (seat: string) => string;
}

/**
 * Formats facts of a run as lines of text, for the types of facts that only the run's protocol knows.
 * A teller may keep state from one fact to the next.
 */
export interface Teller {
  /**
   * Returns the texts to print after a fact. Called for every fact of the run in order, also for those
   * that the caller prints itself: calls, questions to people, syntheses, further questions and
   * changed models.
   */
  tell(one: AnyFact, run: PrintState): readonly PrintedText[];
  /** Returns paragraphs to print between the heading of a synthesis and its text. */
  above(synthesis: SynthesisView, view: RunView): readonly string[];
  /** Formats a synthesis for people; absent: its text is printed unchanged. */
  reads?(synthesis: SynthesisView, view: RunView): string;
}

/** The facts of a run, finished or not, and the state computed from them. */
export interface RecordedRun {
  readonly facts: readonly AnyFact[];
  /** The state computed from the facts. */
  readonly view: RunView;
}

/**
 * A part of a run that can be printed alone, besides its synthesis, answers and costs. `signals` are the stopping
 * signals of a deliberation in rounds.
 */
export type Part = 'vote' | 'claims' | 'dissent' | 'signals';

interface Diff {
  /** For programs: the fields for a JSON object that also contains the ids of the two runs. */
  readonly found: object;
  /** For people, with a final newline. */
  readonly text: string;
}

/** How the runs of a protocol are printed as text. */
export interface ProtocolText {
  /** Creates the teller of one run. */
  readonly teller: () => Teller;
  /** Titles of seats outside the panel, such as the synthesizer, by id. */
  readonly outside: ReadonlyMap<string, string>;
  /** The word for the seats of the panel, in the plural, as in `2 of 3 advisors`. */
  readonly members: string;
  /**
   * Returns words that say what the call of a step is for: ` who holds what`. They are printed after
   * the seat's name. Returns an empty text if the seat's name alone is enough.
   */
  readonly purpose: (step: string) => string;
  /** Formats answers that have a JSON schema. */
  readonly answer: AnswerWords;
  /** Returns the text of a finished call that people should read; undefined if there is none. */
  readonly spoken: (call: CallView) => string | undefined;
  /**
   * Whether answers are printed in the order of the requests. Otherwise each is printed as soon as
   * it is complete.
   */
  readonly inOrder: boolean;
  /**
   * Whether the run writes syntheses. The text about a stopped call then adds that its answer is in
   * no synthesis.
   */
  readonly synthesizes: boolean;
  /**
   * Returns how many calls the attempt still makes, to estimate the time that is left; undefined if that is not
   * known.
   */
  readonly callsLeft: (view: RunView) => CallsLeft | undefined;
  /** Returns the synthesis that counts; undefined if there is none. */
  readonly latest: (run: RecordedRun) => SynthesisView | undefined;
  /** Formats a synthesis for people. */
  readonly reads: (synthesis: SynthesisView, run: RecordedRun) => string;
  /** Returns warnings that a reader should know before believing the last synthesis. */
  readonly doubts: (run: RecordedRun) => readonly string[];
  /** Returns what a person's decision on the run can cite, such as the recommendation. */
  readonly grounds: (run: RecordedRun) => DecisionGrounds;
  /** Compares two runs of the protocol. */
  readonly diff: (before: RecordedRun, after: RecordedRun) => Diff;
  /**
   * Returns the change that a fork's form proposes first, such as `seat/critic seat.critic.model=`;
   * empty for none.
   */
  readonly forkStart: (view: RunView) => string;
  /** Examples of what a fork can change, as a person would type them. */
  readonly forkExamples: string;
}

/**
 * How the runs of a protocol look in a report. Its module is loaded only when a report is wanted; `ProtocolText`
 * is loaded for other text output as well.
 */
export interface ProtocolReport {
  /** Builds the parts of a run's report that only the protocol knows. */
  readonly build: (run: RecordedRun) => RunReport;
  /**
   * Returns the parts of a run that can be printed alone. Parts that the run lacks are absent or
   * empty.
   */
  readonly parts?: (run: RecordedRun) => Readonly<Partial<Record<Part, readonly Section[]>>>;
}

/** Makes a text for standard error, as a line of progress. */
export function toProgress(text: string): PrintedText {
  return { to: 'err', text };
}

/** Makes a text for standard output. A blank line follows each paragraph. */
export function toResult(...paragraphs: readonly string[]): PrintedText {
  return { to: 'out', text: `${paragraphs.join('\n\n')}\n` };
}

/** Prints nothing of its own. */
const QUIET: Teller = { tell: () => [], above: () => [] };

/**
 * How a run is printed if its protocol specifies nothing. A protocol overrides only what differs.
 */
export const COMMON_TEXT: ProtocolText = {
  teller: () => QUIET,
  outside: new Map([['synthesizer', 'Synthesizer']]),
  members: 'advisors',
  purpose: () => '',
  answer: decisionAnswer,
  spoken: (call) => formatAnswer(call, COMMON_TEXT.answer),
  inOrder: false,
  synthesizes: false,
  callsLeft: () => undefined,
  latest: ({ view }) => view.syntheses.at(-1),
  reads: ({ text }) => text,
  doubts: () => [],
  grounds: () => NO_GROUNDS,
  diff: ({ view: before }, { view: after }) => {
    const found = diffRuns(before, after);
    return { found, text: formatRunDiff(found) };
  },
  forkStart: () => '',
  forkExamples: 'STEP seat.NAME.model=PROVIDER/MODEL',
};

/** The functions that turn the records of a run into text files and write the files into a folder. */
export interface RecordsWriter {
  /** Returns the texts of the files, by their paths within the folder. */
  readonly getRecordsFolder: (facts: readonly AnyFact[]) => ReadonlyMap<string, string>;
  /** Writes such files into the folder `to`. */
  readonly writeTree: (folder: ReadonlyMap<string, string>, to: string) => void;
}
