/** The types that all parts of a run of agents share: settings, tasks and answers. */

import * as z from 'zod';
import type { About, Seat } from '../../kernel/model.ts';
import { attachedSchema } from '../common/attached.ts';
import { lookSchema, toolServersSchema } from '../common/look-config.ts';
import type { FactOf } from './facts.ts';
import { type Graph, linksSchema } from './graph.ts';

/** A fork's change: from a step on and below it, another model plays an agent. */
const changeSchema = z.object({ from: z.string(), seat: z.string(), model: z.string() });

export const configSchema = z.object({
  root: z.string(),
  agents: z.record(
    z.string(),
    linksSchema.extend({
      description: z.string(),
      /** The tools that it may use; absent: all tools of the run. */
      tools: z.array(z.string()).optional(),
    }),
  ),
  seed: z.number().int(),
  /** Estimated tokens above which a team's discussion is shortened. */
  contextTokens: z.number().int().positive(),
  changes: z.array(changeSchema).optional(),
  /** The folders that agents may look into. */
  look: lookSchema,
  /** The tool servers that agents may use. */
  toolServers: toolServersSchema,
  /** The documents that come with the request. */
  attachments: attachedSchema,
});
export type AgentConfig = z.infer<typeof configSchema>;

/** What every agent at work needs. */
export interface AgentRun {
  readonly graph: AgentConfig['agents'] & Graph;
  readonly seats: ReadonlyMap<string, Seat>;
  readonly config: AgentConfig;
  /** Failed calls, and paths of agents that timed out, that are tried again at the person's request. */
  readonly retry: ReadonlySet<string>;
}

/** A task of an agent. */
export interface Task {
  readonly agent: string;
  /** The path of the agent at work; all its steps are below it. */
  readonly path: string;
  readonly input: string;
  /** The request as it was before anybody added to it; handoffs pass it on, however long the chain. */
  readonly request: string;
  readonly why: FactOf<'agent.started'>['why'];
  readonly parent?: string;
  readonly cycle?: number;
  /** The agents that led to this task, the root first. */
  readonly lineage: readonly string[];
  /** What its calls are about, in structured form; passed on to all agents below. */
  readonly about: About;
  /** The form of its answer; absent: prose. */
  readonly form?: Form | undefined;
}

/** What is asked after the input, and the schema of the answer if it is no prose. */
export interface Form {
  readonly task: string;
  readonly about: About;
  readonly schema?: z.ZodType | undefined;
  /** Returns the text in an answer of that schema. */
  readonly wordsOf?: ((value: unknown) => string) | undefined;
}

export type Answer =
  | {
      readonly status: 'done';
      readonly text: string;
      readonly answeredBy: string;
      /** The structured answer, if a schema was given. */
      readonly value?: unknown;
    }
  | {
      readonly status: 'failed' | 'timed-out';
      readonly reason: string;
      /** The calls that it failed because of, or the path of an agent that timed out. */
      readonly failedSteps: readonly string[];
      /** If a prompt did not fit: the model's context window in tokens. */
      readonly window?: number | undefined;
    };

/** Returns the seat of an agent for one of its steps, with a fork's model if there is one. */
export function seatAt({ seats, config }: AgentRun, agent: string, step: string): Seat {
  const seat = seats.get(agent);
  if (seat === undefined) throw new Error(`agent ${agent} has no seat`);
  const change = config.changes?.findLast(
    (one) => one.seat === agent && (step === one.from || step.startsWith(`${one.from}/`)),
  );
  return change === undefined ? seat : { ...seat, model: change.model };
}

/** Converts an agent's id to a part of a step's key; ids contain no dots. */
export function partOf(agent: string): string {
  return agent.replaceAll('/', '.');
}
