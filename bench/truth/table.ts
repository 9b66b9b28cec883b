/** The measures of judged runs, their targets, and the printed tables. */
import type { Row } from '../measure.ts';
import type { JudgedRun } from './judge.ts';

interface Bound {
  readonly least?: number;
  readonly most?: number;
}

/** A measure of simulated runs whose records were compared with the truth, with its targets. */
export interface Measure {
  /** The name of the measure. */
  readonly what: string;
  /** Returns the value; undefined if there was nothing to measure. */
  of(runs: readonly JudgedRun[]): number | undefined;
  /** Targets by panel; `every` if the target holds for each. */
  readonly promised: Readonly<Record<string, Bound>>;
  readonly unit: 'share' | 'count' | 'ratio';
}

type Count = { [K in keyof JudgedRun]: JudgedRun[K] extends number ? K : never }[keyof JudgedRun];

function sumCounts(runs: readonly JudgedRun[], what: Count): number {
  return runs.reduce((total, run) => total + run[what], 0);
}

function makeShare(part: Count, whole: Count) {
  return (runs: readonly JudgedRun[]): number | undefined =>
    sumCounts(runs, whole) === 0 ? undefined : sumCounts(runs, part) / sumCounts(runs, whole);
}

function inRuns(is: (run: JudgedRun) => boolean) {
  return (runs: readonly JudgedRun[]): number | undefined =>
    runs.length === 0 ? undefined : runs.filter(is).length / runs.length;
}

const NONE = { every: { most: 0 } } as const;

/** The measures of simulated runs of any length, such as how often a false claim stands as confirmed. */
export const MEASURES: readonly Measure[] = [
  {
    what: 'claims that the text decides: decided as it does',
    of: makeShare('right', 'decidable'),
    promised: { oracle: { least: 0.9 }, able: { least: 0.8 } },
    unit: 'share',
  },
  {
    what: 'runs with a false claim confirmed as read',
    of: inRuns(({ falseRead }) => falseRead > 0),
    promised: { oracle: { most: 0 }, able: { most: 0.02 }, saboteur: { most: 0.02 } },
    unit: 'share',
  },
  {
    what: 'runs with anything read otherwise than it stands',
    of: inRuns(({ misread }) => misread > 0),
    promised: { oracle: { most: 0 } },
    unit: 'share',
  },
  {
    what: 'runs whose reader was believed',
    of: inRuns(({ believed }) => believed),
    promised: {
      oracle: { least: 1 },
      able: { least: 0.95 },
      middling: { most: 0.4 },
      bad: { most: 0 },
      flatterer: { most: 0 },
      tester: { most: 0 },
    },
    unit: 'share',
  },
  {
    what: 'moves by reading or argument where nobody was believed',
    of: (runs) =>
      sumCounts(
        runs.filter(({ believed }) => !believed),
        'settled',
      ),
    promised: NONE,
    unit: 'count',
  },
  {
    what: 'claims decided against the truth, of those argued',
    of: makeShare('misargued', 'argued'),
    promised: {},
    unit: 'share',
  },
  {
    what: 'claims decided against the truth, of those run',
    of: makeShare('misexecuted', 'executed'),
    promised: NONE,
    unit: 'share',
  },
  {
    what: 'moves that do not say how they were come by',
    of: (runs) => sumCounts(runs, 'groundless'),
    promised: NONE,
    unit: 'count',
  },
  {
    what: 'planted flaws that stand at the end, of those claimed',
    of: makeShare('stand', 'raised'),
    promised: {},
    unit: 'share',
  },
  {
    what: 'flaws found, then lost by supersession or concession',
    of: (runs) => sumCounts(runs, 'lost'),
    promised: NONE,
    unit: 'count',
  },
  {
    what: 'flaws claimed, withdrawn undecided, adopted by nobody',
    of: (runs) => sumCounts(runs, 'withdrawn'),
    promised: {},
    unit: 'count',
  },
  {
    what: 'decisions whose ground has fallen, of all',
    of: makeShare('fallen', 'decisions'),
    promised: {},
    unit: 'share',
  },
  {
    what: '… and which are not marked',
    of: (runs) => sumCounts(runs, 'unmarked'),
    promised: NONE,
    unit: 'count',
  },
];

/** The measure of how often simulated runs of 8 rounds end with the advice to stop. */
export const STOPPING: Measure = {
  what: 'runs of 8 rounds that end with a stop advised',
  of: inRuns(({ stops }) => stops),
  promised: { able: { least: 0.7 }, flatterer: { most: 0.02 }, bad: { most: 0 } },
  unit: 'share',
};

