/** The facts of every protocol in one union, for tests that read whole journals. */
import type * as z from 'zod';
import { DECISION_FACTS } from '../src/decisions/facts.ts';
import { KERNEL_FACTS } from '../src/kernel/facts.ts';
import {
  type AnyFact,
  defineVocabulary,
  type Envelope,
  readFacts,
} from '../src/kernel/vocabulary.ts';
import { describeAgentFacts } from '../src/protocols/agents/facts.ts';
import { BOARD_FACTS } from '../src/protocols/board/facts.ts';
import { describePlanFacts } from '../src/protocols/plan/facts.ts';
import { describeRoundFacts } from '../src/protocols/rounds/facts.ts';
import { describeTeamFacts } from '../src/protocols/team/facts.ts';
import { describeSdkFacts } from '../src/sdk/facts.ts';

const ALL = [
  ...KERNEL_FACTS,
  ...DECISION_FACTS,
  ...BOARD_FACTS,
  ...describeRoundFacts(),
  ...describeAgentFacts(),
  ...describePlanFacts(),
  ...describeTeamFacts(),
  ...describeSdkFacts(),
] as const;
/** The vocabulary of all types of facts. */
export const ALL_FACTS = defineVocabulary(ALL);

/** The content of any fact, without the run, number and time that a journal adds. */
export type FactBody = z.infer<(typeof ALL)[number]>;
/** The name of any type of fact, such as `run.started`. */
export type FactType = FactBody['type'];
/** The content of a fact of the type `T`. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
/** Any fact as it is in a journal. */
export type Fact = Envelope & FactBody;

/** Makes the content of a fact from its type and its fields. */
export const fact = ALL_FACTS.make;

/**
 * Returns the facts of a journal whose types are known, in their order. TypeScript can tell them apart by
 * `type`.
 */
export function filterKnownFacts(log: Iterable<AnyFact>): Fact[] {
  return [...log].filter(ALL_FACTS.owns);
}

/** Returns the facts of a journal that have the given type, in their order. */
export function filterByType<T extends FactType>(
  log: Iterable<AnyFact>,
  type: T,
): (Envelope & FactOf<T>)[] {
  return [...log].filter(ALL_FACTS.is(type));
}

/**
 * Returns a fact that was read from JSON, converted to the present version of its type.
 *
 * @throws z.ZodError if the JSON is not a valid fact
 */
export function parseFact(json: unknown): Fact {
  return filterKnownFacts([readFacts(ALL_FACTS).read(json)])[0] as Fact;
}
