/** Formats the results of the panels as rows of the common table. */
import { atLeast, type Row } from '../measure.ts';
import type { Judged, JudgedPair } from './judge.ts';
import { PAIR_KINDS } from './panels.ts';

/** The design's target: the share of planted pairs that an able model finds and settles correctly. */
const TARGET = 0.85;

const NAMES = {
  explicit: 'explicit pairs',
  implicit: 'implicit pairs',
  third: 'pairs by a third fact',
} as const;

/** Returns the results as rows for the table of `npm run bench`. */
export function rowsOf(judged: readonly Judged[]): Row[] {
  const pairs = judged.flatMap((one) => one.pairs);
  const count = (what: string, good: number, of: number): Row => known(what, `${good} of ${of}`);
  const share = (what: string, of: readonly JudgedPair[], is: 'isFound' | 'isRight'): Row =>
    count(what, of.filter((one) => one[is]).length, of.length);
  const sum = (of: (one: Judged) => number): number =>
    judged.reduce((all, one) => all + of(one), 0);
  const right = pairs.filter(({ isRight }) => isRight).length;
  return [
    ...PAIR_KINDS.flatMap((kind) => {
      const of = pairs.filter((one) => one.kind === kind);
      return [
        share(`${NAMES[kind]}: found`, of, 'isFound'),
        share(`${NAMES[kind]}: found and settled right`, of, 'isRight'),
      ];
    }),
    share(
      'pairs that grounds decide: found and settled right',
      pairs.filter(({ holds }) => holds !== undefined),
      'isRight',
    ),
    count(
      '… agreed on rightly, but left to the person',
      pairs.filter(({ isAgreed }) => isAgreed).length,
      pairs.filter(({ holds }) => holds !== undefined).length,
    ),
    share(
      'pairs for the person: found and left to them',
      pairs.filter(({ holds }) => holds === undefined),
      'isRight',
    ),
    atLeast('all pairs: found and settled right', right / Math.max(1, pairs.length), TARGET),
    count(
      'decoys taken for conflicts',
      sum(({ taken }) => taken.length),
      sum(({ decoys }) => decoys),
    ),
    known('other questions between seats', String(sum(({ others }) => others.length))),
    count(
      'looks in which the control was seen',
      sum(({ controls }) => controls.filter(Boolean).length),
      sum(({ controls }) => controls.length),
    ),
    known('calls of the model', String(sum(({ calls }) => calls))),
    known('tokens read', String(sum(({ input }) => input))),
    known('tokens written', String(sum(({ output }) => output))),
  ];
}

/**
 * Returns a line for each pair that was not found or not settled correctly, each decoy that was taken for a
 * conflict, and each failed run or call.
 */
export function faultsOf(judged: readonly Judged[]): string[] {
  return judged.flatMap(({ name, failed, unanswered, pairs, taken }) => [
    ...(failed === undefined ? [] : [`${name}: ${failed}`]),
    ...unanswered.map((one) => `${name}: no answer: ${one}`),
    ...pairs
      .filter(({ isRight }) => !isRight)
      .map(({ kind, clash, holds, isFound, stands }) => {
        const should = holds === undefined ? 'is for the person' : `${holds} holds`;
        const is = isFound ? stands : stands === '' ? 'not found' : `not told apart: ${stands}`;
        return `${name}: ${clash.join(' and ')} (${kind}; ${should}): ${is}`;
      }),
    ...taken.map((decoy) => `${name}: ${decoy.join(' and ')} (decoy): taken for a conflict`),
  ]);
}

/** Makes a row for a figure without a target. */
function known(what: string, measured: string): Row {
  return { what, measured, target: '', met: undefined };
}
