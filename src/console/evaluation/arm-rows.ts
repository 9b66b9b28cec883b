/**
 * Draws the arms of an evaluation: a bar, the number of answers, what they took, and that as a multiple of one
 * answer of the single model.
 */

import { toLine } from '../../text/line.ts';
import { formatTokens, formatUsd } from '../../text/numbers.ts';
import { padEnd, textWidth, truncateLine } from '../../text/width.ts';
import type { Theme } from '../terminal/theme.ts';
import type { EvaluationModel } from './model.ts';
import type { ArmHead } from './ports.ts';

interface ArmLook {
  readonly model: EvaluationModel;
  readonly theme: Theme;
  readonly columns: number;
}

interface ArmWords {
  readonly name: string;
  /** The share of answers that are there, from 0 to 1. */
  readonly share: number;
  readonly count: string;
  readonly trouble: string;
  readonly took: string;
  readonly ratio: string;
}

const BAR = { least: 6, most: 40 } as const;
const NAME = { wide: 20, narrow: 8 } as const;
const APART = '  ';

/**
 * Draws a table with a row for each arm (a compared way to answer). Columns for which a narrow screen
 * has no room are left out; names, bars and counts stay.
 */
export function armRows(look: ArmLook): string[] {
  const { model, theme, columns } = look;
  const arms = model.head.arms.map((arm) => formatArm(arm, model));
  const most = columns < 60 ? NAME.narrow : NAME.wide;
  const measureWidest = (of: (words: ArmWords) => string, least = 0): number =>
    Math.max(least, ...arms.map((arm) => textWidth(of(arm))));
  const name = Math.min(
    most,
    measureWidest((arm) => arm.name),
  );
  const count = measureWidest((arm) => arm.count);
  let room = columns - 2 - name - count - BAR.least - 2 * APART.length;
  const took: ((words: ArmWords) => string)[] = [];
  for (const of of [
    (words: ArmWords) => words.took,
    (words: ArmWords) => words.ratio,
    (words: ArmWords) => words.trouble,
  ]) {
    const cells = measureWidest(of);
    if (cells === 0 || cells + APART.length > room) continue;
    room -= cells + APART.length;
    took.push((words) => APART + of(words).padStart(cells));
  }
  const bar = Math.min(BAR.most, BAR.least + Math.max(0, room));
  return arms.map((arm) =>
    [
      ' ',
      theme.bold(padEnd(truncateLine(arm.name, name), name)),
      APART,
      barOf(arm.share, bar, theme),
      APART,
      padEnd(arm.count, count),
      ...took.map((of) => of(arm)),
    ].join(''),
  );
}

/** Draws a bar with heavy lines for the filled part. */
function barOf(share: number, cells: number, theme: Theme): string {
  const filled = Math.max(0, Math.min(cells, Math.floor(share * cells)));
  return theme.rule(filled, true) + theme.rule(cells - filled, false);
}

function formatArm({ name, of }: ArmHead, model: EvaluationModel): ArmWords {
  const { ended, unreadable, missing, tokens, usd } = model.figuresOf(name);
  const ratio = of === undefined ? undefined : model.ratioOf(name);
  const took = usd !== null && usd > 0 ? formatUsd(usd) : `${formatTokens(tokens)} tok`;
  const { isOver } = model;
  const goal = of ?? (isOver ? ended : model.samplesOf);
  return {
    name: toLine(name),
    share: goal === undefined || goal === 0 ? 0 : ended / goal,
    count: countOf(ended, of, goal, isOver),
    trouble: [
      ...(unreadable === 0 ? [] : [`${unreadable} unreadable`]),
      ...(missing === 0 ? [] : [`${missing} missing`]),
    ].join(', '),
    took: tokens === 0 ? '' : took,
    ratio: ratio === undefined ? '' : `${ratio < 9.95 ? ratio.toFixed(1) : Math.round(ratio)}×`,
  };
}

function countOf(
  ended: number,
  of: number | undefined,
  goal: number | undefined,
  isOver: boolean,
): string {
  if (of !== undefined) return `${ended} of ${of}`;
  if (isOver || goal === undefined) return `${ended} samples`;
  return `${ended} of about ${Math.max(goal, ended)}`;
}
