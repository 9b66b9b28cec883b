/** A board's sections of a report: each question with its results, and what is missing. */

import { answerAt, callAt, type RunView, type SynthesisView } from '../../../kernel/view.ts';
import { formatQuotation, nestHeadings, words } from '../../../plain/markdown.ts';
import {
  formatSynthesisHeading,
  getSeatTitle,
  whyNoAnswer,
  whyNoFinalAnswer,
} from '../../../plain/naming.ts';
import { formatCallGaps } from '../../../plain/protocol-text.ts';
import { synthesisGaps, synthesisSections } from '../../../plain/syntheses.ts';
import { sectionIn } from '../../../text/answers/first-sentence.ts';
import { line } from '../../../text/line.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { answerStep, type BoardView, type QuestionView } from '../fold.ts';
import { getFirstRecommendation, warnOfRepeatedTask } from '../recommended.ts';
import { findAgreement } from './choices.ts';
import {
  explainLetters,
  formatMatrixTitle,
  formatReadableSynthesis,
  type ReadBoard,
} from './reading.ts';
import {
  formatAblationTable,
  formatAgreementTable,
  formatBallotTable,
  formatBaseline,
  formatVoteTally,
} from './report.ts';

/** Returns the result of every question: the recommendation in a sentence, and the vote. */
export function formatResults(run: ReadBoard): string[] {
  const { view, board, quotations } = run;
  const several = board.questions.length > 1;
  return board.questions.flatMap((question) => {
    const last = findSyntheses(view, board, question).at(-1);
    const first = last && getFirstRecommendation(formatReadableSynthesis(last, quotations, view));
    const tally = formatVoteTally(
      question,
      view,
      findAgreement(board, question.number, last?.version),
    );
    const bad = last && formatQuotationCounts(quotations[last.version] ?? [], { onlyIfBad: true });
    const repeated = last && warnOfRepeatedTask(last.text);
    if (first === undefined && tally === undefined && repeated === undefined) return [];
    return [
      ...(several ? [`**${question.number}. ${words(question.text)}**`] : []),
      ...(first === undefined ? [] : [`**Recommendation: ${words(first)}**`]),
      ...(repeated === undefined ? [] : [`**The synthesis has no worth: ${repeated}.**`]),
      ...(bad === undefined ? [] : [`**Read it with care. Quotations in it: ${bad}.**`]),
      ...(tally === undefined ? [] : [`${words(tally)}.`]),
    ];
  });
}

/**
 * Formats the parts of the report that can be asked for by name, for the latest question: the vote
 * with the agreement matrix, and the dissent.
 */
export function formatBoardParts(run: ReadBoard): { vote?: string[]; dissent?: string[] } {
  const { view, board, quotations } = run;
  const question = board.questions.at(-1);
  if (question === undefined) return {};
  const last = findSyntheses(view, board, question).at(-1);
  const agreement = findAgreement(board, question.number, last?.version);
  const parted =
    last && sectionIn(formatReadableSynthesis(last, quotations, view), 'Points of Divergence');
  const vote = [
    ...ballots(run, question, 2),
    ...(agreement === undefined
      ? []
      : [`## ${formatMatrixTitle(agreement, last)}`, ...formatAgreementTable(agreement, view)]),
  ];
  return {
    ...(vote.length === 0 ? {} : { vote }),
    ...(parted === undefined
      ? {}
      : { dissent: ['## Points of Divergence', nestHeadings(parted, 2)] }),
  };
}

/** Returns a section for each question. Within a section, the newest synthesis comes first. */
export function formatQuestionSections(run: ReadBoard): string[] {
  const { view, board } = run;
  const several = board.questions.length > 1;
  const level = several ? 3 : 2;
  return board.questions.flatMap((question) => [
    ...(several ? [`## Question ${question.number}: ${words(question.text)}`] : []),
    ...(several && question.number > 1 && line(question.text) !== question.text.trim()
      ? [formatQuotation(question.text)]
      : []),
    ...syntheses(run, question, level),
    ...answers(view, question, level),
    ...ballots(run, question, level),
    ...baselines(question, level),
    ...ablations(run, question, level),
  ]);
}

/** Returns the syntheses of a question. Those that were written for ablations are left out. */
export function findSyntheses(
  view: RunView,
  board: BoardView,
  { number }: QuestionView,
): SynthesisView[] {
  return view.syntheses.filter(
    ({ question = 1, version }) =>
      question === number && !Object.hasOwn(board.madeForAblation, version),
  );
}

function syntheses(run: ReadBoard, question: QuestionView, level: number): string[] {
  const { view, board, quotations } = run;
  const mark = '#'.repeat(level);
  return synthesisSections(findSyntheses(view, board, question), view, level, (synthesis) => {
    const { version } = synthesis;
    const agreement = board.agreements[version];
    const ablated = formatAblationTable(board.ablations[version] ?? [], view);
    const found = formatQuotationCounts(quotations[version] ?? []);
    return {
      above: explainLetters(synthesis, view).map((line) => `_${words(line)}_`),
      text: formatReadableSynthesis(synthesis, quotations, view),
      below: [
        ...(found === undefined ? [] : [`_Quotations: ${found}._`]),
        ...(agreement === undefined
          ? []
          : [`${mark}# Who holds what`, ...formatAgreementTable(agreement, view)]),
        ...(ablated.length === 0
          ? []
          : [`${mark}# What v${version} becomes without each seat`, ...ablated]),
      ],
    };
  });
}

