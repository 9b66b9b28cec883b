/** Decides what can be asked of a team's run that has stopped, and how it can be forked. */
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
import { configSchema, SEATS, type TeamConfig } from './config.ts';
import { requestSchema, type TeamRequest } from './requests.ts';

/**
 * Returns the request (what the next attempt is to do) with which a stopped run continues.
 * @throws DeliberateError if nothing is left to do, or if a team does not support the action
 */
export function requestOf({ view }: RecordedRun, wanted: RunAction): TeamRequest {
  switch (wanted.kind) {
    case 'resume':
      return requestSchema.parse(
        makeResumeRequest(
          view,
          'its work is brought home',
          `Read it: deliberate show ${shortId(view.id)}`,
        ),
      );
    case 'resynthesize':
      throw new UsageError(
        'a team has no synthesis: its report is made from what was done',
        `Read it: deliberate show ${shortId(view.id)}`,
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
  return prepareModelFork('a team', view, at, wishes, configSchema.parse(view.config).changes);
}

/**
 * Returns the first problem in recorded settings: a missing or unknown seat, a seat without a
 * capability level, a level without a model, or a missing folder of the repository. Undefined if there
 * is none.
 */
export function findUnsoundSetting(
  seats: readonly Seat[],
  { tiers, levels, look = [], workshop, changes = [] }: TeamConfig,
): ConfigProblem | undefined {
  const known = new Set(seats.map(({ id }) => id));
  for (const id of SEATS)
    if (!known.has(id))
      return { path: ['seats'], message: `there is no seat ${JSON.stringify(id)}` };
  for (const id of SEATS)
    if (!Object.hasOwn(tiers, id))
      return { path: ['config', 'tiers'], message: `the seat ${JSON.stringify(id)} has no level` };
  for (const [id, { level, model }] of Object.entries(tiers)) {
    if (!known.has(id))
      return {
        path: ['config', 'tiers', id],
        message: `there is no seat ${JSON.stringify(id)}`,
      };
    if (model === undefined && !Object.hasOwn(levels, level))
      return {
        path: ['config', 'levels'],
        message: `no model is set for the level ${JSON.stringify(level)}`,
      };
  }
  for (const [at, { seat }] of changes.entries())
    if (!known.has(seat))
      return {
        path: ['config', 'changes', at, 'seat'],
        message: `there is no seat ${JSON.stringify(seat)}`,
      };
  if (!look.some(({ name }) => name === workshop.root))
    return {
      path: ['config', 'workshop', 'root'],
      message: `there is no folder ${JSON.stringify(workshop.root)} among those of the run`,
    };
  return undefined;
}
