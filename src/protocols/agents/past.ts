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
import { stepOf } from '../../kernel/tools/tools.ts';
import {
  getSeat,
  makeNotABoardError,
  makeNothingToResumeError,
  OF_BOARDS,
} from '../common/past.ts';
import { type AgentConfig, configSchema } from './agent-run.ts';
import { listLinks } from './graph.ts';
import { type AgentRequest, requestSchema } from './requests.ts';

/**
 * Converts what a person wants from a stopped run to a request to the protocol.
 * @throws DeliberateError if the run has nothing left to do, or does not support the action
 */
export function makeAgentRequest({ view }: RecordedRun, wanted: RunAction): AgentRequest {
  switch (wanted.kind) {
    case 'resume':
      if (view.status === 'running') return requestSchema.parse(view.request);
      if (view.status === 'done') throw makeNothingToResumeError(view, 'its agent has answered');
      return { kind: 'convene' };
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
 * @throws UsageError if a change applies to nothing
 */
export function prepareAgentFork(
  { view }: RecordedRun,
  at: string,
  wishes: readonly Change[],
): ForkOpening {
  const { changes: earlier = [] } = configSchema.parse(view.config);
  const changes = wishes.map((one) => {
    if (one.kind !== 'seat')
      throw new UsageError(`a run of agents has no ${one.kind}`, 'Use --set seat.NAME.model=M.');
    // All turns of an agent that uses tools count as one call, so a fork cannot give them different
    // models.
    return { from: stepOf(at), seat: getSeat(view, one.seat).id, model: one.value };
  });
  return { seats: view.seats, config: { ...view.config, changes: [...earlier, ...changes] } };
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
  const named = (name: string, path: ConfigProblem['path']): ConfigProblem | undefined => {
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
    .map(({ name, path }) => named(name, path))
    .find((one) => one !== undefined);
}
