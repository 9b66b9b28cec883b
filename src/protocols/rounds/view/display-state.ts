/** A deliberation in the form in which reports and tabs read it. */
import type { RunView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import type { Quotations } from '../../common/quotations/exported.ts';
import type { RoundsView } from '../claims/rounds-view.ts';
import { configSchema, type RoundsConfig } from '../config.ts';
import { roundsOf } from '../fold.ts';
import { findRoundsQuotations } from '../quotations.ts';
import { convertToRecords } from '../records/of-run.ts';
import type { Records } from '../records/records.ts';
import { readSignals, type Signals } from '../records/signals.ts';
import { deriveState, type State } from '../records/state-of.ts';
import { getRecordsPlan } from '../rounds.ts';

/** A recorded deliberation with everything that its reports need. */
export interface Deliberation {
  readonly facts: readonly AnyFact[];
  readonly view: RunView;
  readonly rounds: RoundsView;
  /** The settings; undefined if this version cannot read them. */
  readonly config: RoundsConfig | undefined;
  readonly records: Records;
  readonly state: State;
  readonly signals: Signals;
  /** The checked quotations of all syntheses. */
  readonly quotations: Quotations;
}

/** Derives from the facts of a run what its reports need. */
export function deriveDeliberation(facts: readonly AnyFact[], view: RunView): Deliberation {
  const rounds = roundsOf(facts);
  const records = deriveRecords(view, rounds);
  const config = configOf(view);
  return {
    facts,
    view,
    rounds,
    config,
    records,
    state: deriveState(records),
    signals: readSignals(records),
    quotations: findRoundsQuotations(facts),
  };
}

/** Returns the records of a run. */
export function deriveRecords(view: RunView, rounds: RoundsView): Records {
  const config = configOf(view);
  return convertToRecords(rounds, config && getRecordsPlan(config, view.question));
}

function configOf(view: RunView): RoundsConfig | undefined {
  return configSchema.safeParse(view.config).data;
}
