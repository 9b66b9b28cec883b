/** Writes documents and cards into the tables, each completely or not at all, and deletes them. */

import type { Card } from '../io/cards.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import type { Clusters } from './cards.ts';
import { hashChunk, type ParsedDocument, type Part } from './document.ts';
import type { StoredIndex } from './place.ts';
import { toIndexText } from './words.ts';

/**
 * Who or what assigned a chunk to a cluster: a person, the document's frontmatter, the folder's
 * name, or a model (then the model's name). `card` means that the chunk is the cluster's own
 * description.
 */
export type SaidBy = 'person' | 'frontmatter' | 'folder' | 'card' | (string & {});

/** A document as it was read from its file, or as a program handed it in. */
export interface ReadDocument {
  readonly path: string;
  /**
   * The time of the last change in milliseconds since the epoch. Null for a document without a file,
   * and for a file changed so recently that it may change again without a new time.
   */
  readonly mtime: number | null;
  /** The size in bytes. */
  readonly size: number;
  /** The hash of the content. */
  readonly hash: string;
  /** Whether the document was added as a text, without a file. */
  readonly given: boolean;
  /** The document split into parts; absent if its content is unchanged. */
  readonly parsed?: ParsedDocument;
}

/**
 * Finds out which clusters each chunk belongs to, from the known clusters and the decisions of a person or
 * a model, both as they are stored when the object is made.
 */
export class Members {
  readonly clusters: Clusters;
  readonly #choices: ReadonlyMap<string, { clusters: string; saidBy: string }>;

  constructor(place: StoredIndex) {
    this.clusters = place.clusters();
    this.#choices = new Map(
      (
        place
          .sql(
            'SELECT path, hash, clusters, said_by AS saidBy FROM context_choice WHERE index_id = ?',
          )
          .all(place.id) as { path: string; hash: string; clusters: string; saidBy: string }[]
      ).map(({ path, hash, ...choice }) => [`${hash} ${path}`, choice]),
    );
  }

  /**
   * Returns the clusters of a chunk. Of several sources only the first counts: a person, the
   * frontmatter (`named`), a model, the name of the folder.
   */
  of(path: string, hash: string, named: readonly string[]): { cluster: string; saidBy: SaidBy }[] {
    const choice = this.#choices.get(`${hash} ${path}`);
    const toAssignments = (names: readonly string[], saidBy: SaidBy) =>
      this.#known(names).map((cluster) => ({ cluster, saidBy }));
    const chosen = choice === undefined ? [] : (JSON.parse(choice.clusters) as string[]);
    if (choice?.saidBy === 'person') return toAssignments(chosen, 'person');
    const front = toAssignments(named, 'frontmatter');
    if (front.length > 0) return front;
    if (choice !== undefined) return toAssignments(chosen, choice.saidBy);
    return toAssignments([this.clusters.ofPath(path) ?? []].flat(), 'folder');
  }

  #known(names: readonly string[]): string[] {
    return [...new Set(names.flatMap((name) => this.clusters.named(name) ?? []))];
  }
}

/** Writes documents and cards to the index and deletes them, with prepared statements. */
export class Writer {
  readonly #place: StoredIndex;
  readonly #members: Members;

  constructor(place: StoredIndex, members = new Members(place)) {
    this.#place = place;
    this.#members = members;
  }

