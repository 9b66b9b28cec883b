/**
 * The boardroom: advisors answer side by side without seeing each other, then a synthesizer says what they
 * share, where they differ, and what to do. A board can make further syntheses from the same answers, repeat
 * a synthesis without each seat in turn, and ask the same seats further questions.
 *
 * Each request has a function of its own. `collect-answers.ts` asks the seats and handles quorum, patience
 * and timeouts. `synthesize.ts` makes a version of the synthesis. `ablation.ts` makes the same version
 * without each seat and once more with all, with a seed of its own; no prompt says that a seat is missing.
 * `baseline.ts` comes last, and reports what each answer took but not which is better, because no judge of
 * ours would be neutral.
 *
 * Invariants:
 * - A ballot is the last lines of an answer, cast before its seat has seen another answer. The synthesizer
 *   reads ballots without their confidence.
 * - Code decides what counts as a quotation (`common/quotations`). Findings about quotations are folded from
 *   the log against the answers as they were at that point.
 * - Until `quorum.reached` is recorded, resuming a killed board asks the missing seats again.
 * - A follow-up's prompts are made from what was in the log when the follow-up was asked.
 * - A setting that was introduced after a run is absent in that run, and absent means the behaviour from
 *   before the setting (`ownVote`).
 */

import { entryOf } from '../../kernel/entry.ts';
import { LEFT_OUT } from '../../kernel/facts.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Outcome, Protocol, RunContext } from '../../kernel/protocol.ts';
import { answerAt, nextVersion, type SynthesisView } from '../../kernel/view.ts';
import { noteSchema } from '../common/requests.ts';
import { ablateSeats } from './ablation.ts';
import { askForPositions } from './agreement.ts';
import { measureBaselines } from './baseline.ts';
import {
  type CollectedAnswer,
  changeModel,
  collectAnswers,
  describeMissingAnswer,
  getCallUsage,
  getFailedUsages,
  getReplyUsage,
  recallAnswer,
  sumUsage,
  type Usage,
} from './collect-answers.ts';
import { type BoardConfig, configSchema } from './config.ts';
import { fact } from './facts.ts';
import { boardOf, getAnswerStep } from './fold.ts';
import { makeBoardRequest, prepareBoardFork } from './past.ts';
import {
  findAnsweredSince,
  getLatestQuestion,
  isAnswerTo,
  type QuestionContext,
} from './questions.ts';
import { type BoardRequest, requestSchema } from './requests.ts';
import { makePanel, type Panel, type SynthesisOptions, synthesize } from './synthesize.ts';

export type { BoardConfig } from './config.ts';

/** The protocol `board`: seats answer side by side, then a synthesizer sums up. */
export const board: Protocol<BoardConfig, BoardRequest> = {
  name: 'board',
  config: configSchema,
  requests: requestSchema,
  request: makeBoardRequest,
  fork: prepareBoardFork,
  controls: noteSchema,
  execute(run, context) {
    const { request } = context;
    switch (request.kind) {
      case 'retry':
        return retrySeats(run, context, request);
      case 'resynthesize':
        return resynthesize(run, context, request);
      case 'weigh':
        return ablateSeats(run, context, request);
      case 'follow-up':
        return followUp(run, context, request);
      case 'convene':
        return answerQuestion(run, context, getLatestQuestion(context.facts));
    }
  },
};

/** Asks seats again. A further synthesis is left to the person. */
async function retrySeats(
  run: Run,
  context: RunContext<BoardConfig>,
  { seats: wanted, model }: Extract<BoardRequest, { kind: 'retry' }>,
): Promise<Outcome> {
  const named = context.seats.filter(({ id }) => wanted.includes(id));
  const seats = await Promise.all(
    named.map((seat) => (model === undefined ? seat : changeModel(run, context, seat, model))),
  );
  await collectAnswers(run, context, getLatestQuestion(context.facts), seats);
  return { status: 'done' };
}

async function resynthesize(
  run: Run,
  context: RunContext<BoardConfig>,
  { version, model, note, without = [] }: Extract<BoardRequest, { kind: 'resynthesize' }>,
): Promise<Outcome> {
  const { past, seats, config } = context;
  const asked = getLatestQuestion(context.facts);
  const collected = seats.map(
    (seat): CollectedAnswer =>
      without.includes(seat.id)
        ? { seat, missing: LEFT_OUT }
        : recallAnswer(seat, answerAt(past.calls, getAnswerStep(seat.id, asked.number))),
  );
  const panel = makePanel(collected, asked, config);
  const made = past.syntheses.some((synthesis) => synthesis.version === version);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(made ? [] : await readNotes(run, version)),
  ];
  const writing = writingFor(model ?? config.synthesizer, notes, config);
  return concludeQuestion(run, context, asked, panel, version, writing, made);
}

