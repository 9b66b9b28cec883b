/**
 * Sums up facts that come in large numbers, at the end of a phase: findings and refused entries.
 * The report lists all of them.
 */
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { formatCount } from '../../../text/numbers.ts';
import { FINDINGS, type Finding } from '../../entrance/findings.ts';
import { type FactOf, ROUNDS } from '../facts.ts';
import { listDiscardReasons } from './discarded.ts';
import { formatRefusalWithoutRound, KINDS } from './refusals.ts';
import { FINDING_WORDS } from './wording.ts';

/** The most refused entries of a kind that are listed by name. */
const NAMED = 2;

/**
 * Collects the facts of a phase that come in large numbers, such as findings and refusals, and sums
 * them up in a few lines at the end of the phase.
 */
export class Tallies {
  #readings: FactOf<'claim.read'>[] = [];
  #controls: FactOf<'reader.controlled'>[] = [];
  #refusals: FactOf<'refusal.recorded'>[] = [];

  /** Adds a fact. Facts of other types are ignored. */
  count(fact: AnyFact): void {
    if (ROUNDS.is('claim.read')(fact)) this.#readings.push(fact);
    if (ROUNDS.is('reader.controlled')(fact)) this.#controls.push(fact);
    if (ROUNDS.is('refusal.recorded')(fact)) this.#refusals.push(fact);
  }

  /**
   * Returns lines about the facts since the last call.
   * @param title returns the name of a seat
   */
  lines(title: (seat: string) => string): string[] {
    const readings = this.#readings.splice(0);
    const controls = this.#controls.splice(0);
    const refusals = this.#refusals.splice(0);
    return [
      ...(readings.length === 0 ? [] : [readingsLine(readings, controls)]),
      ...(controls.length === 0 ? [] : [controlsLine(controls)]),
      ...refusalLines(refusals, title),
    ];
  }
}

function readingsLine(
  readings: readonly FactOf<'claim.read'>[],
  controls: readonly FactOf<'reader.controlled'>[],
): string {
  const found = FINDINGS.flatMap((finding: Finding) => {
    const count = readings.filter((reading) => reading.finding === finding).length;
    if (count === 0) return [];
    const needs = finding === 'needs_a_test' && count > 1;
    return [`${count} ${needs ? 'need a test' : FINDING_WORDS[finding]}`];
  });
  const settling = readings.filter(({ counts }) => counts).length;
  const why = listDiscardReasons(readings, controls);
  return [
    `${formatCount(readings.length, 'claim')} read: ${found.join(', ')}`,
    settling === 0 ? 'nothing settled' : `${settling} settled`,
    ...why,
  ].join('; ');
}

function controlsLine(controls: readonly FactOf<'reader.controlled'>[]): string {
  const right = controls.filter((control) => control.right).length;
  return `Control sentences: ${right} of ${controls.length} right`;
}

/**
 * Returns a line for each kind of refused entry, the most important first. Entries are sorted by
 * author, however fast they came.
 */
function refusalLines(
  refusals: readonly FactOf<'refusal.recorded'>[],
  title: (seat: string) => string,
): string[] {
  return KINDS.flatMap(([kind, heading]) => {
    const own = refusals
      .filter((refusal) => refusal.kind === kind)
      .map((refusal) => formatRefusalWithoutRound(refusal, title(refusal.by)))
      .sort();
    if (own.length === 0) return [];
    const more = own.length - NAMED;
    return [
      `${heading}: ${own.length}`,
      ...own.slice(0, NAMED).map((words) => `- ${words}`),
      ...(more > 0 ? [`- and ${more} more: deliberate show RUN`] : []),
    ];
  });
}