function answers(view: RunView, { number }: QuestionView, level: number): string[] {
  return view.seats.flatMap((seat) => {
    const call = callAt(view.calls, answerStep(seat.id, number));
    const why = whyNoFinalAnswer(call);
    return [
      `${'#'.repeat(level)} ${words(seat.title)} (${words(call?.model ?? seat.model)})`,
      ...(call && call.text.trim() !== '' ? [nestHeadings(call.text, level)] : []),
      ...(why === undefined ? [] : [`_${words(why)}_`]),
      ...(call?.notes.length ? [`_Notes: ${call.notes.map(words).join('; ')}_`] : []),
    ];
  });
}

/** Returns the id of a seat's answer in the report, to which the graph of the argument links. */
export function getAnswerId(seat: string, question: number, view: RunView): string {
  const title = getSeatTitle(seat, view);
  const isShared = view.seats.filter(({ id }) => getSeatTitle(id, view) === title).length > 1;
  const name = isShared ? `${title}, ${seat}` : title;
  return question === 1 ? name : `${name} (${question})`;
}

/**
 * Returns the Markdown blocks of one synthesis: its text, a line about its quotations, and a table
 * of what changes when a seat is left out. The agreement matrix is not among them.
 */
export function formatSynthesisParts(run: ReadBoard, synthesis: SynthesisView): string[] {
  const { view, board, quotations } = run;
  const { version } = synthesis;
  const [, ...text] = synthesisSections([synthesis], view, 2, () => ({
    above: explainLetters(synthesis, view).map((line) => `_${words(line)}_`),
    text: formatReadableSynthesis(synthesis, quotations, view),
  }));
  const ablated = formatAblationTable(board.ablations[version] ?? [], view);
  const found = formatQuotationCounts(quotations[version] ?? []);
  return [
    ...text,
    ...(found === undefined ? [] : [`_Quotations: ${found}._`]),
    ...(ablated.length === 0 ? [] : [`### What v${version} becomes without each seat`, ...ablated]),
  ];
}

/**
 * Formats the last sections of a question's report: the answers of models that were asked without
 * the panel, and the syntheses that were written without one of the seats.
 */
export function formatAsides(run: ReadBoard, question: QuestionView): string[] {
  return [...baselines(question, 2), ...ablations(run, question, 2)];
}

function ballots({ view, board }: ReadBoard, question: QuestionView, level: number): string[] {
  const last = findSyntheses(view, board, question).at(-1);
  const agreement = findAgreement(board, question.number, last?.version);
  const table = formatBallotTable(question, view, agreement);
  return table.length === 0 ? [] : [`${'#'.repeat(level)} Ballots`, ...table];
}

function baselines(question: QuestionView, level: number): string[] {
  return question.baselines.flatMap((one) => [
    `${'#'.repeat(level)} Baseline: ${one.kind}`,
    formatBaseline(one),
    nestHeadings(one.text, level),
  ]);
}

/** Returns the syntheses that were made for ablations. */
function ablations(
  { view, board, quotations }: ReadBoard,
  { number }: QuestionView,
  level: number,
): string[] {
  return view.syntheses
    .filter(
      ({ question = 1, version }) =>
        question === number && Object.hasOwn(board.madeForAblation, version),
    )
    .flatMap((one) => [
      `${'#'.repeat(level)} ${words(formatSynthesisHeading(one, view))} · for the ablation of v${board.madeForAblation[one.version]}`,
      nestHeadings(formatReadableSynthesis(one, quotations, view), level),
    ]);
}

/**
 * Returns a sentence for each gap in a board's report: a failed call, a question without a usable
 * vote, a synthesis that is missing or lacks one of its headings, and wrong quotations.
 */
export function listBoardGaps({ view, board, quotations }: ReadBoard): string[] {
  const of = (number: number): string =>
    board.questions.length > 1 ? ` (question ${number})` : '';
  const seats = board.questions.flatMap(({ number }) =>
    view.seats.flatMap((seat) =>
      formatCallGaps(
        `${words(seat.title)}${of(number)}`,
        whyNoFinalAnswer(callAt(view.calls, answerStep(seat.id, number))),
      ),
    ),
  );
  // Calls outside the panel, which are those of the synthesizer and of baselines. If a prompt was too
  // long, the call was repeated with a shorter prompt.
  const others = Object.values(view.calls).flatMap((call) =>
    view.seats.some(({ id }) => id === call.seat) ||
    Object.hasOwn(view.calls, `${call.step}/compacted`)
      ? []
      : formatCallGaps(
          words(call.step.replace(/^agreement\/(\d+)$/, 'Who holds what (v$1)')),
          whyNoAnswer(call),
        ),
  );
  const voteless = board.questions.flatMap(({ number, ballots }) => {
    const heard = view.seats.some(
      ({ id }) => answerAt(view.calls, answerStep(id, number))?.state === 'done',
    );
    return view.config.vote === true && heard && ballots.length === 0
      ? [`No vote${of(number)}: no answer ended with a usable ballot.`]
      : [];
  });
  const written = board.questions.flatMap((question) =>
    synthesisGaps(findSyntheses(view, board, question).at(-1), view, of(question.number)),
  );
  const misquoted = board.questions.flatMap((question) => {
    const last = findSyntheses(view, board, question).at(-1);
    const bad = last && formatQuotationCounts(quotations[last.version] ?? [], { onlyIfBad: true });
    return bad === undefined
      ? []
      : [`Quotations in synthesis v${last?.version}: ${bad}. They are marked.`];
  });
  return [...seats, ...others, ...voteless, ...written, ...misquoted];
}
