/** The board's facts: follow-up questions, quorum, ballots, table of positions, ablation and baselines. */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { defineVocabulary, type Envelope, factSchema } from '../../kernel/vocabulary.ts';
import { SQL_VIEWS } from './sql-views.ts';

/** The number of a question: 1 is the first question of the run, 2, 3, … are follow-ups. */
const question = z.number().int().positive();
const version = z.number().int().positive();

/** A quotation that code has found in the answer of the seat that it is attributed to. */
const quoted = z.object({
  seat: z.string(),
  side: z.enum(['for', 'against', 'partly']),
  quote: z.string(),
});

/** The schemas of the facts that only boards record. */
export const BOARD_FACTS = [
  /**
   * As many seats as the quorum needs have answered. The seats in `waitingFor` can still answer until the time
   * `until`.
   */
  factSchema('patience.began', {
    question,
    answered: z.array(z.string()),
    waitingFor: z.array(z.string()),
    /** The end of the patience, in ISO 8601. */
    until: z.string(),
  }),
  /** The patience is over, or no seat is answering any more. The seats in `stopped` were still answering. */
  factSchema('quorum.reached', {
    question,
    answered: z.array(z.string()),
    stopped: z.array(z.string()),
    /** How many answers were required. */
    quorum: z.number().int().positive(),
    /** How many seats were asked. */
    of: z.number().int().positive(),
  }),
  /**
   * A seat's ballot on a question, at the end of its answer. The seat has seen no other seat's answer to this
   * question.
   */
  factSchema('ballot.cast', {
    question,
    seat: z.string(),
    model: z.string(),
    /** What the seat recommends to do, in one line. */
    position: z.string(),
    /** The position in a few words, by which ballots are compared; the prompt asks for at most six words. */
    option: z.string(),
    /** How likely the seat thinks it is that its choice is right, from 0 to 1. */
    confidence: z.number().min(0).max(1),
    /** The step of the answer that ends with the ballot. */
    step: z.string(),
  }),
  /** The table of positions: proposed by the synthesizer's model and checked by code. */
  factSchema('agreement.mapped', {
    question,
    /** The version number of the synthesis to which the table belongs. */
    version,
    model: z.string(),
    /** Groups of ballots that are the same choice. A seat without a ballot is in no group. */
    options: z.array(z.object({ option: z.string(), seats: z.array(z.string()) })),
    points: z.array(z.object({ text: z.string(), cells: z.array(quoted) })),
    /** Cells that were dropped because the seat's answer does not contain the quotation. */
    dropped: z.array(quoted.extend({ point: z.string() })),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** How the recommendation changes if the synthesis is written again without one seat, or with all of them. */
  factSchema('influence.weighed', {
    question,
    /** The version number of the synthesis that is ablated. */
    base: version,
    /**
     * The seat that was left out. Null if the synthesis was written again with all seats: then only chance can have
     * changed the recommendation.
     */
    without: z.string().nullable(),
    /** The version number of the synthesis that is compared with `base`. */
    version,
    /**
     * How much the recommendation differs. `course`: a person who follows it acts differently.
     * `detail`: the action is the same, but worded or hedged differently.
     */
    change: z.enum(['same', 'detail', 'course']),
    /** How the recommendations differ, in one sentence. */
    how: z.string(),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /**
   * A baseline: the answer to the same question without a panel, and its cost. The fact does not
   * say whether the baseline or the panel is better.
   */
  factSchema('baseline.completed', {
    question,
    /**
     * `single`: one answer of one model. `vote`: several answers of one model, of which the most frequent
     * choice wins.
     */
    kind: z.enum(['single', 'vote']),
    model: z.string(),
    /** How many answers were completed. */
    samples: z.number().int().positive(),
    /** The answer; for a vote, the first answer of the largest group, or the first of all if no ballot counts. */
    text: z.string(),
    /** For a vote, the options with their numbers of samples, largest first. Empty for `single`. */
    groups: z.array(z.object({ option: z.string(), samples: z.number().int().positive() })),
    /**
     * The tokens and cost of the baseline, and those of the panel including its first synthesis.
     * Dollars are absent if a price is unknown.
     */
    tokens: z.number(),
    costUsd: z.number().optional(),
    panelTokens: z.number(),
    panelCostUsd: z.number().optional(),
    /** Whether a part of these figures is estimated. */
    estimated: z.boolean().optional(),
    panelEstimated: z.boolean().optional(),
    rehearsal: z.boolean(),
  }),
] as const;

/**
 * The fact types that a log of a board's run may contain: those of every run and those of boards.
 */
export const BOARD = defineVocabulary([...KERNEL_FACTS, ...BOARD_FACTS], {}, SQL_VIEWS);

/**
 * The content of a fact that only boards record, without the run's id, the fact's number and its
 * time.
 */
export type OwnBody = z.infer<(typeof BOARD_FACTS)[number]>;
/**
 * The content of any fact of a board's run, without the run's id, the fact's number and its time.
 */
export type FactBody = z.infer<(typeof KERNEL_FACTS)[number] | (typeof BOARD_FACTS)[number]>;
type FactType = FactBody['type'];
/** The content of a fact of type `T`, without the run's id, the fact's number and its time. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
/** Any fact of a board's run, with the run's id, the fact's number and its time. */
export type Fact = Envelope & FactBody;

/** Makes a fact to be recorded: `fact('run.ended', { status: 'done' })`. */
export const fact = BOARD.make;
