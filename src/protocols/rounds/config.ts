/** The settings of a deliberation in rounds. */
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { attachmentSchema } from '../../text/documents/attachment.ts';
import { lookSchema, toolServersSchema } from '../common/look-config.ts';
import { inheritedTestSchema } from './executed-tests.ts';
import { changeSchema } from './fork-changes.ts';
import { ROLES } from './records/types.ts';

/** How a model did at the reader's entrance, and on which day if that was before this run. */
const examSchema = z.object({
  model: z.string(),
  passed: z.boolean(),
  items: z.number().int(),
  errors: z.number().int(),
  called_true: z.number().int(),
  held_on: z.string().optional(),
});
export type KnownExam = z.infer<typeof examSchema>;

export const configSchema = z.object({
  verifier: z.string(),
  rounds: z.number().int().positive(),
  /** Round number → the absent role. */
  stress: z.record(z.string(), z.enum(ROLES)),
  driftEvery: z.number().int().positive(),
  /** Satisfied signals at which it stops by itself; `ask` asks the person. */
  stopAt: z.union([z.literal([4, 5, 6]), z.literal('never'), z.literal('ask')]),
  respond: z.enum(['report', 'auto']),
  /** How hard verifier and synthesizer are to think, where their models know the level. Absent in runs from before. */
  effort: z.string().optional(),
  seed: z.number().int(),
  /**
   * Which rules it is held under; absent in runs from before there were second ones. Records of later ones
   * are read by the second: what changed with the third is how a verdict covers a claim and what controls
   * are made of; with the fourth, how many of them there are at least, when two claims that cite results are
   * the same, and what a dispute is held against; with the fifth, that signal 1 takes less than half; with the
   * sixth, what a decision is held to (`decision-rules.ts`), and that a verifier that has failed the entrance
   * is not asked which options of a vote are one choice.
   */
  rules: z.literal([2, 3, 4, 5, 6]).optional(),
  /** Which prompts it asks by: their order, their words, and the entrance. Absent in runs from before the second ones. */
  prompts: z.literal([2, 3, 4]).optional(),
  /**
   * An option that nobody chose stands among those that a model compares, so that one that has not read
   * them shows it. Absent in runs from before.
   */
  plantedOption: z.boolean().optional(),
  /** Readers' entrances that are known from before. */
  exams: z.array(examSchema).optional(),
  attachments: z.array(attachmentSchema),
  /** Where roles and the verifier may look things up, before artifacts and verdicts. */
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
  /** The number of predictions to draft from each synthesis; absent: none. */
  predict: z.number().int().min(0).max(MOST_PREDICTIONS).optional(),
  /** The no-peer control: asks every seat once more, without the others, at the end. */
  control: z.boolean().optional(),
  /** What a fork does otherwise than the run it came from. */
  changes: z.array(changeSchema).optional(),
  /** Tests that the run it came from knew of. */
  tests: z.array(inheritedTestSchema).optional(),
});
export type RoundsConfig = z.infer<typeof configSchema>;

/** What a run that is convened today is held by; older ones keep what they began with. */
export const LATEST = {
  rules: 6,
  prompts: 4,
  plantedOption: true,
} as const satisfies Partial<RoundsConfig>;
