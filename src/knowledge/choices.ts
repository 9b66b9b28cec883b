/** Lists which section belongs to which cluster and who decided it, and lets a person change it. */
import { isUtf8 } from 'node:buffer';
import { extname, resolve } from 'node:path';
import { decodeUtf8 } from '../io/decoding/decode.ts';
import { writeShared } from '../io/own-file.ts';
import { readBytes } from '../io/text-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { realPathOf } from '../platform/real-path.ts';
import type { Part as Page } from '../text/documents/parts.ts';
import { formatSuggestion } from '../text/nearest.ts';
import { isBelow, LARGEST_DOCUMENT } from './files.ts';
import type { StoredIndex } from './place.ts';
import { type SaidBy, Writer } from './write.ts';

/** A section of a document with its clusters, as a row of a table. */
export interface SectionRow {
  readonly path: string;
  /** The headings above the section, joined by ` > `; empty for text above the first heading. */
  readonly heading: string;
  /** The section's first line in the document, from 1. */
  readonly from: number;
  /** The section's last line. */
  readonly to: number;
  /** The page, slide or sheet that contains the section; absent in a document without pages. */
  readonly page?: Page;
  /** The clusters, each with who assigned the section to it. */
  readonly clusters: readonly { readonly cluster: string; readonly saidBy: SaidBy }[];
}

/**
 * A chunk of a section, with the data about its clusters. Sections are split into chunks for
 * indexing.
 */
export interface ChunkOfSection {
  readonly path: string;
  /** The headings above the section, joined by ` > `; empty for text above the first heading. */
  readonly heading: string;
  /** The chunk's first line in the document, from 1. */
  readonly from: number;
  /** The chunk's last line. */
  readonly to: number;
  readonly text: string;
  /** The hash of heading and text. */
  readonly hash: string;
  /** The name of the page, slide or sheet in citations; null if there is none. */
  readonly page: string | null;
  /** The first line of the page; null if there is none. */
  readonly pageFrom: number | null;
  /** The clusters that the document's frontmatter names, as a JSON array of names. */
  readonly named: string;
  /**
   * The clusters that the chunk belongs to and who assigned it to them, as a JSON array of objects
   * with `cluster` and `saidBy`.
   */
  readonly members: string;
  /**
   * 1 if a person or a model has decided which clusters the chunk belongs to, also if to none;
   * otherwise 0.
   */
  readonly chosen: 0 | 1;
}

function joinHeading(heading: readonly string[]): string {
  return heading.join(' > ');
}

/**
 * Returns the chunks of all sections with the data about their clusters, sorted by path and by
 * their position in the document.
 */
export function chunksOfSections(place: StoredIndex): ChunkOfSection[] {
  const rows = place
    .sql(
      `SELECT document.path, chunk.heading, chunk.from_line AS "from", chunk.to_line AS "to", chunk.text,
          chunk.hash, chunk.page, chunk.page_from AS pageFrom, document.clusters AS named, EXISTS (SELECT 1 FROM context_choice choice
            WHERE choice.index_id = chunk.index_id AND choice.path = document.path
              AND choice.hash = chunk.hash) AS chosen,
          (SELECT json_group_array(json_object('cluster', cluster, 'saidBy', said_by))
            FROM context_member WHERE chunk_id = chunk.id) AS members
        FROM context_chunk chunk JOIN context_document document ON document.id = chunk.document_id
        WHERE chunk.index_id = ? AND chunk.kind = 'section' ORDER BY document.path, chunk.place`,
    )
    .all(place.id) as ChunkOfSection[];
  return rows.map((row) => ({
    ...row,
    heading: joinHeading(JSON.parse(row.heading) as string[]),
  }));
}

/** Returns all sections of an index, sorted by path and by their position in the document. */
export function listSections(place: StoredIndex): SectionRow[] {
  const rows: SectionRow[] = [];
  for (const { path, heading, from, to, members, page, pageFrom } of chunksOfSections(place)) {
    const last = rows.at(-1);
    if (last?.path === path && last.heading === heading) {
      rows[rows.length - 1] = { ...last, to };
      continue;
    }
    const clusters = JSON.parse(members) as SectionRow['clusters'];
    const onPage =
      page === null || pageFrom === null ? {} : { page: { name: page, from: pageFrom } };
    rows.push({ path, heading, from, to, ...onPage, clusters });
  }
  return rows;
}

