/** Formats a track record as lines of text, for the command line and the console's history. */

import type { CalibrationBin } from '../../evaluation/track/forecasts.ts';
import { isTooFew, type TrackPair, type TrackRow } from '../../evaluation/track/runs.ts';
import { toLine } from '../../text/line.ts';
import { formatCount, formatTokens, formatUsd } from '../../text/numbers.ts';
import type { TrackGrouping } from '../../text/usage-table.ts';
import { withoutFalse } from '../../text/without-undefined.ts';

/** Cells of the scale that shows a calibration bin: one for each five per cent. */
const SCALE = 21;

const VERDICTS: Readonly<Record<TrackRow['difference']['verdict'], string>> = {
  few: 'too few to say',
  better: 'better than its panels',
  worse: 'worse than its panels',
  unclear: 'no difference can be told',
};

/** Sentences on what no track record can say. */
const LIMITS: readonly string[] = [
  'What options that were not taken would have led to is not known.',
  'Predictions that rest on a recommendation which was not followed are void and count nowhere.',
  'Whoever says what came true may have seen who predicted what.',
  'Rows are in the order of their names: this is no ranking.',
];

/**
 * Formats a track record as lines of text: for each row, how its predictions compare with what came
 * true, then the pairs, then notes on how to read the numbers. If `rows` is empty, the lines say that
 * no prediction has been answered yet, and which command lists those that are due.
 *
 * @param by what each row stands for, such as a model
 * @param pairs comparisons of two forecasters on the same predictions
 */
export function trackLines(
  rows: readonly TrackRow[],
  by: TrackGrouping,
  pairs: readonly TrackPair[] = [],
): string[] {
  if (rows.length === 0)
    return [
      'No prediction of a run has been answered with yes or no.',
      'deliberate due lists those whose date has come; the stand-in does not count.',
    ];
  return [
    ...rows.flatMap((row) => [...recordLines(row, by), '']),
    ...pairLines(pairs),
    'Brier: the mean squared error, 0 to 1; lower is better, and always saying 50 % gets 0.25.',
    'Difference: over the same predictions, with a 95 % interval resampled by decision.',
    ...LIMITS,
  ];
}

function recordLines(row: TrackRow, by: TrackGrouping): string[] {
  const { forecaster, decisions, predictions, brier, parts, claims, alone } = row;
  const base = `always saying how often they came true would get ${formatScore(parts.uncertainty)}`;
  return withoutFalse([
    `${toLine(forecaster)}: ${formatCount(decisions, 'decision')}, ${formatCount(predictions, 'prediction')}`,
    `  Brier ${formatScore(brier)}; ${base}`,
    by !== 'protocol' && `  ${differenceLine(row)}`,
    ...row.calibration.map((bin) => `  ${calibrationLine(bin)}`),
    alone.of !== 0 &&
      `  Alone on one side of 50 %: ${formatCount(alone.of, 'time')}, right ${alone.right}`,
    claims.raised !== 0 &&
      `  ${formatCount(claims.raised, 'claim')}: ${claims.confirmed} confirmed, ${claims.refuted} refuted; ${claims.foundAlone} confirmed that nobody else raised`,
    (row.tokens !== 0 || row.unpriced !== 0) && `  ${costLine(row)}`,
  ]);
}

/**
 * Returns a line for each pair of models: the difference of their Brier scores on the predictions that both
 * forecast. A difference below 0 means that the first model did better.
 */
function pairLines(pairs: readonly TrackPair[]): string[] {
  if (pairs.length === 0) return [];
  return [
    'Two by two, on the predictions that both forecast; verdicts are corrected for the number of pairs:',
    ...pairs.map(({ first, second, difference }) => {
      const { predictions, verdict } = difference;
      const words = {
        few: VERDICTS.few,
        unclear: VERDICTS.unclear,
        better: 'the first did better',
        worse: 'the second did better',
      }[verdict];
      return `  ${toLine(first)} and ${toLine(second)} (${predictions}): ${formatDifference(difference)}: ${words}`;
    }),
    '',
  ];
}

/** Formats a difference with its interval: `+0.011 (-0.020 to +0.044)`. */
function formatDifference({ mean, low, high }: TrackPair['difference']): string {
  return `${formatSigned(mean)} (${formatSigned(low)} to ${formatSigned(high)})`;
}

function differenceLine(row: TrackRow): string {
  const { panelBrier, difference } = row;
  const said = isTooFew(row) ? VERDICTS.few : VERDICTS[difference.verdict];
  return `Its panels ${formatScore(panelBrier)}; difference ${formatDifference(difference)}: ${said}`;
}

/**
 * Formats a calibration bin: `said 12 %, came true 11 % (1 of 9)  ··o|·················`. On the scale `|` is
 * what was said, `o` what came true, and `+` both.
 */
function calibrationLine({ said, cameTrue }: CalibrationBin): string {
  const share = cameTrue.count / cameTrue.of;
  const cells = Array.from({ length: SCALE }, () => '·');
  const [saidAt, trueAt] = [said, share].map((part) => Math.round(part * (SCALE - 1)));
  cells[saidAt ?? 0] = '|';
  cells[trueAt ?? 0] = saidAt === trueAt ? '+' : 'o';
  const words = [
    `said ${formatShare(said)},`,
    `came true ${formatShare(share)}`,
    `(${cameTrue.count} of ${cameTrue.of})`,
  ].join(' ');
  return `${cells.join('')}  ${words}`;
}

function costLine({ tokens, usd, unpriced, usdPerFoundAlone }: TrackRow): string {
  const price = unpriced === 0 ? formatUsd(usd) : `${formatUsd(usd)} + ${unpriced} unpriced calls`;
  const each =
    usdPerFoundAlone === undefined
      ? ''
      : `; ${formatUsd(usdPerFoundAlone)} per claim that nobody else raised`;
  return `Took ${formatTokens(tokens)} tokens, ${price} in these runs${each}`;
}

function formatScore(score: number): string {
  return score.toFixed(3);
}

function formatSigned(score: number): string {
  return `${score < 0 ? '' : '+'}${score.toFixed(3)}`;
}

function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
