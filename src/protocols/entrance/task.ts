/**
 * The prompt of the reading test. It contains the task alone, without a question and without
 * records, and is the same in a deliberation in rounds and in the command `doctor`.
 */
import * as z from 'zod';
import type { Limits } from '../../kernel/model.ts';
import { explainFindings, FINDINGS, formatNumberedItems } from './findings.ts';

/** The schema of a model's answers in the reading test: a finding for each numbered statement. */
export const answersSchema = z.object({
  answers: z.array(z.object({ item: z.number().int().min(1), finding: z.enum(FINDINGS) })),
});

/** The limits of a model's answer in the reading test: its tokens and its number of entries. */
export const ENTRANCE_LIMITS: Limits = { tokens: 3_000, items: 28 };

/**
 * Returns the prompt of the reading test.
 * @param text the text to be read
 * @param items the statements to be judged
 */
export function makeEntranceTask(text: string, items: readonly string[]): string {
  return [
    'Read this text. It has nothing to do with anything you know; only what stands in it counts.',
    text,
    'For each numbered statement say what the text makes of it:',
    explainFindings(),
    'Many statements are plausible and yet not decided by the text: then they are absent or need a test. Give every number exactly once.',
    'Statements:',
    formatNumberedItems(items),
  ].join('\n\n');
}
