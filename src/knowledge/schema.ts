/**
 * The tables of the index in the database, created when somebody first indexes. Tables have singular names
 * and are private; the two views are public (docs/database.md).
 */
import type Database from 'better-sqlite3';
import { DeliberateError } from '../kernel/errors.ts';

/**
 * The version of the tables and of the splitting of documents. An index with another version is not
 * read.
 */
export const INDEX_VERSION = 1;

const TABLES = `
  CREATE TABLE context_version (version INTEGER NOT NULL) STRICT;

  CREATE TABLE context_index (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    cards_file TEXT,          -- as a person named it; NULL: the project's own, if there is one
    embeddings TEXT,          -- the model whose vectors are searched
    dimensions INTEGER,
    told INTEGER NOT NULL DEFAULT 0, -- that it has no embedding model
    UNIQUE (project, name)
  ) STRICT;

  -- Folders and files that a person added; none lies in another.
  CREATE TABLE context_root (
    index_id INTEGER NOT NULL REFERENCES context_index(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    PRIMARY KEY (index_id, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE context_document (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES context_index(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    mtime REAL,               -- NULL: not to be trusted, or no file
    size INTEGER NOT NULL,
    hash TEXT NOT NULL,
    given INTEGER NOT NULL,   -- handed in by a program: no file has to be there
    clusters TEXT NOT NULL,   -- JSON: as its frontmatter names them
    indexed_at TEXT NOT NULL,
    UNIQUE (index_id, path)
  ) STRICT;

  CREATE TABLE context_chunk (
    id INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES context_index(id) ON DELETE CASCADE,
    document_id INTEGER REFERENCES context_document(id) ON DELETE CASCADE, -- NULL: a card
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,       -- section, claim or card
    heading TEXT NOT NULL,    -- JSON
    from_line INTEGER NOT NULL,
    to_line INTEGER NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    withheld INTEGER NOT NULL DEFAULT 0,
    page TEXT,                -- the page, slide or sheet, as citations name it
    page_from INTEGER,        -- the first line of the page
    UNIQUE (document_id, place)
  ) STRICT;
  CREATE INDEX context_chunk_of_index ON context_chunk(index_id, kind);
  CREATE INDEX context_chunk_withheld ON context_chunk(index_id) WHERE withheld;

  CREATE TABLE context_member (
    chunk_id INTEGER NOT NULL REFERENCES context_chunk(id) ON DELETE CASCADE,
    cluster TEXT NOT NULL,
    said_by TEXT NOT NULL,    -- person, frontmatter, folder, card, or a model
    PRIMARY KEY (chunk_id, cluster)
  ) STRICT, WITHOUT ROWID;

  -- What a person or a model decided of a chunk; holds for as long as the chunk reads the same.
  CREATE TABLE context_choice (
    index_id INTEGER NOT NULL REFERENCES context_index(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    clusters TEXT NOT NULL,   -- JSON
    said_by TEXT NOT NULL,
    PRIMARY KEY (index_id, path, hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE context_card (
    index_id INTEGER NOT NULL REFERENCES context_index(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    line TEXT NOT NULL,
    words TEXT NOT NULL,      -- JSON
    PRIMARY KEY (index_id, name)
  ) STRICT, WITHOUT ROWID;

  -- The quotation that a claim rests on, as the document has it and as it was last looked up.
  CREATE TABLE context_quotation (
    chunk_id INTEGER PRIMARY KEY REFERENCES context_chunk(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    from_line INTEGER NOT NULL,
    to_line INTEGER NOT NULL,
    quote TEXT NOT NULL,
    why TEXT                  -- why it is stale; NULL: it stands
  ) STRICT;

  -- By what was embedded, not by where it stands: the same text is never paid for twice.
  CREATE TABLE context_vector (
    hash TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,     -- float32, of length one
    UNIQUE (hash, model)
  ) STRICT;

  CREATE VIEW IF NOT EXISTS context_documents AS
    SELECT place.project, place.name AS index_name, document.path, document.hash,
      count(chunk.id) AS chunks, coalesce(sum(chunk.tokens), 0) AS tokens, document.indexed_at
    FROM context_document document JOIN context_index place ON place.id = document.index_id
      LEFT JOIN context_chunk chunk ON chunk.document_id = document.id
    GROUP BY document.id;

  CREATE VIEW IF NOT EXISTS context_chunks AS
    SELECT place.project, place.name AS index_name, document.path, chunk.kind, chunk.heading,
      chunk.from_line, chunk.to_line, chunk.text, chunk.tokens, chunk.hash, chunk.withheld,
      (SELECT json_group_array(json_object('cluster', cluster, 'said_by', said_by))
        FROM context_member WHERE chunk_id = chunk.id) AS clusters
    FROM context_chunk chunk JOIN context_index place ON place.id = chunk.index_id
      JOIN context_document document ON document.id = chunk.document_id;
`;

