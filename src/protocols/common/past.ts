/** Rules about recorded runs that several protocols share. */
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Request } from '../../kernel/facts.ts';
import type { Seat } from '../../kernel/model.ts';
import type { Change, ForkOpening, RecordedRun, RunAction } from '../../kernel/protocol.ts';
import { shortId } from '../../kernel/short-id.ts';
import { nextVersion, type RunView } from '../../kernel/view.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

/**
 * Makes the error for an action that only boards support, such as `run 0192f0… is no board, and
 * only a board takes follow-up questions`.
 * @param what the end of the sentence, from `OF_BOARDS`
 */
export function makeNotABoardError({ id }: RunView, what: string): UsageError {
  return new UsageError(`run ${shortId(id)} is not a board; only a board ${what}`);
}

/** The words for each action that only boards support, for error messages. */
export const OF_BOARDS: Readonly<Record<'ask' | 'retry' | 'weigh', string>> = {
  ask: 'takes follow-up questions',
  retry: 'has seats that can be asked again',
  weigh: 'can be ablated',
};

/**
 * Makes the error for a run that cannot be resumed.
 * @param why the reason, in words
 * @param next what the person can do instead
 */
export function makeNothingToResumeError(
  { id }: RunView,
  why: string,
  next?: string,
): DeliberateError {
  return new DeliberateError('nothing-to-resume', `run ${shortId(id)} is done: ${why}`, next);
}

/** Makes the request for another synthesis, with the next version number. */
export function makeResynthesisRequest(
  view: RunView,
  wanted: Extract<RunAction, { kind: 'resynthesize' }>,
) {
  const { model, note, without = [] } = wanted;
  return {
    kind: 'resynthesize' as const,
    version: nextVersion(view),
    ...withoutUndefined({ model, note }),
    ...(without.length === 0 ? {} : { without: [...without] }),
  };
}

/**
 * Returns the seat with this id.
 * @throws UsageError if the run has no such seat
 */
export function getSeat({ seats }: RunView, id: string): Seat {
  const seat = seats.find((one) => one.id === id);
  if (seat === undefined)
    throw new UsageError(
      `--set seat.${id}.model: no such seat`,
      `The seats are ${seats.map((one) => one.id).join(', ')}.`,
    );
  return seat;
}

/**
 * Converts what a person wants from a stopped run to a request. For protocols that only let
 * unfinished runs be resumed.
 * @throws DeliberateError for every other action, and for a finished run
 */
export function makeRequest({ view }: RecordedRun, wanted: RunAction): Request {
  if (wanted.kind !== 'resume')
    throw new UsageError(`a run of ${view.protocol} can only be resumed, forked and replayed`);
  if (view.status === 'running') return view.request;
  if (view.status === 'done') throw makeNothingToResumeError(view, 'nothing left to ask');
  return { kind: 'convene' };
}

/**
 * Returns the seats and settings of a fork. For protocols in which a fork can only change the
 * models of seats.
 * @throws UsageError for any other change
 */
export function prepareFork(
  { view }: RecordedRun,
  _at: string,
  changes: readonly Change[],
): ForkOpening {
  let { seats } = view;
  for (const one of changes) {
    if (one.kind !== 'seat')
      throw new UsageError(
        `a run of ${view.protocol} has no ${one.kind}`,
        'Use --set seat.NAME.model=M.',
      );
    const { id } = getSeat(view, one.seat);
    seats = seats.map((seat) => (seat.id === id ? { ...seat, model: one.value } : seat));
  }
  return { seats, config: { ...view.config } };
}
