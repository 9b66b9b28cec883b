/**
 * What a protocol hands the displays without a console: everything in which the text of its runs is
 * otherwise than that of any other run. Progress, report and diff are frames that know no protocol;
 * where nothing is said here, they tell what every run has. Pure: facts in, text out.
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

/** Something said of a fact: a result for standard output, or a line of progress for standard error. */
export interface Told {
  readonly to: 'out' | 'err';
  /** Without the newline at its end. */
  readonly text: string;
}

/** A run while it is told. */
export interface Telling {
  /** The fact that is told is folded into it already. */
  readonly view: RunView;
  /** How somebody who speaks is called: one clean line. */
  readonly title: (seat: string) => string;
}

/** Tells one run; it may keep what it has heard. */
export interface Teller {
  /**
   * Given every fact in its order. Calls, gates, syntheses, further questions and other models of seats
   * are told by the frame: of those it only takes note.
   */
  tell(one: AnyFact, run: Telling): readonly Told[];
  /** What stands between a synthesis's heading and its text, a paragraph each. */
  above(synthesis: SynthesisView, view: RunView): readonly string[];
  /** A synthesis as people read it; absent: as it was written. */
  reads?(synthesis: SynthesisView, view: RunView): string;
}

/** A run on record, whole or as far as it has come. */
export interface Recorded {
  readonly facts: readonly AnyFact[];
  /** The fold of these facts. */
  readonly view: RunView;
}

/** Paragraphs of Markdown: headings of the second level and what stands below them. */
export interface ReportParts {
  /** Right below the question, for who reads no further. */
  readonly lead?: readonly string[];
  /** Between the question and the costs. */
  readonly sections: readonly string[];
  /** Lines of attachments whose words were quoted and found, with what they are quoted for. */
  readonly quoted?: readonly string[];
  /** What a reader would otherwise take to be there, a sentence each; absent: nothing is said of that. */
  readonly missing?: readonly string[];
  /** Below the costs. */
  readonly after?: readonly string[];
}

/** What of a run can be read by itself, beside its synthesis, its seats and its costs. */
export type Part = 'vote' | 'claims' | 'dissent' | 'signals';

interface Diff {
  /** For programs: fits into one JSON object beside the ids of the two runs. */
  readonly found: object;
  /** For people, with a newline at its end. */
  readonly text: string;
}

export interface ProtocolText {
  /** A new one for each run that is told. */
  readonly teller: () => Teller;
  /** Who speaks and sits on no panel, by the id of their seat. */
  readonly outside: ReadonlyMap<string, string>;
  /** Who sits on its panels, in `2 of 3 advisors`. */
  readonly members: string;
  /** What a call is for, where its seat does not already say so: ` who holds what`. */
  readonly purpose: (step: string) => string;
  /** How structured answers read. */
  readonly answer: AnswerWords;
  /** Of what a call that has ended said, the text that is for people; undefined where nothing of it is. */
  readonly spoken: (call: CallView) => string | undefined;
  /**
   * Answers are told in the order in which they were asked for: the same run reads the same again. Else
   * each as soon as it is there.
   */
  readonly inOrder: boolean;
  /** Of calls that were stopped it is said that they are in no synthesis, because that is so. */
  readonly synthesizes: boolean;
  readonly report: (run: Recorded) => ReportParts;
  /** Of a run what can be read by itself, paragraphs of Markdown each; absent where it has no such thing. */
  readonly parts: (run: Recorded) => Readonly<Partial<Record<Part, readonly string[]>>>;
  /** The synthesis that counts; undefined where there is none. */
  readonly latest: (run: Recorded) => SynthesisView | undefined;
  /** A synthesis as people read it. */
  readonly reads: (synthesis: SynthesisView, run: Recorded) => string;
  /** What has to be known before the last synthesis is believed, a sentence each. */
  readonly doubts: (run: Recorded) => readonly string[];
  /** Returns what the run says for a record of a decision on it. */
  readonly grounds: (run: Recorded) => DecisionGrounds;
  readonly diff: (before: Recorded, after: Recorded) => Diff;
  /** What a fork may change first, to begin with: `seat/critic seat.critic.model=`, or nothing. */
  readonly forkStart: (view: RunView) => string;
  /** Examples of what a fork may change, as they are typed. */
  readonly forkExamples: string;
}

/** A line of progress. */
export function progress(text: string): Told {
  return { to: 'err', text };
}

/** A result, its paragraphs apart from each other and from what comes next. */
export function result(...paragraphs: readonly string[]): Told {
  return { to: 'out', text: `${paragraphs.join('\n\n')}\n` };
}

/** Says nothing of its own. */
const QUIET: Teller = { tell: () => [], above: () => [] };

/** What can be told of every run. A protocol's text says only where it differs. */
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

/** `Critic: No answer: timed out.`, where something is missing. */
export function callGaps(who: string, why: string | undefined): string[] {
  return why === undefined ? [] : [`${who}: ${words(why)}`];
}

/** What the last synthesis or the conclusion comes to, for who reads no further. */
function leadOf({ syntheses }: RunView): string[] {
  const last = syntheses.at(-1);
  const sentence = last && leadingSentence(last.text);
  // What is no longer than that stands below anyway.
  return sentence === undefined || sentence === last?.text.trim() ? [] : [`**${words(sentence)}**`];
}

/** Who said what: the panel first, then who else spoke, the calls of each in their order. */
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
  // A turn that looks something up says nothing; what it found is told elsewhere.
  return Object.values(view.calls).filter(
    (call) => call.seat === seat && (call.calls === undefined || call.text.trim() !== ''),
  );
}
