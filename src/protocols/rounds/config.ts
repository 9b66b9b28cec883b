/** The settings of a deliberation in rounds. */
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { attachmentSchema } from '../../text/documents/attachment.ts';
import { lookSchema, toolServersSchema } from '../common/settings/look-config.ts';
import { inheritedTestSchema } from './executed-tests.ts';
import { changeSchema } from './fork-changes.ts';
import { ROLES } from './records/types.ts';

/**
 * A model's result in the reading test. `held_on` is the day of the test, if it was held before
 * this run.
 */
const examSchema = z.object({
  model: z.string(),
  passed: z.boolean(),
  items: z.number().int(),
  errors: z.number().int(),
  called_true: z.number().int(),
  held_on: z.string().optional(),
});
/**
 * A model's recorded result in the reading test, which decides whether it may decide claims by
 * reading.
 */
export type RecordedExam = z.infer<typeof examSchema>;

/** The schema of the recorded settings of a deliberation in rounds. */
export const configSchema = z.object({
  verifier: z.string(),
  rounds: z.number().int().positive(),
  /** The role that is left out of a round, by the number of the round. */
  stress: z.record(z.string(), z.enum(ROLES)),
  /** The number of rounds from one check for drift to the next. */
  driftEvery: z.number().int().positive(),
  /**
   * The number of satisfied signals that end the deliberation before its last planned round. With `never`, signals do
   * not end it; with `ask`, a person decides. If the signals of a round advise to continue, the deliberation goes on
   * without a question. If this setting is 5 and the signals advise to wrap up, one more round is held as the last.
   */
  stopAt: z.union([z.literal([4, 5, 6]), z.literal('never'), z.literal('ask')]),
  /** Whether suspected failure modes are only reported (`report`), or also change the next round (`auto`). */
  respond: z.enum(['report', 'auto']),
  /** The thinking effort of verifier and synthesizer, if their models support it. Absent if none was set. */
  effort: z.string().optional(),
  seed: z.number().int(),
  /**
   * The edition of the rules of rounds. Absent in runs of the first edition.
   * - Edition 3 changed how verdicts cover claims and how controls are made.
   * - Edition 4 changed the number of controls, the comparison of claims that contain citations, and the check of
   *   a role's objection to a reading.
   * - Edition 5 made stopping signal 1 stricter.
   * - Edition 6 changed the rules for decisions (`decision-rules.ts`). A verifier that failed the reading test
   *   no longer groups options.
   * - Edition 7 made one wrong control enough to void a reading with few controls. Only quotations that contain a
   *   claim's figures now confirm the claim.
   */
  rules: z.literal([2, 3, 4, 5, 6, 7]).optional(),
  /**
   * The edition of the prompts' order and wording. Absent in runs that are older than edition 2.
   */
  prompts: z.literal([2, 3, 4]).optional(),
  /**
   * Whether code adds an invented option to the options that a model compares, to detect a model that has not read
   * them. Absent in older runs.
   */
  plantedOption: z.boolean().optional(),
  /** Results of reading tests that are known from earlier runs. */
  exams: z.array(examSchema).optional(),
  attachments: z.array(attachmentSchema),
  /** The folders in which seats may look things up. */
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
  /** The number of predictions to draft from each synthesis. Absent or 0 if no predictions are drafted. */
  predict: z.number().int().min(0).max(MOST_PREDICTIONS).optional(),
  /** Whether every seat is asked once more at the end, without the words of the other seats. */
  control: z.boolean().optional(),
  /** What a fork changes compared with its parent run. */
  changes: z.array(changeSchema).optional(),
  /** The tests of claims by commands that a fork inherits from its parent run. */
  tests: z.array(inheritedTestSchema).optional(),
});
/** The recorded settings of a deliberation in rounds. */
export type RoundsConfig = z.infer<typeof configSchema>;

/**
 * The settings with which new runs begin: the newest editions of the rules and prompts. Older runs
 * keep the editions that they began with.
 */
export const LATEST = {
  rules: 7,
  prompts: 4,
  plantedOption: true,
} as const satisfies Partial<RoundsConfig>;