/** Returns the version of the index in a database; undefined if there is none. */
function versionIn(db: Database.Database): number | undefined {
  const there = db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'context_version'")
    .get();
  if (there === undefined) return undefined;
  return (db.prepare('SELECT max(version) FROM context_version').pluck().get() as number) ?? 0;
}

/**
 * Creates the tables of the index if the database has none. If the tables have another version,
 * `rebuild` deletes those of all indexes with their content and creates them anew.
 * @throws DeliberateError if the tables have another version and `rebuild` is false
 */
export function prepareTables(db: Database.Database, rebuild: boolean): void {
  if (versionIn(db) === INDEX_VERSION) {
    addPageColumns(db);
    return;
  }
  db.transaction(() => {
    // Check again within the transaction: another process may have created the tables meanwhile.
    const version = versionIn(db);
    if (version === INDEX_VERSION) return;
    if (version !== undefined && !rebuild)
      throw new DeliberateError(
        'index-version',
        `the document index was written by another version of deliberate (index version ${version}; this version reads ${INDEX_VERSION})`,
        'Rebuild it: deliberate context add FOLDER --rebuild. This drops the index of every project in this database; your documents stay.',
      );
    if (version !== undefined) dropTables(db);
    db.exec(TABLES);
    db.prepare('INSERT INTO context_version (version) VALUES (?)').run(INDEX_VERSION);
  }).immediate();
}

/**
 * Adds the page columns to an index that was written before they existed. Documents that may have pages
 * are marked as changed, so that the next update reads them again.
 */
function addPageColumns(db: Database.Database): void {
  const has = db
    .prepare("SELECT 1 FROM pragma_table_info('context_chunk') WHERE name = 'page_from'")
    .pluck();
  if (has.get() !== undefined) return;
  db.transaction(() => {
    // Check again within the transaction: another process may have added the columns meanwhile.
    if (has.get() !== undefined) return;
    db.exec(`
      ALTER TABLE context_chunk ADD COLUMN page TEXT;
      ALTER TABLE context_chunk ADD COLUMN page_from INTEGER;
      UPDATE context_document SET hash = '', mtime = NULL
        WHERE NOT given AND (${PAGED.map((ending) => `path LIKE '%${ending}'`).join(' OR ')});`);
  }).immediate();
}

/** The endings of documents whose text has pages, slides or sheets. */
const PAGED = ['.pdf', '.pptx', '.odp', '.xlsx', '.ods'] as const;

/** Matches our tables, including those of full-text indexes; a person's own tables stay. */
const OURS =
  /^context_(version|index|root|document|chunk|member|choice|card|quotation|vector|page|documents|chunks|words_\d+)$/;

function dropTables(db: Database.Database): void {
  // Drop tables and views in reverse order of creation, since later ones refer to earlier ones.
  const things = db
    .prepare<[], { name: string; type: string }>(
      "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid DESC",
    )
    .all();
  for (const { name, type } of things) if (OURS.test(name)) db.exec(`DROP ${type} "${name}"`);
}

/**
 * Returns the name of an index's table for full-text search. Every index has its own table, since
 * the words of other projects would change the ranking.
 */
export function wordsTable(index: number): string {
  return `context_words_${index}`;
}

/** Creates an index's table for full-text search. */
export function createWords(db: Database.Database, index: number): void {
  db.exec(
    `CREATE VIRTUAL TABLE ${wordsTable(index)} USING fts5(
      heading, text, content = '', contentless_delete = 1,
      tokenize = "porter unicode61 remove_diacritics 2")`,
  );
}
