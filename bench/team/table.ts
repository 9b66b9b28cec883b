/**
 * Compares what a team reports as done with the truth, for every repository and every pair of verifiers. A
 * branch must not be reported as met if its hidden test fails.
 */
import { availableParallelism } from 'node:os';
import type { TeamConfig } from '../../src/protocols/team/config.ts';
import type { Row } from '../measure.ts';
import { DEFECTS } from './defects.ts';
import type { Quality, Verifiers } from './minds.ts';
import { type PlayedRun, play } from './play.ts';

interface Pair {
  readonly who: readonly [Quality, Quality];
  /** The version of the run's settings; 2 is an earlier one, for comparison. */
  readonly version?: 2;
  /** How many branches with the defect may be reported as met; absent: no limit. */
  readonly most?: number;
}

const PAIRS: readonly Pair[] = [
  { who: ['dodging', 'nodding'], most: 0 },
  { who: ['able', 'nodding'], most: 0 },
  { who: ['nodding', 'able'], most: 0 },
  { who: ['able', 'middling'], most: 0 },
  { who: ['middling', 'middling'], most: 1 },
  { who: ['half-blind', 'half-blind'] },
  { who: ['nodding', 'nodding'], most: 0 },
  { who: ['easy', 'nodding'] },
  { who: ['able', 'nodding'], version: 2 },
  { who: ['middling', 'middling'], version: 2 },
  { who: ['nodding', 'nodding'], version: 2 },
];

const SEED = 7;

/**
 * Measures how often a team reports a requirement as met although its branch has a defect, by the quality of its
 * verifiers. Returns rows for the table of `npm run bench`.
 */
export async function benchDefects(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const pair of PAIRS) {
    const [first, second] = pair.who;
    const { version = 5 } = pair;
    const made = rowsOf(pair, await playAll({ 't5-1': first, 't5-2': second }, { version }));
    for (const { what, measured } of made) process.stderr.write(`${what}: ${measured}\n`);
    rows.push(...made);
  }
  return rows;
}

function rowsOf({ who: verifiers, version, most }: Pair, played: readonly PlayedRun[]): Row[] {
  const all = played.length;
  const wrong = played.filter(({ isMet, isRight }) => isMet && isRight === false).length;
  const right = played.filter(({ isMet, isRight }) => isMet && isRight === true).length;
  const unlocked = played.filter(({ isMet, isLocked }) => isMet && !isLocked).length;
  const calls = played.reduce((sum, run) => sum + run.calls, 0) / all;
  const of = `${verifiers.join(' and ')}${version === undefined ? '' : `, rules of version ${version}`}`;
  return [
    {
      what: `team, ${of}: home as met with the defect`,
      measured: `${wrong} of ${all} (${right} without it; ${calls.toFixed(1)} calls)`,
      target: most === undefined ? '' : `at most ${most}`,
      met: most === undefined ? undefined : wrong <= most,
    },
    {
      what: `team, ${of}: met without a locked test that was red`,
      measured: `${unlocked} of ${all}`,
      target: version === undefined ? '0' : '',
      met: version === undefined ? unlocked === 0 : undefined,
    },
  ];
}

async function playAll(
  verifiers: Verifiers,
  config: Partial<TeamConfig>,
): Promise<readonly PlayedRun[]> {
  const played: PlayedRun[] = [];
  const left = [...DEFECTS];
  const playNext = async (): Promise<void> => {
    for (let defect = left.shift(); defect !== undefined; defect = left.shift())
      played.push(await play(defect, verifiers, SEED, config));
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, playNext));
  return played;
}
