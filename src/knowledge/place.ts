/** One open index in the database, with its reads and writes. */
import type Database from 'better-sqlite3';
import type { Card } from '../io/cards.ts';
import { explainErrors } from '../store/database.ts';
import { Clusters } from './cards.ts';
import { wordsTable } from './schema.ts';

interface IndexRow {
  readonly id: number;
  readonly cardsFile: string | null;
  readonly embeddings: string | null;
  readonly dimensions: number | null;
  readonly told: 0 | 1;
}

/** One index in the database: its row, its project and prepared statements. */
export class StoredIndex {
  readonly db: Database.Database;
  /** The path of the database file. */
  readonly file: string;
  /** The folder to which paths are relative; it identifies the index together with `name`. */
  readonly project: string;
  readonly name: string;
  /** The number of the index in the database. */
  readonly id: number;
  /** The name of the table for full-text search. */
  readonly words: string;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();

  constructor(db: Database.Database, file: string, project: string, name: string, id: number) {
    this.db = db;
    this.file = file;
    this.project = project;
    this.name = name;
    this.id = id;
    this.words = wordsTable(id);
  }

  /** Returns the prepared statement for a SQL text. Statements are cached. */
  sql(text: string): Database.Statement<unknown[]> {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const made = this.db.prepare(text);
    this.#statements.set(text, made);
    return made;
  }

  /**
   * Runs work in a transaction that may write.
   * @throws StoreError if the database cannot be written
   */
  write<T>(work: () => T): T {
    return explainErrors(this.file, () => this.db.transaction(work).immediate());
  }

  /**
   * Runs work that only reads.
   * @throws StoreError if the database cannot be read
   */
  read<T>(work: () => T): T {
    return explainErrors(this.file, () => this.db.transaction(work).deferred());
  }

  /** The index's row in the database. */
  get row(): IndexRow {
    return this.sql(
      `SELECT id, cards_file AS cardsFile, embeddings, dimensions, told FROM context_index WHERE id = ?`,
    ).get(this.id) as IndexRow;
  }

  /** Sets a column of the index's row. */
  set(
    column: 'cards_file' | 'embeddings' | 'dimensions' | 'told',
    value: string | number | null,
  ): void {
    this.write(() =>
      this.sql(`UPDATE context_index SET ${column} = ? WHERE id = ?`).run(value, this.id),
    );
  }

  /** Returns the paths of the folders and files that a person added to the index, sorted. */
  roots(): string[] {
    return this.sql('SELECT path FROM context_root WHERE index_id = ? ORDER BY path')
      .pluck()
      .all(this.id) as string[];
  }

  /** Returns the cards that describe the clusters. */
  cards(): Card[] {
    return (
      this.sql('SELECT name, line, words FROM context_card WHERE index_id = ? ORDER BY name').all(
        this.id,
      ) as { name: string; line: string; words: string }[]
    ).map(({ name, line, words }) => ({ name, line, words: JSON.parse(words) as string[] }));
  }

  /** Returns the clusters that the cards describe. */
  clusters(): Clusters {
    return new Clusters(this.cards());
  }

  /** Deletes the index. A vector is kept if another index has the same text. */
  remove(): void {
    this.write(() => {
      this.db.exec(`DROP TABLE IF EXISTS ${this.words}`);
      this.sql('DELETE FROM context_index WHERE id = ?').run(this.id);
      forgetVectors(this.db);
    });
  }
}

/** Deletes the vectors of texts that no index contains any more. */
export function forgetVectors(db: Database.Database): void {
  db.exec('DELETE FROM context_vector WHERE hash NOT IN (SELECT hash FROM context_chunk)');
}
