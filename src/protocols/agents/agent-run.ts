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
 * The schema of the settings of an agent run, such as all agents with their links, and the id of the root
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
  /** The changes of model by this fork and by the forks that it was made from. */
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
  /** The agents' links and descriptions, by the agent's id. */
  readonly graph: AgentConfig['agents'] & Graph;
  /** The seats that play the agents, by the agent's id. */
  readonly seats: ReadonlyMap<string, Seat>;
  readonly config: AgentConfig;
  /**
   * The steps that this attempt tries again: keys of failed calls, and paths (as in `Task.path`) of agents that
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
   * The text that is passed on when the task is handed off or routed: the task as it was first given, without what
   * agents that handed it off or routed it have added. For the agent that the person named, it is the person's
   * request; for an advisor, member or supervisor it equals `input`.
   */
  readonly request: string;
  /** Why the agent was given the task, such as `advisor`. */
  readonly why: FactOf<'agent.started'>['why'];
  /** The path of the agent that gave the task. Absent for the agent that the person named. */
  readonly parent?: string;
  /** The round of the team's discussion, from 1. Absent outside of teams. */
  readonly cycle?: number;
  /** The ids of the agents from the root to the agent of this task. */
  readonly lineage: readonly string[];
  /**
   * The subject of the agent's calls in structured form. It is not sent to models. Agents below this one inherit
   * the value.
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
  /** The subject of the call in structured form, which is not sent to models. */
  readonly about: PromptContents;
  readonly schema?: z.ZodType | undefined;
  /** Returns the readable text in a structured answer. */
  readonly wordsOf?: ((value: unknown) => string) | undefined;
}

/** The result of an agent's task: its answer, or the reason why there is none. */
export type Answer =
  | {
      readonly status: 'done';
      readonly text: string;
      /**
       * The agent that wrote the answer; it may be another one if the task was routed, handed off or given to a
       * team.
       */
      readonly answeredBy: string;
      /** The structured answer, if a schema was given. */
      readonly value?: unknown;
    }
  | {
      readonly status: 'failed' | 'timed-out';
      readonly reason: string;
      /**
       * What has to be tried again: the keys of the calls that left the agent without an answer, and the
       * paths (as in `Task.path`) of agents that timed out. May be empty.
       */
      readonly failedSteps: readonly string[];
      /** If a prompt did not fit: the model's context window in tokens. */
      readonly window?: number | undefined;
    };

/**
 * Returns the seat that plays an agent in one step. If the run is a fork that changed the agent's model at this step
 * or at a step above it, the seat has the new model.
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
