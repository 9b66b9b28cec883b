/**
 * What a protocol tells the text displays about how its runs differ from others. Progress, report and diff know
 * no protocol; without a protocol's word they print what every run has. Pure: facts in, text out.
 */
import { type DecisionGrounds, NO_GROUNDS } from '../decisions/grounds.ts';
import { answerWords as decisionAnswer } from '../decisions/says.ts';
import type { CallView, RunView, SynthesisView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { type AnswerWords, formatAnswer } from '../text/answers/answer.ts';
import { leadingSentence } from '../text/answers/first-sentence.ts';
import { diffRuns, runDiffText } from './diff.ts';
import { nest, words } from './markdown.ts';
import { absence } from './naming.ts';
import { synthesisGaps, synthesisSections } from './syntheses.ts';

/** A text about a fact: a result for standard output, or a line of progress for standard error. */
export interface Told {
  readonly to: 'out' | 'err';
  /** Without a final newline. */
  readonly text: string;
}

/** A run while its facts are printed. */
export interface Telling {
  /** The view, which includes the fact being printed. */
  readonly view: RunView;
  /** Returns the name of a seat as one clean line. */
  readonly title: (seat: string) => string;
}

/** Prints one run; it may keep state between facts. */
export interface Teller {
  /**
   * Returns the texts for the next fact. It is called for every fact in order. Calls, gates, syntheses, further
   * questions and changed models are printed by the caller, so for these it only updates its state.
   */
  tell(one: AnyFact, run: Telling): readonly Told[];
  /** Returns paragraphs between a synthesis's heading and its text. */
  above(synthesis: SynthesisView, view: RunView): readonly string[];
  /** Formats a synthesis for people; absent: as it was written. */
  reads?(synthesis: SynthesisView, view: RunView): string;
}

/** A recorded run, whole or so far. */
export interface Recorded {
  readonly facts: readonly AnyFact[];
  /** The fold of these facts. */
  readonly view: RunView;
}

/** Paragraphs of Markdown: headings of the second level with their contents. */
export interface ReportParts {
  /** The result, directly below the question. */
  readonly lead?: readonly string[];
  /** Sections between the question and the costs. */
  readonly sections: readonly string[];
  /** Lines of attachments whose quotation was found, with what they are quoted for. */
  readonly quoted?: readonly string[];
  /** Sentences on what is missing; absent: nothing is said about that. */
  readonly missing?: readonly string[];
  /** Sections below the costs. */
  readonly after?: readonly string[];
}

/** Parts of a run that can be read separately, besides its synthesis, answers and costs. */
export type Part = 'vote' | 'claims' | 'dissent' | 'signals';

interface Diff {
  /** For programs: the fields for a JSON object that also contains the ids of the two runs. */
  readonly found: object;
  /** For people, with a final newline. */
  readonly text: string;
}

/** How the runs of a protocol are printed. */
export interface ProtocolText {
  /** Makes a teller for one run. */
  readonly teller: () => Teller;
  /** Titles of seats outside the panel, by id. */
  readonly outside: ReadonlyMap<string, string>;
  /** The word for the seats of its panel, as in `2 of 3 advisors`. */
  readonly members: string;
  /** Returns what a call is for, unless its seat makes that clear: ` who holds what`. */
  readonly purpose: (step: string) => string;
  /** Formats structured answers. */
  readonly answer: AnswerWords;
  /** Returns the part of a finished call's answer that is for people; undefined if there is none. */
  readonly spoken: (call: CallView) => string | undefined;
  /**
   * Whether answers are printed in the order in which they were requested, so that the same run prints the same
   * again. Otherwise each is printed as soon as it is complete.
   */
  readonly inOrder: boolean;
  /** Whether the run writes syntheses, so that stopped calls are said to be in none. */
  readonly synthesizes: boolean;
  readonly report: (run: Recorded) => ReportParts;
  /** Returns the run's parts as paragraphs of Markdown; parts that it lacks are absent. */
  readonly parts: (run: Recorded) => Readonly<Partial<Record<Part, readonly string[]>>>;
  /** Returns the synthesis that counts; undefined if there is none. */
  readonly latest: (run: Recorded) => SynthesisView | undefined;
  /** Formats a synthesis for people. */
  readonly reads: (synthesis: SynthesisView, run: Recorded) => string;
  /** Returns sentences that a reader must know before believing the last synthesis. */
  readonly doubts: (run: Recorded) => readonly string[];
  /** Returns what the run says for a record of a decision on it. */
  readonly grounds: (run: Recorded) => DecisionGrounds;
  readonly diff: (before: Recorded, after: Recorded) => Diff;
  /** Returns the change that a fork form proposes first: `seat/critic seat.critic.model=`, or nothing. */
  readonly forkStart: (view: RunView) => string;
  /** Examples of what a fork may change, as typed. */
  readonly forkExamples: string;
}

/** Makes a line of progress. */
export function progress(text: string): Told {
  return { to: 'err', text };
}

/** Makes a result of paragraphs, separated by blank lines from each other and from what follows. */
export function result(...paragraphs: readonly string[]): Told {
  return { to: 'out', text: `${paragraphs.join('\n\n')}\n` };
}

/** Prints nothing of its own. */
const QUIET: Teller = { tell: () => [], above: () => [] };

/** The texts of a run without a protocol's own words. A protocol's texts contain only what differs. */
export const COMMON_TEXT: ProtocolText = {
  teller: () => QUIET,
  outside: new Map([['synthesizer', 'Synthesizer']]),
  members: 'advisors',
  purpose: () => '',
  answer: decisionAnswer,
  spoken: (call) => formatAnswer(call, COMMON_TEXT.answer),
  inOrder: false,
  synthesizes: false,
  report: ({ view }) => ({
    lead: leadOf(view),
    sections: [
      ...(view.syntheses.length === 0 ? [] : synthesisSections(view.syntheses, view, 2)),
      ...saidBySeat(view),
    ],
    missing: [
      ...view.seats.flatMap(({ id, title }) =>
        callsOf(view, id).length === 0 ? callGaps(words(title), absence(undefined)) : [],
      ),
      ...Object.values(view.calls).flatMap((call) =>
        callGaps(words(call.step), absence(call, false)),
      ),
      ...(view.syntheses.length === 0 ? [] : synthesisGaps(view.syntheses.at(-1), view)),
    ],
  }),
  parts: () => ({}),
  latest: ({ view }) => view.syntheses.at(-1),
  reads: ({ text }) => text,
  doubts: () => [],
  grounds: () => NO_GROUNDS,
  diff: ({ view: before }, { view: after }) => {
    const found = diffRuns(before, after);
    return { found, text: runDiffText(found) };
  },
  forkStart: () => '',
  forkExamples: 'STEP seat.NAME.model=PROVIDER/MODEL',
};

/** Returns a sentence such as `Critic: No answer: timed out.`; empty if nothing is missing. */
export function callGaps(who: string, why: string | undefined): string[] {
  return why === undefined ? [] : [`${who}: ${words(why)}`];
}

/** Returns the first sentence of the last synthesis or conclusion, in bold. */
function leadOf({ syntheses }: RunView): string[] {
  const last = syntheses.at(-1);
  const sentence = last && leadingSentence(last.text);
  // A synthesis of one sentence is printed in full below anyway.
  return sentence === undefined || sentence === last?.text.trim() ? [] : [`**${words(sentence)}**`];
}

/** Returns all answers: those of the panel first, then other seats, each seat's calls in order. */
function saidBySeat(view: RunView): string[] {
  const panel = view.seats.map(({ id, title }) => ({ id, title }));
  const others = [...new Set(Object.values(view.calls).map(({ seat }) => seat))]
    .filter((id) => !panel.some((seat) => seat.id === id))
    .map((id) => ({ id, title: COMMON_TEXT.outside.get(id) ?? id }));
  return [...panel, ...others].flatMap(({ id, title }) => {
    const calls = callsOf(view, id);
    return [
      `## ${words(title)}`,
      ...(calls.length === 0 ? [`_${words(absence(undefined) ?? '')}_`] : []),
      ...calls.flatMap((call) => callSection(call, view)),
    ];
  });
}

function callSection(call: CallView, { syntheses }: RunView): string[] {
  const why = absence(call, false);
  const said = formatAnswer(call, COMMON_TEXT.answer);
  const same = syntheses.find(({ text }) => text.trim() === call.text.trim());
  return [
    `### ${words(call.step)} (${words(call.model)})`,
    ...(call.text.trim() === ''
      ? []
      : [same === undefined ? nest(said, 3) : `_This is ${sameAs(same)}._`]),
    ...(why === undefined ? [] : [`_${words(why)}_`]),
    ...(call.notes.length > 0 ? [`_Notes: ${call.notes.map(words).join('; ')}_`] : []),
  ];
}

function sameAs({ version, conclusion }: SynthesisView): string {
  return conclusion ? 'the conclusion' : `synthesis v${version}`;
}

function callsOf(view: RunView, seat: string): CallView[] {
  // A call that ends with tool calls has no text; lookups are listed elsewhere.
  return Object.values(view.calls).filter(
    (call) => call.seat === seat && (call.calls === undefined || call.text.trim() !== ''),
  );
}
