/** Keeps the state of one leg of a contest, and judges both legs. */

import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Item } from '../grouping.ts';
import {
  type ContestLeg,
  type ContestSide,
  haveSameArguments,
  isLegRepeated,
  type JurorVote,
  judgeContest,
  type Vote,
} from '../pairs.ts';
import type { ChangesFigure, MethodResult, SeatName, SeatStatement } from '../shown.ts';
import { describeContest, drawLegs } from './contest-told.ts';

interface Answers {
  readonly answers: readonly { readonly of: string; readonly text: string }[];
}

interface Voted {
  readonly vote: Vote;
  readonly moved_by?: readonly string[];
}

/**
 * A finished half (leg) of a contest before jurors: its votes and arguments. In the second half, the models
 * change sides.
 */
export interface HeldLeg extends ContestLeg {
  /** The texts of the arguments, in the order of `arguments`: first those for the motion, then those against. */
  readonly speeches: readonly string[];
}

/**
 * Keeps the state of one half (leg) of a contest before jurors: what both sides have said so far.
 */
export class LegState {
  /** The seat that speaks for the motion in this leg. */
  readonly #pro: string;
  readonly #arguments: Record<ContestSide, Item[]> = { for: [], against: [] };
  readonly #speeches: Record<ContestSide, Item[]> = { for: [], against: [] };

  /** Expects the id of the seat that speaks for the motion in this leg. */
  constructor(pro: string) {
    this.#pro = pro;
  }

  /** Returns the side for which a seat speaks in this leg. */
  readonly sideOf = ({ id }: { readonly id: string }): ContestSide =>
    id === this.#pro ? 'for' : 'against';

  /** Adds a seat's arguments. */
  argue(seat: SeatName, made: readonly Item[]): void {
    this.#arguments[this.sideOf(seat)].push(...made.map(({ id, text }) => ({ id, text })));
  }

  /**
   * Adds seats' answers to arguments of the other side. An answer to an argument of the seat's own
   * side is ignored.
   */
  rebut(rebuttals: readonly SeatStatement<Answers>[]): void {
    for (const { seat, value } of rebuttals) {
      const side = this.sideOf(seat);
      const own = new Set(this.#arguments[side].map(({ id }) => id));
      for (const { of, text } of value.answers)
        if (!own.has(of)) this.#speeches[side].push({ id: `On ${of}`, text });
    }
  }

  /** Adds the closing statements. */
  end(closings: readonly SeatStatement<string>[]): void {
    for (const { seat, value } of closings)
      this.#speeches[this.sideOf(seat)].push({ id: 'Closing', text: value });
  }

  /**
   * Returns everything that was said in the leg, by side, for a juror's prompt.
   *
   * @param first the side that is read first
   */
  sides(first: ContestSide): { title: string; texts: readonly Item[] }[] {
    const sides: readonly ContestSide[] = first === 'for' ? ['for', 'against'] : ['against', 'for'];
    return sides.map((side) => ({
      title: side === 'for' ? 'For the motion:' : 'Against the motion:',
      texts: [...this.#arguments[side], ...this.#speeches[side]],
    }));
  }

  /**
   * Ends the half and returns its votes and arguments. The result is marked as flawed (`flaw`) if `fault` is
   * given, or if both sides made the same arguments.
   * @param votes the jurors' votes after the half
   * @param fault `sole speaker` if one side did not speak, so that the half does not count
   */
  close(votes: readonly SeatStatement<Voted>[], fault?: 'sole speaker'): HeldLeg {
    const all = [...this.#arguments.for, ...this.#arguments.against];
    const [pro, con] = [this.#arguments.for, this.#arguments.against].map((made) =>
      made.map(({ text }) => text),
    );
    const flaw = fault ?? (haveSameArguments(pro ?? [], con ?? []) ? 'one side' : undefined);
    return {
      after: votes.map(readVote),
      arguments: all.map(({ id }) => id),
      speeches: all.map(({ text }) => text),
      ...withoutUndefined({ flaw }),
    };
  }
}

/**
 * Names the winner of a contest of two halves (legs). The votes after each half are compared with
 * the votes before the contest. A second half that repeats the speeches of the first does not count.
 * @param before the jurors' votes before the contest
 * @returns `drawn`: the figures to draw of each half; `told`: the result in sentences
 */
export function judgeLegs(
  before: readonly SeatStatement<Voted>[],
  [one, two]: readonly [HeldLeg, HeldLeg],
): { drawn: ChangesFigure[]; told: MethodResult } {
  const repeats = isLegRepeated(one.speeches, two.speeches) && two.flaw === undefined;
  const legs = [one, repeats ? { ...two, flaw: 'repeated' as const } : two];
  const contest = judgeContest(before.map(readVote), legs);
  const titles = new Map(before.map(({ seat }) => [seat.id, seat.title]));
  const texts = new Map(
    [one, two].flatMap(({ arguments: ids = [], speeches }) =>
      ids.map((id, at) => [id, speeches[at] ?? ''] as const),
    ),
  );
  return { drawn: drawLegs(contest, titles), told: describeContest(contest, texts) };
}

function readVote({ seat, value }: SeatStatement<Voted>): JurorVote {
  const { vote, moved_by: movedBy = [] } = value;
  return { juror: seat.id, vote, movedBy };
}
