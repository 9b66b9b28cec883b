/** What goes between this program and a Restate server: a run that is handed over, and its log. */
import * as z from 'zod';
import type { Archive } from '../store/archive.ts';
import type { AnswerPolicy, Entry } from '../store/elsewhere.ts';
import type { Terms } from '../store/store.ts';

/** The workflow's name at the server. */
export const SERVICE = 'deliberate';

/** A run with all that was recorded of it so far, and on what terms it is to be gone on with. */
export interface Handed {
  readonly run: Archive;
  readonly terms: Terms;
  readonly answered: AnswerPolicy;
  /** The folders that it looks into: workers have them under the same paths. */
  readonly look: readonly (readonly [name: string, path: string])[];
}

/** What one durable step at the server holds. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** The run waits for an answer, and nobody needs to hold it meanwhile. */
  readonly waits?: true;
}

/** A person's or a program's word to the run. */
export interface Given {
  readonly by: 'person' | 'program';
  readonly value?: string;
}

/** Read as far as it is relied on: facts are judged by whoever reads them from the database. */
export const batchesSchema = z.array(
  z.object({
    entries: z.array(
      z.object({
        facts: z.array(
          z.looseObject({
            run: z.string(),
            seq: z.int().positive(),
            at: z.string(),
            type: z.string(),
            step: z.string().optional(),
          }),
        ),
        step: z
          .object({
            key: z.string(),
            hash: z.string(),
            result: z.unknown(),
            firstSeq: z.int().nonnegative(),
            lastSeq: z.int().nonnegative(),
          })
          .optional(),
      }),
    ),
  }),
);
