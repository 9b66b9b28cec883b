/** Keeps what calls were asked: each part of a prompt once in a run. */
import type Database from 'better-sqlite3';
import { digest } from '../kernel/digest.ts';
import type { Prompt } from '../kernel/journal.ts';

/** Writes the prompts of one run, within whatever transaction is under way. */
export function promptKeeper(db: Database.Database, run: string): (prompt: Prompt) => void {
  const find = db
    .prepare<[string, string], number>('SELECT id FROM part WHERE run_id = ? AND hash = ?')
    .pluck();
  const add = db.prepare('INSERT INTO part (run_id, hash, text) VALUES (?, ?, ?)');
  const keep = db.prepare(
    `INSERT OR REPLACE INTO prompt (run_id, attempt, system, messages, schema, options)
      VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const partOf = (text: string): number | bigint => {
    const hash = digest(text);
    return find.get(run, hash) ?? add.run(run, hash, text).lastInsertRowid;
  };
  return ({ attempt, system, messages, schema, options }) => {
    const asked = messages.map(({ role, parts }) => ({ role, parts: parts.map(partOf) }));
    keep.run(
      run,
      attempt,
      system === '' ? null : partOf(system),
      JSON.stringify(asked),
      schema === undefined ? null : partOf(schema),
      JSON.stringify(options),
    );
  };
}
