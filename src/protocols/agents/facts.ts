/**
 * The part of the vocabulary that orchestrated agents need: who was set to work by whom and why, what
 * came of it, and what linked them. An agent at work is named by its `path`, the scope that all
 * its steps lie below: `lead/advisors/risk`. The same agent may be at work in many places.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { usageSchema } from '../../kernel/model.ts';
import { type Envelope, vocabulary } from '../../kernel/vocabulary.ts';

const cycle = z.number().int().positive();

/** How an agent comes by its own answer. */
export const PATTERNS = ['session', 'router', 'team'] as const;
/** Why an agent was set to work. */
export const REASONS = ['root', 'advisor', 'routed', 'handed-off', 'member', 'supervisor'] as const;
export const AGENT_STATES = ['done', 'failed', 'timed-out'] as const;
/** How a team came to its end. `report`: its supervisor thought it was time. */
const TEAM_ENDINGS = ['report', 'consensus', 'maxRounds', 'turns', 'loop', 'failure'] as const;

export const describeAgentFacts = () =>
  [
    z.object({
      v: z.literal(1),
      type: z.literal('agent.started'),
      path: z.string(),
      agent: z.string(),
      pattern: z.enum(PATTERNS),
      why: z.enum(REASONS),
      /** The path of whoever set it to work; absent for the root. */
      parent: z.string().optional(),
      /** The agents it will hear before, and the one that it will hand its answer to. */
      advisors: z.array(z.string()),
      handoff: z.string().optional(),
      /** Of a member's or a supervisor's turn. */
      cycle: cycle.optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('agent.completed'),
      path: z.string(),
      agent: z.string(),
      status: z.enum(AGENT_STATES),
      /** What it gives back to whoever set it to work; empty where it failed. */
      text: z.string(),
      /** The agent whose words these are: another one where it routed or handed off. */
      answeredBy: z.string().optional(),
      /** Why there is no answer. */
      reason: z.string().optional(),
      /**
       * The calls that it failed for, and paths of agents whose time was up: asked again when somebody
       * comes back to the failed run.
       */
      failedSteps: z.array(z.string()),
      /** Of all calls at and below it, stopped and failed ones included. */
      calls: z.number(),
      usage: usageSchema,
      costUsd: z.number(),
      unpriced: z.number(),
    }),
    /** What an agent has heard before it began, or will not hear. */
    z.object({
      v: z.literal(1),
      type: z.literal('advice.given'),
      path: z.string(),
      advisor: z.string(),
      /** The path of the advisor. */
      from: z.string(),
      status: z.enum(AGENT_STATES),
      reason: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('route.chosen'),
      path: z.string(),
      agent: z.string(),
      choice: z.string(),
      reason: z.string(),
      /** Put before whoever was chosen, beside the request. */
      message: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('handoff.made'),
      path: z.string(),
      from: z.string(),
      to: z.string(),
    }),
    /** A message that every member of a team sees from the next cycle on. */
    z.object({
      v: z.literal(1),
      type: z.literal('team.broadcast'),
      path: z.string(),
      cycle,
      from: z.string(),
      by: z.enum(['member', 'supervisor']),
      status: z.enum(AGENT_STATES),
      /** Of a member that failed: why. */
      text: z.string(),
      /** Where members vote on concluding: what this one voted. */
      concludes: z.boolean().optional(),
    }),
    /** Earlier messages were shortened, as the discussion would not have fitted otherwise. */
    z.object({
      v: z.literal(1),
      type: z.literal('team.compacted'),
      path: z.string(),
      /** The first cycle that reads the shorter form. */
      cycle,
      messages: z.number().int().positive(),
      /** Estimated, of the whole discussion. */
      tokensBefore: z.number(),
      tokensAfter: z.number(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.ended'),
      path: z.string(),
      how: z.enum(TEAM_ENDINGS),
      cycles: cycle,
      why: z.string(),
    }),
  ] as const;

/** What a run of this kind says: the kernel's facts, and these. */
export const AGENTS = vocabulary(() => [...KERNEL_FACTS, ...describeAgentFacts()]);

/** Those that are not the kernel's. */
export type OwnBody = z.infer<ReturnType<typeof describeAgentFacts>[number]>;
type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describeAgentFacts>[number]
>;
type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
export type Fact = Envelope & FactBody;

/** Makes a fact's body: `fact('run.ended', { status: 'done' })`. */
export const fact = AGENTS.make;
