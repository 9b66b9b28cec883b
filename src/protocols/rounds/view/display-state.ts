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

/** A recorded deliberation, with all that its reports show computed from its facts. */
export interface Deliberation {
  readonly facts: readonly AnyFact[];
  readonly view: RunView;
  /** The rounds and claims as the facts give them. */
  readonly rounds: RoundsView;
  /** The settings; undefined if this version cannot read them. */
  readonly config: RoundsConfig | undefined;
  readonly records: Records;
  /** How each claim and decision of the records stands. */
  readonly state: State;
  /** The stopping signals and failure modes, computed again from the records. */
  readonly signals: Signals;
  /** The checked quotations of all syntheses. */
  readonly quotations: Quotations;
}

/**
 * Computes from the facts of a run what its reports show: rounds, records, how claims and decisions
 * stand, signals and quotations.
 */
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

/** Converts the rounds of a run to records, in the form in which they are exported and validated. */
export function deriveRecords(view: RunView, rounds: RoundsView): Records {
  const config = configOf(view);
  return convertToRecords(rounds, config && getRecordsPlan(config, view.question));
}

function configOf(view: RunView): RoundsConfig | undefined {
  return configSchema.safeParse(view.config).data;
}
