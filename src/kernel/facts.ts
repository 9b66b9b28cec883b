/**
 * The vocabulary: everything that can be said in a run's log. A run is an append-only list of these
 * facts; every screen, export and report is a fold of it. One discriminated union, one schema version
 * a fact, so that old journals replay.
 *
 * To add a fact: add its schema here with `v: 1`. To change one: raise its `v` and say in `UPGRADES`
 * how the older body becomes the newer one.
 */
import * as z from 'zod';
import { AGENT_FACTS } from '../protocols/agents/facts.ts';
import { BOARD_FACTS } from '../protocols/board/facts.ts';
import { ROUND_FACTS, roleSchema } from '../protocols/rounds/facts.ts';
import { usageSchema } from './model.ts';

const seat = z.object({
  id: z.string(),
  role: z.string(),
  title: z.string(),
  model: z.string(),
  brief: z.string(),
  colour: z.string().optional(),
  temperature: z.number().optional(),
});

/** Who spoke and what it took: in every fact about a call that ended. Times in milliseconds. */
const call = {
  step: z.string(),
  attempt: z.string(),
  seat: z.string(),
  role: z.string(),
  model: z.string(),
  /** The answer; the partial answer where the call failed or was stopped. */
  text: z.string(),
  thinking: z.string(),
  usage: usageSchema,
  /** Absent where no price is known for the model. */
  costUsd: z.number().optional(),
  latencyMs: z.number(),
  firstTokenMs: z.number().optional(),
  /** Requests sent to the provider. */
  attempts: z.number(),
  notes: z.array(z.string()),
  /** True where the built-in stand-in spoke, not a model. */
  rehearsal: z.boolean(),
  /** True where a fork took the call over: its parent paid for it. */
  inherited: z.boolean().optional(),
};

/** What a person asked the run to do in one sitting. Protocols say which kinds they understand. */
export const requestSchema = z.discriminatedUnion('kind', [
  /** Start, or go on where it stopped. */
  z.object({ kind: z.literal('convene') }),
  /** Ask these seats again; with another model, if one is named. */
  z.object({
    kind: z.literal('retry'),
    seats: z.array(z.string()),
    model: z.string().optional(),
  }),
  /** Synthesise once more from the answers there are; nobody else is asked. */
  z.object({
    kind: z.literal('resynthesize'),
    /** The number the new synthesis will have: a request repeated after a crash makes no second one. */
    version: z.number().int().positive(),
    model: z.string().optional(),
    note: z.string().optional(),
    without: z.array(z.string()).optional(),
  }),
  /** Put a further question to the same seats. The first question of a run is number 1. */
  z.object({
    kind: z.literal('follow-up'),
    number: z.number().int().min(2),
    question: z.string().min(1),
  }),
  /** Weigh a synthesis: one more without each of its seats, numbered from `first`, and one with all. */
  z.object({
    kind: z.literal('weigh'),
    base: z.number().int().positive(),
    first: z.number().int().positive(),
  }),
]);
export type Request = z.infer<typeof requestSchema>;

/** What a person says to a run while it goes on. Protocols heed it where it fits. */
export const controlSchema = z.discriminatedUnion('kind', [
  /** Put before every seat that is asked from then on. */
  z.object({ kind: z.literal('note'), text: z.string().min(1) }),
  /** The next round goes without this role; with nobody absent where it is null. */
  z.object({ kind: z.literal('stress'), absent: roleSchema.nullable() }),
  /** The next round answers these suspected failure modes: `FM-1`, … */
  z.object({ kind: z.literal('respond'), modes: z.array(z.string()).min(1) }),
]);
export type Control = z.infer<typeof controlSchema>;

export const exclusionSchema = z.object({ seat: z.string(), reason: z.string() });
/** A seat whose answer a synthesis does not contain, and why, in a few words. */
export type Exclusion = z.infer<typeof exclusionSchema>;
/** The reason of a seat that a person left out of a synthesis. */
export const LEFT_OUT = 'left out';

