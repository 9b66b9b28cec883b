/** What a board says beside answers and syntheses, as progress and results for pipes. */

import type { SynthesisView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import {
  progress,
  result,
  type Teller,
  type Telling,
  type Told,
} from '../../../plain/protocol-text.ts';
import { formatMs } from '../../../text/figures.ts';
import { line } from '../../../text/line.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { BOARD } from '../facts.ts';
import { type AgreementView, type BoardView, EMPTY_BOARD, foldBoard } from '../fold.ts';
import { weighingOf } from '../requests.ts';
import { agreementTable, baselineLine, influenceTable, tallyLine } from './report.ts';

/** Tells a board; it keeps its questions and ballots, for the vote that stands above a synthesis. */
export function boardTeller(): Teller {
  let board = EMPTY_BOARD;
  return {
    tell: (one, run) => {
      board = foldBoard(board, one);
      return told(one, board, run);
    },
    above: ({ question = 1 }: SynthesisView, view) => tallyOf(board, question, view),
  };
}

function told(any: AnyFact, board: BoardView, { view, title }: Telling): Told[] {
  const titles = (seats: readonly string[]): string => seats.map(title).join(', ');
  const one = BOARD.own(any);
  switch (one?.type) {
    case 'ballot.cast':
      return [progress(`${title(one.seat)}'s ballot: "${line(one.option)}" (${one.confidence})`)];
    case 'patience.began':
      return [
        progress(
          `${one.answered.length} have answered; ${titles(one.waitingFor)} may take another ${formatMs(Date.parse(one.until) - Date.parse(one.at))}`,
        ),
      ];
    case 'quorum.reached':
      return [
        progress(
          `Quorum: ${one.answered.length} of ${one.of} have answered (${one.quorum} were asked for)${one.stopped.length === 0 ? '' : `; ${titles(one.stopped)} stopped`}`,
        ),
      ];
    case 'agreement.mapped': {
      const synthesis = view.syntheses.find(({ version }) => version === one.version);
      return [
        result(
          `## Who holds what (v${one.version})`,
          ...tallyOf(board, one.question, view, one),
          ...agreementTable(one, synthesis, view),
        ),
      ];
    }
    case 'influence.weighed':
      return [
        progress(
          `Without ${one.without === null ? 'anybody left out' : title(one.without)}: ${one.change}. ${line(one.how)}`,
        ),
      ];
    case 'baseline.completed':
      return [result(`## Baseline: ${one.kind}`, baselineLine(one), sanitise(one.text).trim())];
    case 'run.ended': {
      const base = weighingOf(view.request)?.base;
      const weighed = base === undefined ? [] : (board.influences[base] ?? []);
      return weighed.length === 0
        ? []
        : [result(`## What v${base} becomes without each seat`, ...influenceTable(weighed, view))];
    }
    default:
      return [];
  }
}

/** The vote on a question; nothing where nobody cast a ballot. */
function tallyOf(
  { questions }: BoardView,
  number: number,
  view: Telling['view'],
  agreement?: AgreementView,
): string[] {
  const question = questions.find((one) => one.number === number);
  const tally = question && tallyLine(question, view, agreement);
  return tally === undefined ? [] : [tally];
}

/** What a call is for, where its seat does not already say so. */
export function purposeOf(step: string): string {
  const [kind, , version] = step.split('/');
  if (kind === 'agreement') return ' who holds what';
  if (kind === 'influence') return ` what v${version} changes`;
  return '';
}
