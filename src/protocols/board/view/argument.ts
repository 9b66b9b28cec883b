/**
 * Draws a board's argument as a graph: who is for and against which point, and whose answers the synthesis
 * contains.
 */

import type { SynthesisView } from '../../../kernel/view.ts';
import { answerAt } from '../../../kernel/view.ts';
import type { Graph, GraphEdge, GraphNode, Tone } from '../../../plain/blocks.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { type AgreementView, getAnswerStep, type QuestionView } from '../fold.ts';
import { getFirstRecommendation } from '../recommended.ts';
import {
  formatPoint,
  formatReadableSynthesis,
  getAnswerId,
  getPointId,
  type ReadBoard,
} from './reading.ts';
import { findUnusableBallots } from './unusable-ballots.ts';

/** The synthesis and the table of one question that are shown together. */
interface Settled {
  readonly synthesis: SynthesisView | undefined;
  readonly agreement: AgreementView | undefined;
}

/**
 * Returns the graph of a question's argument: who supports which point, and what the synthesis
 * recommends. Returns undefined if nobody answered, or there is neither a synthesis nor a table.
 */
export function drawBoardArgument(
  { view, quotations }: ReadBoard,
  question: QuestionView,
  { synthesis, agreement }: Settled,
): Graph | undefined {
  const heard = view.seats.filter(({ id }) => {
    const call = answerAt(view.calls, getAnswerStep(id, question.number));
    return call !== undefined && call.text.trim() !== '';
  });
  const points = agreement?.points ?? [];
  const unusable = findUnusableBallots(question, view);
  if (heard.length === 0 || (synthesis === undefined && points.length === 0)) return undefined;
  const idOf = (seat: string): string => getAnswerId(seat, question.number, view);
  const answers = heard.map(({ id }, lane): GraphNode => {
    const ballot = question.ballots.find(({ seat }) => seat === id);
    const isUnusable = unusable.some(({ seat }) => seat === id);
    return {
      id: idOf(id),
      kind: 'answer',
      about: ballot?.option ?? (isUnusable ? 'ballot not usable' : 'no ballot'),
      column: 0,
      lane,
      ...(ballot && { standing: `voted with confidence ${ballot.confidence.toFixed(2)}` }),
    };
  });
  const stated = points.map(({ text, cells }, at): GraphNode => {
    const sides = ['for', 'against', 'partly'].flatMap((side) => {
      const count = cells.filter((cell) => cell.side === side).length;
      return count === 0 ? [] : [`${count} ${side}`];
    });
    return {
      id: agreement === undefined ? '' : getPointId(agreement, at),
      kind: 'point',
      about: agreement === undefined ? text : formatPoint(text, agreement, view),
      column: 1,
      tone: toneOf(cells.map(({ side }) => side)),
      standing: sides.join(', '),
    };
  });
  const written: GraphNode[] =
    synthesis === undefined
      ? []
      : [
          {
            id: `Synthesis v${synthesis.version}`,
            kind: 'synthesis',
            about:
              getFirstRecommendation(formatReadableSynthesis(synthesis, quotations, view)) ??
              'no recommendation',
            column: 2,
          },
        ];
  const held = points.flatMap(({ cells }, at) =>
    cells.map(
      ({ seat, side }): GraphEdge => ({
        from: idOf(seat),
        to: agreement === undefined ? '' : getPointId(agreement, at),
        kind: side,
      }),
    ),
  );
  const read = (synthesis?.included ?? []).map(
    (seat): GraphEdge => ({
      from: idOf(seat),
      to: `Synthesis v${synthesis?.version}`,
      kind: 'heard',
    }),
  );
  return {
    about: 'Who is for or against each point, and the answers behind the synthesis.',
    lanes: heard.map(({ id }) => getSeatTitle(id, view)),
    columns: ['Answers and votes', 'Points', 'Synthesis'],
    kinds: { answer: 'box', point: 'round', synthesis: 'cut' },
    relations: {
      heard: { forth: 'heard in', back: 'heard' },
      for: { forth: 'for', back: 'for it:' },
      partly: { forth: 'partly for', back: 'partly for it:' },
      against: { forth: 'against', back: 'against it:' },
    },
    nodes: [...answers, ...stated, ...written],
    edges: [...held, ...read],
  };
}

function toneOf(sides: readonly string[]): Tone {
  if (sides.every((side) => side === 'for')) return 'good';
  return sides.every((side) => side === 'against') ? 'bad' : 'mixed';
}
