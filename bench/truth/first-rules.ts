/**
 * The results of 60 runs of 3 rounds with each panel under the first rules, for comparison. They were measured
 * at 70b1b12, the last commit with only these rules, with a first form of the simulated models that was
 * slightly gentler to saboteurs and called fewer false things true. There were no readers then, so measures of
 * readers have no figure.
 */
import { PANELS } from './minds.ts';
import { type Line, type Measure, measureCost } from './table.ts';

/** Results by the measure's name, in the order of the panels. */
const FIRST_RULES: ReadonlyMap<string, readonly (number | undefined)[]> = new Map([
  [
    'claims that the text decides: decided as it does',
    [0.226, 0.246, 0.265, 0.255, 0.269, 0.69, 0.261, 0.227],
  ],
  [
    'claims decided against the truth, of those argued',
    [0.135, 0.172, 0.184, 0.256, 0.38, 0.224, 0.192, 0.283],
  ],
  [
    'claims decided against the truth, of those run',
    [0, 0.067, 0.068, 0.096, 0.146, 0, 0.072, 0.034],
  ],
  [
    'planted flaws that stand at the end, of those claimed',
    [0.242, 0.27, 0.386, 0.276, 0.541, undefined, 0.424, 0.185],
  ],
  ['flaws found, then lost by supersession or concession', [0, 0, 0, 1, 1, 0, 1, 0]],
  ['flaws claimed, withdrawn undecided, adopted by nobody', [24, 18, 12, 14, 2, 0, 10, 0]],
  [
    'decisions whose ground has fallen, of all',
    [0.441, 0.458, 0.468, 0.548, 0.553, 0.05, 0.515, 0.44],
  ],
  ['… and which are not marked', [158, 175, 166, 198, 94, 18, 195, 153]],
]);

/** Tokens of a run of 3 rounds by able models. */
const FIRST_TOKENS = { input: 213_056, output: 18_924 } as const;

/**
 * Adds to a line of the table the values that were measured when rounds only had the first edition of their rules.
 * Returns the line unchanged if none are stored for its measure.
 */
export function withFirst(line: Line): Line {
  const figures = FIRST_RULES.get(line.what);
  if (figures === undefined) return line;
  const before = Object.fromEntries(PANELS.map(({ name }, index) => [name, figures[index]]));
  return { ...line, before };
}

/**
 * Returns the measures that compare a run's tokens with those of the first edition of the rules of rounds. Returns
 * none for other lengths than 3 rounds, at which the first edition was not measured.
 */
export function measureCosts(rounds: number): Measure[] {
  if (rounds !== 3) return [];
  return [measureCost('input', FIRST_TOKENS.input), measureCost('output', FIRST_TOKENS.output)];
}
