/** The types that all parts of a run of agents share: settings, tasks and answers. */

import * as z from 'zod';
import type { PromptContents, Seat } from '../../kernel/model.ts';
import { attachedSchema } from '../common/prompts/attached.ts';
import { lookSchema, toolServersSchema } from '../common/settings/look-config.ts';
import type { FactOf } from './facts.ts';
import { type Graph, linksSchema } from './graph.ts';

/** A fork's change: from a step on and below it, another model plays an agent. */
const changeSchema = z.object({ from: z.string(), seat: z.string(), model: z.string() });

/**
 * The schema of the settings of an agent run: all agents with their links, and the name of the root
 * agent.
 */
export const configSchema = z.object({
  root: z.string(),
  agents: z.record(
    z.string(),
    linksSchema.extend({
      description: z.string(),
      /** The tools that the agent may use. Absent if the agent may use all tools of the run. */
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
/** The settings of an agent run. */
export type AgentConfig = z.infer<typeof configSchema>;

/** The data that all agents of a run share. */
export interface AgentRun {
  readonly graph: AgentConfig['agents'] & Graph;
  readonly seats: ReadonlyMap<string, Seat>;
  readonly config: AgentConfig;
  /**
   * The steps that a person wants to be tried again: keys of failed calls, and paths of agents that
   * timed out.
   */
  readonly retry: ReadonlySet<string>;
}

/** One task that is given to an agent. */
export interface Task {
  readonly agent: string;
  /**
   * The agent's position in the tree of tasks: `lead/advisors/risk`. The keys of all its steps
   * begin with this path.
   */
  readonly path: string;
  /** The text of the task, with what other agents have added. */
  readonly input: string;
  /**
   * The person's original request, without the text that agents have added. Every agent in a chain
   * of handoffs gets this text.
   */
  readonly request: string;
  /** Why the agent was given the task, such as `advisor`. */
  readonly why: FactOf<'agent.started'>['why'];
  /** The path of the agent that gave the task. Absent for the agent that the person named. */
  readonly parent?: string;
  /** The round of the team's discussion, from 1. Absent outside of teams. */
  readonly cycle?: number;
  /** The names of the agents that led to this task, the root first. */
  readonly lineage: readonly string[];
  /**
   * The subject of the agent's calls in structured form. Agents below this one inherit the value.
   */
  readonly about: PromptContents;
  /** The form of the answer. Absent if the agent answers in prose. */
  readonly form?: Form | undefined;
}

/**
 * The form of an agent's answer: the instructions at the end of the prompt, and the schema if the
 * answer is structured.
 */
export interface Form {
  /** The instructions at the end of the prompt. */
  readonly task: string;
  /** The subject of the call in structured form. */
  readonly about: PromptContents;
  readonly schema?: z.ZodType | undefined;
  /** Returns the readable text in a structured answer. */
  readonly wordsOf?: ((value: unknown) => string) | undefined;
}

/** The result of an agent: its answer, or the reason why there is none. */
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
      /**
       * The keys of the calls because of which the agent failed, or the path of an agent that timed
       * out.
       */
      readonly failedSteps: readonly string[];
      /** If a prompt did not fit: the model's context window in tokens. */
      readonly window?: number | undefined;
    };

/**
 * Returns the seat that plays an agent in one step. In a fork that changed the agent's model, the
 * seat has the new model.
 * @param step the key of the step
 */
export function seatAt({ seats, config }: AgentRun, agent: string, step: string): Seat {
  const seat = seats.get(agent);
  if (seat === undefined) throw new Error(`agent ${agent} has no seat`);
  const change = config.changes?.findLast(
    (change) =>
      change.seat === agent && (step === change.from || step.startsWith(`${change.from}/`)),
  );
  return change === undefined ? seat : { ...seat, model: change.model };
}

/**
 * Converts an agent's id to a part of a step's key: each `/` becomes a dot, which never occurs in
 * ids.
 */
export function makeStepPart(agent: string): string {
  return agent.replaceAll('/', '.');
}