async function followUp(
  run: Run,
  context: RunContext<BoardConfig>,
  { number, question: text }: Extract<BoardRequest, { kind: 'follow-up' }>,
): Promise<Outcome> {
  await run.step(`question/${number}`, { text }, ({ emit }) =>
    emit(fact('question.asked', { number, text })),
  );
  // If `context.facts` was read before this question was recorded, the question is added to these facts here.
  const known = boardOf(context.facts).questions.some((question) => question.number === number);
  const opening = { ...fact('question.asked', { number, text }), run: run.id, seq: 0, at: '' };
  const facts = known ? context.facts : [...context.facts, opening];
  return answerQuestion(run, context, getLatestQuestion(facts));
}

/** Asks all seats a question and writes a synthesis, unless there is one of the present answers. */
async function answerQuestion(
  run: Run,
  context: RunContext<BoardConfig>,
  asked: QuestionContext,
): Promise<Outcome> {
  const { past, config } = context;
  const collected = await collectAnswers(run, context, asked, context.seats);
  const panel = makePanel(collected, asked, config);
  const heard = panel.order.map(({ seat }) => seat.id);
  const own = past.syntheses.filter((synthesis) => isAnswerTo(synthesis, asked.number));
  const made = own.find(
    (synthesis) =>
      heard.every((seat) => synthesis.included.includes(seat)) &&
      findAnsweredSince(context.facts, synthesis).length === 0,
  );
  const version = made?.version ?? nextVersion(past);
  const notes = made === undefined ? await readNotes(run, version) : [];
  const writing = writingFor(made?.model ?? config.synthesizer, notes, config);
  // If an answer from which the recorded synthesis was written is missing now, nothing is added to the synthesis: its
  // table of positions and predictions need all these answers.
  const isAnswerMissing = made !== undefined && !isOf(made, heard);
  if (isAnswerMissing) return { status: 'done' };
  return concludeQuestion(run, context, asked, panel, version, writing, made !== undefined);
}

/** Returns the person's notes since the synthesis before this version was begun. */
async function readNotes(run: Run, version: number): Promise<string[]> {
  const said = await run.takeInput(`heed/${version}`);
  return said.flatMap((input) => noteSchema.safeParse(input).data?.text ?? []);
}

function writingFor(
  model: string,
  notes: readonly string[],
  { seed, effort }: BoardConfig,
): SynthesisOptions {
  return { model, ...(notes.length === 0 ? {} : { note: notes.join('\n\n') }), effort, seed };
}

function isOf({ included }: SynthesisView, heard: readonly string[]): boolean {
  return included.length === heard.length && included.every((seat) => heard.includes(seat));
}

/**
 * Writes a synthesis with its table, predictions and baselines.
 * @param made whether the synthesis itself is on record already
 */
async function concludeQuestion(
  run: Run,
  context: RunContext<BoardConfig>,
  asked: QuestionContext,
  panel: Panel,
  version: number,
  writing: SynthesisOptions,
  made: boolean,
): Promise<Outcome> {
  const { config, past, request } = context;
  if (run.signal.aborted) throw run.signal.reason;
  if (panel.order.length === 0)
    return {
      status: 'failed',
      reason: `no advisor answered (${panel.excluded.map(({ seat, reason }) => `${seat}: ${reason}`).join('; ')})`,
    };
  let took: Usage | undefined;
  let text = past.syntheses.find((synthesis) => synthesis.version === version)?.text ?? '';
  if (!made) {
    const reply = await synthesize(run, asked, panel, version, writing);
    if (reply.status !== 'done')
      return { status: 'failed', reason: `the synthesis failed: ${describeMissingAnswer(reply)}` };
    took = getReplyUsage(run, writing.model, reply);
    ({ text } = reply);
  } else {
    const step = `synthesis/${version}`;
    const calls = [step, `${step}/compacted`].flatMap((key) => entryOf(past.calls, key) ?? []);
    took = calls.length === 0 ? undefined : sumUsage(calls.map(getCallUsage));
  }
  if (config.vote && boardOf(context.facts).agreements[version] === undefined)
    await askForPositions(run, asked, panel, version, writing);
  if (run.signal.aborted) throw run.signal.reason;
  const written = { version, text, model: writing.model };
  if ((config.predict ?? 0) > 0) {
    const { predictFromBoard } = await import('./predictions.ts');
    await predictFromBoard(run, config, { asked, panel, seats: context.seats, written });
  }
  if (asked.number === 1 && request.kind === 'convene' && took !== undefined)
    await measureBaselines(
      run,
      context,
      sumUsage([...getFailedUsages(context.facts), panel.took, took]),
    );
  if (run.signal.aborted) throw run.signal.reason;
  return { status: 'done' };
}