/**
 * Sets the clusters of a section as a person wishes: `docs/clock.md#Increment=clock,rules`, or
 * `docs/clock.md#Increment=` for none. They are valid until the section's heading or text changes.
 * Without a heading, they are set for all sections of the document. If the document is a UTF-8 file with
 * the ending `.md`, in the project and without frontmatter, the clusters are then also written into a
 * new frontmatter.
 *
 * @returns the changed sections, and in `front` the path of a file that was given a frontmatter
 * @throws UsageError if `change` has no `=` after a path, or if the document, the section or a
 * cluster does not exist
 */
export function setClusters(
  place: StoredIndex,
  change: string,
): { rows: readonly SectionRow[]; front?: string } {
  const at = change.lastIndexOf('=');
  const hash = change.indexOf('#');
  if (at <= 0) throw badChange(change);
  const section = change.slice(0, at);
  const path = hash < 0 || hash > at ? section : section.slice(0, hash);
  const heading = hash < 0 || hash > at ? undefined : section.slice(hash + 1);
  const clusters = place.clusters();
  const names = change
    .slice(at + 1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const known = clusters.named(name);
      if (known === undefined) throw new UsageError(clusters.whyNot(name), knownClusters(place));
      return known;
    });
  const all = chunksOfSections(place);
  const ofDocument = all.filter((chunk) => chunk.path === path);
  if (ofDocument.length === 0)
    throw new UsageError(
      `no document "${path}" in the index`,
      `${formatSuggestion(path, [...new Set(all.map((chunk) => chunk.path))])}deliberate context clusters lists them.`,
    );
  const chosen = ofDocument.filter((chunk) => heading === undefined || isSection(chunk, heading));
  if (chosen.length === 0)
    throw new UsageError(
      `${path} has no section "${heading}"`,
      `Its sections: ${[...new Set(ofDocument.map((chunk) => chunk.heading || '(top)'))].join('; ')}`,
    );
  place.write(() => {
    for (const chunk of chosen) storeChoice(place, chunk, names, 'person');
    new Writer(place).assign([path]);
  });
  const isWritten = heading === undefined && names.length > 0 && writeFront(place, path, names);
  const rows = listSections(place).filter(
    (row) => row.path === path && (heading === undefined || isSection(row, heading)),
  );
  return { rows, ...(isWritten ? { front: path } : {}) };
}

/**
 * Writes the clusters into a document's frontmatter. Returns false if it has frontmatter, or can have none.
 */
function writeFront(place: StoredIndex, path: string, names: readonly string[]): boolean {
  const file = resolve(place.project, path);
  const within = realPathOf(place.project);
  if (extname(path).toLowerCase() !== '.md' || !isBelow(path, '.')) return false;
  const bytes = readBytes(file, { most: LARGEST_DOCUMENT, links: false, within });
  // Skip files in other encodings, since they would be written back in UTF-8.
  if (bytes === undefined || !isUtf8(bytes)) return false;
  const text = decodeUtf8(file, bytes);
  if (/^---\r?\n/.test(text)) return false;
  writeShared(file, `---\nclusters: ${JSON.stringify(names)}\n---\n${text}`);
  return true;
}

/** Compares a section's own heading, or its whole path of headings, regardless of case. */
function isSection({ heading }: { readonly heading: string }, wanted: string): boolean {
  const isWanted = (text: string): boolean => text.toLowerCase() === wanted.trim().toLowerCase();
  return isWanted(heading) || isWanted(heading.split(' > ').at(-1) ?? '');
}

function badChange(change: string): UsageError {
  return new UsageError(
    `--set ${change}: no cluster named`,
    'Example: --set "docs/clock.md#Increment=clock"; an empty value removes the section from all clusters.',
  );
}

function knownClusters(place: StoredIndex): string {
  const { names } = place.clusters();
  return names.length === 0
    ? 'This project has no clusters; list them in .deliberate/clusters.yaml.'
    : `The clusters are ${names.join(', ')}.`;
}

/**
 * Stores the clusters of a chunk within the current transaction; an empty list says that the chunk
 * belongs to none. `saidBy` is who decided. A model's decision never replaces that of a person.
 */
export function storeChoice(
  place: StoredIndex,
  { path, hash }: Pick<ChunkOfSection, 'path' | 'hash'>,
  clusters: readonly string[],
  saidBy: SaidBy,
): void {
  place
    .sql(
      `INSERT INTO context_choice (index_id, path, hash, clusters, said_by) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (index_id, path, hash) DO UPDATE SET clusters = excluded.clusters, said_by = excluded.said_by
          WHERE said_by <> 'person' OR excluded.said_by = 'person'`,
    )
    .run(place.id, path, hash, JSON.stringify(clusters), saidBy);
}
