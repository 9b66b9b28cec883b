/**
 * What several protocols do with a run that has stopped: continue it, or fork it.
 *
 * A protocol's own `past.ts` gives the kernel two functions (see `Protocol` in `kernel/protocol.ts`):
 *
 * - `request` converts what a person wants (`RunAction`: resume, ask, retry, resynthesize, weigh) to a
 *   `Request` that the protocol's function understands, or throws an error that says what to do instead;
 * - `fork` converts the changes that a person wants (`Change`, from `--set`) to a `ForkOpening`: the
 *   seats and the settings of the new run.
 *
 * The parts are here: `makeResumeRequest` and `makeResynthesisRequest` for requests, `getSeat` and
 * `prepareModelFork` for forks, and the errors for what a protocol does not support. A protocol
 * without a `past.ts` gets `makeRequest` and `prepareFork` unless it names its own functions.
 *
 * What holds everywhere: these functions only read the recorded run. A request or opening is recorded
 * by the caller, and is a plain value, so that a later attempt and another program can parse it
 * again. A change that would have no effect is an error and is never ignored. A fork keeps the parent's
 * seats where a change takes hold at a step only: such changes are added to `changes` of the settings,
 * with the step from which they hold.
 *
 * This file may import the kernel and `text`, as all of `common` may; it knows no protocol.
 */
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Request } from '../../kernel/facts.ts';
import type { Seat } from '../../kernel/model.ts';
import type { Change, ForkOpening, RecordedRun, RunAction } from '../../kernel/protocol.ts';
import { shortId } from '../../kernel/short-id.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import { nextVersion, type RunView } from '../../kernel/view.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

/**
 * Makes the error for an action that only boards support, such as `run 0192f0… is not a board;
 * only a board takes follow-up questions`.
 * @param what the end of the sentence, from `OF_BOARDS`
 */
export function makeNotABoardError({ id }: RunView, what: string): UsageError {
  return new UsageError(`run ${shortId(id)} is not a board; only a board ${what}`);
}

/**
 * The ends of error messages for actions that only boards support: follow-up questions, asking a seat again, and
 * syntheses that each leave out one seat (`weigh`).
 */
export const OF_BOARDS: Readonly<Record<'ask' | 'retry' | 'weigh', string>> = {
  ask: 'takes follow-up questions',
  retry: 'has seats that can be asked again',
  weigh: 'can be ablated',
};

/**
 * Makes the error for a finished run, which cannot be resumed.
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

/**
 * Makes the request that continues an unfinished run: its present request if it is still running, otherwise a
 * new request of the kind `convene`.
 * @param why the reason, in words, why a finished run has nothing left to do
 * @param next what the person can do instead
 * @throws DeliberateError if the run is finished
 */
export function makeResumeRequest(view: RunView, why: string, next?: string): Request {
  if (view.status === 'running') return view.request;
  if (view.status === 'done') throw makeNothingToResumeError(view, why, next);
  return { kind: 'convene' };
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
 * Returns the seat with this id, whose model a person wants to change in a fork.
 * @throws UsageError, which names the option `--set`, if the run has no such seat
 */
export function getSeat({ seats }: Pick<RunView, 'seats'>, id: string): Seat {
  const seat = seats.find((seat) => seat.id === id);
  if (seat === undefined)
    throw new UsageError(
      `--set seat.${id}.model: no such seat`,
      `The seats are ${seats.map((seat) => seat.id).join(', ')}.`,
    );
  return seat;
}

/**
 * Makes the request that resumes an unfinished run, for protocols whose runs support no other action.
 * @throws UsageError if the wanted action is not to resume
 * @throws DeliberateError if the run is finished
 */
export function makeRequest({ view }: RecordedRun, wanted: RunAction): Request {
  if (wanted.kind !== 'resume')
    throw new UsageError(`a run of ${view.protocol} can only be resumed, forked and replayed`);
  return makeResumeRequest(view, 'nothing left to ask');
}

/**
 * Returns the seats and settings of a fork in which some seats get another model from a step on. The
 * seats stay as they are; the changes are added to the settings, so that earlier steps keep their recorded
 * answers.
 * @param name how a run of the protocol is called in an error: `a plan`
 * @param at the key of the first step with another model
 * @param wishes the changes that the person asked for
 * @param earlier such changes that the run already has, because it is itself a fork
 * @throws UsageError for other changes
 */
export function prepareModelFork(
  name: string,
  { seats, config }: RunView,
  at: string,
  wishes: readonly Change[],
  earlier: readonly unknown[] = [],
): ForkOpening {
  const changes = wishes.map((wish) => {
    if (wish.kind !== 'seat') throw noSuchChange(name, wish);
    return { from: stepOf(at), seat: getSeat({ seats }, wish.seat).id, model: wish.value };
  });
  return { seats, config: { ...config, changes: [...earlier, ...changes] } };
}

/**
 * Returns the seats and settings of a fork. It is used by protocols in which a fork can change only
 * the models of seats.
 * @param _at the step at which the fork begins; it makes no difference here
 * @throws UsageError for any other change
 */
export function prepareFork(
  { view }: RecordedRun,
  _at: string,
  changes: readonly Change[],
): ForkOpening {
  let { seats } = view;
  for (const change of changes) {
    if (change.kind !== 'seat') throw noSuchChange(`a run of ${view.protocol}`, change);
    const { id } = getSeat(view, change.seat);
    seats = seats.map((seat) => (seat.id === id ? { ...seat, model: change.value } : seat));
  }
  return { seats, config: { ...view.config } };
}

function noSuchChange(name: string, { kind }: Change): UsageError {
  return new UsageError(`${name} has no ${kind}`, 'Use --set seat.NAME.model=M.');
}
