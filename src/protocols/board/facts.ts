/**
 * The part of the vocabulary that the boardroom needs: follow-up questions, the quorum, ballots, the
 * agreement matrix, the ablation, and the baselines a panel is held against.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { type Envelope, vocabulary } from '../../kernel/vocabulary.ts';
import { SQL_VIEWS } from './sql-views.ts';

/** 1 is the question the run was opened with; 2, 3, … are follow-ups. */
const question = z.number().int().positive();
const version = z.number().int().positive();

/** Words that code has found in the answer they are said to come from. */
const quoted = z.object({
  seat: z.string(),
  side: z.enum(['for', 'against', 'partly']),
  quote: z.string(),
});

export const BOARD_FACTS = [
  /** Enough seats have answered: the others have until then. */
  z.object({
    v: z.literal(1),
    type: z.literal('patience.began'),
    question,
    answered: z.array(z.string()),
    waitingFor: z.array(z.string()),
    /** ISO 8601. */
    until: z.string(),
  }),
  /** The hearing is over by quorum; who had not answered was stopped. */
  z.object({
    v: z.literal(1),
    type: z.literal('quorum.reached'),
    question,
    answered: z.array(z.string()),
    stopped: z.array(z.string()),
    /** How many answers were asked for, of how many seats. */
    quorum: z.number().int().positive(),
    of: z.number().int().positive(),
  }),
  /** Where a seat stands, said at the end of its answer before it saw anybody else's. */
  z.object({
    v: z.literal(1),
    type: z.literal('ballot.cast'),
    question,
    seat: z.string(),
    model: z.string(),
    /** One line that somebody could act on. */
    position: z.string(),
    /** The same in at most six words, as it would stand on a ballot. */
    option: z.string(),
    /** 0 to 1. */
    confidence: z.number().min(0).max(1),
    /** The call whose answer ends with it. */
    step: z.string(),
  }),
  /** Who holds what, read off the answers by the synthesizer and checked against them by code. */
  z.object({
    v: z.literal(1),
    type: z.literal('agreement.mapped'),
    question,
    /** The synthesis it stands beside. */
    version,
    model: z.string(),
    /** Ballots that are one choice; seats that cast none are in no option. */
    options: z.array(z.object({ option: z.string(), seats: z.array(z.string()) })),
    points: z.array(z.object({ text: z.string(), cells: z.array(quoted) })),
    /** Cells whose quote stands nowhere in that seat's answer: not part of the matrix. */
    dropped: z.array(quoted.extend({ point: z.string() })),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** What the recommendation becomes without one seat. */
  z.object({
    v: z.literal(1),
    type: z.literal('influence.weighed'),
    question,
    /** The synthesis that is ablated. */
    base: version,
    /** Null: nobody was left out. What changes there is chance, and the measure of all others. */
    without: z.string().nullable(),
    /** The synthesis that was made for it. */
    version,
    /** `course`: somebody who follows it does something else. `detail`: the same, otherwise put or hedged. */
    change: z.enum(['same', 'detail', 'course']),
    /** One sentence. */
    how: z.string(),
    step: z.string(),
    rehearsal: z.boolean(),
  }),
  /** The same question without a panel. It says what it cost, and nothing about which is better. */
  z.object({
    v: z.literal(1),
    type: z.literal('baseline.completed'),
    question,
    /** `single`: one answer of one model. `vote`: several of its answers, and the one most agree with. */
    kind: z.enum(['single', 'vote']),
    model: z.string(),
    samples: z.number().int().positive(),
    /** The answer; of a vote, the first of the largest group. */
    text: z.string(),
    /** Of a vote, largest first: what was chosen and how often. Empty for `single`. */
    groups: z.array(z.object({ option: z.string(), samples: z.number().int().positive() })),
    /** What it took, and what the panel with its first synthesis took. Absent where no price is known. */
    tokens: z.number(),
    costUsd: z.number().optional(),
    panelTokens: z.number(),
    panelCostUsd: z.number().optional(),
    /** True where a part of it is an estimate: what a model alone took, or the panel. */
    estimated: z.boolean().optional(),
    panelEstimated: z.boolean().optional(),
    rehearsal: z.boolean(),
  }),
] as const;

/** What a run of this kind says: the kernel's facts, and these. */
export const BOARD = vocabulary([...KERNEL_FACTS, ...BOARD_FACTS], {}, SQL_VIEWS);

/** Those that are not the kernel's. */
export type OwnBody = z.infer<(typeof BOARD_FACTS)[number]>;
export type FactBody = z.infer<(typeof KERNEL_FACTS)[number] | (typeof BOARD_FACTS)[number]>;
type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
export type Fact = Envelope & FactBody;

/** Makes a fact's body: `fact('run.ended', { status: 'done' })`. */
export const fact = BOARD.make;
