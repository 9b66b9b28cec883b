/**
 * The facts that every run shares: its beginning and end, steps, calls, gates, a person's input, and three
 * that several protocols use: a synthesis, a follow-up question, and a change of a seat's model. Facts of
 * one protocol alone are defined in that protocol's folder.
 */
import * as z from 'zod';
import { toLine } from '../text/line.ts';
import { UsageError } from './errors.ts';
import { usageSchema } from './model.ts';
import { defineVocabulary, type Envelope, factSchema } from './vocabulary.ts';

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

/** The fields of every fact about a call that ended. Times are in milliseconds. */
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
  /** Absent if no price is known for the model, or if an early log has implausible counts of tokens. */
  costUsd: z.number().optional(),
  /**
   * The source of the price behind `costUsd`, and its date. Absent if no price is known, if the model costs nothing
   * (a local model of Ollama, a coding agent, the stand-in), or if the source was not recorded.
   */
  price: z.object({ source: z.string(), asOf: z.string() }).optional(),
  latencyMs: z.number(),
  firstTokenMs: z.number().optional(),
  /** The model name that the server reported; absent if it is the requested name, or if none was reported. */
  served: z.string().optional(),
  /** The number of requests sent to the provider for this call. */
  attempts: z.number(),
  notes: z.array(z.string()),
  /** True if the built-in stand-in answered instead of a model. */
  rehearsal: z.boolean(),
  /** True if a fork copied the call from its parent, which paid for it. */
  inherited: z.boolean().optional(),
  /** True if a coding agent answered: a subscription pays, and `costUsd` is 0. */
  onPlan: z.literal(true).optional(),
};

/**
 * What a person asks the run to do in one attempt. The kind `convene` starts the run, or continues
 * a stopped run; the protocol defines and checks all other kinds.
 */
export const requestSchema = z.looseObject({ kind: z.string() });
/** What a person asks the run to do in one attempt, such as to ask a seat again. */
export type Request = z.infer<typeof requestSchema>;

/** A person's input to a running run: a `note`, or another kind that its protocol defines. */
const controlSchema = z.looseObject({ kind: z.string() });
/** A person's input to a run while it works, such as a note. */
export type Control = z.infer<typeof controlSchema>;

/** The user's own protocol file that an attempt was run with. */
const sourceSchema = z.object({
  /** The absolute path of the file. */
  file: z.string(),
  /** The hash over the names and hashes of all loaded files, sorted by name, this file included. */
  sha256: z.string(),
  /** Each loaded file outside packages: its path relative to the protocol's file, and its hash. */
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
});
/** The file of a user's own protocol, with the hashes of all files it loads. */
export type Source = z.infer<typeof sourceSchema>;

/** The trace and the span, as in OpenTelemetry, of the program that started an attempt. */
const callerSchema = z.object({
  trace: z.string().regex(/^[0-9a-f]{32}$/),
  span: z.string().regex(/^[0-9a-f]{16}$/),
});
/** The trace and span, as in OpenTelemetry, of the program that started an attempt. */
export type Caller = z.infer<typeof callerSchema>;

const exclusionSchema = z.object({ seat: z.string(), reason: z.string() });
/** A seat whose answer was left out of a synthesis, and the reason in a few words. */
export type Exclusion = z.infer<typeof exclusionSchema>;
/** The recorded reason for an answer that a person chose to leave out of a synthesis. */
export const LEFT_OUT = 'left out';

/**
 * The most characters of a line of a run's iteration log, in which people note what they learned for the next
 * run.
 */
export const MAX_ITERATION_LENGTH = 2_000;

