/** What was found of the quotations in a run's syntheses, and how an exported run tells it. */
import * as z from 'zod';
import { type Quotation, STATES } from './quotations.ts';

/** By the version of the synthesis. */
export type Quotations = Readonly<Record<number, readonly Quotation[]>>;

/** What each synthesis quotes, and what was found of it. */
export const describeQuotations = () =>
  z
    .array(
      z.strictObject({
        version: z.int().positive(),
        words: z.string(),
        state: z.enum(STATES),
        given: z.array(z.string()),
        by: z.array(z.string()),
      }),
    )
    .optional();

/** Undefined where nothing is quoted. */
export function exportQuotations(
  found: Quotations,
): z.infer<ReturnType<typeof describeQuotations>> {
  const all = Object.entries(found).flatMap(([version, quotations]) =>
    quotations.map(({ words, state, given, by }) => ({
      version: Number(version),
      words,
      state,
      given: [...given],
      by: [...by],
    })),
  );
  return all.length === 0 ? undefined : all;
}
