/**
 * Schemas of cards. A card has the name and the description of a cluster, which is a domain of a project's
 * knowledge. People write cards in a project's list of clusters and in staffs.
 */
import * as z from 'zod';
import { slugOf } from '../text/slug.ts';

/**
 * Schema of a cluster's name. A cluster is a domain of a project's knowledge; its name is written on
 * one line.
 */
export const clusterName = z
  .string()
  .max(80)
  .regex(/^[^\s=,#\p{Cc}]([^=,#\p{Cc}]*[^\s=,#\p{Cc}])?$/u, {
    error: 'expected a name on one line, without "=", "," or "#" and without surrounding spaces',
  });

const cardSchema = z.strictObject({
  name: clusterName.describe('What the cluster is called, in frontmatter and by roles.'),
  line: z.string().min(1).max(400).describe('What it is about, in one line.'),
  words: z
    .array(z.string().min(1).max(80))
    .max(60)
    .describe('Words by which questions about it can be told.')
    .optional(),
});
/**
 * The name and description (`line`) of a cluster, which is a domain of a project's knowledge, and words by
 * which questions about it can be recognized.
 */
export type Card = Readonly<z.infer<typeof cardSchema>>;

/**
 * Schema of a file that lists clusters, each with a name and a description. Two names may not have
 * the same slug, see `slugOf`.
 */
export const cardsSchema = z.strictObject({
  clusters: z
    .array(cardSchema)
    .min(1)
    .max(200)
    .superRefine((cards, context) => {
      const seen = new Set<string>();
      for (const [index, { name }] of cards.entries()) {
        if (seen.has(slugOf(name)))
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: `two clusters are called "${name}"`,
          });
        seen.add(slugOf(name));
      }
    })
    .describe('The clusters, in any order.'),
});
