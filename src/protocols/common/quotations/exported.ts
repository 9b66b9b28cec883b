/** The findings about quotations in syntheses, and their form in an exported run. */
import * as z from 'zod';
import { type Quotation, STATES } from './quotations.ts';

/** The quotations in each synthesis of a run, by the synthesis's version number. */
export type Quotations = Readonly<Record<number, readonly Quotation[]>>;

/** Returns the schema of the quotations in an exported run. */
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

/**
 * Converts the checked quotations for export. Returns undefined if no synthesis quotes anything.
 */
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
