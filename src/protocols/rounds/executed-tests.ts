/**
 * Tests that a person let run between two attempts. They stand in the log outside any step, so the
 * deliberation takes note of them where it next enters a phase: a replay, which reads the same log,
 * takes note of them at the same place.
 */

import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { describeRoundFacts, type Fact, type FactBody, ROUNDS } from './facts.ts';
import type { Phase } from './fold.ts';

/** What a fork knows of the tests of the run it came from, and since which phase. */
export const inheritedTestSchema = z.object({
  from: z.string(),
  facts: z.array(
    z.lazy(() => z.discriminatedUnion('type', [...KERNEL_FACTS, ...describeRoundFacts()])),
  ),
});
export type InheritedTest = z.infer<typeof inheritedTestSchema>;

/** One test with what followed from it. */
export interface ExecutedTest {
  /** Of its evidence. */
  readonly id: string;
  /** Its place in the log. */
  readonly seq: number;
  readonly facts: readonly FactBody[];
}

/** Every test in a log, oldest first. */
export function testsIn(facts: readonly AnyFact[]): ExecutedTest[] {
  const log = facts.filter(ROUNDS.owns);
  return log.flatMap((one) => {
    if (one.type !== 'evidence.recorded') return [];
    const { verification } = one;
    const follows = log.filter(
      (other) =>
        (other.type === 'verification.recorded' && other.id === verification) ||
        (other.type === 'claim.moved' &&
          other.verification === verification &&
          other.claim === one.claim),
    );
    return [{ id: one.id, seq: one.seq, facts: [one, ...follows].map(body) }];
  });
}

/** The tests that are known from a phase on, if those of earlier phases have been taken out. */
export function knownAt(
  tests: readonly ExecutedTest[],
  log: readonly AnyFact[],
  round: number,
  phase: Phase,
): ExecutedTest[] {
  const entered = log
    .filter(ROUNDS.owns)
    .findLast((one) => one.type === 'phase.entered' && one.round === round && one.phase === phase);
  return tests.filter(({ seq }) => seq < (entered?.seq ?? Infinity));
}

/** For a fork: the tests that this run knows of, each with the phase from which it did. */
export function inheritance(
  log: readonly AnyFact[],
  earlier: readonly InheritedTest[] = [],
): InheritedTest[] {
  const own = testsIn(log).filter(
    ({ id }) => !earlier.some(({ facts }) => facts.some((one) => idOf(one) === id)),
  );
  return [
    ...earlier,
    ...own.flatMap(({ seq, facts }) => {
      const next = log
        .filter(ROUNDS.owns)
        .find((one) => one.type === 'phase.entered' && one.seq > seq);
      return next?.type === 'phase.entered'
        ? [{ from: `round-${next.round}/${next.phase}`, facts: [...facts] }]
        : [];
    }),
  ];
}

function idOf(one: FactBody): string | undefined {
  return one.type === 'evidence.recorded' ? one.id : undefined;
}

function body({ run: _run, seq: _seq, at: _at, ...said }: Fact): FactBody {
  return said as FactBody;
}
