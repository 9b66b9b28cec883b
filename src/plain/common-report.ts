/**
 * The report of a protocol that has none of its own, in particular of a person's own protocol: the result,
 * all answers, and a picture of who spoke when. The record does not say who took up whose words, so the
 * picture has no edges.
 */
import type { CallView, RunView, SynthesisView } from '../kernel/view.ts';
import { formatAnswer } from '../text/answers/answer.ts';
import { leadingSentence } from '../text/answers/first-sentence.ts';
import {
  type Answer,
  type Graph,
  type GraphNode,
  makeSection,
  type RunReport,
  type Section,
  type Tone,
} from './blocks.ts';
import { formatCallGaps, listCallGaps, synthesisGaps } from './gaps.ts';
import { escapeLine } from './markdown.ts';
import { formatSynthesisHeading, getSeatTitle, whyNoAnswer } from './naming.ts';
import { COMMON_TEXT, type ProtocolReport } from './protocol-text.ts';
import { synthesisSection } from './syntheses.ts';

/** The function that builds the report of a run whose protocol has no report of its own. */
export const COMMON_REPORT: ProtocolReport = { build: ({ view }) => commonReport(view) };

/**
 * Returns the report of a run whose protocol has no report of its own. It contains only what runs
 * of all protocols record.
 */
export function commonReport(view: RunView): RunReport {
  const last = view.syntheses.at(-1);
  return {
    answers: conclusionOf(view),
    sections: [
      ...(last === undefined ? [] : [synthesisSection(view.syntheses, view)]),
      callSection(view, COMMON_TEXT.spoken),
      ...saidBySeat(view),
    ],
    missing: [
      ...view.seats.flatMap(({ id, title }) =>
        callsOf(view, id).length === 0
          ? formatCallGaps(escapeLine(title), whyNoAnswer(undefined))
          : [],
      ),
      ...listCallGaps(view, false),
      ...(last === undefined ? [] : synthesisGaps(last, view)),
    ],
  };
}

/** Returns the first sentence of the last synthesis or conclusion. */
function conclusionOf(view: RunView): Answer[] {
  const last = view.syntheses.at(-1);
  if (last === undefined) return [];
  return [
    {
      title: last.conclusion ? 'Conclusion' : 'Recommendation',
      text: leadingSentence(last.text),
      basisLines: [
        last.conclusion
          ? `${countHeard(view)} of ${view.seats.length} seats spoke`
          : formatSynthesisHeading(last, view, COMMON_TEXT.members),
      ],
    },
  ];
}

function countHeard({ seats, calls }: RunView): number {
  const spoke = new Set(
    Object.values(calls)
      .filter(({ state }) => state === 'done')
      .map(({ seat }) => seat),
  );
  return seats.filter(({ id }) => spoke.has(id)).length;
}

const TONES: Readonly<Record<CallView['state'], Tone>> = {
  done: 'good',
  running: 'open',
  failed: 'bad',
  stopped: 'gone',
  lost: 'bad',
};

/**
 * Returns a section with a picture of who spoke when; empty if there were fewer than two calls.
 *
 * @param spoken returns the text of a call, of which the first sentence is shown. If the text is missing, the
 *   error message is shown, or without one the model's name. Calls that only asked for tools are left out.
 */
export function callSection(
  view: RunView,
  spoken: (call: CallView) => string | undefined,
): Section {
  const graph = callGraph(view, spoken);
  return makeSection('Who spoke when', graph === undefined ? '' : { kind: 'graph', graph });
}

/** Draws the calls in the order in which they were made; calls that ran at the same time share a column. */
function callGraph(
  view: RunView,
  spoken: (call: CallView) => string | undefined,
): Graph | undefined {
  const calls = Object.values(view.calls).filter((call) => call.calls === undefined);
  if (calls.length < 2) return undefined;
  const waves = wavesOf(calls);
  const seats = [...new Set([...view.seats.map(({ id }) => id), ...calls.map(({ seat }) => seat)])];
  const lanes = seats.filter((id) => calls.some(({ seat }) => seat === id));
  const nodes = calls.map(
    (call): GraphNode => ({
      id: call.step,
      kind: 'answer',
      about: leadingSentence(spoken(call) ?? '') ?? call.message ?? call.model,
      column: waves.get(call.step) ?? 0,
      lane: lanes.indexOf(call.seat),
      tone: TONES[call.state],
      standing: call.state,
    }),
  );
  return {
    about: `Who spoke when: ${calls.length} calls, left to right in the order in which they were made.`,
    lanes: lanes.map((id) => getSeatTitle(id, view)),
    columns: Array.from({ length: Math.max(...waves.values()) + 1 }, (_one, at) => String(at + 1)),
    kinds: { answer: 'box' },
    relations: {},
    nodes,
    edges: [],
  };
}

/**
 * Numbers the waves of calls, by step. A call that began after a call of the present wave had ended begins the
 * next wave.
 */
function wavesOf(calls: readonly CallView[]): ReadonlyMap<string, number> {
  const waves = new Map<string, number>();
  let wave = 0;
  let ends = '';
  for (const { step, startedAt, endedAt = startedAt } of calls) {
    if (ends !== '' && startedAt >= ends) {
      wave += 1;
      ends = endedAt;
    } else if (ends === '' || endedAt < ends) ends = endedAt;
    waves.set(step, wave);
  }
  return waves;
}

/**
 * Returns all answers: first those of the panel, then those of other seats, each seat's calls in
 * order.
 */
function saidBySeat(view: RunView): Section[] {
  const panel = view.seats.map(({ id, title }) => ({ id, title }));
  const others = [...new Set(Object.values(view.calls).map(({ seat }) => seat))]
    .filter((id) => !panel.some((seat) => seat.id === id))
    .map((id) => ({ id, title: COMMON_TEXT.outside.get(id) ?? id }));
  return [...panel, ...others].map(({ id, title }) => {
    const calls = callsOf(view, id);
    return makeSection(
      title,
      calls.length === 0 ? `_${escapeLine(whyNoAnswer(undefined) ?? '')}_` : '',
      ...calls.map((call) => answerSection(call, view)),
    );
  });
}

function answerSection(call: CallView, { syntheses }: RunView): Section {
  const why = whyNoAnswer(call, false);
  const same = syntheses.find(({ text }) => text.trim() === call.text.trim());
  const isSaid = call.text.trim() !== '';
  return {
    ...makeSection(
      `${call.step} (${call.model})`,
      !isSaid || same === undefined ? '' : `_This is ${sameAs(same)}._`,
      isSaid && same === undefined
        ? { kind: 'said', text: formatAnswer(call, COMMON_TEXT.answer) }
        : '',
      why === undefined ? '' : `_${escapeLine(why)}_`,
      call.notes.length === 0 ? '' : `_Notes: ${call.notes.map(escapeLine).join('; ')}_`,
    ),
    anchor: call.step,
  };
}

function sameAs({ version, conclusion }: SynthesisView): string {
  return conclusion ? 'the conclusion' : `synthesis v${version}`;
}

function callsOf(view: RunView, seat: string): CallView[] {
  // The report of a seat leaves out calls with tool calls but no text: the section of lookups lists these tool calls.
  return Object.values(view.calls).filter(
    (call) => call.seat === seat && (call.calls === undefined || call.text.trim() !== ''),
  );
}
