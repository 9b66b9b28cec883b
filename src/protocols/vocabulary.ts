/** The fact types of all built-in protocols, for code that reads logs. */

import { DECISIONS } from '../decisions/facts.ts';
import { KERNEL } from '../kernel/facts.ts';
import { type FactReader, readFacts } from '../kernel/vocabulary.ts';
import { SDK } from '../sdk/facts.ts';
import { AGENTS } from './agents/facts.ts';
import { BOARD } from './board/facts.ts';
import { withoutNewerEditions } from './editions.ts';
import { PLAN } from './plan/facts.ts';
import { ROUNDS } from './rounds/facts.ts';
import { TEAM } from './team/facts.ts';

/**
 * The types of facts that this program knows, by protocol. Every protocol's list contains the
 * kernel's facts, and runs of every protocol can have facts about decisions.
 */
export const VOCABULARIES = [KERNEL, DECISIONS, BOARD, ROUNDS, AGENTS, PLAN, TEAM, SDK] as const;

/** The reader for the log of any run, including facts that a person's own protocol has added. */
export const FACTS: FactReader = withoutNewerEditions(readFacts(...VOCABULARIES));
