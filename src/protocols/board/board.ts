/**
 * The boardroom: advisors answer in parallel without seeing each other, then a synthesizer says what
 * they share, where they part, and what to do. More syntheses can be made from the same answers, a
 * synthesis can be weighed, and further questions put to the same seats.
 */

import { entryOf } from '../../kernel/entry.ts';
import { LEFT_OUT } from '../../kernel/facts.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Outcome, Protocol, Table } from '../../kernel/protocol.ts';
import { nextVersion, type SynthesisView } from '../../kernel/view.ts';
import { noteSchema } from '../common/requests.ts';
import { mapAgreement } from './agreement.ts';
import { measureBaselines } from './baseline.ts';
import { type BoardConfig, configSchema } from './config.ts';
import { fact } from './facts.ts';
import { answerStep, boardOf } from './fold.ts';
import {
  callTook,
  changeModel,
  type Hearing,
  hear,
  remembered,
  replyTook,
  type Took,
  together,
  whyMissing,
} from './hear.ts';
import { weigh } from './influence.ts';
import { forkOf, requestOf } from './past.ts';
import { type Asked, answers, latestQuestion } from './questions.ts';
import { type BoardRequest, requestSchema } from './requests.ts';
import { type Panel, panelOf, synthesize, type Writing } from './synthesize.ts';

export type { BoardConfig } from './config.ts';

export const board: Protocol<BoardConfig, BoardRequest> = {
  name: 'board',
  config: configSchema,
  requests: requestSchema,
  request: requestOf,
  fork: forkOf,
  controls: noteSchema,
  sit(run, table) {
    const { request } = table;
    switch (request.kind) {
      case 'retry':
        return retry(run, table, request);
      case 'resynthesize':
        return resynthesize(run, table, request);
      case 'weigh':
        return weigh(run, table, request);
      case 'follow-up':
        return followUp(run, table, request);
      case 'convene':
        return deliberate(run, table, latestQuestion(table.facts));
    }
  },
};

/** Asks the seats; the next synthesis is for the person to start. */
async function retry(
  run: Run,
  table: Table<BoardConfig>,
  { seats: wanted, model }: Extract<BoardRequest, { kind: 'retry' }>,
): Promise<Outcome> {
  const named = table.seats.filter(({ id }) => wanted.includes(id));
  const seats = await Promise.all(
    named.map((seat) => (model === undefined ? seat : changeModel(run, table, seat, model))),
  );
  await hear(run, table, latestQuestion(table.facts), seats);
  return { status: 'done' };
}

async function resynthesize(
  run: Run,
  table: Table<BoardConfig>,
  { version, model, note, without = [] }: Extract<BoardRequest, { kind: 'resynthesize' }>,
): Promise<Outcome> {
  const { past, seats, config } = table;
  const asked = latestQuestion(table.facts);
  const hearings = seats.map(
    (seat): Hearing =>
      without.includes(seat.id)
        ? { seat, missing: LEFT_OUT }
        : remembered(seat, entryOf(past.calls, answerStep(seat.id, asked.number))),
  );
  const panel = panelOf(hearings, asked, config);
  const made = past.syntheses.some((one) => one.version === version);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(made ? [] : await heeded(run, version)),
  ];
  const writing = writingOf(model ?? config.synthesizer, notes, config);
  return conclude(run, table, asked, panel, version, writing, made);
}

async function followUp(
  run: Run,
  table: Table<BoardConfig>,
  { number, question: text }: Extract<BoardRequest, { kind: 'follow-up' }>,
): Promise<Outcome> {
  await run.step(`question/${number}`, { text }, ({ emit }) =>
    emit(fact('question.asked', { number, text })),
  );
  // As the log reads from here on, and as it reads to whoever takes the sitting up.
  const known = boardOf(table.facts).questions.some((one) => one.number === number);
  const opening = { ...fact('question.asked', { number, text }), run: run.id, seq: 0, at: '' };
  const facts = known ? table.facts : [...table.facts, opening];
  return deliberate(run, table, latestQuestion(facts));
}

/** Hears everybody on a question and synthesises, unless there is a synthesis of all that was heard. */
async function deliberate(run: Run, table: Table<BoardConfig>, asked: Asked): Promise<Outcome> {
  const { past, config } = table;
  const hearings = await hear(run, table, asked, table.seats);
  const panel = panelOf(hearings, asked, config);
  const heard = panel.order.map(({ seat }) => seat.id);
  const own = past.syntheses.filter((one) => answers(one, asked.number));
  const made = own.find(({ included }) => heard.every((seat) => included.includes(seat)));
  const version = made?.version ?? nextVersion(past);
  const notes = made === undefined ? await heeded(run, version) : [];
  const writing = writingOf(made?.model ?? config.synthesizer, notes, config);
  // What was made of other answers than these has its matrix, or will never have one.
  if (made !== undefined && !isOf(made, heard)) return { status: 'done' };
  return conclude(run, table, asked, panel, version, writing, made !== undefined);
}

/** What the person noted since the synthesis before this version was begun. */
async function heeded(run: Run, version: number): Promise<string[]> {
  const said = await run.heed(`heed/${version}`);
  return said.flatMap((one) => noteSchema.safeParse(one).data?.text ?? []);
}

function writingOf(model: string, notes: readonly string[], { seed }: BoardConfig): Writing {
  return { model, ...(notes.length === 0 ? {} : { note: notes.join('\n\n') }), seed };
}

function isOf({ included }: SynthesisView, heard: readonly string[]): boolean {
  return included.length === heard.length && included.every((seat) => heard.includes(seat));
}

/** A synthesis and what stands beside it. `made`: the synthesis itself is on record. */
async function conclude(
  run: Run,
  table: Table<BoardConfig>,
  asked: Asked,
  panel: Panel,
  version: number,
  writing: Writing,
  made: boolean,
): Promise<Outcome> {
  const { config, past, request } = table;
  if (run.signal.aborted) throw run.signal.reason;
  if (panel.order.length === 0)
    return {
      status: 'failed',
      reason: `no advisor answered (${panel.excluded.map(({ seat, reason }) => `${seat}: ${reason}`).join('; ')})`,
    };
  let took: Took | undefined;
  if (!made) {
    const reply = await synthesize(run, asked, panel, version, writing);
    if (reply.status !== 'done')
      return { status: 'failed', reason: `the synthesis failed: ${whyMissing(reply)}` };
    took = replyTook(run, writing.model, reply);
  } else {
    const call = entryOf(past.calls, `synthesis/${version}`);
    took = call === undefined ? undefined : callTook(call);
  }
  if (config.vote && boardOf(table.facts).agreements[version] === undefined)
    await mapAgreement(run, asked, panel, version, writing);
  if (run.signal.aborted) throw run.signal.reason;
  if (asked.number === 1 && request.kind === 'convene' && took !== undefined)
    await measureBaselines(run, table, together([...panel.order.map((one) => one.took), took]));
  if (run.signal.aborted) throw run.signal.reason;
  return { status: 'done' };
}
