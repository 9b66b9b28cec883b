/** Reads summaries that a pattern describes; its groups are the numbers. */
import { firstNames, namesIn } from './matching.ts';
import type { Counts, Reader } from './summary.ts';

/** The format of a test runner's summary, from toolchains.yaml. */
export interface SummaryFormat {
  /**
   * Regular expressions for a summary. Their named groups are the numbers: `total`, `ran`, `passed`,
   * `failed`, `skipped` and `broken`.
   */
  readonly summary: readonly string[];
  /** Whether the output has one summary for each part of the tests, so that all are added. */
  readonly each: boolean;
  /** The regular expression with the group `name` for a failed test; absent: names are not read. */
  readonly failing?: string | undefined;
  /**
   * The regular expression with the group `name` for a skipped test, to count skipped tests; absent:
   * the summary has their number.
   */
  readonly skipping?: string | undefined;
}

/** The numbers of one summary by kind; several of one kind are added. */
interface Numbers {
  readonly total?: number;
  readonly ran?: number;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly broken?: number;
}

/**
 * Returns a parser for summaries in a format. The parser returns undefined for output without a
 * summary, or with a summary whose numbers contradict each other.
 */
export function readerOf({ summary, each, failing, skipping }: SummaryFormat): Reader {
  const shapes = summary.map((source) => new RegExp(source, 'gm'));
  const failed = failing === undefined ? undefined : new RegExp(failing, 'gm');
  const skips = skipping === undefined ? undefined : new RegExp(skipping, 'gm');
  return (text) => {
    const found = shapes
      .flatMap((shape) => [...text.matchAll(shape)])
      .sort((left, right) => left.index - right.index);
    const counted = each ? found : found.slice(-1);
    const [last] = counted.slice(-1);
    if (last === undefined) return undefined;
    const skippedNames = skips === undefined ? [] : namesIn(text, skips);
    const all: Counts[] = [];
    for (const { groups = {} } of counted) {
      const counts = countsOf(numbersIn(groups), skips === undefined ? 0 : skippedNames.length);
      if (counts === undefined) return undefined;
      all.push(counts);
    }
    const sumCounts = (of: 'passed' | 'failed' | 'skipped'): number =>
      all.reduce((sofar, counts) => sofar + counts[of], 0);
    return {
      at: last.index + last[0].length,
      counts: {
        passed: sumCounts('passed'),
        failed: sumCounts('failed'),
        skipped: sumCounts('skipped'),
        failing:
          failed === undefined || sumCounts('failed') === 0
            ? []
            : firstNames(namesIn(text, failed)),
      },
    };
  };
}

function numbersIn(groups: Readonly<Record<string, string | undefined>>): Numbers {
  const numbers = new Map<string, number>();
  for (const [name, digits] of Object.entries(groups)) {
    if (digits === undefined) continue;
    const kind = name.replace(/_.*$/, '');
    numbers.set(kind, (numbers.get(kind) ?? 0) + Number(digits));
  }
  return Object.fromEntries(numbers);
}

/** Computes the counts. `named`: the number of skipped tests that are named, if no number is printed. */
function countsOf(numbers: Numbers, named: number): Counts | undefined {
  const { total, passed: said, failed: fell, skipped = named, broken = 0 } = numbers;
  const ran = numbers.ran ?? (total === undefined ? undefined : total - skipped);
  const failed = fell ?? (ran === undefined || said === undefined ? 0 : ran - said);
  const passed = said ?? (ran ?? failed) - failed;
  if (ran !== undefined && passed + failed !== ran) return undefined;
  if (passed < 0 || failed < 0) return undefined;
  return { passed, failed: failed + broken, skipped, failing: [] };
}
