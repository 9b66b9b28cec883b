/** Summaries that are told by a pattern: their numbers stand in its groups. */
import { firstNames, namesIn } from './matching.ts';
import type { Counts, Reader } from './summary.ts';

/** How a runner's summary is told, as toolchains.yaml says it. */
export interface SummaryFormat {
  readonly summary: readonly string[];
  /** There is one for each part, and all count. */
  readonly each: boolean;
  readonly failing?: string | undefined;
  readonly skipping?: string | undefined;
}

/** The numbers of one summary, by what they count; those of one kind are added up. */
interface Numbers {
  readonly total?: number;
  readonly ran?: number;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly broken?: number;
}

/** Returns a reader of such summaries. A summary whose numbers contradict each other is none. */
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
    const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
      all.reduce((sofar, counts) => sofar + counts[of], 0);
    return {
      at: last.index + last[0].length,
      counts: {
        ...{ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
        failing:
          failed === undefined || sum('failed') === 0 ? [] : firstNames(namesIn(text, failed)),
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

/** `named`: how many tests were skipped by their names, where no number says so. */
function countsOf(numbers: Numbers, named: number): Counts | undefined {
  const { total, passed: said, failed: fell, skipped = named, broken = 0 } = numbers;
  const ran = numbers.ran ?? (total === undefined ? undefined : total - skipped);
  const failed = fell ?? (ran === undefined || said === undefined ? 0 : ran - said);
  const passed = said ?? (ran ?? failed) - failed;
  if (ran !== undefined && passed + failed !== ran) return undefined;
  if (passed < 0 || failed < 0) return undefined;
  return { passed, failed: failed + broken, skipped, failing: [] };
}
