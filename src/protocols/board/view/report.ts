/** A board's part of a report: each question with its recommendation, vote, table, dissent and answers. */

import { callAt, type SynthesisView } from '../../../kernel/view.ts';
import {
  type Answer,
  type Block,
  makeFoldedSection,
  makeSection,
  type RunReport,
  type Section,
} from '../../../plain/blocks.ts';
import { escapeLine, formatQuotation } from '../../../plain/markdown.ts';
import { formatSynthesisHeading, getSeatTitle, whyNoFinalAnswer } from '../../../plain/naming.ts';
import type { ProtocolReport, RecordedRun } from '../../../plain/protocol-text.ts';
import { synthesisSection } from '../../../plain/syntheses.ts';
import { sectionIn } from '../../../text/answers/first-sentence.ts';
import { toLine } from '../../../text/line.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { countVotes } from '../../common/voting/votes.ts';
import { formatPosition } from '../ballots.ts';
import { type AgreementView, boardOf, getAnswerStep, type QuestionView } from '../fold.ts';
import { findBoardQuotations } from '../quotations.ts';
import { getFirstRecommendation, warnOfRepeatedTask } from '../recommended.ts';
import { drawBoardArgument } from './argument.ts';
import { findAgreement, groupChoices } from './choices.ts';
import { listBoardGaps } from './gaps.ts';
import {
  explainLetters,
  findSyntheses,
  formatPoint,
  formatPositionsTitle,
  formatReadableSynthesis,
  getAnswerId,
  type ReadBoard,
} from './reading.ts';
import {
  formatBaseline,
  makeAblationBlock,
  makeAgreementBlock,
  makeBallotBlocks,
  makeVote,
} from './tables.ts';

/** The functions that build the report of a board, and the parts that can be printed alone: vote and dissent. */
export const report: ProtocolReport = { build: boardReport, parts: boardParts };

/** Returns what a report tells of a board. */
function boardReport(recorded: RecordedRun): RunReport {
  const run = readBoard(recorded);
  return {
    answers: run.board.questions.map((question) => answerOf(settleQuestion(run, question))),
    sections: sectionsOf(run),
    missing: listBoardGaps(run),
  };
}

/**
 * Returns the parts that can be printed alone, on the latest question: the vote with the table, and the
 * dissent.
 */
function boardParts(recorded: RecordedRun): { vote?: Section[]; dissent?: Section[] } {
  const run = readBoard(recorded);
  const question = run.board.questions.at(-1);
  if (question === undefined) return {};
  const settled = settleQuestion(run, question);
  const text = settled.synthesis && formatReadable(run, settled.synthesis);
  const parted = text && sectionIn(text, 'Points of Divergence');
  return {
    vote: [ballotSection(settled), positionsSection(settled)],
    dissent: [makeSection('Points of Divergence', { kind: 'said', text: parted ?? '' })],
  };
}

function readBoard({ facts, view }: RecordedRun): ReadBoard {
  return { view, board: boardOf(facts), quotations: findBoardQuotations(facts) };
}

function formatReadable({ quotations, view }: ReadBoard, synthesis: SynthesisView): string {
  return formatReadableSynthesis(synthesis, quotations, view);
}

/** A question with its synthesis and the table that are shown together. */
interface Settled {
  readonly run: ReadBoard;
  readonly question: QuestionView;
  /** The syntheses on the question; the last one is `synthesis`. */
  readonly syntheses: readonly SynthesisView[];
  readonly synthesis: SynthesisView | undefined;
  readonly agreement: AgreementView | undefined;
}

function settleQuestion(run: ReadBoard, question: QuestionView): Settled {
  const syntheses = findSyntheses(run.view, run.board, question);
  const synthesis = syntheses.at(-1);
  const agreement = findAgreement(run.board, question.number, synthesis?.version);
  return { run, question, syntheses, synthesis, agreement };
}

function answerOf({ run, question, synthesis, agreement }: Settled): Answer {
  const { view, quotations, board } = run;
  const bad =
    synthesis && formatQuotationCounts(quotations[synthesis.version] ?? [], { onlyIfBad: true });
  const repeated = synthesis && warnOfRepeatedTask(synthesis.text);
  return {
    question: board.questions.length > 1 ? titleOf(question) : undefined,
    title: 'Recommendation',
    text: synthesis && getFirstRecommendation(formatReadable(run, synthesis)),
    basisLines: [
      synthesis === undefined ? 'There is no synthesis.' : formatSynthesisHeading(synthesis, view),
    ],
    warnings: [
      ...(repeated === undefined ? [] : [`The synthesis has no worth: ${repeated}.`]),
      ...(bad === undefined ? [] : [`Read it with care. Quotations in it: ${bad}.`]),
    ],
    votes: [makeVote(question, view, agreement)],
  };
}

function titleOf({ number, text }: QuestionView): string {
  return `Question ${number}: ${text}`;
}

