/**
 * The recorded facts about decisions: predictions and forecasts, the decisions that were taken, and their
 * outcomes. Runs of every protocol can have these facts. What people say about a run is recorded after its
 * end and is never changed: a correction is another fact.
 */
import * as z from 'zod';
import { defineVocabulary, type Envelope, factSchema } from '../kernel/vocabulary.ts';
import { SQL_VIEWS } from './sql-views.ts';

/** A calendar day in the time zone of the program: `2027-03-01`. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const version = z.number().int().positive();
/** The name that a person gives for themselves; absent if they give none. */
const by = z.string().optional();

/**
 * What a prediction assumes: that the recommendation is followed (`recommended`), or nothing
 * (`any`).
 */
export const CONDITIONS = ['recommended', 'any'] as const;
/**
 * The answers that a person can give about a prediction. `void`: the prediction cannot be answered.
 * `later`: nothing is known yet, so ask again.
 */
export const OUTCOMES = ['yes', 'no', 'void', 'later'] as const;

const predictionSchema = z.object({
  /** `P-1-2`: the version of the synthesis, then the number of the prediction. */
  id: z.string(),
  sentence: z.string(),
  /** The day by which the prediction can be answered. */
  date: day,
  /** What shows a person whether the prediction came true, and where to find it. */
  look: z.string(),
  if: z.enum(CONDITIONS),
  /**
   * A shell command, written by a model, whose output shows whether the prediction came true. The command runs
   * only if a person has read it and agrees.
   */
  command: z.string().optional(),
});

const refusedSchema = z.object({ text: z.string(), why: z.string() });

/** The schemas of all facts about predictions and decisions. */
export const DECISION_FACTS = [
  /** Predictions were drafted from a synthesis, and checked by code. */
  factSchema('predictions.drafted', {
    /** Which synthesis of the run the predictions were drafted from, counted from 1. */
    version,
    /** Number of the question that the synthesis answers. */
    question: z.number().int().positive(),
    model: z.string(),
    /** Id of the run that drafted the predictions. In a fork that copied them, this is another run's id. */
    drafted_in: z.string(),
    /** The day on which the predictions were drafted. */
    today: day,
    /** How many predictions were requested. */
    wanted: z.number().int().positive(),
    predictions: z.array(predictionSchema),
    /** Refused drafts, each with the reason. An empty text stands for a call that failed. */
    left_out: z.array(refusedSchema),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** One model has given its probabilities, before it saw those of any other model. */
  factSchema('forecasts.given', {
    version,
    model: z.string(),
    /** Ids of the seats that the model plays. */
    seats: z.array(z.string()),
    /** `percent`: the probability that the prediction comes true, from 1 to 99, with at most one decimal. */
    forecasts: z.array(z.object({ prediction: z.string(), percent: z.number(), why: z.string() })),
    /** Predictions for which the model gave no usable probability, and why. */
    left_out: z.array(z.object({ prediction: z.string(), why: z.string() })),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** The panel's probabilities were computed: the mean of the log odds, with one voice for each lineage. */
  factSchema('panel.forecast', {
    version,
    panel: z.array(
      z.object({
        prediction: z.string(),
        percent: z.number(),
        /** How many lineages the panel's mean probability was computed from. */
        voices: z.number().int().positive(),
      }),
    ),
    step: z.string(),
  }),
  /** A person has decided. A later decision supersedes an earlier one; both stay on record. */
  factSchema('decision.taken', {
    /** Number of the decision within the run, from 1. */
    number: z.number().int().positive(),
    text: z.string(),
    /** The ballot option that the decision chooses; absent if the person named none. */
    option: z.string().optional(),
    /** Whether the decision follows the recommendation. If false, predictions that rest on `recommended` are void. */
    follows: z.boolean(),
    /** The day on which the decision is due for review; absent if no review is planned. */
    review: day.optional(),
    by,
    note: z.string().optional(),
    /** Version of the synthesis that the decision is based on; absent if the run has none. */
    version: version.optional(),
    /** Claims that were open when the decision was taken; absent if there were none. */
    open_claims: z.array(z.object({ claim: z.string(), text: z.string() })).optional(),
  }),
  /** A person has reviewed a decision and confirmed it. */
  factSchema('decision.reviewed', {
    number: z.number().int().positive(),
    /** The day of the next review; absent if no further review is planned. */
    review: day.optional(),
    by,
    note: z.string().optional(),
  }),
  /** A person has said what came of a prediction. The latest such fact counts; all of them stay on record. */
  factSchema('prediction.resolved', {
    id: z.string(),
    outcome: z.enum(OUTCOMES),
    /** The day to ask again; only with `later`. */
    date: day.optional(),
    /** Why the outcome was chosen; required for `void`, and absent for others if the person gave no reason. */
    why: z.string().optional(),
    by,
    /** The source of the answer: an address, a file, or what the person saw; absent if the person named none. */
    evidence: z.string().optional(),
    /** The prediction's command, if a person ran it. `exit` is null if the command was killed. */
    ran: z
      .object({ command: z.string(), exit: z.number().int().nullable(), output: z.string() })
      .optional(),
  }),
  /** A person has observed whether a claim held. The status of the claim in the record does not change. */
  factSchema('claim.observed', {
    claim: z.string(),
    outcome: z.enum(['held', 'failed']),
    note: z.string().optional(),
    evidence: z.string().optional(),
    by,
  }),
] as const;

/**
 * The facts about predictions and decisions, which runs of every protocol can have: their types,
 * schemas and SQL views.
 */
export const DECISIONS = defineVocabulary(DECISION_FACTS, {}, SQL_VIEWS);

/** The content of a fact about predictions and decisions. */
export type DecisionBody = z.infer<(typeof DECISION_FACTS)[number]>;
/** A type of fact about predictions and decisions. */
export type DecisionFactType = DecisionBody['type'];
/** The content of a fact of the given type. */
export type DecisionFactOf<T extends DecisionFactType> = Extract<DecisionBody, { type: T }>;
/** A fact about predictions and decisions, with its position and time in the log. */
export type DecisionFact = Envelope & DecisionBody;
/** A prediction that was accepted and recorded. */
export type Prediction = z.infer<typeof predictionSchema>;
/** A draft of a prediction that was refused, and the reason. */
export type RefusedDraft = z.infer<typeof refusedSchema>;

/** Makes the content of a fact: `fact('decision.reviewed', { number: 1 })`. */
export const fact = DECISIONS.make;
