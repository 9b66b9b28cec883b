/** Tests a few of the generated plans of `npm run bench -- settled`, which runs two hundred. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { measureOne, type PlanMeasures } from '../../bench/settled/measure.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../store/folder.ts';

const SEEDS = [3, 5, 9, 11, 13, 23, 34, 40];

async function measureAll(prompts?: 2): Promise<PlanMeasures[]> {
  const store = Store.open(`${temporaryFolder()}/runs.db`, FACTS);
  onTestFinished(() => store.close());
  const all: PlanMeasures[] = [];
  for (const seed of SEEDS) all.push(await measureOne(store, seed, prompts));
  return all;
}

const sumMeasured = (all: readonly PlanMeasures[], of: (one: PlanMeasures) => number): number =>
  all.reduce((so, plan) => so + of(plan), 0);

describe('in plans whose seats answer at random,', () => {
  it('the latest rules lose no conflict and call no contradictory plan converged', async () => {
    const all = await measureAll();
    expect(all.map(({ failed }) => failed)).toEqual(SEEDS.map(() => undefined));
    expect(sumMeasured(all, ({ named }) => named)).toBeGreaterThan(10);
    for (const of of ['lost', 'unmarked', 'falseMarks'] as const)
      expect(sumMeasured(all, (plan) => plan[of])).toBe(0);
    expect(all.filter(({ isConvergedOver }) => isConvergedOver)).toEqual([]);
  });

  it('edition 2 of the rules lost conflicts and left contradictions unmarked', async () => {
    const all = await measureAll(2);
    expect(sumMeasured(all, ({ lost }) => lost)).toBeGreaterThan(0);
    expect(sumMeasured(all, ({ unmarked }) => unmarked)).toBeGreaterThan(0);
  });
});
