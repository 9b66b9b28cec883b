/** Defines the Team tab: the tiers as a tree that follows the run. */
import { formatCallCost, OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { toLine } from '../../../text/line.ts';
import { formatTokens } from '../../../text/numbers.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import type { CallCost } from './costs.ts';
import { getTeamDisplay, teamIn } from './part.ts';
import { readSubject } from './subjects.ts';
import type { TierRow } from './tiers/node.ts';
import { tierRows } from './tiers/tiers.ts';
import { SIGNS } from './wording.ts';

const ABOUT =
  'T1 holds the goal, T2 designs, T3 coordinates, T4 works, T5 verifies. Checks that code runs decide what passes.';

/** From this width in cells on, there is room for the level and for what a row is about. */
const WIDE = 110;
/** The width in cells of a row's name, including indentation and sign. */
const NAME = { least: 14, most: 34 } as const;
/** The width in cells of a row's state if something is shown beside it. */
const WORDS = { least: 12, most: 34 } as const;

/** Creates the page of the Team tab. */
export function teamPage(around: PageAround): Page {
  const { runModel } = around;
  const isWide = (): boolean => around.size().columns >= WIDE;
  const nameOf = ({ depth, state, name }: TierRow): string =>
    `${'  '.repeat(depth)}${SIGNS[state]} ${toLine(name)}`;
  let cells: number = NAME.least;
  let wordCells: number = WORDS.least;
  return new OutlinePage<TierRow>(around, {
    name: 'Rows',
    get head(): readonly [string, ...string[]] {
      const figures = ['tries', 'checks', 'cost'];
      return ['seat and status', ...(isWide() ? ['level', ...figures] : figures)];
    },
    above: () => [ABOUT],
    version: () => teamIn(runModel).version,
    lines: (query, folded) => {
      const rows = tierRows(getTeamDisplay(runModel), folded, query);
      const measureWidest = (
        texts: readonly string[],
        { least, most }: typeof NAME | typeof WORDS,
      ): number => Math.min(most, Math.max(least, ...texts.map(textWidth)));
      cells = measureWidest(rows.map(nameOf), NAME);
      const beside = rows.filter(({ about }) => about !== '');
      wordCells = measureWidest(
        beside.map(({ words }) => words),
        WORDS,
      );
      return rows;
    },
    branch: ({ key, branch }) => (branch ? key : undefined),
    runs: ({ state, subject }) => state === 'working' && subject.kind === 'task',
    row: (tierRow, folded, { columns }) => {
      const below = folded ? ' +' : '';
      const name = padEnd(truncateLine(`${nameOf(tierRow)}${below}`, cells), cells);
      const wide = columns >= WIDE && tierRow.about !== '';
      const words = wide
        ? padEnd(truncateLine(tierRow.words, wordCells), wordCells)
        : tierRow.words;
      const figures = [
        tierRow.tries,
        tierRow.checks,
        tierRow.spent.calls === 0 ? '' : spentWords(tierRow.spent),
      ];
      return {
        text: `${name}  ${words}${wide ? `  ${toLine(tierRow.about)}` : ''}`,
        figures: isWide() ? [tierRow.level, ...figures] : figures,
      };
    },
    tinted: tintRow,
    copyable: ({ subject }) => readSubject(subject, getTeamDisplay(runModel)),
    read: ({ subject }) => readSubject(subject, getTeamDisplay(runModel)),
  });
}

/** Formats a cost; if the calls are known to cost nothing, the number of tokens instead. */
function spentWords({ estimated, ...spent }: CallCost): string {
  return spent.costUsd === 0 && spent.unpriced === 0
    ? `${formatTokens(spent.tokens, estimated)} tok`
    : formatCallCost(spent, estimated);
}

function tintRow({ state, depth }: TierRow, row: string, theme: Theme): string {
  if (state === 'red') return theme.tone('red', row);
  if (state === 'stuck' || state === 'asks') return theme.tone('yellow', row);
  if (state === 'working') return theme.tone('green', row);
  if (state === 'waiting' || state === 'dropped') return theme.dim(row);
  return depth === 0 ? theme.bold(row) : row;
}
