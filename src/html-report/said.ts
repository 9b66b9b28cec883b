/**
 * Builds the page of a protocol without a builder of its own, in particular a person's own protocol: the
 * contents of the Markdown report, and a picture of who spoke when. The record does not say who took up whose
 * words, so the picture has no edges.
 */
import type { CallView, RunView } from '../kernel/view.ts';
import { words } from '../plain/markdown.ts';
import { formatSynthesisHeading, getSeatTitle } from '../plain/naming.ts';
import type { ProtocolText, Recorded } from '../plain/protocol-text.ts';
import { formatAnswer } from '../text/answers/answer.ts';
import { leadingSentence } from '../text/answers/first-sentence.ts';
import type { Answer, Graph, GraphNode, PageBuilder, Section, Tone } from './parts.ts';
import { toSections } from './sections.ts';

/**
 * Makes the page builder for protocols without one of their own. The page has the contents of the
 * Markdown report, and a drawing of when the calls ran.
 */
export function createCommonPage(text: ProtocolText): PageBuilder {
  return (run) => {
    const { sections, quoted, missing, after = [] } = text.report(run);
    const graph = callGraph(run, text);
    // Map the headings that `callSection` writes to their steps.
    const heads = new Map(
      Object.values(run.view.calls).map(({ step, model }) => [
        `### ${words(step)} (${words(model)})`,
        step,
      ]),
    );
    const all = toSections([...sections, ...after], (text) => heads.get(text));
    return {
      answers: conclusionOf(run.view, text.members),
      sections:
        graph === undefined ? all : [...all.slice(0, 1), graphSection(graph), ...all.slice(1)],
      quoted,
      missing,
    };
  };
}

function graphSection(graph: Graph): Section {
  return { title: 'Who spoke when', blocks: [{ kind: 'graph', graph }] };
}

/** Returns the first sentence of the last synthesis or conclusion. */
function conclusionOf(view: RunView, members: string): Answer[] {
  const last = view.syntheses.at(-1);
  if (last === undefined) return [];
  return [
    {
      title: last.conclusion ? 'Conclusion' : 'Recommendation',
      text: leadingSentence(last.text),
      heard: [
        last.conclusion
          ? `${countHeard(view)} of ${view.seats.length} seats spoke`
          : formatSynthesisHeading(last, view, members),
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

/** Draws the calls in the order in which they were made; calls that ran at the same time share a column. */
function callGraph({ view }: Recorded, text: ProtocolText): Graph | undefined {
  const calls = Object.values(view.calls).filter((one) => one.calls === undefined);
  if (calls.length < 2) return undefined;
  const waves = wavesOf(calls);
  const seats = [...new Set([...view.seats.map(({ id }) => id), ...calls.map(({ seat }) => seat)])];
  const lanes = seats.filter((id) => calls.some(({ seat }) => seat === id));
  const nodes = calls.map(
    (call): GraphNode => ({
      id: call.step,
      kind: 'answer',
      about: wordsOf(call, text),
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

/** Returns what a call says in a sentence; if its answer is no readable text, who gave it. */
function wordsOf(call: CallView, { answer, spoken }: ProtocolText): string {
  const said = spoken(call) ?? formatAnswer(call, answer) ?? '';
  return leadingSentence(said) ?? call.message ?? call.model;
}

/**
 * Numbers the waves of calls. A call that began before another one ended belongs to the same wave.
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
