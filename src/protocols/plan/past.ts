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
import { stepOf } from '../../kernel/tools/tools.ts';
import {
  getSeat,
  makeNotABoardError,
  makeNothingToResumeError,
  OF_BOARDS,
} from '../common/past.ts';
import { CHAIR, configSchema, PERSON, type PlanConfig, RESEARCHER } from './config.ts';
import { type PlanRequest, requestSchema } from './requests.ts';

/**
 * Returns the request that makes a stopped run go on.
 * @throws DeliberateError if nothing is left to do, or if a plan does not support the action
 */
export function requestOf({ view }: RecordedRun, wanted: RunAction): PlanRequest {
  switch (wanted.kind) {
    case 'resume':
      if (view.status === 'running') return requestSchema.parse(view.request);
      if (view.status === 'done')
        throw makeNothingToResumeError(
          view,
          'its plan is written',
          `Write its files: deliberate plan --write ${shortId(view.id)}`,
        );
      return { kind: 'convene' };
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
 * @throws UsageError for other changes
 */
export function forkOf({ view }: RecordedRun, at: string, wishes: readonly Change[]): ForkOpening {
  const { changes: earlier = [] } = configSchema.parse(view.config);
  const changes = wishes.map((one) => {
    // A plan's synthesizer is the chair.
    if (one.kind === 'synthesizer') return { from: stepOf(at), seat: CHAIR, model: one.value };
    if (one.kind !== 'seat')
      throw new UsageError(`a plan has no ${one.kind}`, 'Use --set seat.NAME.model=M.');
    return { from: stepOf(at), seat: getSeat(view, one.seat).id, model: one.value };
  });
  return { seats: view.seats, config: { ...view.config, changes: [...earlier, ...changes] } };
}

/**
 * Returns the first problem in recorded settings: a missing seat, or a seat with a cluster that has
 * no description. Undefined if there is none.
 */
export function unsoundIn(
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
