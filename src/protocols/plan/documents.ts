/**
 * The documents as a plan sees them: searched through tools of the run that no seat is offered, so that
 * what was found is on record and nothing shifts under a resume. What comes back is read as a stranger's.
 */
import * as z from 'zod';
import { CHAIR } from './config.ts';
import type { PlanRun } from './plan-run.ts';

/** What the run's `Tools` answer to besides what seats are offered. */
export const SEARCH_TOOL = 'context_search';
export const CLUSTER_TOOL = 'context_cluster';

const chunkSchema = z.object({
  kind: z.enum(['section', 'claim', 'card']),
  path: z.string(),
  heading: z.array(z.string()),
  from: z.number().int(),
  to: z.number().int(),
  text: z.string(),
  tokens: z.number().int(),
  clusters: z.array(z.string()),
  unconfirmed: z.literal(true).optional(),
});
export type Chunk = z.infer<typeof chunkSchema>;

export const foundSchema = z.object({ chunks: z.array(chunkSchema) });

/** A cluster of fewer tokens is shown whole. */
export const SMALL_CLUSTER = 1_500;

/** The best first; empty where there is no index, or it refused. `clusters`: only chunks of these. */
export async function search(
  plan: PlanRun,
  key: string,
  query: string,
  clusters?: readonly string[],
  limit = 8,
): Promise<readonly Chunk[]> {
  const given = { query, limit, ...(clusters === undefined ? {} : { clusters }) };
  return read(plan, key, SEARCH_TOOL, given);
}

/** All of a small cluster; undefined where it is not small. */
export async function wholeCluster(
  plan: PlanRun,
  key: string,
  cluster: string,
): Promise<readonly Chunk[]> {
  return read(plan, key, CLUSTER_TOOL, { cluster, most: SMALL_CLUSTER });
}

async function read(
  plan: PlanRun,
  key: string,
  name: string,
  given: Record<string, unknown>,
): Promise<readonly Chunk[]> {
  const { text, refused } = await plan.run.callTool(key, CHAIR, { name, arguments: given });
  if (refused) return [];
  const parsed = foundSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data.chunks : [];
}

/** `docs/clock.md#L10-L20` */
export function placeOfChunk({ path, from, to }: Pick<Chunk, 'path' | 'from' | 'to'>): string {
  return `${path}#L${from}-L${to}`;
}
