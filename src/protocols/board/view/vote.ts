/** Derives a board's vote and the results of ablations for the console. */

import type { RunModel } from '../../../console/model/run-model.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { joinLines } from '../../../text/line.ts';
import { countVotes } from '../../common/voting/votes.ts';
import type { AblationView } from '../fold.ts';
import { findAgreement as agreementIn, groupChoices } from './choices.ts';
import { getBoardState, getQuestionState } from './part.ts';
import { findUnusableBallots, type UnusableBallot } from './unusable-ballots.ts';

/** An option with the seats that voted for it. */
export interface Choice {
  readonly option: string;
  /** The ids of the seats, in the order of the panel. */
  readonly seats: readonly string[];
  /** How many independent votes the votes for this option are worth; see `countEffectiveVotes`. */
  readonly effective: number;
}

interface Vote {
  /** The choices, most votes first. */
  readonly choices: readonly Choice[];
  /** Seats that answered without a ballot. */
  readonly silent: readonly string[];
  /** Ballots that cannot be counted. */
  readonly unusable: readonly UnusableBallot[];
}

/**
 * Returns the vote on a question. Ballots that mean the same choice are counted together: they are
 * grouped by the table of positions of the synthesis `version`. If that synthesis has no table, the
 * latest table is used; if there is no table at all, only options with equal wording are grouped.
 * @param number the question's number
 * @param version the version of the synthesis
 */
export function getVote(runModel: RunModel, number: number, version: number | undefined): Vote {
  const columns = runModel.columnsOf(number);
  const findPlace = (seat: string): number =>
    columns.findIndex((column) => column.seat.id === seat);
  const inOrder = (seats: readonly string[]): string[] =>
    seats.toSorted((left, right) => findPlace(left) - findPlace(right));
  const { text = '', ballots = [] } = getQuestionState(runModel, number) ?? {};
  const unusable = findUnusableBallots({ number, text, ballots }, runModel.view);
  const cast = [...ballots, ...unusable];
  const agreement = getAgreement(runModel, number, version);
  return {
    choices: countVotes(ballots, groupChoices(ballots, agreement)).map((choice) => ({
      ...choice,
      seats: inOrder(choice.seats),
    })),
    silent: columns
      .filter(({ stream }) => stream.phase.kind === 'done')
      .map(({ seat }) => seat.id)
      .filter((seat) => cast.length > 0 && !cast.some((ballot) => ballot.seat === seat)),
    unusable,
  };
}

/**
 * Returns the table of positions of a synthesis. If that synthesis has none, the latest table of the
 * question is returned; undefined if there is no table at all.
 * @param number the question's number
 * @param version the version of the synthesis
 */
export function getAgreement(runModel: RunModel, number: number, version: number | undefined) {
  return agreementIn(getBoardState(runModel), number, version);
}

/**
 * Formats the vote: `vote before debate: 2 split first · 1 wait · no ballot: Critic`. Returns
 * undefined if there is no ballot, or if the model has not yet grouped the ballots that mean the same
 * choice.
 * @param number the question's number
 * @param version the version of the synthesis beside which the vote is shown
 */
export function formatBoardVote(
  runModel: RunModel,
  number: number,
  version: number,
): string | undefined {
  if (willBeGrouped(runModel, number, version)) return undefined;
  const { choices, silent, unusable } = getVote(runModel, number, version);
  if (choices.length === 0 && unusable.length === 0) return undefined;
  // Show plain counts: the line has no room to explain why votes of related models count less. The tab Vote does.
  const parts = choices.map(({ option, seats }) => `${seats.length} ${joinLines(option)}`);
  if (silent.length > 0) parts.push(`no ballot: ${seatNames(runModel, silent)}`);
  const uncounted = unusable.map(({ seat }) => seat);
  if (uncounted.length > 0) parts.push(`not usable: ${seatNames(runModel, uncounted)}`);
  return `vote before debate: ${parts.join(' · ')}`;
}

/**
 * Returns whether a model is expected to group the ballots that mean the same choice, but has not
 * done so yet.
 * @param number the question's number
 * @param version the version of the synthesis
 */
export function willBeGrouped(
  runModel: RunModel,
  number: number,
  version: number | undefined,
): boolean {
  if (!runModel.isLive || getAgreement(runModel, number, version) !== undefined) return false;
  return entryOf(runModel.view.calls, `agreement/${version}`)?.state !== 'failed';
}

/** Returns the names of seats, separated by commas. */
export function seatNames(runModel: RunModel, seats: readonly string[]): string {
  return seats.map((seat) => joinLines(runModel.nameOf(seat))).join(', ');
}

/**
 * Returns how the recommendation changed each time a synthesis was written again with one seat left
 * out. First comes the comparison in which no seat was left out, which shows how much changes by
 * chance; then the seats in the order of the panel.
 * @param base the version of the synthesis
 */
export function findAblations(runModel: RunModel, base: number): AblationView[] {
  const question = runModel.syntheses.find(({ version }) => version === base)?.question ?? 1;
  const columns = runModel.columnsOf(question);
  const findPlace = ({ without }: AblationView): number =>
    without === null ? -1 : columns.findIndex(({ seat }) => seat.id === without);
  return (getBoardState(runModel).ablations[base] ?? []).toSorted(
    (a, b) => findPlace(a) - findPlace(b),
  );
}

/**
 * Formats a line that names the seats without which the recommendation takes another course: `recommendation
 * changes without: Critic`. The words `by chance too` are added if it also does so when no seat is
 * left out. Returns undefined as long as no such change was found and some seats were not left out yet.
 * @param base the version of the synthesis
 */
export function formatAblation(runModel: RunModel, base: number): string | undefined {
  const found = findAblations(runModel, base);
  const included = runModel.syntheses.find(({ version }) => version === base)?.done?.included ?? [];
  const carrying = found.flatMap(({ without, change }) =>
    without !== null && change === 'course' ? [without] : [],
  );
  const whole = included.every((seat) => found.some(({ without }) => without === seat));
  if (found.length === 0 || (carrying.length === 0 && !whole)) return undefined;
  const names = carrying.length === 0 ? 'nobody' : seatNames(runModel, carrying);
  const soFar = whole ? '' : ' (so far)';
  const chance = changesByChance(found) ? ' (by chance too)' : '';
  return `recommendation changes${chance} without: ${names}${soFar}`;
}

/**
 * Returns whether the recommendation took another course even though no seat was left out. Then the other
 * changes may be due to chance, too.
 * @param found the comparisons from `findAblations`
 */
export function changesByChance(found: readonly AblationView[]): boolean {
  return found.some(({ without, change }) => without === null && change === 'course');
}
