/** Converts a stored run to and from its full JSON form, including what its protocol derives for readers. */
import type * as z from 'zod';
import { readVersion } from '../../app/version.ts';
import { escapeLoose } from '../../plain/json-lines.ts';
import { type Archive, type ArchiveReader, describeArchive } from '../../store/archive.ts';
import type { Store } from '../../store/store.ts';
import { EXPORTED } from '../exported.ts';
import { FACTS, VOCABULARIES } from '../vocabulary.ts';

/** What is needed to read an exported run of any protocol: the types of facts, and the protocols' own fields. */
export const ARCHIVE: ArchiveReader = {
  facts: FACTS,
  folded: EXPORTED.map(({ key }) => key),
};

/** Returns the schema of an exported run of any protocol, from which the published JSON Schema is made. */
export function archiveSchema(): z.ZodType {
  return describeArchive(
    [...new Set(VOCABULARIES.flatMap(({ schemas }) => [...schemas]))],
    Object.fromEntries(EXPORTED.map(({ key, describe }) => [key, describe()])),
  );
}

/**
 * Returns a stored run in the form of an export.
 *
 * @param program the version of this program
 * @throws StoreError if there is no run with that id
 */
function archiveOf(store: Store, id: string, program: string): Archive {
  const { steps, facts, ...frame } = store.archive(id, program);
  const known = store.facts(id);
  const folded = EXPORTED.flatMap(({ key, of }) => {
    const value = of(known);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...frame, ...Object.fromEntries(folded), steps, facts };
}

/**
 * Formats a run as an export, which `deliberate import` reads.
 *
 * @throws StoreError if there is no run with that id
 */
export async function archiveText(store: Store, run: string): Promise<string> {
  return `${escapeLoose(JSON.stringify(archiveOf(store, run, readVersion()), null, 1))}\n`;
}
