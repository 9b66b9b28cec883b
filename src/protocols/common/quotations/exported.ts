/** The findings about quotations in syntheses, and their form in an exported run. */
import * as z from 'zod';
import { type Quotation, STATES } from './quotations.ts';

/** Quotations by the version of the synthesis. */
export type Quotations = Readonly<Record<number, readonly Quotation[]>>;

/** Returns the schema of what each synthesis quotes, and how it was found. */
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

/** Converts the findings for export; undefined if nothing is quoted. */
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
