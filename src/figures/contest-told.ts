/** A contest before jurors as figures that can be shown, and in sentences. */
import type { Contest, LegResult, Pair, Side } from './pairs.ts';

export interface LegFigure {
  readonly kind: 'changes';
  readonly title: string;
  readonly rows: { label: string; before: string; after: string; text: string }[];
  readonly note: string;
}

const FLAWS: Readonly<Record<NonNullable<LegResult['flaw']>, string>> = {
  'sole speaker': 'void: one side did not speak',
  repeated: 'void: its speeches are those of the other leg',
  'few jurors': 'void: fewer than three jurors voted before and after',
};

const WHY: Readonly<Record<Contest['why'], string>> = {
  'both legs': 'both legs lean to it',
  'legs differ': 'the legs lean to different sides, so who spoke or what was read first decided',
  'too little moved': 'both legs lean the same way, by less than the number of jurors',
  'nothing moved': 'neither leg moved anybody on balance',
  'leg missing': 'a leg was not held',
  'leg flawed': 'a leg is void',
};

/** A figure for each leg. `titles`: of jurors, by their ids. */
export function drawLegs({ legs }: Contest, titles: ReadonlyMap<string, string>): LegFigure[] {
  return legs.map(({ pairs, missing, sum, flaw }, at) => ({
    kind: 'changes',
    title: `Leg ${at + 1}`,
    rows: pairs.map(({ juror, before, after, movedBy, invented }) => ({
      label: titles.get(juror) ?? juror,
      before,
      after,
      text: [
        ...(movedBy.length === 0 ? [] : [`by ${movedBy.join(', ')}`]),
        ...(invented.length === 0 ? [] : [`names ${invented.join(', ')}, which nobody argued`]),
      ].join('; '),
    })),
    note: [
      flaw === undefined ? `Sum ${signed(sum)}.` : `This leg is ${FLAWS[flaw]}.`,
      ...(missing.length === 0
        ? []
        : [`Not paired: ${missing.map((one) => titles.get(one) ?? one).join(', ')}.`]),
    ].join(' '),
  }));
}

export function tellContest(contest: Contest): {
  result: string;
  first: string;
  moved: string;
  turns: string;
  belief: string;
} {
  const { result, why, legs, sum, jurors, couldNotGain } = contest;
  const before = new Map(legs.flatMap(({ pairs }) => pairs.map((pair) => [pair.juror, pair])));
  const count = (vote: Pair['before']): number =>
    [...before.values()].filter((pair) => pair.before === vote).length;
  const named = legs.flatMap(({ pairs }) =>
    pairs.filter(({ shift }) => shift !== 0).flatMap(({ movedBy }) => movedBy),
  );
  const often = [...new Set(named)].map((id) => ({
    id,
    times: named.filter((one) => one === id).length,
  }));
  const most = often.toSorted((left, right) => right.times - left.times).slice(0, 3);
  const moved = legs.flatMap(({ pairs }) => pairs.filter(({ shift }) => shift !== 0));
  const silent = moved.filter(({ movedBy }) => movedBy.length === 0).length;
  return {
    result: `${resultOf(result)}, since ${WHY[why]}.`,
    first: `${count('for')} for, ${count('against')} against, ${count('undecided')} undecided.`,
    moved:
      moved.length === 0
        ? 'nobody.'
        : `${moved.length} votes over both legs${most.length === 0 ? '' : `; named most: ${most.map(({ id, times }) => `${id} (${times})`).join(', ')}`}${silent === 0 ? '' : `; ${silent} of them name no argument`}.`,
    turns:
      result === 'open'
        ? 'both legs, held whole.'
        : `the sum is ${signed(sum)}; a side needs ${jurors} and both legs.`,
    belief: [
      `legs ${legs.map((leg) => signed(leg.sum)).join(' and ')} of ${2 * jurors} that each could have moved`,
      ...(couldNotGain === undefined
        ? []
        : [`all jurors were ${couldNotGain} before, so that side could not gain`]),
      'it measures what moved jurors, not who is right',
    ]
      .join('; ')
      .concat('.'),
  };
}

function resultOf(result: Side | 'draw' | 'open'): string {
  if (result === 'draw') return 'A draw';
  if (result === 'open') return 'Open';
  return result === 'for' ? 'For the motion' : 'Against the motion';
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
