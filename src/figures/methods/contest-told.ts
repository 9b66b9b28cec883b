/** Draws a contest before jurors as figures, and describes it in sentences. */

import { withoutFalse } from '../../text/without-undefined.ts';
import type { Contest, ContestSide, LegResult, Pair } from '../pairs.ts';
import type { ChangesFigure, MethodResult } from '../shown.ts';

const FLAWS: Readonly<Record<NonNullable<LegResult['flaw']>, string>> = {
  'sole speaker': 'void: a side did not speak',
  'one side': 'void: both sides made the same arguments',
  repeated: 'void: its speeches are those of the other leg',
  'few jurors': 'void: fewer than three jurors voted before and after',
};

const WHY: Readonly<Record<Contest['why'], string>> = {
  'both legs': 'both legs lean to it',
  'legs differ': 'the legs do not lean to the same side',
  'too little moved': 'both legs lean the same way, by less than the number of jurors',
  'nothing moved': 'neither leg moved anybody on balance',
  'leg missing': 'a leg was not held',
  'leg flawed': 'a leg is void',
};

/**
 * Returns a chart for each half (leg) of a contest: each juror's vote before the contest and after the half,
 * with the arguments that the juror names as the reason.
 * @param titles the jurors' titles by id
 */
export function drawLegs({ legs }: Contest, titles: ReadonlyMap<string, string>): ChangesFigure[] {
  return legs.map(({ pairs, missing, sum, flaw }, at) => ({
    kind: 'changes',
    title: `Leg ${at + 1}`,
    rows: pairs.map(({ juror, before, after, movedBy, invented }) => ({
      label: titles.get(juror) ?? juror,
      before,
      after,
      text: withoutFalse([
        movedBy.length !== 0 && `by ${movedBy.join(', ')}`,
        invented.length !== 0 && `names ${invented.join(', ')}, which nobody argued`,
      ]).join('; '),
    })),
    note: withoutFalse([
      flaw === undefined ? `Sum ${formatSigned(sum)}.` : `This leg is ${FLAWS[flaw]}.`,
      missing.length !== 0 &&
        `Not paired: ${missing.map((seat) => titles.get(seat) ?? seat).join(', ')}.`,
    ]).join(' '),
  }));
}

/**
 * Describes the result of a contest in sentences.
 *
 * @param texts the arguments' texts by id
 * @returns `result`: the winner, with the reason; `first`: the votes before the contest; `moved`: the
 *   arguments that changed votes; `turns`: what would change the result; `belief`: how far to trust it
 */
export function describeContest(
  contest: Contest,
  texts: ReadonlyMap<string, string>,
): MethodResult {
  const { result, why, legs, sum, jurors, couldNotGain, before } = contest;
  const countVotes = (vote: Pair['before']): number =>
    before.filter((earlier) => earlier === vote).length;
  const named = legs.flatMap(({ pairs }) =>
    pairs.filter(({ shift }) => shift !== 0).flatMap(({ movedBy }) => movedBy),
  );
  const often = [...new Set(named)].map((id) => ({
    id,
    times: named.filter((other) => other === id).length,
  }));
  const most = often.toSorted((left, right) => right.times - left.times).slice(0, 3);
  const moved = legs.flatMap(({ pairs }) => pairs.filter(({ shift }) => shift !== 0));
  const silent = moved.filter(({ movedBy }) => movedBy.length === 0).length;
  return {
    result: `${resultOf(result)}, since ${WHY[why]}.`,
    first: `${countVotes('for')} for, ${countVotes('against')} against, ${countVotes('undecided')} undecided.`,
    moved: tellMoved(moved.length, silent, most, texts),
    turns:
      result === 'open'
        ? 'Both legs, held whole.'
        : `The sum of both legs is ${formatSigned(sum)}; a side wins with ${jurors} or more and both legs on its side.`,
    belief: withoutFalse([
      `The legs moved ${legs.map((leg) => formatSigned(leg.sum)).join(' and ')} of the ${2 * jurors} that each could have moved at most.`,
      couldNotGain !== undefined &&
        `All jurors were ${couldNotGain} before, so that side could not gain.`,
      'This measures what moved jurors, not who is right.',
    ]).join(' '),
  };
}

function tellMoved(
  moved: number,
  silent: number,
  most: readonly { readonly id: string; readonly times: number }[],
  texts: ReadonlyMap<string, string>,
): string {
  if (moved === 0) return 'No vote.';
  const [first, ...rest] = most;
  return withoutFalse([
    `${moved} ${moved === 1 ? 'vote' : 'votes'} over both legs.`,
    first !== undefined &&
      `Named most: ${first.id} (${timesOf(first.times)}), “${(texts.get(first.id) ?? '').trim().replace(/\.$/, '')}”.`,
    rest.length !== 0 &&
      `Then ${rest.map(({ id, times }) => `${id} (${timesOf(times)})`).join(', ')}.`,
    silent !== 0 && `${silent} of them ${silent === 1 ? 'names' : 'name'} no argument.`,
  ]).join(' ');
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

function resultOf(result: ContestSide | 'draw' | 'open'): string {
  if (result === 'draw') return 'A draw';
  if (result === 'open') return 'Open';
  return result === 'for' ? 'For the motion' : 'Against the motion';
}

function formatSigned(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
