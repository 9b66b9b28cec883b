/**
 * Searches the documents for a plan. The searches are tool calls of the run, so that results are recorded
 * and a resumed run sees the same. Results are treated as untrusted text.
 */
import * as z from 'zod';
import { rangeLabel } from '../../text/documents/parts.ts';
import { FILES_TOOL, SEARCH_TOOL } from '../common/settings/look-config.ts';
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
  /** The page, slide or sheet of the section, if its document has them. */
  page: z.object({ name: z.string(), from: z.number().int() }).optional(),
});
/** A result of a search: a section of a document, a claim, or a cluster's description. */
export type Chunk = z.infer<typeof chunkSchema>;

const foundSchema = z.object({ chunks: z.array(chunkSchema) });
const thereSchema = z.object({ there: z.array(z.string()) });

/** How many more hits are asked for, because some are left out later. */
const MARGIN = 20;

/** The most characters of a query; a topic can be longer. */
const LONGEST_QUERY = 20_000;

/**
 * The most tokens of a cluster (domain of documents) whose sections are all looked through for each question of
 * a seat, whatever a search finds.
 */
export const SMALL_CLUSTER = 1_500;

interface Wanted {
  /**
   * What to search for. If absent, all sections are returned of each cluster that has at most `most` tokens.
   */
  readonly query?: string;
  /** The clusters whose sections are searched. If absent, a query searches all clusters. */
  readonly clusters?: readonly string[];
  readonly limit?: number;
  readonly most?: number;
}

/**
 * Searches the documents. Returns sections, claims and descriptions of clusters, the best first, without those of
 * topics and earlier plans. The list is empty if there is no index or the search was refused.
 * @param key the key of the recorded step
 * @param wanted the query, the clusters to search, and how many results are wanted
 */
export async function searchDocuments(
  plan: PlanRun,
  key: string,
  wanted: Wanted,
): Promise<readonly Chunk[]> {
  const { limit, query } = wanted;
  const asked = {
    ...wanted,
    ...(query === undefined ? {} : { query: query.slice(0, LONGEST_QUERY) }),
    // Ask for more hits than are needed, because hits in topics and earlier plans are left out below.
    ...(limit === undefined ? {} : { limit: limit + MARGIN }),
  };
  const found = (await callTool(plan, key, SEARCH_TOOL, asked, foundSchema))?.chunks ?? [];
  return found.filter(({ path }) => !isOwn(plan, path)).slice(0, limit);
}

/**
 * Returns whether a path is a topic or an earlier plan. Such files are left out of the results: they say
 * what is wanted and not what exists, and a search for a topic would find the topic's own file.
 */
function isOwn({ config }: PlanRun, path: string): boolean {
  const { specs, fixes, topic, topics } = config.output;
  return path === topic || [specs, fixes, topics].some((folder) => path.startsWith(`${folder}/`));
}

/**
 * Returns the paths that exist as files in the repository.
 * @param key the key of the recorded step
 * @param folders whether existing folders are returned as well
 */
export async function findExistingFiles(
  plan: PlanRun,
  key: string,
  paths: readonly string[],
  { folders = false }: { readonly folders?: boolean } = {},
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const found = await callTool(
    plan,
    key,
    FILES_TOOL,
    { paths, ...(folders ? { folders } : {}) },
    thereSchema,
  );
  return new Set(found?.there);
}

async function callTool<T>(
  plan: PlanRun,
  key: string,
  name: string,
  given: object,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const { text, refused } = await plan.run.callTool(key, CHAIR, { name, arguments: given });
  return refused ? undefined : schema.safeParse(JSON.parse(text)).data;
}

/** Formats the place of a section, such as `docs/clock.md#L10-L20` or `docs/report.pdf#p3L10-L12`. */
export function placeOfChunk(chunk: Pick<Chunk, 'path' | 'from' | 'to' | 'page'>): string {
  return formatLinesPlace({ ...chunk, lines: linesOfChunk(chunk) });
}

/**
 * Formats the page and lines of a section, such as `p3L10-L12`. Undefined if its document has no
 * pages.
 */
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
  /** The first line, from 1; 0 for a whole file. `to` is the last line. */
  readonly from: number;
  readonly to: number;
  /** The lines in the form in which they are cited by page, such as `p3L10-L12`. */
  readonly lines?: string | undefined;
}

/**
 * Formats the place of lines in a file, such as `docs/clock.md#L10-L20`. For a whole file it is
 * only the path.
 */
export function formatLinesPlace({ path, from, to, lines }: FileLines): string {
  if (lines !== undefined) return `${path}#${lines}`;
  return from === 0 ? path : `${path}#L${from}${to === from ? '' : `-L${to}`}`;
}
