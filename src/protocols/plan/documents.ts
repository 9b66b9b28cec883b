/**
 * The documents as a plan sees them: searched through tools of the run that no seat is offered, so that
 * what was found is on record and nothing shifts under a resume. What comes back is read as a stranger's.
 */
import * as z from 'zod';
import { rangeLabel } from '../../text/documents/parts.ts';
import { FILES_TOOL, SEARCH_TOOL } from '../common/look-config.ts';
import { CHAIR } from './config.ts';
import type { PlanRun } from './plan-run.ts';

const chunkSchema = z.object({
  kind: z.enum(['section', 'claim', 'card']),
  path: z.string(),
  heading: z.array(z.string()),
  from: z.number().int(),
  to: z.number().int(),
  text: z.string(),
  tokens: z.number().int(),
  clusters: z.array(z.string()),
  /** The page, slide or sheet of a document that has them. */
  page: z.object({ name: z.string(), from: z.number().int() }).optional(),
});
export type Chunk = z.infer<typeof chunkSchema>;

const foundSchema = z.object({ chunks: z.array(chunkSchema) });
const thereSchema = z.object({ there: z.array(z.string()) });

/** Hits that may be left out. */
const MARGIN = 20;

/** A topic can be longer than what is searched for at once. Characters. */
const LONGEST_QUERY = 20_000;

/** A cluster of fewer tokens is shown whole. */
export const SMALL_CLUSTER = 1_500;

interface Wanted {
  /** Absent: all that the clusters have, where that is no more than `most` tokens. */
  readonly query?: string;
  /** Only chunks of these. */
  readonly clusters?: readonly string[];
  readonly limit?: number;
  readonly most?: number;
}

/** The best first; empty where there is no index, or it refused. */
export async function search(
  plan: PlanRun,
  key: string,
  wanted: Wanted,
): Promise<readonly Chunk[]> {
  const { limit, query } = wanted;
  const asked = {
    ...wanted,
    ...(query === undefined ? {} : { query: query.slice(0, LONGEST_QUERY) }),
    // What is left out below must not take the place of what is not.
    ...(limit === undefined ? {} : { limit: limit + MARGIN }),
  };
  const found = (await use(plan, key, SEARCH_TOOL, asked, foundSchema))?.chunks ?? [];
  return found.filter(({ path }) => !isOwn(plan, path)).slice(0, limit);
}

/** Topics and earlier plans say what is wanted, not what there is: they are found for their own words. */
function isOwn({ config }: PlanRun, path: string): boolean {
  const { specs, fixes, topic, topics } = config.output;
  return path === topic || [specs, fixes, topics].some((folder) => path.startsWith(`${folder}/`));
}

/** Those of the paths that are files of the repository. `folders`: folders count, too. */
export async function filesThere(
  plan: PlanRun,
  key: string,
  paths: readonly string[],
  { folders = false }: { readonly folders?: boolean } = {},
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const found = await use(
    plan,
    key,
    FILES_TOOL,
    { paths, ...(folders ? { folders } : {}) },
    thereSchema,
  );
  return new Set(found?.there);
}

async function use<T>(
  plan: PlanRun,
  key: string,
  name: string,
  given: object,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const { text, refused } = await plan.run.callTool(key, CHAIR, { name, arguments: given });
  return refused ? undefined : schema.safeParse(JSON.parse(text)).data;
}

/** Returns where a chunk stands: `docs/clock.md#L10-L20`, or `docs/report.pdf#p3L10-L12`. */
export function placeOfChunk(chunk: Pick<Chunk, 'path' | 'from' | 'to' | 'page'>): string {
  return placeOf({ ...chunk, lines: linesOfChunk(chunk) });
}

/** Returns the lines of a chunk as they are cited by page, `p3L10-L12`; undefined without pages. */
export function linesOfChunk({
  from,
  to,
  page,
}: Pick<Chunk, 'from' | 'to' | 'page'>): string | undefined {
  return page === undefined ? undefined : rangeLabel(from, to, [page]);
}

/** Lines of a file. */
interface FileLines {
  readonly path: string;
  /** The first and the last line; 0 for a file as a whole. */
  readonly from: number;
  readonly to: number;
  /** The lines as they are cited, if they are not counted through the file: `p3L10-L12`. */
  readonly lines?: string | undefined;
}

/** Returns where lines stand: `docs/clock.md#L10-L20`, or the path alone of what has no lines. */
export function placeOf({ path, from, to, lines }: FileLines): string {
  if (lines !== undefined) return `${path}#${lines}`;
  return from === 0 ? path : `${path}#L${from}${to === from ? '' : `-L${to}`}`;
}
