/** A whole run as JSON, with what its protocol adds for readers. */
import type * as z from 'zod';
import { EXPORTED } from '../protocols/exported.ts';
import { FACTS, VOCABULARIES } from '../protocols/vocabulary.ts';
import { type Archive, type ArchiveReader, describeArchive } from '../store/archive.ts';
import type { Store } from '../store/store.ts';

/** What an exported run is read by. */
export const ARCHIVE: ArchiveReader = {
  facts: FACTS,
  folded: EXPORTED.map(({ key }) => key),
};

/** The published form of an exported run. */
export function archiveSchema(): z.ZodType {
  return describeArchive(
    [...new Set(VOCABULARIES.flatMap(({ schemas }) => [...schemas]))],
    Object.fromEntries(EXPORTED.map(({ key, describe }) => [key, describe()])),
  );
}

/** The run as it is stored. @throws StoreError where there is none of that id */
export function archiveOf(store: Store, id: string, program: string): Archive {
  const { steps, facts, ...frame } = store.archive(id, program);
  const known = store.facts(id);
  const folded = EXPORTED.flatMap(({ key, of }) => {
    const value = of(known);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...frame, ...Object.fromEntries(folded), steps, facts };
}
