/**
 * The protocol of agents whose files say how they work together: advisors, router, team and handoff. The named
 * agent works on the request; each agent that it gives a task works in a scope of the same run.
 */

import { entryOf } from '../../kernel/entry.ts';
import type { Protocol, RunContext } from '../../kernel/protocol.ts';
import { formatAttachedText } from '../common/prompts/attached.ts';
import { type AgentConfig, configSchema, makeStepPart } from './agent-run.ts';
import { AGENTS } from './facts.ts';
import { agentsOf } from './fold.ts';
import { checkImportedAgents, makeAgentRequest, prepareAgentFork } from './past.ts';
import { type AgentRequest, requestSchema } from './requests.ts';
import { runAgent } from './work.ts';

/** The protocol `agent`: runs a named agent, and the agents that its file links to. */
export const agents: Protocol<AgentConfig, AgentRequest> = {
  name: 'agent',
  config: configSchema,
  requests: requestSchema,
  request: makeAgentRequest,
  fork: prepareAgentFork,
  unsound: checkImportedAgents,
  async execute(run, context) {
    const { question, seats, config } = context;
    const { root } = config;
    const path = makeStepPart(root);
    const agentRun = {
      graph: config.agents,
      seats: new Map(seats.map((seat) => [seat.id, seat])),
      config,
      retry: stepsToRetry(context, path),
    };
    // Add the attached documents to the request, so that every agent that receives the request also gets
    // them.
    const request = [question, formatAttachedText(config)].filter(Boolean).join('\n\n');
    const answer = await runAgent(agentRun, run.scope(path), {
      agent: root,
      path,
      input: request,
      request,
      why: 'root',
      about: { question },
      lineage: [root],
    });
    if (answer.status === 'done') return { status: 'done' };
    return { status: 'failed', reason: `${root} has no answer: ${answer.reason}` };
  },
};

/**
 * Returns the steps that are tried again. If a failed run is resumed, these are the failed calls
 * and timed-out agents because of which the run failed, but no failures that the run survived. If a person asks
 * certain seats again, the failed calls of these seats are included.
 */
function stepsToRetry(
  { request, past, facts }: RunContext<AgentConfig, AgentRequest>,
  root: string,
): Set<string> {
  const { agents: known } = agentsOf(facts);
  const last = facts.filter(AGENTS.owns).findLast((fact) => fact.type === 'run.ended');
  const failed = last?.status === 'failed' ? (entryOf(known, root)?.failedSteps ?? []) : [];
  const named =
    request.kind === 'retry'
      ? Object.values(past.calls).filter(({ seat }) => request.seats.includes(seat))
      : [];
  return new Set(
    [...failed, ...named.map(({ step }) => step)].filter(
      (step) =>
        entryOf(past.calls, step)?.state === 'failed' ||
        entryOf(known, step)?.state === 'timed-out',
    ),
  );
}
