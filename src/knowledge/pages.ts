/**
 * Web pages in the index. The caller hands in the text of a page, whose chunks are stored like those of a
 * document without a file. The table `context_page` has the address of each page. The table is created when
 * the first page is added.
 */
import { createHash } from 'node:crypto';
import { parsePage } from './document.ts';
import type { StoredIndex } from './place.ts';
import { Members, Writer } from './write.ts';

/** A web page that was added to an index. */
export interface IndexedPage {
  /** The name by which the page is cited, such as `example.com/page`. */
  readonly name: string;
  readonly address: string;
  /** When the page was fetched, in ISO 8601. */
  readonly at: string;
  /** The HTTP status of the response. */
  readonly status: number;
  /** The SHA-256 of the page's bytes, in hexadecimal. */
  readonly sha256: string;
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS context_page (
    index_id INTEGER NOT NULL REFERENCES context_index(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    at TEXT NOT NULL,
    status INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (index_id, name)
  ) STRICT, WITHOUT ROWID`;

/** Adds a page, or replaces the page of that name. Returns whether the text is new or has changed. */
export function addPage(place: StoredIndex, page: IndexedPage, text: string): boolean {
  const { name: path, address, at, status, sha256 } = page;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const members = new Members(place);
  return place.write(() => {
    place.db.exec(TABLE);
    place
      .sql(
        `INSERT OR REPLACE INTO context_page (index_id, name, address, at, status, sha256)
          VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(place.id, path, address, at, status, sha256);
    const size = Buffer.byteLength(text);
    const document = { path, mtime: null, size, hash, given: true, parsed: parsePage(text) };
    return new Writer(place, members).put(document, false);
  });
}

/** Lists the pages of an index, by name. */
export function pagesIn(place: StoredIndex): IndexedPage[] {
  if (!hasTable(place)) return [];
  return place
    .sql(
      'SELECT name, address, at, status, sha256 FROM context_page WHERE index_id = ? ORDER BY name',
    )
    .all(place.id) as IndexedPage[];
}

/** Removes a page and its chunks. Returns false if there is no such page. */
export function removePage(place: StoredIndex, name: string): boolean {
  if (!hasTable(place)) return false;
  return place.write(() => {
    const { changes } = place
      .sql('DELETE FROM context_page WHERE index_id = ? AND name = ?')
      .run(place.id, name);
    const id = place
      .sql('SELECT id FROM context_document WHERE index_id = ? AND path = ? AND given = 1')
      .pluck()
      .get(place.id, name) as number | undefined;
    if (changes > 0 && id !== undefined) new Writer(place).drop(id);
    return changes > 0;
  });
}

function hasTable({ db }: StoredIndex): boolean {
  return (
    db
      .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'context_page'")
      .get() !== undefined
  );
}
