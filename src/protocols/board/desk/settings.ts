/**
 * Reads a board's settings from flags and configuration: quorum, patience, timeouts, ballots, baselines. Pure.
 */

import type { Flags } from '../../../app/flags.ts';
import type { Config } from '../../../app/settings/config.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { Span } from '../../../kernel/estimate.ts';
import { checkSpec } from '../../../kernel/providers/spec.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { type Baseline, type BoardSettings, FEWEST_SAMPLES, MOST_MATCHED } from '../config.ts';

/**
 * Reads a board's settings from flags and configuration.
 * @param seats the number of seats
 * @throws UsageError if a value is invalid
 */
export function readBoardSettings(
  { quorum, patience, seat_timeout, vote, baseline }: Config,
  flags: Pick<Flags, 'baselineModel' | 'patience'>,
  seats: number,
): BoardSettings {
  const { baselineModel } = flags;
  if (flags.patience !== undefined && quorum === undefined)
    throw new UsageError('--patience requires --quorum', 'For example: --quorum 2');
  if (baselineModel !== undefined && baseline === undefined)
    throw new UsageError('--baseline-model requires --baseline', 'For example: --baseline single');
  return {
    vote: vote ?? true,
    // A configuration may set `patience` without a quorum: it is for all boards, and a board without a quorum
    // ignores it.
    ...(quorum === undefined
      ? {}
      : {
          quorum: parseQuorum(quorum, seats),
          ...withoutUndefined({ patienceMs: patience }),
        }),
    ...withoutUndefined({ seatTimeoutMs: seat_timeout }),
    ...(baseline === undefined ? {} : { baselines: parseBaselines(baseline) }),
    ...(baselineModel === undefined ? {} : { baselineModel: checkSpec(baselineModel) }),
  };
}

/**
 * Parses a quorum (how many answers suffice), `3` or `3/5`, to a number.
 * @param seats the number of seats
 * @throws UsageError if the text is no quorum or names another number of seats, or the quorum cannot be reached
 */
export function parseQuorum(text: string, seats: number): number {
  const match = /^(\d+)(?:\/(\d+))?$/.exec(text.trim());
  const [count, of] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? seats)];
  if (count < 1) throw new UsageError(`--quorum ${text}: not understood`, 'Use 3 or 3/5.');
  if (of !== seats)
    throw new UsageError(`--quorum ${text}: the panel has ${seats} seats, not ${of}`);
  checkQuorum(count, seats);
  return count;
}

/**
 * Checks that a panel has enough seats for the quorum.
 * @param seats the number of seats
 * @throws UsageError if the quorum can never be reached
 */
export function checkQuorum(quorum: number, seats: number): void {
  if (quorum > seats)
    throw new UsageError(
      `a quorum of ${quorum} cannot be reached by ${seats} seats`,
      `Use ${seats} or fewer.`,
    );
}

/** The most samples of a vote, as protection against typing errors. */
const MOST_SAMPLES = 50;

/**
 * Parses the flag `--baseline`, which says what the board is compared with: `single`, `vote-5` (of 2 to 50
 * answers), `vote`, or several of them separated by commas.
 * @throws UsageError if the text has another form, or names one kind twice
 */
export function parseBaselines(text: string): Baseline[] {
  const found = text.split(',').map((part): Baseline => {
    const match = /^(?:(single)|vote(?:-(\d+))?)$/.exec(part.trim());
    const samples = match?.[2] === undefined ? undefined : Number(match[2]);
    if (match === null || (samples !== undefined && (samples < 2 || samples > MOST_SAMPLES)))
      throw new UsageError(
        `--baseline ${part.trim()}: not understood`,
        `Use single, vote, or vote-5 (2 to ${MOST_SAMPLES} samples); separate several with commas.`,
      );
    if (match[1] !== undefined) return { kind: 'single' };
    return { kind: 'vote', ...withoutUndefined({ samples }) };
  });
  const twice = found.find(
    ({ kind }, index) => found.findIndex((baseline) => baseline.kind === kind) < index,
  );
  if (twice !== undefined) throw new UsageError(`--baseline names ${twice.kind} twice`);
  return found;
}

/**
 * Returns how many answers the baselines (single models without a panel, for comparison) need. The
 * result is a range if the number depends on the tokens that the panel takes.
 */
export function countBaselineSamples(baselines: readonly Baseline[]): Span {
  const countSamples = (matched: number): number =>
    baselines.reduce(
      (all, baseline) => all + (baseline.kind === 'single' ? 1 : (baseline.samples ?? matched)),
      0,
    );
  return { low: countSamples(FEWEST_SAMPLES), high: countSamples(MOST_MATCHED) };
}
