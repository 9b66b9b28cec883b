/**
 * Draws the rows above a synthesis: the question it answers, if there are several; its recommendation in a
 * sentence; and lines beside it such as the vote.
 */
import { questionTitle } from '../../../text/answers/first-sentence.ts';
import { toLine } from '../../../text/line.ts';
import { textWidth, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { decisionBeside } from '../../model/decisions.ts';
import type { RunModel, Synthesis, SynthesisWords } from '../../model/run-model.ts';
import type { Theme } from '../../terminal/theme.ts';

/** The most rows of the sentence, which is repeated in full below. */
const SENTENCE_ROWS = 2;
const READING_WIDTH = 100;

/** The rows above a synthesis, which say in short what it recommends. */
export interface LeadLines {
  /** The question that the synthesis answers; empty if the run has only one question. */
  readonly asked: readonly string[];
  /** The recommendation in a sentence, in at most two rows; empty until it is written. */
  readonly sentence: readonly string[];
  /** Further rows, such as the vote. */
  readonly beside: readonly string[];
}

/**
 * Returns the rows above a synthesis, wrapped to the width of the screen: the question that it answers, its
 * recommendation in a sentence, and lines such as the vote.
 *
 * @param columns the width of the screen in cells
 */
export function leadLines(
  synthesis: Synthesis,
  runModel: RunModel,
  says: SynthesisWords,
  columns: number,
): LeadLines {
  const { sentence, beside: own } = says.lead(synthesis, runModel);
  const beside = [...own, ...decisionBeside(runModel, synthesis.version)];
  const width = columns - 2;
  const rows = wrapPlain(toLine(sentence ?? ''), Math.min(READING_WIDTH, width));
  const shown = rows.slice(0, SENTENCE_ROWS).filter((row) => row !== '');
  if (rows.length > SENTENCE_ROWS) {
    const last = shown.at(-1) ?? '';
    shown[SENTENCE_ROWS - 1] = `${truncateLine(last, Math.min(READING_WIDTH, width) - 2, '')} …`;
  }
  const oneLine = beside.map(toLine).join(' · ');
  return {
    asked: askedLines(synthesis, runModel, width),
    sentence: shown,
    beside:
      oneLine === ''
        ? []
        : textWidth(oneLine) <= width
          ? [oneLine]
          : beside.flatMap((note) => wrapPlain(toLine(note), width)),
  };
}

/**
 * Returns `Question 2: What would change your mind? · after: Should we split …`; empty if there was only one
 * question.
 */
function askedLines({ question }: Synthesis, runModel: RunModel, width: number): string[] {
  if (runModel.questions.length < 2) return [];
  const formatTitle = (number: number): string => toLine(questionTitle(runModel.asked(number)));
  const after = question > 1 ? ` · after: ${formatTitle(question - 1)}` : '';
  return [truncateLine(`Question ${question}: ${formatTitle(question)}${after}`, width)];
}

/** Draws the rows above a synthesis, with a blank row below. */
export function leadRows(
  { asked, sentence, beside }: LeadLines,
  theme: Theme,
  columns: number,
): string[] {
  return [
    ...asked.map((row) => ` ${theme.dim(row)}`),
    ...sentence.map((row) => ` ${theme.bold(row)}`),
    ...beside.map((row) => ` ${theme.dim(truncateLine(row, columns - 2))}`),
    '',
  ];
}
