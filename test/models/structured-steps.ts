/**
 * Reads an answer by a fixed schema in a thread in which the steps of the program are counted. A schema
 * cannot be sent to a thread, so the thread loads this file.
 */
import { z } from 'zod';
import { readStructured } from '../../src/models/structured.ts';

/** The schema of the structured answers in the tests of `readStructured`. */
export const verdictSchema = z.object({
  verdict: z.enum(['PASS', 'FAIL']),
  score: z.number().min(1).max(5),
});

/**
 * Reads a text as a structured answer with `verdictSchema`, so that a test can count the steps. Drops the
 * result; a text without a valid answer throws nothing.
 */
export function readVerdict(text: string): void {
  readStructured(text, verdictSchema);
}
