/** Reads an answer by the schema of the tests, whose steps are counted: a schema cannot be sent to a thread. */
import { z } from 'zod';
import { readStructured } from '../../src/models/structured.ts';

/** What the tests of structured answers ask for. */
export const verdictSchema = z.object({
  verdict: z.enum(['PASS', 'FAIL']),
  score: z.number().min(1).max(5),
});

/** Reads a text as an answer by that schema. */
export function readVerdict(text: string): void {
  readStructured(text, verdictSchema);
}
