/**
 * The signals of whole rehearsed runs: read again later, from the log, they say what they said live, also
 * where the next round was broken off and after the synthesis. (Under the first rules the synthesis moved
 * claims: the golden journal of those days is read in test/golden.)
 */
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { deriveDeliberation } from '../../src/protocols/rounds/view/display-state.ts';
import type { Fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { type RehearsedRun, rehearseRun } from './rehearse.ts';

const ROUNDS = 5;
let kept: Promise<RehearsedRun> | undefined;
/** One run for all tests: it is only read. */
function getSharedRun(): Promise<RehearsedRun> {
  kept ??= rehearseRun(temporaryStore(), 'rehearsal/panel', ROUNDS, 3, { stress: {} });
  return kept;
}

const readFrom = (facts: readonly Fact[]) => deriveDeliberation(facts, viewOf(facts)).signals;

/** What stood in the log after a round. */
function getLiveReading({ facts }: RehearsedRun, round: number) {
  const read = facts.find((fact) => fact.type === 'signals.read' && fact.round === round);
  return read?.type === 'signals.read' ? read : expect.fail(`no reading of round ${round}`);
}

describe('the signals that say whether rounds can stop', () => {
  it.each(['B', 'C', 'D', 'E', 'F', 'G'])(
    'are those of the last finished round while the next round is in phase %s',
    async (phase) => {
      const run = await getSharedRun();
      const at = run.facts.findIndex(
        (fact) => fact.type === 'phase.entered' && fact.round === 4 && fact.phase === phase,
      );
      const next = run.facts.findIndex(
        (fact, index) =>
          index > at && (fact.type === 'phase.entered' || fact.type === 'round.closed'),
      );
      expect(at).toBeGreaterThan(0);
      // The signals are read from a journal that ends with the last fact of this phase.
      const broken = readFrom(run.facts.slice(0, next));
      expect(broken.rounds).toBe(3);
      expect(broken).toMatchObject({
        satisfied: getLiveReading(run, 3).satisfied,
        recommendation: getLiveReading(run, 3).recommendation,
        signals: getLiveReading(run, 3).signals,
      });
    },
  );

  it('are those of the last round at the end of the run', async () => {
    const run = await getSharedRun();
    const moves = Object.values(roundsOf(run.facts).claims).flatMap((claim) => claim.moves);
    expect(moves.length).toBeGreaterThan(0);
    expect(moves.filter(({ settled }) => settled)).toEqual([]);
    const after = readFrom(run.facts);
    expect(after.signals).toEqual(getLiveReading(run, ROUNDS).signals);
    expect(after.recommendation).toBe(getLiveReading(run, ROUNDS).recommendation);
  });

  it('are the same in the run and in its exported folder', async () => {
    const run = await getSharedRun();
    const folder = getRecordsFolder(run.facts);
    expect(validateFolder(folder).errors).toEqual([]);
    expect(readSignals(readFolder(folder).records).signals).toEqual(
      getLiveReading(run, ROUNDS).signals,
    );
  });
});
