/** A deliberation as its report and tabs read it: its facts folded, and where it stands. */
import type { RunView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import type { Quotations } from '../../common/quotations/exported.ts';
import { configSchema, type RoundsConfig } from '../config.ts';
import { type RoundsView, roundsOf } from '../fold.ts';
import { quotationsOf } from '../quotations.ts';
import { recordsOf } from '../records/of-run.ts';
import { readSignals, type Signals } from '../records/signals.ts';
import { type State, stateOf } from '../records/state-of.ts';
import type { Records } from '../records/types.ts';
import { planOf } from '../rounds.ts';

export interface Deliberation {
  readonly facts: readonly AnyFact[];
  readonly view: RunView;
  readonly rounds: RoundsView;
  /** Absent where the log holds none that this version can read. */
  readonly config: RoundsConfig | undefined;
  readonly records: Records;
  readonly state: State;
  readonly signals: Signals;
  /** What its syntheses quote, looked up. */
  readonly quotations: Quotations;
}

export function deliberationOf(facts: readonly AnyFact[], view: RunView): Deliberation {
  const rounds = roundsOf(facts);
  const records = recordsIn(view, rounds);
  const config = configOf(view);
  return {
    facts,
    view,
    rounds,
    config,
    records,
    state: stateOf(records),
    signals: readSignals(records),
    quotations: quotationsOf(facts),
  };
}

export function recordsIn(view: RunView, rounds: RoundsView): Records {
  const config = configOf(view);
  return recordsOf(rounds, config && planOf(config, view.question));
}

function configOf(view: RunView): RoundsConfig | undefined {
  return configSchema.safeParse(view.config).data;
}
