/**
 * Determines what can be requested of a stopped run of agents, and where such a run can be forked.
 */
import { UsageError } from '../../kernel/errors.ts';
import type { Seat } from '../../kernel/model.ts';
import type {
  Change,
  ConfigProblem,
  ForkOpening,
  RecordedRun,
  RunAction,
} from '../../kernel/protocol.ts';
import { shortId } from '../../kernel/short-id.ts';
import {
  makeNotABoardError,
  makeResumeRequest,
  OF_BOARDS,
  prepareModelFork,
} from '../common/past.ts';
import { type AgentConfig, configSchema } from './agent-run.ts';
import { listLinks } from './graph.ts';
import { type AgentRequest, requestSchema } from './requests.ts';

/**
 * Converts what a person wants of a stopped run, such as to resume it, to the request for its next attempt.
 * @throws DeliberateError if the run is finished, or if the action is not to resume it: runs of agents support no other
 */
export function makeAgentRequest({ view }: RecordedRun, wanted: RunAction): AgentRequest {
  switch (wanted.kind) {
    case 'resume':
      return requestSchema.parse(makeResumeRequest(view, 'its agent has answered'));
    case 'resynthesize':
      throw new UsageError(
        'a run of agents has no synthesis',
        `To ask an agent with another model: deliberate fork ${shortId(view.id)} --at STEP --set seat.NAME.model=M`,
      );
    default:
      throw makeNotABoardError(view, OF_BOARDS[wanted.kind]);
  }
}

/**
 * Returns the seats and settings of a fork in which another model plays an agent. Agents that used
 * this agent's answer are asked again.
 * @param at the key of the step from which the fork differs
 * @throws UsageError if a change is no change of an agent's model, or names an unknown agent
 */
export function prepareAgentFork(
  { view }: RecordedRun,
  at: string,
  wishes: readonly Change[],
): ForkOpening {
  // If the run is itself a fork, its settings already have changes of model, which the new fork keeps.
  const { changes } = configSchema.parse(view.config);
  return prepareModelFork('a run of agents', view, at, wishes, changes);
}

/**
 * Checks the settings of an imported run: every linked agent must be in the run and have a seat.
 * Returns the first problem, or undefined if there is none.
 */
export function checkImportedAgents(
  seats: readonly Seat[],
  config: AgentConfig,
): ConfigProblem | undefined {
  const { root, agents } = config;
  const checkName = (name: string, path: ConfigProblem['path']): ConfigProblem | undefined => {
    const shown = JSON.stringify(name);
    if (!Object.hasOwn(agents, name)) return { path, message: `there is no agent ${shown}` };
    if (!seats.some(({ id }) => id === name))
      return { path, message: `agent ${shown} has no seat` };
    return undefined;
  };
  const all = Object.entries(agents).flatMap(([name, links]) =>
    [name, ...listLinks(name, links).map(({ to }) => to)].map((other) => ({
      name: other,
      path: ['config', 'agents', name] as const,
    })),
  );
  return [{ name: root, path: ['config', 'root'] as const }, ...all]
    .map(({ name, path }) => checkName(name, path))
    .find((problem) => problem !== undefined);
}
