/** Prints the progress of an evaluation on standard error, at most every ten seconds. */
import { formatLeft, formatTokens, formatUsd } from '../../text/numbers.ts';
import type { Invocation } from '../invocation.ts';
import type { EvaluationDisplay } from './display.ts';
import type { Progress } from './work.ts';

const EVERY_MS = 10_000;

/** Shows the progress of an evaluation as lines on standard error. */
export class ProgressLines implements EvaluationDisplay {
  readonly #call: Invocation;
  readonly #began = performance.now();
  #told = this.#began;
  /** How many turns were on record at the start. They are left out when the remaining time is estimated. */
  #first: number | undefined;

  constructor(call: Invocation) {
    this.#call = call;
  }

  tell(progress: Progress): void {
    const { turns, of, answers, usd, tokens } = progress;
    const now = performance.now();
    this.#first ??= turns - 1;
    if (this.#call.flags.quiet || (now - this.#told < EVERY_MS && turns < of)) return;
    this.#told = now;
    const done = turns - this.#first;
    const leftMs = ((now - this.#began) / done) * (of - turns);
    this.#call.err.write(
      `${[
        `${turns}/${of}`,
        [...answers].map(([arm, count]) => `${arm} ${count}`).join(' '),
        `${formatTokens(tokens)} tokens`,
        ...(usd > 0 ? [formatUsd(usd)] : []),
        ...(turns < of ? [`about ${formatLeft(leftMs)} left`] : []),
      ].join(' · ')}\n`,
    );
  }

  stopping(): void {
    if (this.#call.flags.quiet) return;
    this.#call.err.write(
      this.#call.flags.batch
        ? 'Stopping; batches stay at their provider.\n'
        : 'Stopping after the items in progress; press again to quit at once.\n',
    );
  }

  ended(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
