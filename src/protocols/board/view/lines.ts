/** Prints the progress and results of a board for pipes, except for answers and syntheses. */

import { stepOf } from '../../../kernel/tools/tools.ts';
import type { SynthesisView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { makeSection } from '../../../plain/blocks.ts';
import { blocksText, sectionsText } from '../../../plain/blocks-text.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import {
  type PrintedText,
  type PrintState,
  type Teller,
  toProgress,
  toResult,
} from '../../../plain/protocol-text.ts';
import { toLine } from '../../../text/line.ts';
import { formatMs } from '../../../text/numbers.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { formatConfidence } from '../../common/voting/votes.ts';
import { readBallot } from '../ballots.ts';
import { BOARD, type Fact } from '../facts.ts';
import { type BoardView, EMPTY_BOARD, foldBoard, getAnswerStep } from '../fold.ts';
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
  /** The latest synthesis if the vote of its seats is still to be printed, otherwise undefined. */
  let untold: SynthesisView | undefined;
  return {
    tell: (fact, run) => {
      board = foldBoard(board, fact);
      quoted = foldQuotations(quoted, fact);
      const known = BOARD.own(fact);
      if (known?.type === 'synthesis.completed') {
        untold = getAblationRequest(run.view.request) === undefined ? known : undefined;
        const found = formatQuotationCounts(quoted.quotations[known.version] ?? []);
        return found === undefined ? [] : [toResult(`Quotations: ${found}.`)];
      }
      if (untold === undefined || !endsGrouping(known, untold.version))
        return tellFact(fact, board, run);
      const vote = tallyOf(board, untold, run.view).map((line) => toResult(line));
      untold = undefined;
      return [...vote, ...tellFact(fact, board, run)];
    },
    above: explainLetters,
    reads: (synthesis, view) => formatReadableSynthesis(synthesis, quoted.quotations, view),
  };
}

/**
 * Returns whether a fact completes the grouping of equal options for a synthesis: no later fact
 * will group more of them.
 */
function endsGrouping(fact: Fact | undefined, version: number): boolean {
  switch (fact?.type) {
    case 'agreement.mapped':
      return fact.version === version;
    case 'call.failed':
    case 'call.stopped':
      return fact.step === `agreement/${version}`;
    case 'run.ended':
      return true;
    default:
      return false;
  }
}

function tellFact(any: AnyFact, board: BoardView, { view, title }: PrintState): PrintedText[] {
  const formatTitles = (seats: readonly string[]): string => seats.map(title).join(', ');
  const fact = BOARD.own(any);
  switch (fact?.type) {
    case 'ballot.cast':
      return [
        toProgress(
          `${title(fact.seat)}'s ballot: "${toLine(fact.option)}" (${formatConfidence(fact.confidence)})`,
        ),
      ];
    case 'call.completed':
      return tellUncounted(fact, board, view).map((why) => toProgress(why));
    case 'patience.began':
      return [
        toProgress(
          `${fact.answered.length} have answered; ${formatTitles(fact.waitingFor)} may take another ${formatMs(Date.parse(fact.until) - Date.parse(fact.at))}`,
        ),
      ];
    case 'quorum.reached':
      return [
        toProgress(
          `Quorum: ${fact.answered.length} of ${fact.of} have answered (${fact.quorum} required)${fact.stopped.length === 0 ? '' : `; ${formatTitles(fact.stopped)} stopped`}`,
        ),
      ];
    case 'agreement.mapped':
      return [
        toResult(
          ...sectionsText([
            makeSection(`Who holds what (v${fact.version})`, makeAgreementBlock(fact, view)),
          ]),
        ),
      ];
    case 'influence.weighed':
      return [
        toProgress(
          `${fact.without === null ? 'With all seats' : `Without ${title(fact.without)}`}: ${fact.change}. ${toLine(fact.how)}`,
        ),
      ];
    case 'baseline.completed':
      return [
        toResult(`## Baseline: ${fact.kind}`, formatBaseline(fact), sanitiseText(fact.text).trim()),
      ];
    case 'run.ended': {
      const base = getAblationRequest(view.request)?.base;
      const ablated = base === undefined ? [] : (board.ablations[base] ?? []);
      return ablated.length === 0
        ? []
        : [
            toResult(
              ...sectionsText([
                makeSection(
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
  view: PrintState['view'],
): string[] {
  const asked = questions.find(({ number }) => stepOf(step) === getAnswerStep(seat, number));
  if (view.config.vote !== true || asked === undefined || calls !== undefined) return [];
  const read = readBallot(text, asked.text);
  if (read === undefined || 'ballot' in read) return [];
  return [describeUnusable({ seat, why: read.why }, getSeatTitle(seat, view))];
}

/** Formats the vote on a synthesis's question; empty if nobody cast a ballot. */
function tallyOf(
  board: BoardView,
  { question: number = 1, version }: SynthesisView,
  view: PrintState['view'],
): string[] {
  const question = board.questions.find((question) => question.number === number);
  return question === undefined
    ? []
    : blocksText(
        [{ kind: 'vote', vote: makeVote(question, view, findAgreement(board, number, version)) }],
        1,
      );
}

/** Returns in words, with a space before them, what a step's call is for; empty if its seat's name says enough. */
export function describePurpose(step: string): string {
  const [kind, , version] = step.split('/');
  if (kind === 'agreement') return ' who holds what';
  if (kind === 'influence') return ` what v${version} changes`;
  return '';
}
