/** Decides what can be asked of a plan's run that has stopped, and how it can be forked. */
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
import { CHAIR, configSchema, PERSON, type PlanConfig, RESEARCHER } from './config.ts';
import { type PlanRequest, requestSchema } from './requests.ts';

/**
 * Returns the request that resumes a stopped run.
 * @throws DeliberateError if nothing is left to do, or if a plan does not support the action
 */
export function requestOf({ view }: RecordedRun, wanted: RunAction): PlanRequest {
  switch (wanted.kind) {
    case 'resume':
      return requestSchema.parse(
        makeResumeRequest(
          view,
          'its plan is written',
          `Write its files: deliberate plan --write ${shortId(view.id)}`,
        ),
      );
    case 'resynthesize':
      throw new UsageError(
        'a plan has one synthesis, which accounts for every statement',
        `To write it with another model: deliberate fork ${shortId(view.id)} --at synthesis --set seat.${CHAIR}.model=M`,
      );
    default:
      throw makeNotABoardError(view, OF_BOARDS[wanted.kind]);
  }
}

/**
 * Returns the settings of a fork in which other models play seats.
 * @param at the key of the first step with another model
 * @throws UsageError for a change that is no other model for a seat or the synthesizer
 */
export function forkOf({ view }: RecordedRun, at: string, wishes: readonly Change[]): ForkOpening {
  // In a plan, the chair writes the synthesis, so a new model for the synthesizer is a new model for the chair.
  const changes = wishes.map(
    (wish): Change =>
      wish.kind === 'synthesizer' ? { kind: 'seat', seat: CHAIR, value: wish.value } : wish,
  );
  return prepareModelFork('a plan', view, at, changes, configSchema.parse(view.config).changes);
}

/**
 * Returns the first problem in a plan's recorded settings: a seat named `person`, a missing
 * seat, or a seat with a cluster that has no description. Returns undefined if there is no problem.
 */
export function findUnsoundSetting(
  seats: readonly Seat[],
  { roles, cards }: PlanConfig,
): ConfigProblem | undefined {
  if (Object.hasOwn(roles, PERSON))
    return { path: ['config', 'roles'], message: `a seat cannot be called ${PERSON}` };
  const known = new Set(cards.map(({ name }) => name));
  for (const id of [CHAIR, RESEARCHER, ...Object.keys(roles)])
    if (!seats.some((seat) => seat.id === id))
      return { path: ['seats'], message: `there is no seat ${JSON.stringify(id)}` };
  for (const [id, { clusters }] of Object.entries(roles)) {
    const unknown = clusters.find((name) => !known.has(name));
    if (unknown !== undefined)
      return {
        path: ['config', 'roles', id, 'clusters'],
        message: `there is no card of a cluster ${JSON.stringify(unknown)}`,
      };
  }
  return undefined;
}
