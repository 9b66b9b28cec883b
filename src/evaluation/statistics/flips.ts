/**
 * What arguing changed: a panel's answer beside the vote that its seats had cast before they heard each
 * other. Nothing is a stronger contrast, and it costs nothing. Unreadable and missing answers are left out,
 * and so are votes of which no seat's answer could be read: a panel has changed none of these. Of
 * repetitions the first is taken, as exact intervals need trials that know nothing of each other.
 */
import type { Outcome } from '../outcome.ts';
import { isRight, scoreOf, type Units } from './cells.ts';
import { type Share, shareOf, upperBound } from './exact.ts';
import { average, type Difference, differenceOf } from './mean.ts';

/** A panel that changes fewer votes than this, as far as can be told, only nods. */
const NODS = 0.015;

export interface Flips {
  readonly items: number;
  /** Of units: those in which the answer is another than the vote. */
  readonly flipped: Share;
  /** What the share of such units is at most, with 95 % confidence. */
  readonly atMost: number;
  readonly nods: boolean;
  /** The vote was wrong, though a seat was right; the panel is right. Of all such votes. */
  readonly rescued: Share;
  /** The vote was right; the panel is wrong. Of all right votes. */
  readonly spoiled: Share;
  /** No seat was right; the panel is. Of all items without a right seat. */
  readonly found: Share;
  /** Every seat gave the same answer. */
  readonly unanimous: number;
  /** And it was wrong. */
  readonly unanimousWrong: Share;
  /** The panel minus its own vote, by unit. */
  readonly net: Difference;
  /** Items are units of their own; else the exact intervals of items are too narrow. */
  readonly isByItem: boolean;
}

interface Vote {
  readonly answer: string | null;
  readonly isRight: boolean;
  readonly anyRight: boolean;
  readonly isUnanimous: boolean;
}

/** Undefined where no outcome has votes that can be read. */
export function flipsOf(units: Units): Flips | undefined {
  const argued = [...units.values()].flatMap((cells) => {
    const first = cells.get(Math.min(...cells.keys())) ?? [];
    const items = first.flatMap((outcome) => {
      const vote = voteOf(outcome.votes ?? []);
      return outcome.state !== 'answered' || vote?.answer == null ? [] : [{ outcome, vote }];
    });
    return items.length === 0 ? [] : [items];
  });
  if (argued.length === 0) return undefined;
  const all = argued.flat();
  const flipped = argued.filter((items) => items.some(isFlip)).length;
  const count = (of: typeof all, right: boolean): Share =>
    shareOf(of.filter(({ outcome }) => isRight(outcome) === right).length, of.length);
  const unanimous = all.filter(({ vote }) => vote.isUnanimous);
  const atMost = upperBound(flipped, argued.length);
  return {
    items: all.length,
    flipped: shareOf(flipped, argued.length),
    atMost,
    nods: atMost < NODS,
    rescued: count(
      all.filter(({ vote }) => !vote.isRight && vote.anyRight),
      true,
    ),
    spoiled: count(
      all.filter(({ vote }) => vote.isRight),
      false,
    ),
    found: count(
      all.filter(({ vote }) => !vote.anyRight),
      true,
    ),
    unanimous: unanimous.length,
    unanimousWrong: shareOf(unanimous.filter(({ vote }) => !vote.isRight).length, unanimous.length),
    net: differenceOf(
      argued.flatMap((items) => {
        const after = scoreOf(items.map(({ outcome }) => outcome));
        const before = scoreOf(
          items.map(({ outcome, vote }) => ({ ...outcome, isRight: vote.isRight })),
        );
        return after === undefined || before === undefined ? [] : [after - before];
      }),
    ),
    isByItem: argued.every(({ length }) => length === 1),
  };
}

/** Two ways to write a right answer are no change of mind. */
function isFlip({ outcome, vote }: { outcome: Outcome; vote: Vote }): boolean {
  return outcome.answer !== vote.answer && !(outcome.isRight && vote.isRight);
}

/**
 * The answer with most votes; of several, that of the seat that stands first among them, so that nobody
 * looked at which is right. Undefined where nobody was asked; seats without an answer have no say, and where
 * none has one, there is none.
 */
export function voteOf(votes: NonNullable<Outcome['votes']>): Vote | undefined {
  if (votes.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { answer } of votes)
    if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const [answer = null] = [...counts].find(([, count]) => count === most) ?? [];
  return {
    answer,
    isRight: votes.some((one) => answer !== null && one.answer === answer && one.isRight),
    anyRight: votes.some((one) => one.answer !== null && one.isRight),
    isUnanimous: most === votes.length,
  };
}

/** How well an arm knows how sure it may be. */
export interface Calibration {
  /** Units of which it said how sure it is. */
  readonly units: number;
  /** The mean square of what its confidence was off by: 0 is best; 0.25, always saying one half. */
  readonly brier: number;
  /** The same for always saying how often it is right. */
  readonly base: number;
  /** What it knows beyond that, of 1; below 0, less. Undefined where it is always right, or never. */
  readonly skill: number | undefined;
}

export function calibrationOf(units: Units): Calibration | undefined {
  const said = [...units.values()].flatMap((cells) => {
    const own = [...cells.values()].flat().flatMap((outcome) => {
      const { confidence } = outcome;
      return outcome.state !== 'answered' || confidence === undefined
        ? []
        : [{ confidence, right: Number(isRight(outcome)) }];
    });
    return own.length === 0 ? [] : [own];
  });
  if (said.length === 0) return undefined;
  const over = (figure: (one: { confidence: number; right: number }) => number): number =>
    average(said.map((own) => average(own.map(figure))));
  const right = over((one) => one.right);
  const brier = over(({ confidence, right: is }) => (confidence - is) ** 2);
  const base = right * (1 - right);
  return { units: said.length, brier, base, skill: base === 0 ? undefined : 1 - brier / base };
}
