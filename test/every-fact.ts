/** Facts of every owner in one union, for tests that read whole logs. */
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
export const ALL_FACTS = defineVocabulary(ALL);

export type FactBody = z.infer<(typeof ALL)[number]>;
export type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
export type Fact = Envelope & FactBody;

export const fact = ALL_FACTS.make;

/** The facts of a log, told apart by type. */
export function filterKnownFacts(log: Iterable<AnyFact>): Fact[] {
  return [...log].filter(ALL_FACTS.owns);
}

/** Those of one type. */
export function filterByType<T extends FactType>(
  log: Iterable<AnyFact>,
  type: T,
): (Envelope & FactOf<T>)[] {
  return [...log].filter(ALL_FACTS.is(type));
}

/** @throws z.ZodError */
export function parseFact(json: unknown): Fact {
  return filterKnownFacts([readFacts(ALL_FACTS).read(json)])[0] as Fact;
}