/** Returns the sections on the question; if there are several questions, a section for each. */
function sectionsOf(run: ReadBoard): Section[] {
  const { questions } = run.board;
  if (questions.length < 2)
    return questions.flatMap((question) => sectionsOn(settleQuestion(run, question)));
  return questions.map((question) => {
    // The heading shows a later question on one line, so a question of several lines is quoted below the heading. The
    // first question is the title of the report.
    const isLong = question.number > 1 && toLine(question.text) !== question.text.trim();
    return {
      ...makeSection(
        titleOf(question),
        isLong ? formatQuotation(question.text) : '',
        ...sectionsOn(settleQuestion(run, question)),
      ),
      short: `Question ${question.number}`,
    };
  });
}

function sectionsOn(settled: Settled): Section[] {
  const { run, question } = settled;
  const graph = drawBoardArgument(run, question, settled);
  return [
    synthesisPart(settled),
    dissentSection(settled),
    positionsSection(settled),
    makeSection('The argument', graph === undefined ? '' : { kind: 'graph', graph }),
    makeSection('Answers', ...answerSections(settled)),
    ballotSection(settled),
    ...question.baselines.map((baseline) =>
      makeSection(`Baseline: ${baseline.kind}`, escapeLine(formatBaseline(baseline)), {
        kind: 'said',
        text: baseline.text,
      }),
    ),
    ...ablatedSections(settled),
  ];
}

/** Returns the syntheses, each with everything that belongs to it. The latest one's table has a section of its own. */
function synthesisPart({ run, syntheses, synthesis }: Settled): Section {
  const { view, board, quotations } = run;
  return synthesisSection(syntheses, view, (entry) => {
    const { version } = entry;
    const found = formatQuotationCounts(quotations[version] ?? []);
    const agreement = entry === synthesis ? undefined : board.agreements[version];
    return {
      anchor: `Synthesis v${version}`,
      above: explainLetters(entry, view).map((letter) => `_${escapeLine(letter)}_`),
      text: formatReadable(run, entry),
      below: [
        found === undefined ? '' : `_Quotations: ${found}._`,
        makeSection(
          'Who holds what',
          agreement === undefined ? '' : makeAgreementBlock(agreement, view),
        ),
        makeSection(
          `What v${version} becomes without each seat`,
          makeAblationBlock(board.ablations[version] ?? [], view),
        ),
      ],
    };
  });
}

/** Lists who chose differently from most, and who is against points that others are for. */
function dissentSection({ run: { view }, question: { ballots }, agreement }: Settled): Section {
  const [first, second] = countVotes(ballots, groupChoices(ballots, agreement));
  const isTie = first !== undefined && first.votes === second?.votes;
  const isMost = first !== undefined && first.votes * 2 > ballots.length;
  const others = ballots.filter(({ seat }) => isTie || first?.seats.includes(seat) !== true);
  const parted = (agreement?.points ?? []).filter(
    ({ cells }) =>
      cells.some(({ side }) => side === 'for') && cells.some(({ side }) => side === 'against'),
  );
  const rows = [
    ...others.map(({ seat, option, position }) => ({
      seat,
      how: isMost ? 'votes against most' : 'votes apart from the others',
      what: option,
      below: formatPosition(position),
    })),
    ...parted.flatMap(({ text, cells }) =>
      cells
        .filter(({ side }) => side === 'against')
        .map(({ seat, quote }) => ({
          seat,
          how: 'is against',
          what: agreement === undefined ? text : formatPoint(text, agreement, view),
          below: `“${quote}”`,
        })),
    ),
  ].map(({ seat, how, what, below }) => ({
    cells: [getSeatTitle(seat, view), how, { text: what, below: [below] }],
    sentence: `${how}: ${what}`,
  }));
  const head = ['who', '', 'what'];
  return makeSection('Dissent', {
    kind: 'table',
    table: { about: 'Who objects.', head, rows, isListed: true },
  });
}

function positionsSection({ run: { view }, synthesis, agreement }: Settled): Section {
  return agreement === undefined
    ? makeSection('Who holds what')
    : makeSection(formatPositionsTitle(agreement, synthesis), makeAgreementBlock(agreement, view));
}

function answerSections({ run: { view }, question: { number } }: Settled): Block[] {
  return view.seats.map((seat) => {
    const call = callAt(view.calls, getAnswerStep(seat.id, number));
    const why = whyNoFinalAnswer(call);
    return {
      ...makeFoldedSection(
        `${getSeatTitle(seat.id, view)} (${call?.model ?? seat.model})${why === undefined ? '' : `: ${why}`}`,
        { kind: 'said', text: call?.text ?? '' },
        call?.notes.length ? `_Notes: ${call.notes.map(escapeLine).join('; ')}_` : '',
      ),
      anchor: getAnswerId(seat.id, number, view),
    };
  });
}

function ballotSection({ run: { view }, question, agreement }: Settled): Section {
  return makeSection('Ballots', ...makeBallotBlocks(question, view, agreement));
}

/** Returns the syntheses that were made for ablations. */
function ablatedSections({ run, question: { number } }: Settled): Section[] {
  const { view, board } = run;
  return view.syntheses
    .filter(
      ({ question = 1, version }) =>
        question === number && Object.hasOwn(board.madeForAblation, version),
    )
    .map((synthesis) =>
      makeSection(
        `${formatSynthesisHeading(synthesis, view)} · for the ablation of v${board.madeForAblation[synthesis.version]}`,
        { kind: 'said', text: formatReadable(run, synthesis) },
      ),
    );
}
