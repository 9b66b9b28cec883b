/** A whole run as JSON, with what its protocol adds for readers. */
import type * as z from 'zod';
import { agentNode, agentTree } from '../protocols/agents/exported.ts';
import { agentsOf } from '../protocols/agents/fold.ts';
import { FACTS, VOCABULARIES } from '../protocols/vocabulary.ts';
import { type Archive, type ArchiveReader, describeArchive } from '../store/archive.ts';
import type { Store } from '../store/store.ts';

/** What an exported run is read by. */
export const ARCHIVE: ArchiveReader = { facts: FACTS, folded: ['agents'] };

/** The published form of an exported run. */
export const archiveSchema: z.ZodType = describeArchive(
  [...new Set(VOCABULARIES.flatMap(({ schemas }) => [...schemas]))],
  { agents: agentNode.optional() },
);

/** The run as it is stored. @throws StoreError where there is none of that id */
export function archiveOf(store: Store, id: string, program: string): Archive {
  const archive = store.archive(id, program);
  const agents = agentTree(agentsOf(store.facts(id)));
  if (agents === undefined) return archive;
  const { steps, facts, ...frame } = archive;
  return { ...frame, ...{ agents }, steps, facts };
}