/** The schemas of all facts that every run can have, one object schema per type of fact. */
export const KERNEL_FACTS = [
  factSchema('run.started', {
    protocol: z.string(),
    question: z.string(),
    seats: z.array(seat),
    /** The protocol's own settings, checked by its schema when an attempt begins. */
    config: z.record(z.string(), z.unknown()),
    request: requestSchema,
    /** The id of the run that this run was forked from; absent if this run is no fork. */
    parent: z.string().optional(),
    /** The user's own protocol file; absent for a protocol that comes with the program. */
    source: sourceSchema.optional(),
    /** The trace and span of the program that started the attempt; absent if the program passed none on. */
    caller: callerSchema.optional(),
  }),
  /** The beginning of an attempt after the run's first one. */
  factSchema('run.resumed', {
    request: requestSchema,
    /**
     * The user's own protocol file as loaded for this attempt, perhaps changed since the last one. Absent for a
     * protocol that comes with the program.
     */
    source: sourceSchema.optional(),
    caller: callerSchema.optional(),
  }),
  factSchema('run.ended', {
    status: z.enum(['done', 'stopped', 'failed']),
    reason: z.string().optional(),
  }),
  /**
   * The beginning of a step. A call's beginning is recorded before the call is sent, so that a call that may
   * have been billed is always on record.
   */
  factSchema('step.started', {
    step: z.string(),
    attempt: z.string(),
    kind: z.enum(['call', 'work', 'gate']),
    /**
     * What a call is for, such as `board/answer`. Absent if the step is a gate or local work, and in logs of
     * early versions.
     */
    task: z.string().optional(),
    seat: z.string().optional(),
    model: z.string().optional(),
    /** The seats by the letters that hide their names in the prompt; absent if names are not hidden. */
    labels: z.record(z.string(), z.string()).optional(),
    /** True if the step was recorded with other inputs before; that record no longer counts. */
    stale: z.boolean().optional(),
    /** The end of the call's time limit, in ISO 8601; absent if the call has no time limit. */
    deadline: z.string().optional(),
  }),
  /** A call that was queued is sent only now, so its time limit begins only now. */
  factSchema('deadline.moved', {
    step: z.string(),
    attempt: z.string(),
    /** The new end of the call's time limit, in ISO 8601. */
    deadline: z.string(),
  }),
  factSchema('step.completed', {
    step: z.string(),
    attempt: z.string(),
    /** The id of the parent run, if its record was copied instead of doing the work again. */
    inherited: z.string().optional(),
  }),
  factSchema('step.failed', {
    step: z.string(),
    attempt: z.string(),
    message: z.string(),
  }),
  factSchema('call.completed', {
    ...call,
    /** The structured answer; absent if text was requested, or if the seat first wants to use tools. */
    value: z.unknown().optional(),
    /** The tools that the seat wants to use before it answers; `text` is then not the answer. */
    calls: z
      .array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown() }))
      .optional(),
    /** The turn in the provider's own format, if the provider's code kept it; the next request sends it back. */
    turn: z.unknown().optional(),
  }),
  factSchema('call.failed', {
    ...call,
    code: z.string(),
    message: z.string(),
    next: z.string().optional(),
    /**
     * For a failure with the code `too-long`: the model's context window and what the request needs, in tokens, as
     * estimated or as the server reports. Absent if unknown.
     */
    window: z.number().optional(),
    needs: z.number().optional(),
  }),
  factSchema('call.stopped', { ...call }),
  /** A seat or the protocol used a tool. A resumed run reads the result here and does not use the tool again. */
  factSchema('tool.called', {
    step: z.string(),
    attempt: z.string(),
    seat: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    /**
     * The id by which seats cite the result, such as `S-3`. Absent if the tool refused, or if the protocol
     * itself used the tool and no seat reads the result.
     */
    id: z.string().optional(),
    /** A description in one line, such as `src/a.ts, lines 10-40 of 120`. */
    about: z.string(),
    /** The text that was found, or the reason why the tool refused. */
    text: z.string(),
    /** The line number of the first line of `text` within the file; 1 if the text is no part of a file. */
    from: z.number().int(),
    /** The pages, slides or sheets by which lines of the file are cited; absent in a file without them. */
    parts: z
      .array(z.object({ name: z.string(), from: z.number().int() }))
      .readonly()
      .optional(),
    /** What the seat is told besides the text, such as what was left out and how to get it; absent if nothing. */
    more: z.string().optional(),
    refused: z.literal(true).optional(),
    /** The hash of the working tree after an edit; absent for a tool that changes no files. */
    state: z.string().optional(),
    /** The tool server that answered, and when; absent for the program's own tools. */
    fetched: z.object({ server: z.string(), address: z.string(), at: z.string() }).optional(),
    bytes: z.number().int(),
    ms: z.number(),
  }),
  factSchema('synthesis.completed', {
    version: z.number().int().positive(),
    model: z.string(),
    text: z.string(),
    /** The seats whose answers the synthesizer was shown, in this order. */
    included: z.array(z.string()),
    excluded: z.array(exclusionSchema),
    /** The seats by the letters that hid their names from the synthesizer: `{ A: 'critic' }`. */
    labels: z.record(z.string(), z.string()),
    note: z.string().optional(),
    /** Headings that the text lacks, of those that the synthesis was asked to have. */
    missing: z.array(z.string()),
    rehearsal: z.boolean(),
    /**
     * The seats whose answers were shortened to fit the synthesizer's window, each with the number of words that
     * were left out.
     */
    compacted: z.array(z.object({ seat: z.string(), words: z.number().int() })).optional(),
    /** The number of the question that the synthesis answers; absent: 1, the first question of the run. */
    question: z.number().int().positive().optional(),
    /**
     * True if code wrote the text: it is what a user's own protocol returned, or the final page of a team. No
     * model and no seats are named then.
     */
    conclusion: z.literal(true).optional(),
  }),
  factSchema('gate.opened', {
    step: z.string(),
    prompt: z.string(),
    options: z.array(
      z.object({
        value: z.string(),
        label: z.string(),
        /**
         * The label of an input, if the option asks the person for a text. The answer is then recorded as
         * `value: TEXT`.
         */
        words: z.string().optional(),
        /** The initial text of the input. */
        draft: z.string().optional(),
      }),
    ),
    default: z.string(),
    /** The change that the question is about, in the format of `git diff`. */
    diff: z.string().optional(),
  }),
  factSchema('gate.answered', {
    step: z.string(),
    answer: z.string(),
    /** `program`: a coding agent or a script answered in place of a person. */
    by: z.enum(['person', 'default', 'program']),
  }),
  /** A person's input, recorded when it is given. */
  factSchema('control.given', {
    id: z.string(),
    control: controlSchema,
  }),
  /** The protocol has received inputs that a person gave while the run worked, such as notes; `ids` names them. */
  factSchema('control.heeded', {
    step: z.string(),
    ids: z.array(z.string()),
  }),
  /** A follow-up question, put to the same seats together with the last synthesis. */
  factSchema('question.asked', {
    /** 1 is the first question of the run; 2, 3, … are follow-ups. */
    number: z.number().int().positive(),
    text: z.string(),
  }),
  /** From this fact on, the seat is played by the given model. */
  factSchema('seat.changed', {
    seat: z.string(),
    model: z.string(),
  }),
  /** A line that a person adds to the run's iteration log; it may be added after the run's end. */
  factSchema('iteration.noted', {
    text: z.string().min(1).max(MAX_ITERATION_LENGTH),
  }),
] as const;

