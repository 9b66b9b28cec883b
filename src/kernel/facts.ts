/**
 * The facts that every run shares: its beginning and end, steps, calls, gates, a person's words, and
 * three that several protocols have in common: a synthesis, a further question, a seat that is played
 * by another model. What one protocol alone says stands in its own folder.
 */
import * as z from 'zod';
import { line } from '../text/line.ts';
import { UsageError } from './errors.ts';
import { usageSchema } from './model.ts';
import { type Envelope, vocabulary } from './vocabulary.ts';

const seat = z.object({
  id: z.string(),
  role: z.string(),
  title: z.string(),
  model: z.string(),
  brief: z.string(),
  colour: z.string().optional(),
  temperature: z.number().optional(),
  effort: z.string().optional(),
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
  /** Where the prices behind it are from, and the day they are of; absent where nothing is paid or it was not kept. */
  price: z.object({ source: z.string(), asOf: z.string() }).optional(),
  latencyMs: z.number(),
  firstTokenMs: z.number().optional(),
  /** The model as its server named it; absent where that is the name it was asked by, or it named none. */
  served: z.string().optional(),
  /** Requests sent to the provider. */
  attempts: z.number(),
  notes: z.array(z.string()),
  /** True where the built-in stand-in spoke, not a model. */
  rehearsal: z.boolean(),
  /** True where a fork took the call over: its parent paid for it. */
  inherited: z.boolean().optional(),
  /** True where a subscription pays: a coding agent answered, and its calls have no price. */
  onPlan: z.literal(true).optional(),
};

/**
 * What a person asked the run to do in one attempt: `convene` starts it, or goes on where it stopped;
 * all other kinds are the protocol's, which checks them.
 */
export const requestSchema = z.looseObject({ kind: z.string() });
export type Request = z.infer<typeof requestSchema>;

/** What a person says to a run while it goes on: a `note`, or what its protocol understands besides. */
const controlSchema = z.looseObject({ kind: z.string() });
export type Control = z.infer<typeof controlSchema>;

/** A protocol that lies in somebody's own file: what the run was held with. */
const sourceSchema = z.object({
  /** As it was named, from the root of the file system. */
  file: z.string(),
  /** Of all that was loaded with it, itself included: of their names and hashes, in order. */
  sha256: z.string(),
  /** Each file that is not a package's: its name as seen from the one that was named, and its hash. */
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
});
export type Source = z.infer<typeof sourceSchema>;

/** Whoever asked for an attempt, as traces name them: their span, and the trace that it is part of. */
const callerSchema = z.object({
  trace: z.string().regex(/^[0-9a-f]{32}$/),
  span: z.string().regex(/^[0-9a-f]{16}$/),
});
export type Caller = z.infer<typeof callerSchema>;

const exclusionSchema = z.object({ seat: z.string(), reason: z.string() });
/** A seat whose answer a synthesis does not contain, and why, in a few words. */
export type Exclusion = z.infer<typeof exclusionSchema>;
/** The reason of a seat that a person left out of a synthesis. */
export const LEFT_OUT = 'left out';

/** How many characters a line of the iteration log may have. */
export const MAX_ITERATION_LENGTH = 2_000;

/** One object schema a kind: other owners' vocabularies are built upon these. */
export const KERNEL_FACTS = [
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
    /** Of a protocol that does not come with the program. */
    source: sourceSchema.optional(),
    /** Absent where nobody said, as most people do not. */
    caller: callerSchema.optional(),
  }),
  /** A later attempt: somebody came back to the run. */
  z.object({
    v: z.literal(1),
    type: z.literal('run.resumed'),
    request: requestSchema,
    /** What it goes on with: the file may have changed. */
    source: sourceSchema.optional(),
    caller: callerSchema.optional(),
  }),
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
    /** Seats by the letters that stand for them in the prompt. Absent where names are not hidden. */
    labels: z.record(z.string(), z.string()).optional(),
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
    /** The tools that the seat wants to use before it answers. */
    calls: z
      .array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown() }))
      .optional(),
    /** The turn as its provider wants it back. */
    turn: z.unknown().optional(),
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
  /** A seat has looked something up. What it found is part of the log: nobody looks again. */
  z.object({
    v: z.literal(1),
    type: z.literal('tool.called'),
    step: z.string(),
    attempt: z.string(),
    seat: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    /** `S-3`, by which it is cited; absent where the tool refused, or a protocol looked and no seat. */
    id: z.string().optional(),
    /** In a line: `src/a.ts, lines 10-40 of 120`. */
    about: z.string(),
    /** As it was found; why the tool refused. */
    text: z.string(),
    /** The number of its first line. */
    from: z.number().int(),
    /** The pages, slides or sheets by which its lines are cited; absent in a file without them. */
    parts: z
      .array(z.object({ name: z.string(), from: z.number().int() }))
      .readonly()
      .optional(),
    /** What was left out, and how to get at it. */
    more: z.string().optional(),
    refused: z.literal(true).optional(),
    /** What there is after its use, where it changes something. */
    state: z.string().optional(),
    /** Of a tool server's answer: which server gave it, and when. */
    fetched: z.object({ server: z.string(), address: z.string(), at: z.string() }).optional(),
    bytes: z.number().int(),
    ms: z.number(),
  }),
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
    /**
     * What a protocol of somebody's own gave back in the end. Its code did, not a synthesizer: no model
     * and no seats are named.
     */
    conclusion: z.literal(true).optional(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('gate.opened'),
    step: z.string(),
    prompt: z.string(),
    options: z.array(
      z.object({
        value: z.string(),
        label: z.string(),
        /** What the person writes with it; the answer is then `value: what they wrote`. */
        words: z.string().optional(),
        /** What stands in the box before they write. */
        draft: z.string().optional(),
      }),
    ),
    default: z.string(),
    /** The change that the question is about, as `git diff` writes it. */
    diff: z.string().optional(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('gate.answered'),
    step: z.string(),
    answer: z.string(),
    /** `program`: a coding agent or a script, in a person's place. */
    by: z.enum(['person', 'default', 'program']),
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
  /** A follow-up, put to the same seats with the last synthesis before them. */
  z.object({
    v: z.literal(1),
    type: z.literal('question.asked'),
    /** 1 is the question the run was opened with; 2, 3, … are further ones. */
    number: z.number().int().positive(),
    text: z.string(),
  }),
  /** From here on another model plays this seat. */
  z.object({
    v: z.literal(1),
    type: z.literal('seat.changed'),
    seat: z.string(),
    model: z.string(),
  }),
  /** A line that a person adds to the run's iteration log, also after its end. */
  z.object({
    v: z.literal(1),
    type: z.literal('iteration.noted'),
    text: z.string().min(1).max(MAX_ITERATION_LENGTH),
  }),
] as const;

export const KERNEL = vocabulary(KERNEL_FACTS);

export type FactBody = z.infer<(typeof KERNEL_FACTS)[number]>;
type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
export type Fact = Envelope & FactBody;

/** Makes a fact's body: `fact('run.ended', { status: 'done' })`. */
export const fact = KERNEL.make;

/**
 * Makes the fact of a person's entry in the iteration log, as one line of text without control characters.
 *
 * @throws UsageError if the text has no letter or digit, or is longer than `MAX_ITERATION_LENGTH`
 */
export function iterationNoted(text: string): FactOf<'iteration.noted'> {
  const clean = line(text).trim();
  if (!/[\p{L}\p{N}]/u.test(clean)) throw new UsageError('the line has no words');
  if (clean.length > MAX_ITERATION_LENGTH)
    throw new UsageError(
      `the line has ${clean.length} characters; the most are ${MAX_ITERATION_LENGTH}`,
      'Shorten it, or add several.',
    );
  return fact('iteration.noted', { text: clean });
}
