/** What is said of signals as a run goes on. */

import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { readSignals, type Signals } from '../../src/protocols/rounds/records/signals.ts';
import {
  cutToRound,
  deriveHistory,
  listFinishedRounds,
} from '../../src/protocols/rounds/records/timeline.ts';

/** What `readSignals` said after each round, with claims at the status they had then. */
export function readSignalSeries(records: Records): (Signals & { readonly round: number })[] {
  const history = deriveHistory(records);
  return listFinishedRounds(records).map((round) => ({
    round,
    ...readSignals(cutToRound(records, round, history)),
  }));
}
