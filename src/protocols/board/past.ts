/** Determines what can be requested of a stopped board, and where a board can be forked. */
import { UsageError } from '../../kernel/errors.ts';
import type { Change, ForkOpening, RecordedRun, RunAction } from '../../kernel/protocol.ts';
import { shortId } from '../../kernel/short-id.ts';
import { answerAt } from '../../kernel/view.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { getSeat, makeNothingToResumeError, makeResynthesisRequest } from '../common/past.ts';
import { makeAblationRequest } from './ablation.ts';
import { boardOf, getAnswerStep, getLatestSynthesis } from './fold.ts';
import { findAnsweredSince } from './questions.ts';
import { type BoardRequest, requestSchema } from './requests.ts';

/**
 * Converts what a person wants of a stopped board, such as to resume it, to the request for its next attempt.
 * @throws DeliberateError if there is nothing left to resume, or no synthesis that can be ablated as wanted
 */
export function makeBoardRequest(past: RecordedRun, wanted: RunAction): BoardRequest {
  switch (wanted.kind) {
    case 'resume':
      return resumeRequest(past);
    case 'ask': {
      const number = boardOf(past.facts).questions.length + 1;
      return { kind: 'follow-up', number, question: wanted.question };
    }
    case 'retry': {
      const { seats, model } = wanted;
      return { kind: 'retry', seats: [...seats], ...withoutUndefined({ model }) };
    }
    case 'resynthesize':
      return makeResynthesisRequest(past.view, wanted);
    case 'weigh':
      return makeAblationRequest(past.facts, versionToAblate(past, wanted.of));
  }
}

/**
 * Kinds of requests that work on existing answers. An interrupted request of these kinds is resumed
 * unchanged.
 */
const LATER: ReadonlySet<string> = new Set(['resynthesize', 'weigh']);

/** Returns the request that resumes an interrupted attempt. */
function resumeRequest({ view, facts }: RecordedRun): BoardRequest {
  if (view.status === 'running') return requestSchema.parse(view.request);
  if (view.status !== 'done' && LATER.has(view.request.kind))
    return requestSchema.parse(view.request);
  const question = boardOf(facts).questions.at(-1)?.number;
  const missing = view.seats.some(
    (seat) => answerAt(view.calls, getAnswerStep(seat.id, question))?.state !== 'done',
  );
  if (view.status === 'done' && !missing)
    throw makeNothingToResumeError(
      view,
      'every seat has answered',
      `Another synthesis: deliberate resynthesize ${shortId(view.id)}`,
    );
  return { kind: 'convene' };
}

/** Returns the version to ablate: the latest that was not made for an ablation. */
function versionToAblate(
  { view: { id, syntheses }, facts }: RecordedRun,
  of: number | undefined,
): number {
  const base =
    of === undefined
      ? getLatestSynthesis(syntheses, boardOf(facts))
      : syntheses.find(({ version }) => version === of);
  if (base === undefined)
    throw new UsageError(
      of === undefined ? 'there is no synthesis to ablate' : `--of ${of}: no such synthesis`,
      syntheses.length === 0
        ? undefined
        : `The syntheses are ${syntheses.map(({ version }) => `v${version}`).join(', ')}.`,
    );
  if (base.included.length < 2)
    throw new UsageError(`synthesis v${base.version} has only one answer; nothing to leave out`);
  // Refuse the ablation if a seat has answered again since the synthesis was written. A difference could then come
  // from the new answer and not from the seat that is left out.
  const [seat] = findAnsweredSince(facts, base);
  if (seat !== undefined)
    throw new UsageError(
      `${seat} was asked again after synthesis v${base.version} was made`,
      `Make another one first: deliberate resynthesize ${shortId(id)}`,
    );
  return base.version;
}

/**
 * Returns the seats and settings of a fork with the given changes.
 * @param at the key of the step from which the fork differs
 * @throws UsageError if a seat's model is changed at a later step than the seat's answer, or a change concerns
 * what the board does not have
 */
export function prepareBoardFork(
  { view }: RecordedRun,
  at: string,
  changes: readonly Change[],
): ForkOpening {
  let { seats } = view;
  let config: Record<string, unknown> = { ...view.config };
  for (const change of changes) {
    if (change.kind === 'claim' || change.kind === 'verifier')
      throw new UsageError(`a ${view.protocol} has no ${change.kind}`);
    if (change.kind === 'synthesizer') config = { ...config, synthesizer: change.value };
    else {
      const { id } = getSeat(view, change.seat);
      // Another model for a seat first changes the seat's own answer, because seats do not see each other's answers.
      // The fork must begin with this answer (`seat/ID`) or with all answers (`seat`).
      if (at !== 'seat' && at !== `seat/${id}`)
        throw new UsageError(
          `--at ${at}: ${id} has already answered by then`,
          `Use --at seat/${id}.`,
        );
      seats = seats.map((seat) => (seat.id === id ? { ...seat, model: change.value } : seat));
    }
  }
  return { seats, config };
}