export const factSchema = z.discriminatedUnion('type', [
  z.object({
    v: z.literal(1),
    type: z.literal('run.started'),
    protocol: z.string(),
    question: z.string(),
    seats: z.array(seat),
    /** The protocol's own settings, checked by its schema when the run is opened. */
    config: z.record(z.string(), z.unknown()),
    request: requestSchema,
    /** The run this one was forked from. */
    parent: z.string().optional(),
  }),
  /** A later sitting: somebody came back to the run. */
  z.object({ v: z.literal(1), type: z.literal('run.resumed'), request: requestSchema }),
  z.object({
    v: z.literal(1),
    type: z.literal('run.ended'),
    status: z.enum(['done', 'stopped', 'failed']),
    reason: z.string().optional(),
  }),
  /** Recorded before the work begins, so that a call that may have been billed is never invisible. */
  z.object({
    v: z.literal(1),
    type: z.literal('step.started'),
    step: z.string(),
    attempt: z.string(),
    kind: z.enum(['call', 'work', 'gate']),
    /** What the call is for, as in `board/answer`. Absent of work and gates, and in logs of before there were names. */
    task: z.string().optional(),
    seat: z.string().optional(),
    model: z.string().optional(),
    /** The step had been recorded with other inputs; that record no longer counts. */
    stale: z.boolean().optional(),
    /** ISO 8601: the call is given up then. Absent where it has all the time it takes. */
    deadline: z.string().optional(),
  }),
  /** The call had to queue: its time began when it was sent. */
  z.object({
    v: z.literal(1),
    type: z.literal('deadline.moved'),
    step: z.string(),
    attempt: z.string(),
    /** ISO 8601. */
    deadline: z.string(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('step.completed'),
    step: z.string(),
    attempt: z.string(),
    /** The run whose record was taken over instead of doing the work again. */
    inherited: z.string().optional(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('step.failed'),
    step: z.string(),
    attempt: z.string(),
    message: z.string(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('call.completed'),
    ...call,
    /** The object that was asked for; absent where text was. */
    value: z.unknown().optional(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('call.failed'),
    ...call,
    code: z.string(),
    message: z.string(),
    next: z.string().optional(),
    /** Of `too-long`: the tokens that the model holds, and about how many were needed. */
    window: z.number().optional(),
    needs: z.number().optional(),
  }),
  z.object({ v: z.literal(1), type: z.literal('call.stopped'), ...call }),
  z.object({
    v: z.literal(1),
    type: z.literal('synthesis.completed'),
    version: z.number().int().positive(),
    model: z.string(),
    text: z.string(),
    /** Seats whose answers it contains, in the order the synthesizer saw them. */
    included: z.array(z.string()),
    excluded: z.array(exclusionSchema),
    /** The names the synthesizer knew the seats by, where they were hidden: `{ A: 'critic' }`. */
    labels: z.record(z.string(), z.string()),
    note: z.string().optional(),
    /** Of the four headings, those the text lacks. */
    missing: z.array(z.string()),
    rehearsal: z.boolean(),
    /** Answers that were shortened to fit the synthesizer's window, and by how many words. */
    compacted: z.array(z.object({ seat: z.string(), words: z.number().int() })).optional(),
    /** The question it answers; absent: the first one. */
    question: z.number().int().positive().optional(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('gate.opened'),
    step: z.string(),
    prompt: z.string(),
    options: z.array(z.object({ value: z.string(), label: z.string() })),
    default: z.string(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('gate.answered'),
    step: z.string(),
    answer: z.string(),
    by: z.enum(['person', 'default']),
  }),
  /** A person's word, recorded when it is given. */
  z.object({
    v: z.literal(1),
    type: z.literal('control.given'),
    id: z.string(),
    control: controlSchema,
  }),
  /** It has been taken into account from here on. */
  z.object({
    v: z.literal(1),
    type: z.literal('control.heeded'),
    step: z.string(),
    ids: z.array(z.string()),
  }),
  ...BOARD_FACTS,
  ...ROUND_FACTS,
  ...AGENT_FACTS,
]);

export type FactBody = z.infer<typeof factSchema>;
export type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;

/** Where and when a fact stands in the log. */
export interface Envelope {
  readonly run: string;
  /** 1, 2, 3, … within the run. */
  readonly seq: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
}
export type Fact = Envelope & FactBody;

/** A body as `Omit` would spoil it: the union kept apart, `v` left for `fact` to fill in. */
type Draft<T extends FactType> = Omit<FactOf<T>, 'v' | 'type'>;

/** Makes a fact's body: `fact('run.ended', { status: 'done' })`. */
export function fact<T extends FactType>(type: T, body: Draft<T>): FactBody {
  return { v: 1, type, ...body } as unknown as FactBody;
}

/**
 * From `type@v` of an older body to the next version's body. Empty while every fact is at version 1.
 */
export const UPGRADES: Readonly<
  Record<string, (body: Record<string, unknown>) => Record<string, unknown>>
> = {};

const versioned = z.looseObject({ type: z.string(), v: z.number() });
const envelope = z.object({ run: z.string(), seq: z.number().int(), at: z.string() });

/**
 * Reads a fact as it was stored or exported, bringing older versions up to date.
 * @throws z.ZodError where it fits no fact of this vocabulary.
 */
export function parseFact(json: unknown): Fact {
  let body: Record<string, unknown> = versioned.parse(json);
  for (;;) {
    const upgrade = UPGRADES[`${body.type}@${body.v}`];
    if (upgrade === undefined) break;
    body = upgrade(body);
  }
  return { ...envelope.parse(body), ...factSchema.parse(body) };
}
