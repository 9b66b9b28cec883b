/** The signals of a deliberation in rounds as they were after each of its rounds. */

import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { readSignals, type Signals } from '../../src/protocols/rounds/records/signals.ts';
import {
  cutToRound,
  deriveHistory,
  listFinishedRounds,
} from '../../src/protocols/rounds/records/timeline.ts';

/**
 * Returns the signals after each finished round, computed from the records up to that round, with claims in
 * the status that they had then.
 */
export function readSignalSeries(records: Records): (Signals & { readonly round: number })[] {
  const history = deriveHistory(records);
  return listFinishedRounds(records).map((round) => ({
    round,
    ...readSignals(cutToRound(records, round, history)),
  }));
}
