/** The figures, ledgers and groups in an exported run, for programs that read it. */
import * as z from 'zod';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { figureSchema } from './figure.ts';
import { sdkViewOf } from './fold.ts';

const optional = z.string().optional();

/** Returns the schema of what `exportedSdkView` adds to an exported run, such as its figures and its outcome. */
export const describeSdkView = () =>
  z
    .object({
      method: z.object({ method: z.string(), reason: z.string(), by: z.string() }).optional(),
      outcome: z
        .object({
          result: z.string(),
          first: optional,
          moved: optional,
          turns: optional,
          belief: optional,
          unknown: z.array(z.string()),
        })
        .optional(),
      figures: z.array(figureSchema),
      ledgers: z.array(
        z.object({
          name: z.string(),
          entries: z.array(
            z.object({
              id: z.string(),
              by: z.string(),
              text: z.string(),
              kind: optional,
              of: optional,
              quote: optional,
              unquoted: optional,
              status: z.string(),
              why: z.string(),
            }),
          ),
        }),
      ),
      groups: z.array(
        z.object({
          of: z.string(),
          items: z.array(z.object({ id: z.string(), text: z.string() })),
          groups: z.array(z.array(z.string())),
          refused: z.array(z.string()),
          by: z.enum(['person', 'twice', 'wording']),
        }),
      ),
    })
    .optional();

/**
 * Returns what an exported run of a debate method or of a user's own protocol has beside its calls:
 * its figures, its ledgers (numbered lists of statements), the groups that it made of texts, and its
 * outcome. Returns undefined if the run has none of these.
 */
export function exportedSdkView(
  facts: readonly AnyFact[],
): z.infer<ReturnType<typeof describeSdkView>> {
  const { chosen, outcome, figures, ledgers, groupings } = sdkViewOf(facts);
  if (outcome === undefined && figures.length + ledgers.length + groupings.length === 0)
    return undefined;
  return describeSdkView().parse({ method: chosen, outcome, figures, ledgers, groups: groupings });
}