  /**
   * Writes a document and its parts within the current transaction. Returns whether it did. If
   * `parsed` is absent, or the index has the same content and `again` is false, only the document's
   * time and size are updated; nothing is updated if another process stored other content meanwhile.
   */
  put(document: ReadDocument, again: boolean): boolean {
    const { id } = this.#place;
    const { path, mtime, size, hash, given, parsed } = document;
    const known = this.#place
      .sql('SELECT id, hash FROM context_document WHERE index_id = ? AND path = ?')
      .get(id, path) as { id: number; hash: string } | undefined;
    if (parsed === undefined || (known?.hash === hash && !again)) {
      if (known?.hash !== hash) return false;
      this.#place
        .sql('UPDATE context_document SET mtime = ?, size = ? WHERE id = ?')
        .run(mtime, size, known.id);
      return false;
    }
    if (known !== undefined) this.drop(known.id);
    const { lastInsertRowid: owner } = this.#place
      .sql(
        `INSERT INTO context_document (index_id, path, mtime, size, hash, given, clusters, indexed_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        path,
        mtime,
        size,
        hash,
        given ? 1 : 0,
        JSON.stringify(parsed.clusters),
        new Date().toISOString(),
      );
    for (const [index, part] of parsed.parts.entries()) {
      const chunk = this.#addChunk(Number(owner), index, part);
      this.#addMembers(chunk, this.#members.of(path, part.hash, parsed.clusters));
      if (part.quotation === undefined) continue;
      const { path: file, from, to, quote } = part.quotation;
      this.#place
        .sql(
          'INSERT INTO context_quotation (chunk_id, path, from_line, to_line, quote) VALUES (?, ?, ?, ?, ?)',
        )
        .run(chunk, file, from, to, quote);
    }
    return true;
  }

  /** Deletes a document, named by its number in the database, within the current transaction. */
  drop(document: number): void {
    const { words } = this.#place;
    this.#place
      .sql(
        `DELETE FROM ${words} WHERE rowid IN (SELECT id FROM context_chunk WHERE document_id = ?)`,
      )
      .run(document);
    this.#place.sql('DELETE FROM context_document WHERE id = ?').run(document);
  }

  /** Replaces all cards, within the current transaction. */
  putCards(cards: readonly Card[]): void {
    const { id, words } = this.#place;
    const old = "SELECT id FROM context_chunk WHERE index_id = ? AND kind = 'card'";
    this.#place.sql(`DELETE FROM ${words} WHERE rowid IN (${old})`).run(id);
    this.#place.sql(`DELETE FROM context_chunk WHERE id IN (${old})`).run(id);
    this.#place.sql('DELETE FROM context_card WHERE index_id = ?').run(id);
    for (const [index, { name, line, words: more = [] }] of cards.entries()) {
      this.#place
        .sql('INSERT INTO context_card (index_id, name, line, words) VALUES (?, ?, ?, ?)')
        .run(id, name, line, JSON.stringify(more));
      const text = [line, ...more].join('\n');
      const heading = [name];
      const tokens = estimateTokens(text);
      const chunk = { heading, from: 1, to: 1, text, hash: hashChunk({ heading, text }), tokens };
      const row = this.#addChunk(null, index, { kind: 'card', ...chunk });
      this.#addMembers(row, [{ cluster: name, saidBy: 'card' }]);
    }
  }

  /**
   * Finds and stores the clusters of all chunks of the documents `paths` anew, within the current
   * transaction. `paths` absent: of all documents.
   */
  assign(paths?: readonly string[]): void {
    const { id } = this.#place;
    const chunks = this.#place
      .sql(
        `SELECT chunk.id, chunk.hash, document.path, document.clusters
          FROM context_chunk chunk JOIN context_document document ON document.id = chunk.document_id
          WHERE document.index_id = ?
            AND (? IS NULL OR document.path IN (SELECT value FROM json_each(?)))`,
      )
      .all(id, paths === undefined ? null : 1, JSON.stringify(paths ?? [])) as {
      id: number;
      hash: string;
      path: string;
      clusters: string;
    }[];
    const forget = this.#place.sql('DELETE FROM context_member WHERE chunk_id = ?');
    for (const chunk of chunks) {
      forget.run(chunk.id);
      const named = JSON.parse(chunk.clusters) as string[];
      this.#addMembers(chunk.id, this.#members.of(chunk.path, chunk.hash, named));
    }
  }

  #addChunk(owner: number | null, at: number, part: Omit<Part, 'kind'> & { kind: string }): number {
    const { id, words } = this.#place;
    const { kind, heading, from, to, text, hash, tokens, page } = part;
    const { lastInsertRowid } = this.#place
      .sql(
        `INSERT INTO context_chunk (index_id, document_id, place, kind, heading, from_line, to_line, text, hash, tokens, page, page_from)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[id, owner, at, kind, JSON.stringify(heading), from, to, text, hash, tokens],
        ...[page?.name ?? null, page?.from ?? null],
      );
    this.#place
      .sql(`INSERT INTO ${words} (rowid, heading, text) VALUES (?, ?, ?)`)
      .run(lastInsertRowid, toIndexText(heading.join('\n')), toIndexText(text));
    return Number(lastInsertRowid);
  }

  #addMembers(chunk: number, members: readonly { cluster: string; saidBy: SaidBy }[]): void {
    const add = this.#place.sql(
      'INSERT OR IGNORE INTO context_member (chunk_id, cluster, said_by) VALUES (?, ?, ?)',
    );
    for (const { cluster, saidBy } of members) add.run(chunk, cluster, saidBy);
  }
}
