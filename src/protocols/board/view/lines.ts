/** Prints the progress and results of a board for pipes, except for answers and syntheses. */

import { stepOf } from '../../../kernel/tools/tools.ts';
import type { SynthesisView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { section } from '../../../plain/blocks.ts';
import { blocksText, sectionsText } from '../../../plain/blocks-text.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import {
  type Teller,
  type Telling,
  type Told,
  toProgress,
  toResult,
} from '../../../plain/protocol-text.ts';
import { line } from '../../../text/line.ts';
import { formatMs } from '../../../text/numbers.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { formatConfidence } from '../../common/voting/votes.ts';
import { readBallot } from '../ballots.ts';
import { BOARD, type Fact } from '../facts.ts';
import { answerStep, type BoardView, EMPTY_BOARD, foldBoard } from '../fold.ts';
import { foldQuotations, NO_QUOTATIONS } from '../quotations.ts';
import { getAblationRequest } from '../requests.ts';
import { findAgreement } from './choices.ts';
import { explainLetters, formatReadableSynthesis } from './reading.ts';
import { formatBaseline, makeAblationBlock, makeAgreementBlock, makeVote } from './tables.ts';
import { describeUnusable } from './unusable-ballots.ts';

/**
 * Makes the object that turns each new fact of a board into lines of plain output. The vote is printed once: when
 * the table of positions has grouped equal choices, or when no table will follow.
 */
export function makeBoardTeller(): Teller {
  let board = EMPTY_BOARD;
  let quoted = NO_QUOTATIONS;
  /** The synthesis whose vote has not been printed yet. */
  let untold: SynthesisView | undefined;
  return {
    tell: (one, run) => {
      board = foldBoard(board, one);
      quoted = foldQuotations(quoted, one);
      const known = BOARD.own(one);
      if (known?.type === 'synthesis.completed') {
        untold = getAblationRequest(run.view.request) === undefined ? known : undefined;
        const found = formatQuotationCounts(quoted.quotations[known.version] ?? []);
        return found === undefined ? [] : [toResult(`Quotations: ${found}.`)];
      }
      if (untold === undefined || !endsGrouping(known, untold.version))
        return tell(one, board, run);
      const vote = tallyOf(board, untold, run.view).map((line) => toResult(line));
      untold = undefined;
      return [...vote, ...tell(one, board, run)];
    },
    above: explainLetters,
    reads: (synthesis, view) => formatReadableSynthesis(synthesis, quoted.quotations, view),
  };
}

/**
 * Returns whether a fact completes the grouping of equal options for a synthesis: no later fact
 * will group more of them.
 */
function endsGrouping(one: Fact | undefined, version: number): boolean {
  switch (one?.type) {
    case 'agreement.mapped':
      return one.version === version;
    case 'call.failed':
    case 'call.stopped':
      return one.step === `agreement/${version}`;
    case 'run.ended':
      return true;
    default:
      return false;
  }
}

function tell(any: AnyFact, board: BoardView, { view, title }: Telling): Told[] {
  const titles = (seats: readonly string[]): string => seats.map(title).join(', ');
  const one = BOARD.own(any);
  switch (one?.type) {
    case 'ballot.cast':
      return [
        toProgress(
          `${title(one.seat)}'s ballot: "${line(one.option)}" (${formatConfidence(one.confidence)})`,
        ),
      ];
    case 'call.completed':
      return tellUncounted(one, board, view).map((why) => toProgress(why));
    case 'patience.began':
      return [
        toProgress(
          `${one.answered.length} have answered; ${titles(one.waitingFor)} may take another ${formatMs(Date.parse(one.until) - Date.parse(one.at))}`,
        ),
      ];
    case 'quorum.reached':
      return [
        toProgress(
          `Quorum: ${one.answered.length} of ${one.of} have answered (${one.quorum} required)${one.stopped.length === 0 ? '' : `; ${titles(one.stopped)} stopped`}`,
        ),
      ];
    case 'agreement.mapped':
      return [
        toResult(
          ...sectionsText([
            section(`Who holds what (v${one.version})`, makeAgreementBlock(one, view)),
          ]),
        ),
      ];
    case 'influence.weighed':
      return [
        toProgress(
          `${one.without === null ? 'With all seats' : `Without ${title(one.without)}`}: ${one.change}. ${line(one.how)}`,
        ),
      ];
    case 'baseline.completed':
      return [toResult(`## Baseline: ${one.kind}`, formatBaseline(one), sanitise(one.text).trim())];
    case 'run.ended': {
      const base = getAblationRequest(view.request)?.base;
      const ablated = base === undefined ? [] : (board.ablations[base] ?? []);
      return ablated.length === 0
        ? []
        : [
            toResult(
              ...sectionsText([
                section(
                  `What v${base} becomes without each seat`,
                  makeAblationBlock(ablated, view),
                ),
              ]),
            ),
          ];
    }
    default:
      return [];
  }
}

/** Says that the ballot of an answer cannot be counted, and why. */
function tellUncounted(
  { step, text, calls, seat }: Extract<Fact, { type: 'call.completed' }>,
  { questions }: BoardView,
  view: Telling['view'],
): string[] {
  const asked = questions.find(({ number }) => stepOf(step) === answerStep(seat, number));
  if (view.config.vote !== true || asked === undefined || calls !== undefined) return [];
  const read = readBallot(text, asked.text);
  if (read === undefined || 'ballot' in read) return [];
  return [describeUnusable({ seat, why: read.why }, getSeatTitle(seat, view))];
}

/** Formats the vote on a synthesis's question; empty if nobody cast a ballot. */
function tallyOf(
  board: BoardView,
  { question: number = 1, version }: SynthesisView,
  view: Telling['view'],
): string[] {
  const question = board.questions.find((one) => one.number === number);
  return question === undefined
    ? []
    : blocksText(
        [{ kind: 'vote', vote: makeVote(question, view, findAgreement(board, number, version)) }],
        1,
      );
}

/** Returns in words what a call is for. Empty if the name of its seat already says so. */
export function describePurpose(step: string): string {
  const [kind, , version] = step.split('/');
  if (kind === 'agreement') return ' who holds what';
  if (kind === 'influence') return ` what v${version} changes`;
  return '';
}
