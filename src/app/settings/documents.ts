/**
 * Lets a protocol search the documents of a folder that its seats may look into, besides the tools for the
 * seats: it searches the document index and checks whether files exist.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { findStatus } from '../../io/text-file.ts';
import type { Env } from '../../io/tools.ts';
import type { ToolCall, ToolOutput, Tools } from '../../kernel/tools/tools.ts';
import type { Knowledge, KnowledgeOptions } from '../../knowledge/knowledge.ts';
import type { IndexedChunk } from '../../knowledge/search.ts';
import {
  type Documents,
  FILES_TOOL,
  SEARCH_TOOL,
} from '../../protocols/common/settings/look-config.ts';
import { formatCount } from '../../text/numbers.ts';
import { whyHidden } from '../../tools/refusal.ts';
import { Root } from '../../tools/root.ts';
import type { NamedRoot } from '../../tools/tools.ts';

/** The most results of a search that a protocol may ask for. */
const MOST_HITS = 100;
const MOST_PATHS = 500;

const searchSchema = z.strictObject({
  query: z.string().max(20_000).optional(),
  clusters: z.array(z.string()).optional(),
  limit: z.int().min(1).max(MOST_HITS).optional(),
  most: z.int().min(1).optional(),
});

const filesSchema = z.strictObject({
  paths: z.array(z.string()).max(MOST_PATHS),
  folders: z.literal(true).optional(),
});

interface Around {
  readonly env: Env;
  readonly database: string;
  readonly embedders: Pick<KnowledgeOptions, 'embedder' | 'remembered'>;
}

/**
 * Adds two tools that only the protocol can call, not seats: a search in the project's documents,
 * and a check whether files exist. The index is opened at the first search. An error of these tools
 * is returned as a refusal.
 *
 * @param roots the folders that seats may read
 */
export function withDocuments(
  tools: Tools,
  roots: readonly NamedRoot[],
  { root, index }: Documents,
  { env, database, embedders }: Around,
): Tools {
  const path = roots.find(({ name }) => name === root)?.path;
  let opened: Knowledge | undefined;
  const openIndex = async (folder: string): Promise<Knowledge> => {
    const { openKnowledge } = await import('../../knowledge/knowledge.ts');
    opened ??= openKnowledge(database, folder, { ...embedders, name: index });
    return opened;
  };
  const runTool = async ({ name, arguments: given }: Omit<ToolCall, 'id'>): Promise<ToolOutput> => {
    if (path === undefined) throw new Error(`no folder ${root} is set up on this machine`);
    if (name === FILES_TOOL) return findFiles(new Root(root, path, env), path, given);
    return searchIndex(await openIndex(path), given);
  };
  return {
    offered: tools.offered,
    folders: tools.folders,
    use: async (call, signal) => {
      if (call.name !== SEARCH_TOOL && call.name !== FILES_TOOL) return tools.use(call, signal);
      try {
        return await runTool(call);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return { about: '', text, from: 1, refused: true };
      }
    },
  };
}

async function searchIndex(knowledge: Knowledge, given: unknown): Promise<ToolOutput> {
  const { query, clusters, limit = 10, most } = searchSchema.parse(given);
  if (query !== undefined) {
    const { hits } = await knowledge.search(query, { clusters, limit });
    const about = `"${query.slice(0, 120)}": ${formatCount(hits.length, 'hit')}`;
    return chunksFound(
      about,
      hits.map(({ chunk }) => chunk),
    );
  }
  const small = (clusters ?? []).filter(
    (name) => most === undefined || knowledge.clusterTokens(name) <= most,
  );
  const chunks = small.flatMap((name) => knowledge.chunksOf(name));
  return chunksFound(`all of ${small.join(', ') || 'no cluster'}`, chunks);
}

function chunksFound(about: string, chunks: readonly IndexedChunk[]): ToolOutput {
  return { about, text: JSON.stringify({ chunks }), from: 1, uncited: true };
}

function findFiles(root: Root, folder: string, given: unknown): ToolOutput {
  const { paths, folders } = filesSchema.parse(given);
  const there = paths.filter((path) => {
    if (whyHidden(path) !== undefined || !root.isInside(path)) return false;
    const found = findStatus(join(folder, path));
    return found?.isFile() === true || (folders === true && found?.isDirectory() === true);
  });
  const about = `${there.length} of ${formatCount(paths.length, 'path')} found`;
  return { about, text: JSON.stringify({ there }), from: 1, uncited: true };
}
