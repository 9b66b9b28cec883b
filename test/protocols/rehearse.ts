/** Runs a deliberation in rounds with the stand-in, through the real gateway and on a real database. */

import type { Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { createModels } from '../../src/models/gateway.ts';
import { createRehearsalProvider } from '../../src/protocols/rehearsal/provider.ts';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import type { RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { LATEST, type RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import type { Signals } from '../../src/protocols/rounds/records/signals.ts';
import { getRecordsPlan, rounds } from '../../src/protocols/rounds/rounds.ts';
import { getDefaultDriftInterval, getDefaultStress } from '../../src/protocols/rounds/schedule.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { readSignalSeries } from '../records/series.ts';

/** The question of every rehearsal. */
export const QUESTION = 'Should we split the monolith before the next funding round?';

/**
 * Returns a gateway to the stand-in, which plays all models. The stand-in answers `speed` times as fast as a
 * real model and needs no server.
 */
export function makeRehearsalModels(speed = 1_000): Models {
  return createModels({ env: {}, more: [createRehearsalProvider({ speed })] });
}

/** A rehearsed run that has ended. */
export interface RehearsedRun {
  /** The status with which the run ended, such as `done`. */
  readonly status: string;
  readonly facts: readonly Fact[];
  /** The recorded facts, folded. */
  readonly view: RoundsView;
  /** The signals after each round, computed from the records. */
  readonly series: readonly Signals[];
  /** The ids of failure modes that were suspected after at least one round. */
  readonly suspected: ReadonlySet<string>;
}

/**
 * Rehearses a deliberation in rounds to its end.
 *
 * @param model The model of every seat and the verifier; its name chooses the behaviour, such as
 * `rehearsal/drifting`.
 * @param count The number of rounds.
 * @param more Settings in place of the usual ones.
 */
export async function rehearseRun(
  store: Store,
  model: string,
  count: number,
  seed: number,
  more: Partial<RoundsConfig> = {},
  models: Models = makeRehearsalModels(),
): Promise<RehearsedRun> {
  const config: RoundsConfig = {
    verifier: model,
    rounds: count,
    stress: Object.fromEntries(Object.entries(getDefaultStress(count))),
    driftEvery: getDefaultDriftInterval(count),
    stopAt: 'never',
    respond: 'report',
    seed,
    ...LATEST,
    attachments: [],
    ...more,
  };
  const journal = store.create('rounds');
  const refuseAnswer = () => Promise.reject(new Error('nobody is asked'));
  const session = new Session({
    journal,
    models,
    protocol: rounds as Protocol,
    answer: refuseAnswer,
  });
  const seats = makeRoundsSeats(
    { action: 'engineer', guardian: 'keeper', observer: 'operator', critic: 'red team' },
    { action: model, guardian: model, observer: model, critic: model },
  );
  const { status } = await session.begin({ question: QUESTION, seats, config });
  const facts = filterKnownFacts(store.facts(journal.run));
  const view = roundsOf(facts);
  const series = readSignalSeries(convertToRecords(view, getRecordsPlan(config, QUESTION)));
  return {
    status,
    facts,
    view,
    series,
    suspected: new Set(
      series.flatMap(({ failureModes }) =>
        failureModes.flatMap(({ id, state }) => (state === 'suspected' ? [id] : [])),
      ),
    ),
  };
}
