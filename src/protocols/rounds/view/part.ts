/** The console's state of a deliberation. */

import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { RunView } from '../../../kernel/view.ts';
import type { Quotation } from '../../common/quotations/quotations.ts';
import { EMPTY_ROUNDS, type RoundsView, type SuspicionView } from '../claims/rounds-view.ts';
import { foldRounds } from '../fold.ts';
import { foldQuotations, NO_QUOTATIONS, type QuotationsState } from '../quotations.ts';
import type { Records } from '../records/records.ts';
import { deriveState, type State } from '../records/state-of.ts';
import type { RefusedEntry } from '../records/types.ts';
import { deriveRecords } from './display-state.ts';
import { explainEnding } from './ending.ts';
import { listRefusals } from './refusals.ts';

/** The part of the console's model that holds the state of a deliberation in rounds. */
export const ROUNDS_PART: Part<RoundsView> = { begin: () => EMPTY_ROUNDS, fold: foldRounds };

/** The part of the console's model that holds the quotations in syntheses. */
export const QUOTATIONS_PART: Part<QuotationsState> = {
  begin: () => NO_QUOTATIONS,
  fold: foldQuotations,
};

/**
 * Returns the checked quotations of a synthesis.
 * @param version the synthesis's version
 */
export function getQuotations(run: RunModel, version: number): readonly Quotation[] {
  return run.read(QUOTATIONS_PART).quotations[version] ?? [];
}

/** Returns the deliberation's state from the console's model. */
export function getRoundsState(run: RunModel): RoundsView {
  return run.read(ROUNDS_PART);
}

/** The records and the derived state, computed once for every state of a run. */
const STANDINGS = new WeakMap<RoundsView, { readonly records: Records; readonly state: State }>();

/** Returns the records and the state of all claims and decisions from the console's model. */
export function getRecordsAndState(run: RunModel): {
  readonly records: Records;
  readonly state: State;
} {
  const rounds = getRoundsState(run);
  const known = STANDINGS.get(rounds);
  if (known !== undefined) return known;
  const records = deriveRecords(run.view, rounds);
  const found = { records, state: deriveState(records) };
  STANDINGS.set(rounds, found);
  return found;
}

/** Returns the failure modes that were suspected after the last finished round. */
export function getSuspicions(run: RunModel): readonly SuspicionView[] {
  return (
    getRoundsState(run).rounds.findLast(({ signals }) => signals !== undefined)?.suspicions ?? []
  );
}

/** Returns all entries that failed a check. */
export function getAllRefusals(run: RunModel): RefusedEntry[] {
  return listRefusals(getRoundsState(run));
}

/**
 * Returns the refused entries that concern or mention a record.
 * @param id the record's id
 */
export function getRefusalsAbout(id: string, run: RunModel): RefusedEntry[] {
  const isNamedIn = (text: string): boolean => text.split(/[^\w-]+/).includes(id);
  return getAllRefusals(run).filter(
    (refusal) => refusal.id === id || isNamedIn(refusal.text) || isNamedIn(refusal.why),
  );
}

/**
 * The ending's explanation, computed once for every state of a run, because a screen needs it in
 * every frame.
 */
const ENDINGS = new WeakMap<RunView, string>();

/** Explains why the deliberation ended; see `explainEnding`. */
export function explainRunEnding(runModel: RunModel): string {
  const { view, log } = runModel;
  const known = ENDINGS.get(view);
  if (known !== undefined) return known;
  const { records } = getRecordsAndState(runModel);
  const facts = log.map(({ fact }) => fact);
  const found = explainEnding({ facts, view, rounds: getRoundsState(runModel), records });
  ENDINGS.set(view, found);
  return found;
}
