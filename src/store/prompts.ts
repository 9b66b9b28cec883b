/** Keeps what calls were asked: each part of a prompt once in a run. */
import type Database from 'better-sqlite3';
import { digest } from '../kernel/digest.ts';
import type { Prompt } from '../kernel/journal.ts';

/** The prompts of one run, written within whatever transaction is under way. */
export class Prompts {
  readonly #db: Database.Database;
  readonly #run: string;
  #sql: ReturnType<typeof prepare> | undefined;

  constructor(db: Database.Database, run: string) {
    this.#db = db;
    this.#run = run;
  }

  keep({ attempt, system, messages, schema, options }: Prompt): void {
    const sql = this.#statements();
    const asked = messages.map(({ role, parts }) => ({
      role,
      parts: parts.map((text) => this.#part(text)),
    }));
    sql.prompt.run(
      this.#run,
      attempt,
      system === '' ? null : this.#part(system),
      JSON.stringify(asked),
      schema === undefined ? null : this.#part(schema),
      JSON.stringify(options),
    );
  }

  #statements(): ReturnType<typeof prepare> {
    this.#sql ??= prepare(this.#db);
    return this.#sql;
  }

  #part(text: string): number | bigint {
    const { find, add } = this.#statements();
    const hash = digest(text);
    return find.get(this.#run, hash) ?? add.run(this.#run, hash, text).lastInsertRowid;
  }
}

function prepare(db: Database.Database) {
  return {
    find: db
      .prepare<[string, string], number>('SELECT id FROM part WHERE run_id = ? AND hash = ?')
      .pluck(),
    add: db.prepare('INSERT INTO part (run_id, hash, text) VALUES (?, ?, ?)'),
    prompt: db.prepare(
      `INSERT OR REPLACE INTO prompt (run_id, attempt, system, messages, schema, options)
        VALUES (?, ?, ?, ?, ?, ?)`,
    ),
  };
}
