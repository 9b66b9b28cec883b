/**
 * The facts that users' own protocols record through their context, beside the facts that they define
 * themselves.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../kernel/facts.ts';
import { defineVocabulary, factSchema } from '../kernel/vocabulary.ts';
import { figureSchema } from './figure.ts';
import { SQL_VIEWS } from './sql-views.ts';

/** Returns the schemas of the facts that runs of users' own protocols and of debates record. */
export const describeSdkFacts = () =>
  [
    factSchema('figure.shown', {
      step: z.string(),
      figure: figureSchema,
    }),
    /** A statement was entered into a ledger, which is a numbered list of statements. */
    factSchema('entry.added', {
      step: z.string(),
      ledger: z.string(),
      id: z.string(),
      /** The id of the seat that made the statement; empty if no seat did. */
      by: z.string(),
      text: z.string(),
      kind: z.string().optional(),
      /** The id of the ledger's entry, or of another text, that this statement is about. */
      of: z.string().optional(),
      /** The whole sentence around the seat's quotation, as found in the source; absent if none was found. */
      quote: z.string().optional(),
      /** A text that the seat gave as a quotation and that was not found in the source. */
      unquoted: z.string().optional(),
    }),
    factSchema('entry.marked', {
      step: z.string(),
      ledger: z.string(),
      id: z.string(),
      status: z.string(),
      why: z.string(),
    }),
    /** Texts with equal meaning, or only those with equal wording, were put into groups. */
    factSchema('items.grouped', {
      step: z.string(),
      of: z.string(),
      items: z.array(z.object({ id: z.string(), text: z.string() })),
      groups: z.array(z.array(z.string())),
      refused: z.array(z.string()),
      /**
       * What decided which texts belong together. `person`: a person confirmed the groups; `twice`: two calls,
       * shown the texts in different order, agree; `wording`: only texts with equal wording are grouped.
       */
      by: z.enum(['person', 'twice', 'wording']),
    }),
    /** The outcome of the run in its parts. The fact `synthesis.completed` has the whole text. */
    factSchema('outcome.reached', {
      step: z.string(),
      result: z.string(),
      first: z.string().optional(),
      moved: z.string().optional(),
      turns: z.string().optional(),
      belief: z.string().optional(),
      /** Numbers in a model's prose that occur nowhere else in the run. */
      unknown: z.array(z.string()),
    }),
    /**
     * A method of debate was chosen for a run that was begun without one. `by`: the `rule` or `model` that proposed the
     * method, or the `person` who chose another one.
     */
    factSchema('method.chosen', {
      step: z.string(),
      method: z.string(),
      reason: z.string(),
      by: z.enum(['rule', 'model', 'person']),
    }),
  ] as const;

/**
 * The fact types that the log of a debate or of a user's own protocol may contain, besides those that the
 * protocol defines itself.
 */
export const SDK = defineVocabulary(() => [...KERNEL_FACTS, ...describeSdkFacts()], {}, SQL_VIEWS);

/** The content of a fact that only runs of users' own protocols and of debates record. */
export type SdkBody = z.infer<ReturnType<typeof describeSdkFacts>[number]>;
