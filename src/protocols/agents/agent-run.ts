/** What every agent at work has around it, and what it gives back. */

import * as z from 'zod';
import type { About, Seat } from '../../kernel/model.ts';
import { lookSchema, toolServersSchema } from '../common/look-config.ts';
import type { FactOf } from './facts.ts';
import { type Graph, linksSchema } from './graph.ts';

/** A fork's change: from a step on, and below it, another model plays an agent. */
const changeSchema = z.object({ from: z.string(), seat: z.string(), model: z.string() });

export const configSchema = z.object({
  root: z.string(),
  agents: z.record(
    z.string(),
    linksSchema.extend({
      description: z.string(),
      /** Which tools it may use; absent: all that the run has. */
      tools: z.array(z.string()).optional(),
    }),
  ),
  seed: z.number().int(),
  /** A team's discussion is shortened where it would come to more, by estimate. */
  contextTokens: z.number().int().positive(),
  changes: z.array(changeSchema).optional(),
  /** Where agents may look things up. */
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
});
export type AgentConfig = z.infer<typeof configSchema>;

export interface AgentRun {
  readonly graph: AgentConfig['agents'] & Graph;
  readonly seats: ReadonlyMap<string, Seat>;
  readonly config: AgentConfig;
  /** Calls that failed, and paths of agents whose time was up, that the person came back for. */
  readonly retry: ReadonlySet<string>;
}

/** What an agent is set to work on. */
export interface Task {
  readonly agent: string;
  /** The scope that all its steps lie below. */
  readonly path: string;
  readonly input: string;
  /** What was asked before anybody added to it: passed on by handoffs, however long the chain. */
  readonly request: string;
  readonly why: FactOf<'agent.started'>['why'];
  readonly parent?: string;
  readonly cycle?: number;
  /** The agents that led to it, the root first. */
  readonly lineage: readonly string[];
  /** What its calls are about: passed on to all below it. */
  readonly about: About;
  /** What its answer must look like; absent: words, as its own file wants them. */
  readonly form?: Form | undefined;
}

/** What is asked after the input, and the shape of the answer where it is no prose. */
export interface Form {
  readonly task: string;
  readonly about: About;
  readonly schema?: z.ZodType | undefined;
  /** The words in an answer of that shape. */
  readonly wordsOf?: ((value: unknown) => string) | undefined;
}

export type Answer =
  | {
      readonly status: 'done';
      readonly text: string;
      readonly answeredBy: string;
      /** Where a shape was asked for. */
      readonly value?: unknown;
    }
  | {
      readonly status: 'failed' | 'timed-out';
      readonly reason: string;
      /** The calls it came from; the path of an agent whose time was up. */
      readonly failedSteps: readonly string[];
      /** Where the prompt did not fit: the tokens that the model's context holds. */
      readonly window?: number | undefined;
    };

/** The seat of an agent for one of its steps. */
export function seatAt({ seats, config }: AgentRun, agent: string, step: string): Seat {
  const seat = seats.get(agent);
  if (seat === undefined) throw new Error(`agent ${agent} has no seat`);
  const change = config.changes?.findLast(
    (one) => one.seat === agent && (step === one.from || step.startsWith(`${one.from}/`)),
  );
  return change === undefined ? seat : { ...seat, model: change.model };
}

/** An agent's id as one part of a step's key: ids hold no dots. */
export function partOf(agent: string): string {
  return agent.replaceAll('/', '.');
}
