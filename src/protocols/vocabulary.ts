/** The facts of every protocol that comes with the program, for whoever reads a log. */
import { KERNEL } from '../kernel/facts.ts';
import { type AnyFact, type FactReader, readFacts } from '../kernel/vocabulary.ts';
import { AGENTS, type Fact as AgentsFact } from './agents/facts.ts';
import { BOARD, type Fact as BoardFact } from './board/facts.ts';
import { ROUNDS, type Fact as RoundsFact } from './rounds/facts.ts';

/** Each contains the kernel's. */
export const VOCABULARIES = [KERNEL, BOARD, ROUNDS, AGENTS] as const;

/** Reads any log of this program, and what protocols of somebody's own have added to it. */
export const FACTS: FactReader = readFacts(...VOCABULARIES);

/** A fact as one of those that come with the program. */
export function ownEvery(one: AnyFact): EveryFact | undefined {
  return BOARD.own(one) ?? ROUNDS.own(one) ?? AGENTS.own(one);
}
export type EveryFact = BoardFact | RoundsFact | AgentsFact;
