/**
 * The boardroom: advisors answer in parallel without seeing each other, then a synthesizer says what
 * they share, where they part, and what to do. More syntheses can be made from the same answers.
 */
import * as z from 'zod';
import type { Reply } from '../../kernel/call.ts';
import { shuffled } from '../../kernel/chance.ts';
import { type Exclusion, type FactBody, fact } from '../../kernel/facts.ts';
import {
  FAILURE_LABELS,
  type FailureCode,
  type ModelRequest,
  type Seat,
  splitSpec,
} from '../../kernel/model.ts';
import type { Run } from '../../kernel/run.ts';
import type { Outcome, Protocol, Table } from '../../kernel/session.ts';
import type { CallView } from '../../kernel/view.ts';
import { advisorMessages, HEADINGS, synthesisMessages } from './prompts.ts';

const configSchema = z.object({
  synthesizer: z.string(),
  /** The synthesizer sees the seats' real names, in their order. */
  open: z.boolean(),
  seed: z.number().int(),
  attachments: z.array(z.object({ name: z.string(), text: z.string() })),
});
export type BoardConfig = z.infer<typeof configSchema>;

/** What became of a seat: its words, or why there are none. */
type Hearing = { seat: Seat; text: string } | { seat: Seat; missing: string };

export const board: Protocol<BoardConfig> = {
  name: 'board',
  config: configSchema,
  async sit(run, table) {
    const { request, past } = table;
    if (request.kind === 'retry') {
      const seats = table.seats.filter((seat) => request.seats.includes(seat.id));
      await hear(run, table, seats);
      return { status: 'done' };
    }
    if (request.kind === 'resynthesize') {
      if (past.syntheses.some(({ version }) => version === request.version))
        return { status: 'done' };
      const { version, model, note, without = [] } = request;
      const hearings = table.seats.map(
        (seat): Hearing =>
          without.includes(seat.id)
            ? { seat, missing: 'left out' }
            : remembered(seat, past.calls[stepOf(seat)]),
      );
      return synthesize(run, table, hearings, version, { model, note });
    }
    const hearings = await hear(run, table, table.seats);
    const heard = hearings.filter((one) => 'text' in one).map(({ seat }) => seat.id);
    const last = past.syntheses.at(-1);
    if (last !== undefined && heard.every((seat) => last.included.includes(seat)))
      return { status: 'done' };
    const version = past.syntheses.length + 1;
    const said = await run.heed(`heed/${version}`);
    const notes = said.flatMap((one) => (one.kind === 'note' ? [one.text] : []));
    return synthesize(run, table, hearings, version, {
      ...(notes.length === 0 ? {} : { note: notes.join('\n\n') }),
    });
  },
};

/** A seat's step: one answer a run. */
export function stepOf(seat: Seat): string {
  return `seat/${seat.id}`;
}

/**
 * Asks the seats side by side. While any of them still speaks, a person can have one asked again that
 * failed or was stopped; when the last falls silent the table is closed.
 */
async function hear(
  run: Run,
  { question, config, past }: Table<BoardConfig>,
  seats: readonly Seat[],
): Promise<Hearing[]> {
  let speaking = seats.length;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const messages = advisorMessages(question, config.attachments, config.seed);
  return Promise.all(
    seats.map(async (seat): Promise<Hearing> => {
      const request: ModelRequest = { seat, messages, seed: config.seed };
      // A failure of an earlier sitting is what the person came back for.
      let again = past.calls[stepOf(seat)]?.state === 'failed';
      for (;;) {
        const reply = await run.ask(stepOf(seat), request, { again });
        speaking -= 1;
        if (speaking === 0) close();
        if (reply.status === 'done') return { seat, text: reply.text };
        if (!(await run.again(seat.id, closed))) return { seat, missing: whyMissing(reply) };
        speaking += 1;
        again = true;
      }
    }),
  );
}

async function synthesize(
  run: Run,
  { question, seats, config }: Table<BoardConfig>,
  hearings: readonly Hearing[],
  version: number,
  { model = config.synthesizer, note }: { model?: string | undefined; note?: string | undefined },
): Promise<Outcome> {
  const present = hearings.flatMap((one) => ('text' in one ? [one] : []));
  const excluded: Exclusion[] = hearings.flatMap((one) =>
    'text' in one ? [] : [{ seat: one.seat.id, reason: one.missing }],
  );
  if (run.signal.aborted) throw run.signal.reason;
  if (present.length === 0)
    return {
      status: 'failed',
      reason: `no advisor answered (${excluded.map(({ seat, reason }) => `${seat}: ${reason}`).join('; ')})`,
    };
  const order = config.open ? present : shuffled(present, config.seed, 'synthesis');
  const labels = config.open
    ? {}
    : Object.fromEntries(order.map(({ seat }, index) => [letter(index), seat.id]));
  const seat: Seat = {
    id: 'synthesizer',
    role: 'synthesizer',
    title: 'Synthesizer',
    model,
    brief: '',
  };
  const heard = order.map((one, index) => ({
    name: config.open ? one.seat.title : `Advisor ${letter(index)}`,
    text: one.text,
  }));
  const messages = synthesisMessages({
    question,
    heard,
    of: seats.length,
    note,
    seed: config.seed,
  });
  const conclude = (reply: Reply): FactBody[] =>
    reply.status !== 'done'
      ? []
      : [
          fact('synthesis.completed', {
            version,
            model,
            text: reply.text,
            included: order.map((one) => one.seat.id),
            excluded,
            labels,
            ...(note === undefined ? {} : { note }),
            missing: missingHeadings(reply.text),
            rehearsal: splitSpec(model).provider === 'rehearsal',
          }),
        ];
  const reply = await run.ask(
    `synthesis/${version}`,
    { seat, messages, seed: config.seed },
    { conclude, again: true },
  );
  if (reply.status === 'done') return { status: 'done' };
  return { status: 'failed', reason: `the synthesis failed: ${whyMissing(reply)}` };
}

function letter(index: number): string {
  return String.fromCharCode(65 + index);
}

function remembered(seat: Seat, call: CallView | undefined): Hearing {
  if (call?.state === 'done') return { seat, text: call.text };
  if (call?.state === 'failed')
    return { seat, missing: FAILURE_LABELS[call.code as FailureCode] ?? 'failed' };
  return { seat, missing: call?.state === 'stopped' ? 'stopped' : 'no answer' };
}

function whyMissing(reply: Reply): string {
  return reply.status === 'failed' ? FAILURE_LABELS[reply.code] : 'stopped';
}

/** Of the four headings, those that do not stand in the text as headings, in whatever case. */
export function missingHeadings(text: string): string[] {
  const found = new Set(
    [...text.matchAll(/^#{1,6}\s+(.+?)[\s#:*]*$/gm)].map((match) =>
      (match[1] ?? '').replaceAll('*', '').trim().toLowerCase(),
    ),
  );
  return HEADINGS.filter((heading) => !found.has(heading.toLowerCase()));
}
