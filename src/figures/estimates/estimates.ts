/** Rounds of estimates: what is shown of them, when they have settled, and sentences on the result. */

import { capitalize } from '../../text/capitalize.ts';
import { formatCount } from '../../text/numbers.ts';
import type { MethodResult, SeatStatement } from '../shown.ts';
import { describeEstimate, drawRounds, formatNumber, type RangesFigure } from './measure.ts';
import { type EstimateChanges, explainMoves, type Move, type ShownReason } from './moves.ts';
import {
  compareRounds,
  type Estimate,
  findStop,
  type Measure,
  MOST_ROUNDS,
  poolEstimates,
  readTriple,
  type Triple,
} from './quantities.ts';

/**
 * The fewest seats whose estimates are combined (docs/methods.md); a panel that was smaller from the start has
 * its own minimum.
 */
const LEAST_SEATS = 3;

/** A seat's estimate, and what changed the estimate since the round before. */
export interface EstimateAnswer extends Triple {
  /** The unit that the seat used; absent: the agreed unit. */
  readonly unit?: string | undefined;
  /** Ids of other seats' reasons that changed the estimate. */
  readonly because?: readonly string[] | undefined;
  /** A new assumption of the seat that changed the estimate. */
  readonly own?: string | undefined;
}

/** The words in brackets after a change that names no reason of another seat. */
const WHY: Partial<Record<Move['kind'], string>> = {
  own: 'own assumption',
  unexplained: 'no reason that points there',
};

