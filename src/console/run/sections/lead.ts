/** The rows above a synthesis: what it recommends, in a sentence, and what stands beside it. */
import { textWidth, truncate } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { Draft, RunModel, SynthesisWords } from '../../model/run-model.ts';
import { cleanLine } from '../../terminal/door.ts';
import type { Theme } from '../../terminal/theme.ts';

/** Rows of the sentence at most; all of it stands below. */
const SENTENCE_ROWS = 2;
const READING_WIDTH = 100;

export interface LeadLines {
  readonly sentence: readonly string[];
  readonly beside: readonly string[];
}

export function leadLines(
  draft: Draft,
  runModel: RunModel,
  says: SynthesisWords,
  columns: number,
): LeadLines {
  const { sentence, beside } = says.lead(draft, runModel);
  const width = columns - 2;
  const rows = wrapPlain(cleanLine(sentence ?? ''), Math.min(READING_WIDTH, width));
  const shown = rows.slice(0, SENTENCE_ROWS).filter((row) => row !== '');
  if (rows.length > SENTENCE_ROWS) {
    const last = shown.at(-1) ?? '';
    shown[SENTENCE_ROWS - 1] = `${truncate(last, Math.min(READING_WIDTH, width) - 2, '')} …`;
  }
  const one = beside.map(cleanLine).join(' · ');
  return {
    sentence: shown,
    beside:
      one === ''
        ? []
        : textWidth(one) <= width
          ? [one]
          : beside.flatMap((line) => wrapPlain(cleanLine(line), width)),
  };
}

/** With a blank row below; of the lines beside, those that fit. */
export function leadRows({ sentence, beside }: LeadLines, theme: Theme, columns: number): string[] {
  return [
    ...sentence.map((row) => ` ${theme.bold(row)}`),
    ...beside.map((row) => ` ${theme.dim(truncate(row, columns - 2))}`),
    '',
  ];
}
