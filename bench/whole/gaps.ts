/**
 * Measures the milliseconds between the end of a phase's last call and the first call of the next phase, in
 * whole processes: the times of a run in which no call is under way, although more calls follow.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fact } from '../../test/every-fact.ts';
import { computeMedian, makeRow, PROGRAM, type Row, runMeasured } from '../measure.ts';
import { TOPIC, writeProject } from '../plan.ts';

const RUNS = 5;
/** The speed of the stand-in's answers, which are not part of the measured time. */
const SPEED = '50';
/** The target: the most milliseconds between two phases. */
const MOST_MS = 20;

const commandsIn = (repository: string): Readonly<Record<string, readonly string[]>> => ({
  rounds: ['rounds', '--rounds', '2', '--stop-at', 'never', 'Should we split the monolith?'],
  debate: ['debate', '--method', 'standard', 'Should we split the monolith?'],
  plan: ['plan', TOPIC, '--repo', repository, '--seed', '7', '--yes'],
});

/**
 * Measures how many milliseconds pass from the last call of a run's phase to the first call of the next phase, in
 * rounds, a debate and a plan. Returns rows for the table of `npm run bench`.
 */
export async function benchGaps(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const rows: Row[] = [];
    const repository = join(folder, 'repository');
    writeProject(repository);
    for (const [name, command] of Object.entries(commandsIn(repository))) {
      const gaps: number[][] = [];
      for (let run = 0; run <= RUNS; run++) {
        const { out } = await runMeasured(
          [PROGRAM, ...command, '--rehearse', '--rehearse-speed', SPEED, '--json', '--quiet'],
          { HOME: folder, DELIBERATE_DB: join(folder, `${name}.db`) },
        );
        if (run > 0) gaps.push(gapsIn(out));
      }
      const all = gaps.flat();
      const most = computeMedian(gaps.map((run) => Math.max(...run)));
      const what = `${name}, between its phases (${all.length / RUNS} a run, longest ${most} ms)`;
      rows.push(
        makeRow(`${what}: from the last call to the next`, computeMedian(all), MOST_MS, ' ms', 0),
      );
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the gaps in milliseconds in a run's facts: from the end of the last open call to the next start.
 */
function gapsIn(out: string): number[] {
  const facts = out
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Fact);
  const gaps: number[] = [];
  let underWay = 0;
  let ended: number | undefined;
  for (const fact of facts) {
    if (fact.type === 'step.started' && fact.kind === 'call') {
      if (underWay === 0 && ended !== undefined) gaps.push(Date.parse(fact.at) - ended);
      underWay += 1;
    } else if (
      fact.type === 'call.completed' ||
      fact.type === 'call.failed' ||
      fact.type === 'call.stopped'
    ) {
      underWay -= 1;
      ended = Date.parse(fact.at);
    }
  }
  return gaps;
}