/** Collects the seats' estimates, round by round, and describes the result. */
export class EstimateRounds {
  readonly #measure: Measure;
  readonly #rounds: (readonly Estimate[])[] = [];
  readonly #moves: EstimateChanges[] = [];
  readonly #titles = new Map<string, string>();
  #stop: ReturnType<typeof findStop>;
  #grew = false;
  /** How many seats were heard in a last round that was dropped because they were too few. */
  #left: number | undefined;

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /**
   * Returns a sentence that tells a seat what is wrong with its answer; undefined if the answer is
   * valid.
   */
  readonly check = (answer: EstimateAnswer): string | undefined => {
    const read = readTriple(answer, this.#measure);
    return read.ok ? undefined : read.why;
  };

  /**
   * Why no further round is needed: the seats' medians agree (`agreed`), the rounds hardly differ any
   * more (`settled`), or there may be no more rounds (`last round`). Undefined while another round is
   * worthwhile.
   */
  get stop(): ReturnType<typeof findStop> {
    return this.#stop;
  }

  /**
   * Returns whether a seat answered in the last round. Seats that missed a round stay out of all
   * later rounds.
   */
  has(seat: string): boolean {
    return this.#rounds.at(-1)?.some((estimate) => estimate.seat === seat) ?? false;
  }

  /**
   * Adds the answers of one round. Seats that missed the round before are ignored. If fewer than three
   * seats (or than all seats of a smaller panel) answered again, the whole round is ignored and no
   * further round is needed.
   * @param shown the reasons that the seats had read before they answered
   */
  take(answers: readonly SeatStatement<EstimateAnswer>[], shown: readonly ShownReason[]): void {
    const before = this.#rounds.at(-1);
    const heard = answers.flatMap(({ seat, value }) => {
      const read = readTriple(value, this.#measure);
      this.#titles.set(seat.id, seat.title);
      return read.ok ? [{ ...value, seat: seat.id, ...read.value }] : [];
    });
    const { scale } = this.#measure;
    const kept = heard.filter(
      (estimate) => before === undefined || before.some(({ seat }) => seat === estimate.seat),
    );
    if (before !== undefined && kept.length < Math.min(LEAST_SEATS, this.#rounds[0]?.length ?? 0)) {
      // Too few seats answered again, so ignore the new round and keep the round before as the last one.
      this.#left = kept.length;
      this.#stop = 'last round';
      return;
    }
    const compared = before && compareRounds(before, heard, scale);
    if (before !== undefined && compared !== undefined) {
      const revisions = kept.map(({ seat, p50, because = [], own }) => ({
        seat,
        p50,
        because,
        own,
      }));
      const middle = poolEstimates(before, scale)?.median ?? compared.before.median;
      this.#moves.push(explainMoves(before, revisions, shown, middle));
      this.#grew = (compared.change ?? 0) > 0;
    }
    // Drop a round in which no seat answered.
    if (kept.length > 0)
      this.#rounds.push(kept.map(({ seat, p5, p50, p95 }) => ({ seat, p5, p50, p95 })));
    const spread = poolEstimates(kept, scale)?.spread ?? 0;
    this.#stop =
      kept.length === 0 ? 'last round' : findStop(this.#rounds.length, spread, compared?.change);
  }

  /** Describes a seat's own estimate, to be repeated in the seat's next prompt; empty if there is none. */
  tellOwn(seat: string): string {
    const own = this.#rounds.at(-1)?.find((estimate) => estimate.seat === seat);
    const { unit } = this.#measure;
    return own === undefined
      ? ''
      : `Your estimate: p5 ${formatNumber(own.p5)}, p50 ${formatNumber(own.p50)}, p95 ${formatNumber(own.p95)} ${unit}.`;
  }

  /**
   * Describes the range of the seats' medians in the last round for a prompt, without the seats' names or
   * their number; empty before the first round.
   */
  tellRange(): string {
    const pool = poolEstimates(this.#rounds.at(-1) ?? [], this.#measure.scale);
    if (pool === undefined) return '';
    const { low, high, quartiles } = pool.range;
    const subject = quartiles ? 'The middle half of all p50' : 'All p50';
    return `${subject} lie from ${formatNumber(low)} to ${formatNumber(high)} ${this.#measure.unit}.`;
  }

  /** Returns the chart of all rounds. */
  figure(): RangesFigure {
    return drawRounds(this.#rounds, this.#measure);
  }

  /** Describes the result in sentences. */
  tell(): MethodResult {
    const [blind = []] = this.#rounds;
    const last = this.#rounds.at(-1) ?? blind;
    const moves = this.#moves.flatMap((round) => round.moves.filter(({ kind }) => kind !== 'held'));
    const yielded = moves.filter(({ kind }) => kind === 'unexplained');
    const leads = yielded.length * 2 > moves.length ? blind : last;
    const first = describeEstimate(blind, this.#measure) ?? 'nobody was heard';
    const result = describeEstimate(leads, this.#measure) ?? first;
    return {
      result: `${capitalize(result)}${leads === blind && last !== blind ? '; the blind round leads, since most later moves name no reason that points there' : ''}.`,
      first: `${first}.`,
      moved: `${moves.length === 0 ? this.#tellNoMoves() : this.#tellMoves(moves)}.`,
      turns: `${this.#tellTurn(leads)}.`,
      belief: this.#tellBelief(leads, moves.length, yielded.length),
    };
  }

  /** Says why nothing changed: the reason differs if no revision was heard. */
  #tellNoMoves(): string {
    if (this.#rounds.length > 1) return 'nobody moved';
    return this.#left === undefined
      ? 'no revision was asked for'
      : 'unknown, as too few revisions were heard';
  }

  /** Describes changes seat by seat: `Seat 1 from 13 to 17 (R6, R8), then 18 (own assumption)`. */
  #tellMoves(moves: readonly Move[]): string {
    const seats = [...new Set(moves.map(({ seat }) => seat))];
    return seats
      .map((seat) => {
        const own = moves.filter((move) => move.seat === seat);
        const steps = own.map(
          ({ kind, to, reasons }) => `${formatNumber(to)} (${WHY[kind] ?? reasons.join(', ')})`,
        );
        return `${this.#title(seat)} from ${formatNumber(own[0]?.from ?? 0)} to ${steps.join(', then ')}`;
      })
      .join('; ');
  }

  /** Describes the seat without which the median would change most, or the camps would disappear. */
  #tellTurn(estimates: readonly Estimate[]): string {
    const { scale, unit } = this.#measure;
    const all = poolEstimates(estimates, scale);
    const without = estimates.flatMap(({ seat }) => {
      const rest = poolEstimates(
        estimates.filter((estimate) => estimate.seat !== seat),
        scale,
      );
      if (rest === undefined || all === undefined) return [];
      // If the estimates form two camps, the median between the camps means nothing. So the report names only a seat
      // whose removal makes the two camps disappear.
      const turns = all.camps === undefined || rest.camps === undefined;
      return turns ? [{ seat, median: rest.median, by: Math.abs(rest.median - all.median) }] : [];
    });
    const most = without.toSorted((left, right) => right.by - left.by)[0];
    if (most === undefined || most.by === 0) return 'no single seat';
    const then = `${formatNumber(most.median)} ${unit}`;
    return all?.camps === undefined
      ? `without ${this.#title(most.seat)} the median would be ${then}`
      : `without ${this.#title(most.seat)} there would be no two camps, and the median would be ${then}`;
  }

  #title(seat: string): string {
    return this.#titles.get(seat) ?? seat;
  }

  #tellBelief(estimates: readonly Estimate[], moved: number, yielded: number): string {
    const pool = poolEstimates(estimates, this.#measure.scale);
    if (pool === undefined) return 'not at all.';
    const { p5, p50, p95 } = pool.mixture;
    const mixture = `all seats’ ranges taken together give p5 ${formatNumber(p5)}, p50 ${formatNumber(p50)}, p95 ${formatNumber(p95)} ${this.#measure.unit}`;
    const yielding =
      yielded === 0 ? '' : `; ${yielded} of ${moved} moves without a reason that points there`;
    const outlier = pool.outlier === undefined ? '' : `; ${this.#title(pool.outlier)} stands alone`;
    const growing = this.#grew ? '; the last round lay farther apart than the one before' : '';
    const stop =
      this.#stop === undefined || this.#rounds.length >= MOST_ROUNDS
        ? ''
        : `; ${this.#stop} after ${formatCount(this.#rounds.length, 'round')}`;
    const left =
      this.#left === undefined
        ? ''
        : `; a further round is left out, in which ${this.#left} ${this.#left === 1 ? 'seat was' : 'seats were'} heard`;
    return `${mixture}${yielding}${outlier}${growing}${stop}${left}.`;
  }
}
