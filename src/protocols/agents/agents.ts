/**
 * Agents whose files say how they work together: advisors, router, team and handoff. The agent that was
 * named is set to work on the request; what it sets to work in its turn is a scope of the same run.
 */

import { entryOf } from '../../kernel/entry.ts';
import type { Protocol, RunContext } from '../../kernel/protocol.ts';
import { type AgentConfig, configSchema, partOf } from './agent-run.ts';
import { AGENTS } from './facts.ts';
import { agentsOf } from './fold.ts';
import { forkOf, requestOf, unsoundIn } from './past.ts';
import { type AgentRequest, requestSchema } from './requests.ts';
import { work } from './work.ts';

export const agents: Protocol<AgentConfig, AgentRequest> = {
  name: 'agent',
  config: configSchema,
  requests: requestSchema,
  request: requestOf,
  fork: forkOf,
  unsound: unsoundIn,
  async execute(run, context) {
    const { question, seats, config } = context;
    const { root } = config;
    const path = partOf(root);
    const agentRun = {
      graph: config.agents,
      seats: new Map(seats.map((seat) => [seat.id, seat])),
      config,
      retry: stepsToRetry(context, path),
    };
    const answer = await work(agentRun, run.scope(path), {
      agent: root,
      path,
      input: question,
      request: question,
      why: 'root',
      about: { question },
      lineage: [root],
    });
    if (answer.status === 'done') return { status: 'done' };
    return { status: 'failed', reason: `${root} has no answer: ${answer.reason}` };
  },
};

/**
 * Failed calls that are asked again, and agents who are given their time again: those that a failed run
 * failed of, which its person came back for, and the calls of seats that the person names. Failures that
 * were put up with stay as they are.
 */
function stepsToRetry(
  { request, past, facts }: RunContext<AgentConfig, AgentRequest>,
  root: string,
): Set<string> {
  const { agents: known } = agentsOf(facts);
  const last = facts.filter(AGENTS.owns).findLast((one) => one.type === 'run.ended');
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
