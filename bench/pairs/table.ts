/** Formats the results of the panels as rows of the common table. */
import { atLeast, type Row } from '../measure.ts';
import type { JudgedPair, JudgedPlan } from './judge.ts';
import { PAIR_KINDS } from './panels.ts';

/** The design's target: the share of planted pairs that an able model finds and settles correctly. */
const TARGET = 0.85;

const NAMES = {
  explicit: 'explicit pairs',
  implicit: 'implicit pairs',
  third: 'pairs by a third fact',
} as const;

/** Returns the results of all panels together as rows for the table of `npm run bench`. */
export function rowsOf(judged: readonly JudgedPlan[]): Row[] {
  const pairs = judged.flatMap((run) => run.pairs);
  const makeCountRow = (what: string, good: number, of: number): Row =>
    makeFigureRow(what, `${good} of ${of}`);
  const makeShareRow = (what: string, of: readonly JudgedPair[], is: 'isFound' | 'isRight'): Row =>
    makeCountRow(what, of.filter((pair) => pair[is]).length, of.length);
  const addUp = (of: (run: JudgedPlan) => number): number =>
    judged.reduce((all, run) => all + of(run), 0);
  const right = pairs.filter(({ isRight }) => isRight).length;
  return [
    ...PAIR_KINDS.flatMap((kind) => {
      const of = pairs.filter((pair) => pair.kind === kind);
      return [
        makeShareRow(`${NAMES[kind]}: found`, of, 'isFound'),
        makeShareRow(`${NAMES[kind]}: found and settled right`, of, 'isRight'),
      ];
    }),
    makeShareRow(
      'pairs that grounds decide: found and settled right',
      pairs.filter(({ holds }) => holds !== undefined),
      'isRight',
    ),
    makeCountRow(
      '… agreed on rightly, but left to the person',
      pairs.filter(({ isAgreed }) => isAgreed).length,
      pairs.filter(({ holds }) => holds !== undefined).length,
    ),
    makeShareRow(
      'pairs for the person: found and left to them',
      pairs.filter(({ holds }) => holds === undefined),
      'isRight',
    ),
    atLeast('all pairs: found and settled right', right / Math.max(1, pairs.length), TARGET),
    makeCountRow(
      'decoys taken for conflicts',
      addUp(({ taken }) => taken.length),
      addUp(({ decoys }) => decoys),
    ),
    makeFigureRow('other questions between seats', String(addUp(({ others }) => others.length))),
    makeCountRow(
      'looks in which the control was seen',
      addUp(({ controls }) => controls.filter(Boolean).length),
      addUp(({ controls }) => controls.length),
    ),
    makeFigureRow('calls of the model', String(addUp(({ calls }) => calls))),
    makeFigureRow('tokens read', String(addUp(({ input }) => input))),
    makeFigureRow('tokens written', String(addUp(({ output }) => output))),
  ];
}

/**
 * Returns a line for each pair that was not found or not settled correctly, each decoy that was taken for a
 * conflict, and each failed run or call.
 */
export function faultsOf(judged: readonly JudgedPlan[]): string[] {
  return judged.flatMap(({ name, failed, unanswered, pairs, taken }) => [
    ...(failed === undefined ? [] : [`${name}: ${failed}`]),
    ...unanswered.map((call) => `${name}: no answer: ${call}`),
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
function makeFigureRow(what: string, measured: string): Row {
  return { what, measured, target: '', met: undefined };
}
