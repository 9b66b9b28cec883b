/** The data that this program and a Restate server exchange: a submitted run, and its log. */
import * as z from 'zod';
import type { Archive } from '../store/archive.ts';
import type { AnswerPolicy, Entry } from '../store/elsewhere.ts';
import type { Terms } from '../store/terms.ts';

/** The name of this program's workflow at a Restate server. */
export const SERVICE = 'deliberate';

/** A run as it is submitted to a Restate server. */
export interface SubmittedRun {
  /** Everything recorded of the run so far. */
  readonly run: Archive;
  /** The limits under which the run is continued, such as its budget. */
  readonly terms: Terms;
  /** Who answers the run's questions to people. */
  readonly answered: AnswerPolicy;
  /** The folders that seats may read, by name. Workers need them at the same paths. */
  readonly look: readonly (readonly [name: string, path: string])[];
}

/** A part of a run's log that a Restate server stores as one durable step. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** Set if the run waits for an answer, so that the worker may release it. */
  readonly waits?: true;
}

/** A request from outside to a run: to stop, or an answer to its question. */
export interface RunSignal {
  /** Whether a person or a program made the request. */
  readonly by: 'person' | 'program';
  /** The answer; absent for a stop. */
  readonly value?: string;
}

/**
 * The schema of the facts that a worker hands over, in the groups in which they were recorded. Each fact
 * is checked in detail later, when it is read from the database.
 */
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
