/**
 * Reads an answer by a fixed schema in a thread in which the steps of the program are counted. A schema
 * cannot be sent to a thread, so the thread loads this file.
 */
import { z } from 'zod';
import { readStructured } from '../../src/models/structured.ts';

/** The schema of the structured answers of the tests. */
export const verdictSchema = z.object({
  verdict: z.enum(['PASS', 'FAIL']),
  score: z.number().min(1).max(5),
});

/** Reads a text as an answer of this schema, and drops the result. */
export function readVerdict(text: string): void {
  readStructured(text, verdictSchema);
}