/** Functions that read, check and make the facts that every run can have, whatever its protocol. */
export const KERNEL = defineVocabulary(KERNEL_FACTS);

/** The content of a fact (an entry of a run's log): all fields except its position and time. */
export type FactBody = z.infer<(typeof KERNEL_FACTS)[number]>;
type FactType = FactBody['type'];
/** The content of a fact of the given type. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
/**
 * A fact (an entry of a run's log) of a type that every run can have, with its position and time.
 */
export type Fact = Envelope & FactBody;

/** Makes the content of a fact: `fact('run.ended', { status: 'done' })`. */
export const fact = KERNEL.make;

/**
 * Makes the fact for a line that a person adds to the iteration log. Line breaks become spaces, and
 * control characters are removed.
 * @throws UsageError if the text has no letter or digit, or is longer than `MAX_ITERATION_LENGTH`
 */
export function makeIterationFact(text: string): FactOf<'iteration.noted'> {
  const clean = toLine(text).trim();
  if (!/[\p{L}\p{N}]/u.test(clean)) throw new UsageError('the line has no words');
  if (clean.length > MAX_ITERATION_LENGTH)
    throw new UsageError(
      `the line has ${clean.length} characters; the most are ${MAX_ITERATION_LENGTH}`,
      'Shorten it, or add several.',
    );
  return fact('iteration.noted', { text: clean });
}
