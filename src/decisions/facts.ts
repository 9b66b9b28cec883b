/**
 * What is recorded of a decision beyond the deliberation that led to it: predictions and forecasts,
 * what was decided, and what came of it. Runs of every protocol can have these facts; what people say
 * of a run is recorded after its end, and nothing of it is changed later: a correction is a fact more.
 */
import * as z from 'zod';
import { type Envelope, vocabulary } from '../kernel/vocabulary.ts';
import { SQL_VIEWS } from './sql-views.ts';

/** A calendar day, `2027-03-01`, where the program ran. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const version = z.number().int().positive();
/** Who says it, as they call themselves; absent where nobody said. */
const by = z.string().optional();

/** Which course a prediction is about: the recommended one, or whatever is decided. */
export const CONDITIONS = ['recommended', 'any'] as const;
/** What a person can say of a prediction. `later`: nothing is known yet, ask again. */
export const OUTCOMES = ['yes', 'no', 'void', 'later'] as const;

const predictionSchema = z.object({
  /** `P-1-2`: version of the synthesis, then number. */
  id: z.string(),
  sentence: z.string(),
  /** The day on which it can be answered at the latest. */
  date: day,
  /** What is looked at, and where. */
  look: z.string(),
  if: z.enum(CONDITIONS),
  /** The command that shows it, as a model wrote it: run only by a person who has read it. */
  command: z.string().optional(),
});

const refusedSchema = z.object({ text: z.string(), why: z.string() });

export const DECISION_FACTS = [
  /** Predictions were drafted from a synthesis, and checked by code. */
  z.object({
    v: z.literal(1),
    type: z.literal('predictions.drafted'),
    /** Of the synthesis. */
    version,
    /** The question that the synthesis answers. */
    question: z.number().int().positive(),
    model: z.string(),
    /** The run that drafted them: a fork that takes them over has another id. */
    drafted_in: z.string(),
    /** The day on which they were drafted. */
    today: day,
    /** How many were asked for. */
    wanted: z.number().int().positive(),
    predictions: z.array(predictionSchema),
    /** Drafts that could not stand, also when asked for again, and why. */
    left_out: z.array(refusedSchema),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** One model's probabilities, given before it saw those of any other. */
  z.object({
    v: z.literal(1),
    type: z.literal('forecasts.given'),
    version,
    model: z.string(),
    /** The seats that this model plays. */
    seats: z.array(z.string()),
    /** `percent`: from 1 to 99, how likely the prediction is to come true. */
    forecasts: z.array(z.object({ prediction: z.string(), percent: z.number(), why: z.string() })),
    /** Predictions that have no probability of this model, and why. */
    left_out: z.array(z.object({ prediction: z.string(), why: z.string() })),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** The panel's probabilities: the mean of log odds, one voice a lineage. */
  z.object({
    v: z.literal(1),
    type: z.literal('panel.forecast'),
    version,
    panel: z.array(
      z.object({
        prediction: z.string(),
        percent: z.number(),
        /** How many lineages it is the mean of. */
        voices: z.number().int().positive(),
      }),
    ),
    step: z.string(),
  }),
  /** A person has decided. A later decision supersedes an earlier one, and both stay. */
  z.object({
    v: z.literal(1),
    type: z.literal('decision.taken'),
    /** 1, 2, 3, … within the run. */
    number: z.number().int().positive(),
    text: z.string(),
    /** The option of the ballots that it chooses; absent where none was named. */
    option: z.string().optional(),
    /** Whether it follows the recommendation. Where it does not, what rests on that is void. */
    follows: z.boolean(),
    /** The day on which it is looked at again. */
    review: day.optional(),
    by,
    note: z.string().optional(),
    /** The synthesis that it was taken on; absent where there is none. */
    version: version.optional(),
    /** Claims that were open when it was taken. */
    open_claims: z.array(z.object({ claim: z.string(), text: z.string() })).optional(),
  }),
  /** A person has looked at a decision again and it stands. */
  z.object({
    v: z.literal(1),
    type: z.literal('decision.reviewed'),
    number: z.number().int().positive(),
    /** When it is looked at again; absent: no more. */
    review: day.optional(),
    by,
    note: z.string().optional(),
  }),
  /** A person has said what came of a prediction. The latest word counts, and all of them stay. */
  z.object({
    v: z.literal(1),
    type: z.literal('prediction.resolved'),
    id: z.string(),
    outcome: z.enum(OUTCOMES),
    /** Of `later`: when to ask again. */
    date: day.optional(),
    /** Of `void`: why it cannot be answered. */
    why: z.string().optional(),
    by,
    /** An address, a file, or what was seen. */
    evidence: z.string().optional(),
    /** The prediction's command, where a person let it run. `exit`: null where it was killed. */
    ran: z
      .object({ command: z.string(), exit: z.number().int().nullable(), output: z.string() })
      .optional(),
  }),
  /** A person has seen what became of a claim. Its status in the record stays as it was. */
  z.object({
    v: z.literal(1),
    type: z.literal('claim.observed'),
    claim: z.string(),
    outcome: z.enum(['held', 'failed']),
    note: z.string().optional(),
    evidence: z.string().optional(),
    by,
  }),
] as const;

export const DECISIONS = vocabulary(DECISION_FACTS, {}, SQL_VIEWS);

export type DecisionBody = z.infer<(typeof DECISION_FACTS)[number]>;
export type DecisionFactType = DecisionBody['type'];
export type DecisionFactOf<T extends DecisionFactType> = Extract<DecisionBody, { type: T }>;
export type DecisionFact = Envelope & DecisionBody;
export type Prediction = z.infer<typeof predictionSchema>;
export type Refused = z.infer<typeof refusedSchema>;

/** Makes a fact's body: `fact('decision.reviewed', { number: 1 })`. */
export const fact = DECISIONS.make;
