/**
 * The facts of orchestrated agents: who gave a task to whom and why, the result, and what linked them. An agent
 * at work is identified by its `path`, the scope that all its steps are below: `lead/advisors/risk`. The same
 * agent may work in several places.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { usageSchema } from '../../kernel/model.ts';
import { defineVocabulary, type Envelope, factSchema } from '../../kernel/vocabulary.ts';

const cycle = z.number().int().positive();

/**
 * How an agent answers: by itself (`session`), by choosing another agent (`router`), or with a
 * team.
 */
export const PATTERNS = ['session', 'router', 'team'] as const;
/** Why an agent was given a task. `root` is the agent that the person named. */
export const REASONS = ['root', 'advisor', 'routed', 'handed-off', 'member', 'supervisor'] as const;
/** How an agent can end. */
export const AGENT_STATES = ['done', 'failed', 'timed-out'] as const;
/** How a team ended. `report`: the supervisor decided to end it. */
const TEAM_ENDINGS = ['report', 'consensus', 'maxRounds', 'turns', 'loop', 'failure'] as const;

/** Returns the schemas of the facts of agent runs. */
export const describeAgentFacts = () =>
  [
    factSchema('agent.started', {
      path: z.string(),
      agent: z.string(),
      pattern: z.enum(PATTERNS),
      why: z.enum(REASONS),
      /** The path of the agent that gave this agent the task. Absent for the root. */
      parent: z.string().optional(),
      /** The advisors that the agent will ask. */
      advisors: z.array(z.string()),
      /** The agent to which this agent will hand its answer. */
      handoff: z.string().optional(),
      /** The round of the team's discussion, from 1, if the agent speaks as a member or supervisor. */
      cycle: cycle.optional(),
    }),
    factSchema('agent.completed', {
      path: z.string(),
      agent: z.string(),
      status: z.enum(AGENT_STATES),
      /**
       * The answer that the agent returns to the agent that gave it the task. Empty if the agent
       * failed or timed out.
       */
      text: z.string(),
      /**
       * The agent that wrote `text`. If `agent` passed on its task, this is a different agent, such as the
       * receiver of a handoff or the supervisor of a team.
       */
      answeredBy: z.string().optional(),
      /** Why there is no answer. */
      reason: z.string().optional(),
      /**
       * The keys of the calls because of which the agent failed, and the paths (places in the tree of agents) of
       * agents that timed out. Both are tried again when the failed run is resumed.
       */
      failedSteps: z.array(z.string()),
      /**
       * Usage of all calls of the agent and of the agents below it, including stopped and failed
       * calls.
       */
      calls: z.number(),
      usage: usageSchema,
      costUsd: z.number(),
      unpriced: z.number(),
    }),
    /**
     * How the work of an advisor ended, before the agent itself began: with an answer, or without one and the
     * reason. The answer is in the advisor's `agent.completed`.
     */
    factSchema('advice.given', {
      path: z.string(),
      advisor: z.string(),
      /** The path of the advisor: its place in the tree of agents. */
      from: z.string(),
      status: z.enum(AGENT_STATES),
      reason: z.string().optional(),
    }),
    factSchema('route.chosen', {
      path: z.string(),
      agent: z.string(),
      choice: z.string(),
      reason: z.string(),
      /** The router's message to the chosen agent, in addition to the request. */
      message: z.string().optional(),
    }),
    factSchema('handoff.made', {
      path: z.string(),
      from: z.string(),
      to: z.string(),
    }),
    /**
     * A message in a team's discussion. Members see it from the next cycle (round) on; the supervisor sees members'
     * messages in the same cycle.
     */
    factSchema('team.broadcast', {
      path: z.string(),
      cycle,
      from: z.string(),
      by: z.enum(['member', 'supervisor']),
      status: z.enum(AGENT_STATES),
      /** The message of the speaker, `from`. If a member of the team has no message, the reason. */
      text: z.string(),
      /**
       * Whether the member votes to end the discussion. Absent if its message contains no vote, or the team
       * does not vote.
       */
      concludes: z.boolean().optional(),
    }),
    /** Earlier messages were shortened, because the discussion would not fit otherwise. */
    factSchema('team.compacted', {
      path: z.string(),
      /** The cycle (round of the discussion) whose speakers read the shortened messages. */
      cycle,
      /** The number of the last message that was shortened; the team's first message has the number 1. */
      messages: z.number().int().positive(),
      /** Estimated tokens of the discussion before it was shortened, and afterwards. */
      tokensBefore: z.number(),
      tokensAfter: z.number(),
    }),
    factSchema('team.ended', {
      path: z.string(),
      how: z.enum(TEAM_ENDINGS),
      cycles: cycle,
      why: z.string(),
    }),
  ] as const;

/**
 * The fact types that a log of an agent run may contain: those of every run and those of agents.
 */
export const AGENTS = defineVocabulary(() => [...KERNEL_FACTS, ...describeAgentFacts()]);

/**
 * The content of a fact that only agent runs record, without the run's id, the fact's number and
 * its time.
 */
export type OwnBody = z.infer<ReturnType<typeof describeAgentFacts>[number]>;
type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describeAgentFacts>[number]
>;
type FactType = FactBody['type'];
/** The content of a fact of type `T`, without the run's id, the fact's number and its time. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
/** Any fact of an agent run, with the run's id, the fact's number and its time. */
export type Fact = Envelope & FactBody;

/** Makes a fact to be recorded: `fact('run.ended', { status: 'done' })`. */
export const fact = AGENTS.make;