/**
 * Makes the measure of how many times as many tokens a run takes as under the first edition of the rules of rounds.
 * @param before the tokens of a run under the first edition
 */
export function measureCost(what: 'input' | 'output', before: number): Measure {
  return {
    what: `tokens ${what === 'input' ? 'in' : 'out'}, over those under the first rules`,
    of: (runs) => sumCounts(runs, what) / runs.length / before,
    promised: { able: { most: what === 'input' ? 1.06 : 1.2 } },
    unit: 'ratio',
  };
}

/** The value of a measure for one panel, with its target. */
export interface Cell {
  /** The name of the panel. */
  readonly panel: string;
  /** The value; undefined if there was nothing to measure. */
  readonly value: number | undefined;
  /** Whether the value meets the target; undefined without a target or a value. */
  readonly met: boolean | undefined;
  /** The target, such as `>= 90 %`; empty if there is none. */
  readonly target: string;
}

/** A line of the table of `bench/truth`: the values of a measure for all panels. */
export interface Line {
  /** The name of the measure. */
  readonly what: string;
  readonly cells: readonly Cell[];
  readonly unit: Measure['unit'];
  /** The values measured under the first edition of the rules of rounds, by panel. */
  readonly before?: Readonly<Record<string, number | undefined>> | undefined;
}

/**
 * Computes the line of a measure: its value and target for each panel.
 * @param runs the runs of each panel, by the panel's name
 */
export function lineOf(measure: Measure, runs: ReadonlyMap<string, readonly JudgedRun[]>): Line {
  const { what, promised, unit } = measure;
  const cells = [...runs].map(([panel, judged]): Cell => {
    const value = measure.of(judged);
    const bound = Object.hasOwn(promised, panel) ? promised[panel] : promised.every;
    const met =
      bound === undefined || value === undefined
        ? undefined
        : value >= (bound.least ?? -Infinity) && value <= (bound.most ?? Infinity);
    return { panel, value, met, target: formatBound(bound, unit) };
  });
  return { what, cells, unit };
}

function formatBound(bound: Bound | undefined, unit: Measure['unit']): string {
  if (bound?.least !== undefined) return `>= ${formatFigure(bound.least, unit)}`;
  return bound?.most === undefined ? '' : `<= ${formatFigure(bound.most, unit)}`;
}

function formatFigure(value: number | undefined, unit: Measure['unit']): string {
  if (value === undefined) return '-';
  if (unit === 'share') return `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`;
  return unit === 'ratio' ? value.toFixed(2) : String(value);
}

/** Formats a table with a column for each panel; `!` marks values that miss their target. */
export function formatTable(lines: readonly Line[]): string {
  const panels = lines[0]?.cells.map(({ panel }) => panel) ?? [];
  const width = Math.max(...lines.map(({ what }) => what.length));
  const rows = [
    ['', ...panels, ''],
    ...lines.flatMap(({ what, cells, unit, before }) => [
      [
        what,
        ...panels.map((panel) => {
          const cell = cells.find((cell) => cell.panel === panel);
          return `${formatFigure(cell?.value, unit)}${cell?.met === false ? ' !' : ''}`;
        }),
        promisesOf(cells),
      ],
      ...(before === undefined
        ? []
        : [
            [
              '  60 runs under the first rules',
              ...panels.map((panel) => formatFigure(before[panel], unit)),
              '',
            ],
          ]),
    ]),
  ];
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === 0 ? cell.padEnd(width) : index > panels.length ? cell : cell.padStart(10),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function promisesOf(cells: readonly Cell[]): string {
  const promised = cells.filter(({ target }) => target !== '');
  const [first] = promised;
  if (first === undefined) return '';
  if (promised.length > 1 && promised.every(({ target }) => target === first.target))
    return `each ${first.target}`;
  return promised.map(({ panel, target }) => `${panel} ${target}`).join(', ');
}

/** Returns the values that have a target as rows for the table of `npm run bench`. */
export function rowsOf(lines: readonly Line[]): Row[] {
  return lines.flatMap(({ what, cells, unit }) =>
    cells.flatMap(({ panel, value, met, target }) =>
      target === ''
        ? []
        : [{ what: `truth, ${panel}: ${what}`, measured: formatFigure(value, unit), target, met }],
    ),
  );
}
