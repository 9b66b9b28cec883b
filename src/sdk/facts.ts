/** What protocols of people's own record through their context, beside the facts that they name themselves. */
import * as z from 'zod';
import { KERNEL_FACTS } from '../kernel/facts.ts';
import { vocabulary } from '../kernel/vocabulary.ts';
import { figureSchema } from './figure.ts';
import { SQL_VIEWS } from './sql-views.ts';

export const describeSdkFacts = () =>
  [
    z.object({
      v: z.literal(1),
      type: z.literal('figure.shown'),
      step: z.string(),
      figure: figureSchema,
    }),
    /** Something that was said has a place in a ledger. */
    z.object({
      v: z.literal(1),
      type: z.literal('entry.added'),
      step: z.string(),
      ledger: z.string(),
      id: z.string(),
      /** A seat, or nothing where it was nobody's. */
      by: z.string(),
      text: z.string(),
      kind: z.string().optional(),
      /** The id of what it is about. */
      of: z.string().optional(),
      /** The whole sentence around what was quoted, as code found it. */
      quote: z.string().optional(),
      /** What was said to be a quotation and is none. */
      unquoted: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('entry.marked'),
      step: z.string(),
      ledger: z.string(),
      id: z.string(),
      status: z.string(),
      why: z.string(),
    }),
    /** Which texts say the same, as it was taken. */
    z.object({
      v: z.literal(1),
      type: z.literal('items.grouped'),
      step: z.string(),
      of: z.string(),
      items: z.array(z.object({ id: z.string(), text: z.string() })),
      groups: z.array(z.array(z.string())),
      refused: z.array(z.string()),
      /** `person`: they saw it; `twice`: two calls in different order; `wording`: nothing but equal wordings. */
      by: z.enum(['person', 'twice', 'wording']),
    }),
    /** What the run came to, part by part; its text is that of the conclusion. */
    z.object({
      v: z.literal(1),
      type: z.literal('outcome.reached'),
      step: z.string(),
      result: z.string(),
      first: z.string().optional(),
      moved: z.string().optional(),
      turns: z.string().optional(),
      belief: z.string().optional(),
      /** Figures in a model's prose that stand nowhere else in the run. */
      unknown: z.array(z.string()),
    }),
    /** Which method holds the debate, where the person left that open. */
    z.object({
      v: z.literal(1),
      type: z.literal('method.chosen'),
      step: z.string(),
      method: z.string(),
      reason: z.string(),
      by: z.enum(['rule', 'model', 'person']),
    }),
  ] as const;

export const SDK = vocabulary(() => [...KERNEL_FACTS, ...describeSdkFacts()], {}, SQL_VIEWS);

/** Those that are not the kernel's. */
export type SdkBody = z.infer<ReturnType<typeof describeSdkFacts>[number]>;
