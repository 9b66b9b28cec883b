/** Parses what is estimated, and draws rounds of estimates as a figure. */
import { type Estimate, type Estimates, type Measure, poolEstimates } from './quantities.ts';
import { convertUnit, isKnownUnit } from './units.ts';

const KINDS: ReadonlySet<string> = new Set(['quantity', 'count', 'probability']);

/**
 * Parses a description of what is to be estimated, such as `quantity, weeks, log`: its kind, unit
 * and scale.
 *
 * @throws Error that says what is expected
 */
export function readMeasure(text: string): Measure {
  const [kind = '', unit = '', scale = 'linear', ...more] = text
    .split(',')
    .map((part) => part.trim());
  if (!KINDS.has(kind) || unit === '' || more.length > 0)
    throw new Error(
      'expected: quantity, count or probability; its unit; linear or log, as in "quantity, weeks, linear"',
    );
  if (scale !== 'linear' && scale !== 'log')
    throw new Error(`"${scale}": the scale is linear or log`);
  if (kind === 'probability' && !(isKnownUnit(unit) && convertUnit(1, 'share', unit).ok))
    throw new Error(`"${unit}": a probability is counted in "share" or "%"`);
  return { kind: kind as Measure['kind'], unit, scale };
}

/** A chart with one row for each round of estimates, or one for each camp of a round. */
export interface RangesFigure {
  readonly kind: 'ranges';
  readonly title: string;
  readonly unit: string;
  /** The scale of the axis, linear or logarithmic. */
  readonly scale: Measure['scale'];
  /**
   * The rows, one for each round or camp: a label, the ends of a bar (`low`, `high`), a mark on the bar
   * (`mid`), and the ends of an inner box (`quarters`).
   */
  readonly rows: {
    label: string;
    low: number;
    mid: number;
    high: number;
    quarters?: [number, number];
  }[];
  readonly note: string;
}

/**
 * Returns a chart with a row for each round. A row has the median of the seats' medians, the range of these
 * medians, and the 5 % and 95 % quantiles of all seats' distributions together. If the seats form two
 * camps in a round, each camp has a row of its own instead.
 */
export function drawRounds(
  rounds: readonly (readonly Estimate[])[],
  measure: Measure,
): RangesFigure {
  const { unit, scale } = measure;
  const rows = rounds.flatMap((estimates, at) => {
    const all = poolEstimates(estimates, scale);
    if (all === undefined) return [];
    if (all.camps === undefined) return [rowOf(`round ${at + 1}`, all)];
    const camps = [all.camps.low, all.camps.high].map((seats, side) => {
      const own = poolEstimates(
        estimates.filter(({ seat }) => seats.includes(seat)),
        scale,
      );
      return own === undefined ? [] : [rowOf(`round ${at + 1}, camp ${side + 1}`, own)];
    });
    return camps.flat();
  });
  return {
    kind: 'ranges',
    title: 'Estimates by round',
    unit,
    scale,
    rows,
    note: 'From p5 to p95 of all seats’ distributions, each believed alike; in brackets where their middles lie; the bar between is the median.',
  };
}

function rowOf(label: string, { mixture, median, range }: Estimates): RangesFigure['rows'][number] {
  const [low, high] = [Math.min(mixture.p5, median), Math.max(mixture.p95, median)];
  return {
    label,
    low: roundToShown(low),
    mid: roundToShown(median),
    high: roundToShown(high),
    quarters: [roundToShown(range.low), roundToShown(range.high)],
  };
}

/**
 * Describes a round of estimates: `14 weeks (median of 4; estimates from 10 to 20)`. Two camps of
 * seats are described separately. Returns undefined if no seat answered.
 */
export function describeEstimate(
  estimates: readonly Estimate[],
  { unit, scale }: Measure,
): string | undefined {
  const all = poolEstimates(estimates, scale);
  if (all === undefined) return undefined;
  const formatEstimates = ({ heard, median, range }: Estimates): string =>
    `${formatNumber(median)} ${unit} (median of ${heard}; ${range.quartiles ? 'the middle half' : 'estimates'} from ${formatNumber(range.low)} to ${formatNumber(range.high)})`;
  if (all.camps === undefined) return formatEstimates(all);
  const [low, high] = [all.camps.low, all.camps.high].map((seats) =>
    poolEstimates(
      estimates.filter(({ seat }) => seats.includes(seat)),
      scale,
    ),
  );
  return low === undefined || high === undefined
    ? formatEstimates(all)
    : `two camps, at ${formatEstimates(low)} and at ${formatEstimates(high)}; no single number`;
}

/**
 * Formats a number with as many digits as an estimate deserves: whole from 100 on, otherwise with three
 * digits, and below 1 with four: 2027, 28.9, 0.9999.
 */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  return String(size >= 100 ? Math.round(value) : Number(value.toPrecision(size < 1 ? 4 : 3)));
}

/** Rounds to the digits that the sentences show, so that the figure agrees with them. */
function roundToShown(value: number): number {
  return Number(formatNumber(value));
}

/**
 * Returns a sentence on what is wrong with a proposed measure; undefined if the measure is valid.
 */
export function checkMeasure({ kind, unit, scale }: Measure): string | undefined {
  try {
    readMeasure(`${kind}, ${unit}, ${scale}`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : 'It is no measure.';
  }
}
