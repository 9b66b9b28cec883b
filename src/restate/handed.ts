/** The data that this program and a Restate server exchange: a submitted run, and its log. */
import * as z from 'zod';
import type { Archive } from '../store/archive.ts';
import type { AnswerPolicy, Entry } from '../store/elsewhere.ts';
import type { Terms } from '../store/store.ts';

/** The workflow's name at the server. */
export const SERVICE = 'deliberate';

/** A submitted run: everything recorded so far, and the terms under which it is continued. */
export interface Handed {
  readonly run: Archive;
  readonly terms: Terms;
  readonly answered: AnswerPolicy;
  /** The folders that its seats read; workers must have them at the same paths. */
  readonly look: readonly (readonly [name: string, path: string])[];
}

/** The content of one durable step at the server. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** Set if the run waits for an answer, so that no worker needs to keep it meanwhile. */
  readonly waits?: true;
}

/** A person's or a program's request to stop the run, or answer to a gate. */
export interface Given {
  readonly by: 'person' | 'program';
  readonly value?: string;
}

/** Checks the structure of batches; facts are checked when they are read from the database. */
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
