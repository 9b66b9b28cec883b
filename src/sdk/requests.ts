/** The requests that runs of users' own protocols accept. */
import * as z from 'zod';
import { UsageError } from '../kernel/errors.ts';
import type { RecordedRun, RunAction, RunContext } from '../kernel/protocol.ts';
import { shortId } from '../kernel/short-id.ts';
import {
  makeNotABoardError,
  makeNothingToResumeError,
  OF_BOARDS,
} from '../protocols/common/past.ts';
import { conveneSchema, retrySchema } from '../protocols/common/requests.ts';
import type { OwnConfig } from './config.ts';

/** The schema of a request: what an attempt of a user's own protocol is to do. */
export const ownRequestSchema = z.discriminatedUnion('kind', [conveneSchema, retrySchema]);
/** A request: what an attempt of a user's own protocol is to do. */
export type OwnRequest = z.infer<typeof ownRequestSchema>;
/** What a user's own protocol receives when an attempt begins. */
export type OwnRunContext = RunContext<OwnConfig, OwnRequest>;

/**
 * Returns the request for the next attempt: to continue a run, or to repeat failed calls of some seats.
 * @throws DeliberateError if the run does not support the action, or has nothing left to do
 */
export function ownRequest({ view }: RecordedRun, wanted: RunAction): OwnRequest {
  const fork = `To change something, fork it: deliberate fork ${shortId(view.id)} --at STEP --set seat.ROLE.model=M`;
  if (wanted.kind === 'retry') {
    const open = Object.values(view.calls).some(
      ({ seat, state }) => wanted.seats.includes(seat) && state !== 'done',
    );
    // In a finished run, refuse to repeat calls that were answered: the result was built on their answers.
    if (view.status === 'done' && !open)
      throw makeNothingToResumeError(
        view,
        `every call of ${wanted.seats.join(', ')} was answered`,
        fork,
      );
    return { ...wanted, seats: [...wanted.seats] };
  }
  if (wanted.kind === 'resynthesize')
    throw new UsageError(`${view.protocol} writes no further synthesis`, fork);
  if (wanted.kind !== 'resume') throw makeNotABoardError(view, OF_BOARDS[wanted.kind]);
  if (view.status === 'done') throw makeNothingToResumeError(view, 'it has concluded', fork);
  return view.request.kind === 'retry' ? ownRequestSchema.parse(view.request) : { kind: 'convene' };
}

/**
 * Returns the steps that a retry repeats: those of failed calls of the seats that the request names.
 * Empty for any other request.
 */
export function stepsToRetry({ request, past }: OwnRunContext): Set<string> {
  if (request.kind !== 'retry') return new Set();
  return new Set(
    Object.values(past.calls)
      .filter(({ seat, state }) => state === 'failed' && request.seats.includes(seat))
      .map(({ step }) => step),
  );
}
