/**
 * Tests that a person ran between two attempts. They are in the log outside any step, so the
 * deliberation reads them when it enters the next phase. A replay of the same log reads them at the
 * same place.
 */

import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Phase } from './claims/rounds-view.ts';
import { describeRoundFacts, type Fact, type FactBody, ROUNDS } from './facts.ts';

/**
 * The schema of a test that a fork inherits from its parent run.
 * - `from`: the first phase of the parent run that began after the test
 * - `facts`: what the test recorded
 */
export const inheritedTestSchema = z.object({
  from: z.string(),
  facts: z.array(
    z.lazy(() => z.discriminatedUnion('type', [...KERNEL_FACTS, ...describeRoundFacts()])),
  ),
});
/** A test of a claim that a fork inherits from its parent run. */
export type InheritedTest = z.infer<typeof inheritedTestSchema>;

/** A test of a claim by a command, with the facts that it recorded. */
export interface ExecutedTest {
  /** The id of the test's evidence. */
  readonly id: string;
  /** The position of the evidence in the log. */
  readonly seq: number;
  readonly facts: readonly FactBody[];
}

/** Returns all tests of claims that a log records, oldest first. */
export function findTests(facts: readonly AnyFact[]): ExecutedTest[] {
  const log = facts.filter(ROUNDS.owns);
  return log.flatMap((fact) => {
    if (fact.type !== 'evidence.recorded') return [];
    const { verification } = fact;
    const follows = log.filter(
      (other) =>
        (other.type === 'verification.recorded' && other.id === verification) ||
        (other.type === 'claim.moved' &&
          other.verification === verification &&
          other.claim === fact.claim),
    );
    return [{ id: fact.id, seq: fact.seq, facts: [fact, ...follows].map(toFactBody) }];
  });
}

/**
 * Returns those of the given tests that were run before a phase of a round last began: all of them if it has not
 * begun.
 * @param tests the tests that no earlier phase has taken into account
 * @param log all facts of the run
 */
export function findTestsBefore(
  tests: readonly ExecutedTest[],
  log: readonly AnyFact[],
  round: number,
  phase: Phase,
): ExecutedTest[] {
  const entered = log
    .filter(ROUNDS.owns)
    .findLast(
      (fact) => fact.type === 'phase.entered' && fact.round === round && fact.phase === phase,
    );
  return tests.filter(({ seq }) => seq < (entered?.seq ?? Infinity));
}

/**
 * Returns the tests that a fork of a run inherits, each with the first phase that began after
 * the test. A test after which no phase began is left out.
 * @param log all facts of the run
 * @param earlier the tests that the run has inherited itself
 */
export function collectInheritedTests(
  log: readonly AnyFact[],
  earlier: readonly InheritedTest[] = [],
): InheritedTest[] {
  const own = findTests(log).filter(
    ({ id }) => !earlier.some(({ facts }) => facts.some((fact) => idOf(fact) === id)),
  );
  return [
    ...earlier,
    ...own.flatMap(({ seq, facts }) => {
      const next = log
        .filter(ROUNDS.owns)
        .find((fact) => fact.type === 'phase.entered' && fact.seq > seq);
      return next?.type === 'phase.entered'
        ? [{ from: `round-${next.round}/${next.phase}`, facts: [...facts] }]
        : [];
    }),
  ];
}

function idOf(fact: FactBody): string | undefined {
  return fact.type === 'evidence.recorded' ? fact.id : undefined;
}

function toFactBody({ run: _run, seq: _seq, at: _at, ...said }: Fact): FactBody {
  return said as FactBody;
}
