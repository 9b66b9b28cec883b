/**
 * How a model is asked to sit the reader's entrance: with the task alone, no question and no record, by
 * a run of rounds as by the doctor.
 */
import * as z from 'zod';
import type { Limits } from '../../kernel/model.ts';
import { FINDINGS, meanings, numberedItems } from './findings.ts';

export const answersSchema = z.object({
  answers: z.array(z.object({ item: z.number().int().min(1), finding: z.enum(FINDINGS) })),
});

export const ENTRANCE_LIMITS: Limits = { tokens: 3_000, items: 28 };

export function entranceTask(text: string, items: readonly string[]): string {
  return [
    'Read this text. It has nothing to do with anything you know; only what stands in it counts.',
    text,
    'For each numbered statement say what the text makes of it:',
    meanings(),
    'Many statements are plausible and yet not decided by the text: then they are absent or need a test. Give every number exactly once.',
    'Statements:',
    numberedItems(items),
  ].join('\n\n');
}
